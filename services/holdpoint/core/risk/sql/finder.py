"""Where orders begin: in blocks, behind conditions, in brackets, or where none is expected.

This is for statements that sqlglot cannot parse as a whole; each order that is found is then
parsed by itself.
"""

from collections.abc import Iterator

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.sql.order import Order, Source
from holdpoint.core.risk.sql.tokens import Token, Tokens, defines, pairs_of, without_brackets

VERBS = words("words/sql:verbs")
_HEADS = words("words/sql:statement_heads")
_PROSE = words("words/sql:prose")
_REMOVING = words("words/sql:removing_verbs")
_OPENERS = words("words/sql:opening_words") | {";"}
_NO_OBJECT = words("words/sql:no_object")
_GOES_ON = words("words/sql:goes_on")

_NOT_AFTER = frozenset({"FOR", "OF", "OR", "BEFORE", "AFTER", "NO", "KEY", "."})
_CHOICES = frozenset({"THEN", "ELSE"})
_CONDITIONS = frozenset({"IF", "WHILE", "ELSEIF", "ELSIF"})
_ALONE = frozenset({"SHUTDOWN", "FLUSHALL", "FLUSHDB"})
_OF_QUERIES = frozenset({"COPY", "EXEC", "EXECUTE", "UNLOAD"})
"""Verbs that a bracket may follow."""

_FUNCTIONS = frozenset({"REPLACE", "INSERT", "TRUNCATE", "LOAD", "SET"})
"""Verbs that are functions where a bracket follows."""

DROPPABLE = (
    words("words/sql:wholes")
    | words("words/sql:contents")
    | words("words/sql:people")
    | words("words/sql:mendable")
)
"""Kinds of things that a DROP may name."""

_PAIRS = {
    "DELETE": frozenset({"FROM"}),
    "INSERT": frozenset({"INTO", "OVERWRITE"}),
    "MERGE": frozenset({"INTO"}),
    "TRUNCATE": frozenset({"TABLE"}),
    "CREATE": frozenset({"USER", "LOGIN", "ROLE", "POLICY", "EXTENSION", "ASSEMBLY"}),
    "DROP": DROPPABLE,
    "ALTER": words("words/sql:alterable"),
    "EXECUTE": frozenset({"IMMEDIATE"}),
    "DB": frozenset({"."}),
}
"""What follows a verb that begins a statement wherever it stands."""

_WHOLE = frozenset({"GRANT", "REVOKE", "ALTER", "DENY", "COMMENT"})
"""Orders that are judged as a whole: the verbs in them are names of rights or parts."""

_ROWS = frozenset(
    {("DELETE", "FROM"), ("INSERT", "INTO"), ("MERGE", "INTO"), ("TRUNCATE", "TABLE")}
)
"""What no ALTER has as a part."""

_GRAVE = frozenset({"DELETE", "TRUNCATE", "UPDATE", "GRANT", "REVOKE", "DROP"})
"""Verbs that take all of something by two words: they count also where none is expected."""

_OTHERS = frozenset({"MATCH", "OPTIONAL", "UNWIND", "PROMPT", "REM", "REMARK"})
"""Heads of Cypher, whose orders have a rule of their own, and of what is only shown."""

NAMED, JOINED = 8, 60
"""Tokens in which an UPDATE names its table, and joins it to others."""


def orders(source: Source, tokens: Tokens) -> Iterator[Order]:
    """Yield each verb with what belongs to it."""
    first, after, known = leading(tokens), 0, is_known(tokens)
    for place, token in enumerate(tokens):
        if place < after or token.kind != "word" or token.text not in VERBS:
            continue
        if _begins(tokens, place, first) or (known and is_stray(tokens, place)):
            inside = tokens[place : _end(tokens, place)]
            hidden = place > 0 and (_is_behind_with(tokens, place) or _is_in_query(tokens, place))
            yield source.order(inside, hidden=hidden)
            after = place + _judged_whole(inside)


def leading(tokens: Tokens) -> int:
    """Return the place of the first word behind opening brackets."""
    return next((at for at, token in enumerate(tokens) if token.text not in "({"), 0)


def _begins(tokens: Tokens, place: int, first: int) -> bool:
    """Whether a verb begins a statement here; `first`: where the statement itself does."""
    verb = tokens[place].text
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if place <= first:
        is_step = after == "ON" and (verb, "FROM") in _ROWS | {("UPDATE", "FROM")}
        return not (after == "(" and verb in _FUNCTIONS) and not is_step
    before = tokens[place - 1].text
    if before in _NOT_AFTER:
        return False
    if after in _PAIRS.get(verb, ()):
        return True
    if before == "ON":
        return False
    free = _has_object(tokens, place) and _is_free(tokens, place, before)
    if verb == "UPDATE":
        return after != "(" and _sets(tokens, place, JOINED if free else NAMED)
    return free


def _judged_whole(tokens: Tokens) -> int:
    """Return how many tokens of an order hold no other: of a GRANT those before whom it is for."""
    verb = tokens[0].text
    if verb not in _WHOLE:
        return 0
    if verb == "ALTER":
        places = (place for place, pair in enumerate(pairs_of(tokens)) if pair in _ROWS)
    else:
        places = (place for place, token in enumerate(tokens) if token.text in {"TO", "FROM"})
    return next(places, len(tokens))


def _is_free(tokens: Tokens, place: int, before: str) -> bool:
    """Whether a statement may begin here, whatever it is."""
    if before in _OPENERS or tokens[place].text in {"EXEC", "EXECUTE"}:
        return True
    head = tokens[0].text
    if before in {"AS", "IS"}:
        schedules = head in {"CREATE", "ALTER"} and any(one.text == "TASK" for one in tokens[1:6])
        return head == "PREPARE" or defines(tokens[:8]) or schedules
    return head in _CONDITIONS and (tokens[place - 1].kind != "sign" or before == ")")


def _has_object(tokens: Tokens, place: int) -> bool:
    """Whether what follows can be what the verb is about."""
    verb = tokens[place].text
    if place + 1 == len(tokens):
        return verb in _ALONE
    after = tokens[place + 1]
    if verb in _ALONE:
        return after.text in {";", "WITH"} or tokens[place - 1].text in _OPENERS - _CHOICES
    if after.kind == "sign":
        return after.text == "@" or (after.text == "(" and verb in _OF_QUERIES)
    replaces = verb == "CREATE" and after.text == "OR"
    return after.kind != "word" or after.text not in _NO_OBJECT or replaces


def _sets(tokens: Tokens, place: int, within: int) -> bool:
    """Whether a SET follows soon, and not at once: `UPDATE t AS u SET`."""
    behind = tokens[place + 1 : place + within]
    return any(token.text == "SET" for token in behind[1:]) and behind[0].text != "SET"


def _end(tokens: Tokens, place: int) -> int:
    """Return the end of the statement that begins here, or of the bracket that it stands in."""
    depth = 0
    for at in range(place, len(tokens)):
        text = tokens[at].text
        depth += {"(": 1, ")": -1}.get(text, 0)
        if depth < 0 or (text == ";" and tokens[at].kind == "sign"):
            return at
    return len(tokens)


def _is_behind_with(tokens: Tokens, place: int) -> bool:
    """Whether a WITH holds it, or says which rows it takes; else its own condition does."""
    if tokens[0].text != "WITH":
        return False
    before = [token.text for token in tokens[:place]]
    if before.count("(") != before.count(")"):
        return True
    behind = tokens[place:]
    outside = [token for _, token in without_brackets(behind)]
    defined = {one for one, then in pairs_of(tokens[:place]) if then == "AS"}
    texts = {token.text for token in behind}
    itself = not {*before}.isdisjoint({one.text for one in behind[1:4]} - _NO_TABLES)
    return (itself and not defined.isdisjoint(texts)) or any(
        word in {"USING", "JOIN"} or (word == "FROM" and one != "DELETE")
        for one, word in pairs_of(tuple(outside))
    )


_NO_TABLES = frozenset({"FROM", "ONLY", "INTO", "SET", "WHERE", "AS"})


def _is_in_query(tokens: Tokens, place: int) -> bool:
    """Whether a part of a WITH is made of it: `WITH x AS (DELETE …)`."""
    before = (tokens[place - 2].text, tokens[place - 1].text)
    return before in {("AS", "("), ("MATERIALIZED", "(")}


def parted(tokens: Tokens) -> Iterator[Tokens]:
    """Yield a statement; of what begins as none does, the part before its first order, and it."""
    place = 0 if is_known(tokens) else _first_order(tokens)
    if place:
        yield tokens[:place]
    yield tokens[place:]


def _first_order(tokens: Tokens) -> int:
    """Return where an order stands with its object; 0 when nowhere, or when people talk of it."""
    for place, token in enumerate(tokens):
        if place and token.text in VERBS and token.kind == "word" and _may_begin(tokens, place):
            return 0 if is_asked(tokens[:place]) else place
    return 0


def _may_begin(tokens: Tokens, place: int) -> bool:
    before = tokens[place - 1].text
    if before in _GOES_ON or before in {".", ","} or not _has_name(tokens, place):
        return False
    return tokens[place].text != "UPDATE" or _sets(tokens, place, JOINED)


def is_stray(tokens: Tokens, place: int) -> bool:
    """Whether a verb that no grammar expects here is an order with its object."""
    if not place or tokens[place].text not in _GRAVE or not _has_name(tokens, place):
        return False
    if tokens[place].text == "UPDATE" and not _sets(tokens, place, JOINED):
        return False
    before = tokens[place - 1]
    if before.text == "ON":
        return tokens[place + 1].text not in {"CASCADE", "RESTRICT", "SET", "NO", "TO", "DO"}
    return before.text in ")*]}>" if before.kind == "sign" else before.text not in _GOES_ON


def _has_name(tokens: Tokens, place: int) -> bool:
    """Whether what follows can be what the verb is about; rows are always those of a name."""
    if not _has_object(tokens, place) or tokens[0].text in _OTHERS:
        return False
    return tokens[place].text not in _GRAVE or tokens[place + 1].kind in {"word", "name"}


def is_known(tokens: Tokens) -> bool:
    """Whether it begins as a statement does."""
    head = tokens[leading(tokens)]
    return head.text in VERBS or head.text in _HEADS or head.kind == "client"


def is_asked(tokens: Tokens) -> bool:
    """Whether these are words of people, who ask or tell."""
    return not _PROSE.isdisjoint({token.text for token in tokens if token.kind == "word"})


def is_unread(tokens: Tokens) -> bool:
    """Whether a statement begins as none does, and a removing verb stands in it bare."""
    at = leading(tokens)
    head, after = tokens[at], tokens[at + 1 : at + 2]
    if is_known(tokens) or head.text[0] in "@:#$":
        return False
    if head.kind in {"word", "name"} and after and after[0].text[0] in "(.:=[|,;*+-/":
        return False
    places = (place for place, token in enumerate(tokens) if token.text in _REMOVING)
    first = next((place for place in places if _is_bare(tokens, place)), 0)
    return bool(first) and not is_asked(tokens[:first])


def _is_bare(tokens: Tokens, place: int) -> bool:
    """Whether it is no column that is compared or listed."""
    then = tokens[place + 1 : place + 2]
    return tokens[place].kind == "word" and not (then and then[0].text in _VALUED)


_VALUED = frozenset({"=", "<", ">", "<=", ">=", "<>", "!=", ".", ",", ")", ":"})
"""Signs behind the name of a column."""


def is_unclosed(tokens: Tokens) -> bool:
    """Whether brackets around an order are never closed."""
    texts = [token.text for token in tokens]
    if texts[0] not in "({" or _REMOVING.isdisjoint(texts):
        return False
    return texts.count("(") > texts.count(")") or texts.count("{") > texts.count("}")


def open_bracket(tokens: Iterator[Token]) -> bool:
    """Whether a text that asks opens a bracket or a CASE that it never closes."""
    texts = [token.text for token in tokens if token.kind != "client"]
    if not (_PROSE - {"A"}).isdisjoint(texts):
        return False
    return texts.count("(") > texts.count(")") or texts.count("CASE") > texts.count("END")
