"""Orders that stand where no statement should begin: behind a prompt, a tag, a bracket too many.

A text that begins as no statement does may be cut down to one by whatever it is handed to.
"""

from collections.abc import Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.blocks import JOINED, has_object, sets
from holdpoint.core.risk.sql.tokens import Token
from holdpoint.core.risk.sql.unread import is_asked, is_known

_GRAVE = word_set("DELETE TRUNCATE UPDATE GRANT REVOKE DROP")
"""Verbs that take all of something by two words."""

_GOES_ON = word_set(
    "SELECT DISTINCT ALL WHERE AND OR NOT FROM JOIN ON BY IN LIKE AS SET VALUES HAVING WHEN "
    "CASE THEN ELSE IS BETWEEN UNION EXCEPT INTERSECT RETURNING WITH USING INTO CREATE ALTER "
    "SHOW ENABLE DISABLE FOR TO AUDIT ACTIONS OF BEFORE AFTER INSTEAD NO KEY TABLE COLUMN INDEX "
    "VIEW RENAME ADD IF EXISTS LIMIT OFFSET ORDER GROUP ANY SOME DO ALLOW UPDATE DELETE INSERT "
    "DROP HANDLER PROMPT REM REMARK"
)
"""Words that something else must follow before a statement can begin."""

_CLOSES = frozenset(")*]}>")
_JOINS = frozenset(".,")
_REFERENCES = word_set("CASCADE RESTRICT SET NO TO DO")
"""What a foreign key or a rule does ON DELETE."""


def parted(tokens: tuple[Token, ...], verbs: frozenset[str]) -> Iterator[tuple[Token, ...]]:
    """A statement; of what begins as none does, what stands before its first order, and the rest.

    `verbs`: the words that begin an order which is judged by its own rule.
    """
    place = 0 if is_known(tokens, verbs) else _first(tokens, verbs)
    if place:
        yield tokens[:place]
    yield tokens[place:]


def _first(tokens: tuple[Token, ...], verbs: frozenset[str]) -> int:
    """Where an order stands with its object; 0 when nowhere, or when people talk of it."""
    for place, token in enumerate(tokens):
        if place and token.text in verbs and token.kind == "word" and _may_begin(tokens, place):
            return 0 if is_asked(tokens[:place]) else place
    return 0


def _may_begin(tokens: tuple[Token, ...], place: int) -> bool:
    before = tokens[place - 1].text
    if before in _GOES_ON or before in _JOINS or not _has_name(tokens, place):
        return False
    return tokens[place].text != "UPDATE" or sets(tokens, place, JOINED)


def is_stray(tokens: tuple[Token, ...], place: int) -> bool:
    """Whether a verb that no rule of grammar expects here is an order with its object."""
    if not place or tokens[place].text not in _GRAVE or not _has_name(tokens, place):
        return False
    if tokens[place].text == "UPDATE" and not sets(tokens, place, JOINED):
        return False
    before = tokens[place - 1]
    if before.text == "ON":
        return tokens[place + 1].text not in _REFERENCES
    return _is_whole(before)


def _has_name(tokens: tuple[Token, ...], place: int) -> bool:
    """Whether what follows can be what the verb is about; rows are always those of a name."""
    if not has_object(tokens, place) or tokens[0].text in _OTHERS:
        return False
    return tokens[place].text not in _GRAVE or tokens[place + 1].kind in {"word", "name"}


_OTHERS = word_set("MATCH OPTIONAL UNWIND PROMPT REM REMARK")
"""Heads of Cypher, whose orders have a rule of their own, and of what is only shown."""


def _is_whole(token: Token) -> bool:
    """Whether an expression or a name may end with it."""
    if token.kind == "sign":
        return token.text in _CLOSES
    return token.text not in _GOES_ON
