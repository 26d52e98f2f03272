"""Statements that one text both writes down and runs: procedures, and texts in variables."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.tokens import BODIES, Token, defines

_RUNS = word_set("CALL EXEC EXECUTE SELECT PERFORM DO BEGIN")
_VARIABLES = ("@", ":")


def runs_variable(tokens: tuple[Token, ...]) -> bool:
    """`PREPARE p FROM @q`, `EXECUTE IMMEDIATE :q`, `EXEC (@q)`."""
    if tokens[0].text not in {"PREPARE", "EXEC", "EXECUTE"}:
        return False
    return any(token.text.startswith(_VARIABLES) for token in tokens[1:8])


def is_called(tokens: tuple[Token, ...], statements: tuple[tuple[Token, ...], ...]) -> bool:
    """Whether another statement of the text runs what this one defines."""
    if not defines(tokens[:8]):
        return False
    name = _defined(tokens)
    return bool(name) and any(
        name in map(_bare, other) for other in statements if other[0].text in _RUNS
    )


def body(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """What runs when it is called: everything behind its name."""
    return tokens[_place(tokens) + 1 :] or tokens


def _place(tokens: tuple[Token, ...]) -> int:
    return next(at for at, token in enumerate(tokens) if token.text in BODIES)


def _defined(tokens: tuple[Token, ...]) -> str:
    """`p` of `CREATE PROCEDURE shop.p()`."""
    name = ""
    for token in tokens[_place(tokens) + 1 :]:
        if token.text == "(" or token.text in {"AS", "BEGIN", "IS"}:
            break
        name = _bare(token)
    return name


def _bare(token: Token) -> str:
    return token.text.strip('"`[]').upper()
