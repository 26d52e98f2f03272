"""Where statements begin inside of others: in blocks, behind conditions, in brackets."""

from itertools import pairwise
from types import MappingProxyType

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.definitions import DROPPABLE
from holdpoint.core.risk.sql.tokens import Token, defines

_NOT_AFTER = frozenset({"FOR", "ON", "OF", "OR", "BEFORE", "AFTER", "NO", "KEY", "."})
_OPENERS = word_set("BEGIN THEN ELSE LOOP REPEAT ATOMIC DO TRY CATCH ALSO INSTEAD ROW ;")
"""What a statement of a block follows."""

_CHOICES = frozenset({"THEN", "ELSE"})
"""Those that also stand in a CASE, before a value."""

_CONDITIONS = word_set("IF WHILE ELSEIF ELSIF")
"""Behind what they ask a statement follows without any word between."""

_NO_OBJECT = word_set(
    "END WHEN ELSE THEN AS AND OR IS IN NOT LIKE FROM ON BETWEEN VALUES SET WHERE ORDER GROUP "
    "UNION LIMIT OPTION"
)
"""Words behind which no object of an order stands: what is before them is a name or a part."""

_ALONE = frozenset({"SHUTDOWN", "FLUSHALL", "FLUSHDB"})
_OF_QUERIES = word_set("COPY EXEC EXECUTE UNLOAD")
"""Verbs that a bracket may follow."""

_PAIRS = MappingProxyType(
    {
        "DELETE": frozenset({"FROM"}),
        "INSERT": frozenset({"INTO", "OVERWRITE"}),
        "MERGE": frozenset({"INTO"}),
        "TRUNCATE": frozenset({"TABLE"}),
        "CREATE": word_set("USER LOGIN ROLE POLICY EXTENSION ASSEMBLY"),
        "DROP": DROPPABLE,
        "ALTER": word_set("TABLE DATABASE USER ROLE LOGIN SYSTEM SERVER AUTHORIZATION"),
        "EXECUTE": frozenset({"IMMEDIATE"}),
        "DB": frozenset({"."}),
    }
)
"""What must follow a verb that begins no statement of a block."""

_WHOLE = frozenset({"GRANT", "REVOKE", "ALTER", "DENY", "COMMENT"})
"""What is judged as a whole: the verbs in it are names of rights or parts."""

_ROWS = frozenset(
    {("DELETE", "FROM"), ("INSERT", "INTO"), ("MERGE", "INTO"), ("TRUNCATE", "TABLE")}
)
"""What no ALTER has as a part."""

BRACKETS = frozenset("({")


def leading(tokens: tuple[Token, ...]) -> int:
    """The place of the first word behind opening brackets."""
    return next((at for at, token in enumerate(tokens) if token.text not in BRACKETS), 0)


def begins(tokens: tuple[Token, ...], place: int, first: int) -> bool:
    """Whether a verb begins a statement here; `first`: where the statement itself does."""
    if place <= first:
        return not _is_call(tokens, place) and not _is_step(tokens, place)
    verb, before = tokens[place].text, tokens[place - 1].text
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if before in _NOT_AFTER and before != "ON":
        return False
    if after in _PAIRS.get(verb, ()):
        return True
    if before == "ON":
        return False
    free = has_object(tokens, place) and _is_free(tokens, place, before)
    if verb == "UPDATE":
        return after != "(" and sets(tokens, place, JOINED if free else NAMED)
    return free


def judged_whole(tokens: tuple[Token, ...]) -> int:
    """How many words of an order hold no other: of a GRANT those before whom it is for."""
    verb = tokens[0].text
    if verb not in _WHOLE:
        return 0
    if verb == "ALTER":
        pairs = pairwise(token.text for token in tokens)
        places = (place for place, pair in enumerate(pairs) if pair in _ROWS)
    else:
        places = (place for place, token in enumerate(tokens) if token.text in {"TO", "FROM"})
    return next(places, len(tokens))


def _is_free(tokens: tuple[Token, ...], place: int, before: str) -> bool:
    """Whether a statement may begin here, whatever it is."""
    if before in _OPENERS or tokens[place].text in {"EXEC", "EXECUTE"}:
        return True
    head = tokens[0].text
    if before in {"AS", "IS"}:
        return head == "PREPARE" or defines(tokens[:8]) or _schedules(tokens[:6])
    return head in _CONDITIONS and (tokens[place - 1].kind != "sign" or before == ")")


def _schedules(head: tuple[Token, ...]) -> bool:
    """Snowflake's `CREATE TASK t … AS`: what follows runs by itself."""
    return head[0].text in {"CREATE", "ALTER"} and any(token.text == "TASK" for token in head[1:])


def has_object(tokens: tuple[Token, ...], place: int) -> bool:
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


def _is_call(tokens: tuple[Token, ...], place: int) -> bool:
    """`REPLACE(a, b)`: a function, not the statement; `EXEC ('…')` is one."""
    bracket = len(tokens) > place + 1 and tokens[place + 1].text == "("
    return bracket and tokens[place].text in {"REPLACE", "INSERT", "TRUNCATE", "LOAD", "SET"}


def _is_step(tokens: tuple[Token, ...], place: int) -> bool:
    """`Delete on users (cost=…`: a line of what EXPLAIN answers, and no statement."""
    after = tokens[place + 1 : place + 2]
    rows = tokens[place].text in {"DELETE", "UPDATE", "INSERT", "MERGE"}
    return rows and bool(after) and after[0].text == "ON"


def sets(tokens: tuple[Token, ...], place: int, within: int) -> bool:
    """Whether a SET follows soon, and not at once: `UPDATE t AS u SET`."""
    behind = tokens[place + 1 : place + within]
    return any(token.text == "SET" for token in behind[1:]) and behind[0].text != "SET"


NAMED, JOINED = 8, 60
"""Words in which an UPDATE names its table, and joins it to others."""


def end(tokens: tuple[Token, ...], place: int) -> int:
    """The end of the statement that begins here, or of the bracket that it stands in."""
    depth = 0
    for at in range(place, len(tokens)):
        text = tokens[at].text
        depth += {"(": 1, ")": -1}.get(text, 0)
        if depth < 0 or (text == ";" and tokens[at].kind == "sign"):
            return at
    return len(tokens)
