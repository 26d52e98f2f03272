"""Texts that a statement stores or compares: nothing in them runs."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.later import variables_run
from holdpoint.core.risk.sql.statement import dynamic
from holdpoint.core.risk.sql.tokens import Token, cuts

MAX_SHORT = 10_000
"""Characters of a statement that is cut once more."""

_STORES = word_set("INSERT UPDATE DELETE REPLACE MERGE COMMENT")


def without_data(text: str) -> str:
    """The same with blanks for what its statements store; as it is where anything may run it."""
    ways = cuts(text, "") if len(text) <= MAX_SHORT and "'" in text else ()
    if len(ways) != 1 or not ways[0].whole or not all(map(_only_stores, ways[0].statements)):
        return text
    tokens = (token for one in ways[0].statements for token in one)
    for token in tokens:
        if token.kind == "string" and token.text[0] == "'":
            text = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
    return text


def _only_stores(tokens: tuple[Token, ...]) -> bool:
    return tokens[0].text in _STORES and not dynamic(tokens) and not variables_run(tokens)
