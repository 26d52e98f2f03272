"""Statements that one text both writes down and runs: procedures, and texts in variables."""

from itertools import pairwise

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.tokens import BODIES, Token, defines

_RUNS = word_set("CALL EXEC EXECUTE SELECT PERFORM DO BEGIN")
_VARIABLES = ("@", ":")


def variables_run(tokens: tuple[Token, ...]) -> frozenset[str]:
    """Those of `PREPARE p FROM @q`, `EXECUTE IMMEDIATE :q`, `EXEC (@q)`, `EXECUTE q` in a block."""
    if not any(token.text in _STARTS for token in tokens):
        return frozenset()
    found = {
        token.text
        for place, token in enumerate(tokens)
        for token in (tokens[place : place + MAX_APART] if _may_run(tokens, place) else ())
        if token.kind == "word"
    }
    return frozenset(found - _RUNS - _BESIDE)


_STARTS = word_set("PREPARE EXEC EXECUTE")
MAX_APART = 8
"""Words within which what is run stands behind its verb."""

_BESIDE = word_set("IMMEDIATE FROM AS USING INTO END LOOP SP_EXECUTESQL")


def _may_run(tokens: tuple[Token, ...], place: int) -> bool:
    """At its head, or in a block behind these words."""
    if tokens[place].text not in _STARTS or tokens[place].kind != "word":
        return False
    return place == 0 or tokens[place - 1].text in {"BEGIN", "THEN", "ELSE", "LOOP", "DO"}


def keeps(tokens: tuple[Token, ...], run: frozenset[str]) -> bool:
    """Whether it may put a text into a variable that runs later: `SET @q = …`, `q := …`."""
    heads = any(token.text in {"SET", "DECLARE", "SELECT"} for token in tokens[:3])
    if heads and any(name.startswith(_VARIABLES) for name in run):
        return True
    pairs = pairwise(token.text for token in tokens)
    return (":", "=") in pairs and any(token.text in run for token in tokens)


def is_called(tokens: tuple[Token, ...], statements: tuple[tuple[Token, ...], ...]) -> bool:
    """Whether another statement of the text runs what this one defines."""
    if not defines(tokens[:8]):
        return False
    name = _defined(tokens)
    return bool(name) and any(
        name in map(_bare, other) for other in statements if other[0].text in _RUNS
    )


def body(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """What runs when it is called, without its name and what it is given; all, where none is."""
    rest = tokens[_place(tokens) + 1 :]
    depth, start = 0, 0
    for place, token in enumerate(rest):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0 and token.kind == "word" and token.text in _BEGINS:
            return rest[place + 1 :] or tokens
        if depth == 0 and not start and token.text in _ENDS_HEAD:
            start = place + 1
    return rest[start:] or tokens


_BEGINS = word_set("AS IS BEGIN")
_ENDS_HEAD = word_set(") ON BEFORE AFTER INSTEAD")
"""What the name of a thing, and of its parameters, ends before."""


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
