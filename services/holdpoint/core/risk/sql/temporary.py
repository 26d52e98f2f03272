"""Tables of the session's own: what is dropped or emptied there, nobody else ever saw.

A table counts only where its making stands before, at the head of a statement of the same text, and
nothing between could undo it or make its name mean another table.
"""

import re
from itertools import pairwise

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.sql.tokens import Tokens

_BESIDE = frozenset({"IF", "EXISTS", "NOT"})
_FORGETS = words("words/sql:forgets")
"""Statements after which a name may mean another table than before."""

_OWN_SCHEMA = "PG_TEMP."
"""PostgreSQL's name for the session's own schema: what goes there, goes by its bare name too."""

_PARTS = frozenset({"SCHEMA", "OWNED", "TEMPORARY"})
"""What a DROP may name that takes such tables along, whatever they are called."""


class Temporaries:
    """The temporary tables that a text has made so far."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def passes(self, tokens: Tokens) -> bool:
        """Whether a statement only drops or empties such tables; it counts as done then."""
        texts = [token.text for token in tokens]
        made = _made(texts)
        if made:
            self.names.add(made)
        elif texts[0] in _FORGETS or (texts[0] == "SET" and "SEARCH_PATH" in texts):
            self.names.clear()
        gone = _gone(texts)
        own = bool(gone) and all(_is_own(name, self.names) for name in gone)
        if texts[0] == "DROP":
            self.names.difference_update(name.removeprefix(_OWN_SCHEMA) for name in gone)
            if not _PARTS.isdisjoint(texts[1:2]):
                self.names.clear()
        return own


def _is_own(name: str, made: set[str]) -> bool:
    return name in made or name.startswith(_OWN_SCHEMA) or is_of_session(name)


def is_of_session(name: str) -> bool:
    """SQL Server's `#t`; `##t` is everybody's."""
    return name.startswith("#") and not name.startswith("##")


def _made(texts: list[str]) -> str:
    """The table that `CREATE TEMP TABLE x` makes; none that goes again by itself."""
    if texts[:1] != ["CREATE"] or texts[1:2] not in (["TEMP"], ["TEMPORARY"]):
        return ""
    if texts[2:3] != ["TABLE"] or ("COMMIT", "DROP") in pairwise(texts):
        return ""
    rest = [text for text in texts[3:7] if text not in _BESIDE]
    return rest[0] if rest and rest[1:2] != ["."] else ""


def _gone(texts: list[str]) -> tuple[str, ...]:
    """The tables that a plain DROP, TRUNCATE or DELETE without a condition names."""
    heads = 2 if texts[:2] in _EMPTYING else 1 if texts[:1] == ["TRUNCATE"] else 0
    rest = texts[heads:]
    while rest[:1] and rest[0] in _BESIDE:
        rest = rest[1:]
    said = " ".join(rest[:-1] if rest[-1:] in _ENDS else rest)
    return tuple(said.replace(" . ", ".").split(" , ")) if heads and _listed.fullmatch(said) else ()


_EMPTYING = (["DROP", "TABLE"], ["TRUNCATE", "TABLE"], ["DELETE", "FROM"])
_ENDS = (["CASCADE"], ["RESTRICT"])
_name = r"""(?:\#*[^\W\d]\w*|"[^"]*"|`[^`]*`)"""
_listed = re.compile(rf"{_name}(?: \. {_name})*(?: , {_name}(?: \. {_name})*)*")
