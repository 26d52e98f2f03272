"""The condition of a change, and which rows it takes: some by their names, a range, all of them."""

from itertools import pairwise

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import Act
from holdpoint.core.risk.sql.rows import table
from holdpoint.core.risk.sql.tokens import Token
from holdpoint.core.risk.sql.truth import Reach, reach

_AFTER_WHERE = frozenset({"RETURNING", "ORDER", "LIMIT", "OPTION", "OUTPUT", "WINDOW", "RETURN"})
_UNDOING = word_set(
    "OR NOT XOR TRUE LIKE ILIKE RLIKE REGEXP SIMILAR GLOB EXISTS CASE COALESCE IFNULL NVL IF IS "
    "BETWEEN ANY ALL SOME SELECT || && ! ~ + - * / % ^ | & # DIV MOD CURRENT COLLATE"
)
"""With one of these a comparison may hold for every row."""


def condition_of(act: Act) -> tuple[Token, ...] | None:
    """What follows WHERE; None when there is none."""
    depth, start = 0, 0
    for place, token in enumerate(act.tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0 and token.kind == "word":
            if start and token.text in _AFTER_WHERE:
                return act.tokens[start:place]
            if token.text == "WHERE":
                start = place + 1
    return act.tokens[start:] if start else None


def reached(act: Act, condition: tuple[Token, ...] | None) -> Reach | None:
    """Which rows it takes; None for all of them, as there is none."""
    if condition is None:
        return None
    if not condition:
        return Reach.UNREADABLE
    if _is_plain(condition) or condition[0].text == "CURRENT":
        return Reach.NAMED
    text = act.text[condition[0].start : condition[-1].end]
    named = table(act).rpartition(".")[2]
    known, asked = act.budget.whole.known, (text, act.dialect, named)
    if asked not in known:
        spent = act.budget.spend(len(text))
        known[asked] = reach(*asked, act.budget) if spent else Reach.UNREADABLE
    found: Reach = known[asked]
    return found


def _is_plain(condition: tuple[Token, ...]) -> bool:
    """`name = value`, `name IN (value, …)`, and no word that could undo it: nothing to parse."""
    if any(token.text in _UNDOING for token in condition):
        return False
    pairs = tuple(pairwise(condition))
    triples = zip(condition, condition[1:], condition[2:], strict=False)
    return any(_names_one(*triple) for triple in triples) and not any(map(_shifts, pairs))


def _shifts(pair: tuple[Token, Token]) -> bool:
    """`0 << id`: two signs at once."""
    one, then = pair
    return one.text == then.text and one.text in "<>" and one.end == then.start


def _names_one(name: Token, sign: Token, value: Token) -> bool:
    named = name.kind in {"word", "name"} and name.text not in _NO_COLUMNS
    named = named and name.text[0] not in "@:$" and (name.kind == "name" or "#" not in name.text)
    holds = value.kind in {"string", "number"} or value.text.startswith((":", "$", "@", "?"))
    return named and (sign.text == "IN" or (sign.text == "=" and holds))


_NO_COLUMNS = word_set(
    "TRUE FALSE NULL CURRENT_USER SESSION_USER SYSTEM_USER CURRENT_ROLE CURRENT_CATALOG "
    "CURRENT_SCHEMA CURRENT_DATABASE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME "
    "LOCALTIMESTAMP SYSDATE SYSTIMESTAMP"
)
"""Words that are worth the same whatever the row."""
