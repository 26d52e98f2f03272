"""Orders in a statement: where each begins, its words, and the rows that its condition takes."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import msgspec

from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.tokens import (
    Token,
    Tokens,
    bare,
    defines,
    pairs_of,
    standard_sql,
    unquoted,
    without_brackets,
)
from holdpoint.core.text import beginning
from holdpoint.messages.risk import Heuristic, RiskLevel

MAX_PARSED = 5_000
"""Characters that are parsed in one assessment: at most 15 ms of work."""

LEAST = 200
"""Characters that even the shortest statement costs to parse."""

SHORT = 250
"""Characters of a statement that every dialect is asked about; a longer one, only two."""

DIALECTS = ("", "mysql", "postgres", "tsql")
"""Tried in turn; what one cannot parse another may."""

MAX_QUOTED = 36
"""Characters of a statement that a reason quotes: the sentence stays under ninety."""


class Reach(StrEnum):
    """The rows of a table that a condition takes."""

    ALL = "all"
    MOST = "most"
    """Nearly all: only their numbers are asked about, and nearly every number fits."""

    RANGE = "range"
    NAMED = "named"
    NONE = "none"
    """There is no condition."""

    UNREADABLE = "unreadable"


class Parsed(msgspec.Struct):
    """How much may still be parsed in one assessment, in however many ways its texts are read."""

    left: int = MAX_PARSED
    words: int = 9_000
    reaches: dict[tuple[str, str, str], Reach] = {}
    """The rows that each condition takes: none is parsed twice."""


class Budget(msgspec.Struct):
    """How many characters of one text may still be parsed, and how many words and texts read."""

    left: int = MAX_PARSED
    texts: int = 300
    words: int = 6_000
    whole: Parsed = msgspec.field(default_factory=Parsed)

    def again(self) -> "Budget":
        """Return that of another reading of the same text: only what is parsed counts on."""
        return Budget(whole=self.whole)

    def take(self, count: int) -> bool:
        """Return whether so many words may still be read."""
        self.words -= count
        self.whole.words -= count
        return min(self.words, self.whole.words) >= 0

    def spend(self, size: int) -> bool:
        """Return whether so many characters may still be parsed."""
        size = max(size, LEAST)
        self.left -= size
        self.whole.left -= size
        return min(self.left, self.whole.left) >= 0


@cache
def _conditions() -> Any:
    """Return the module with sqlglot, which few statements need: it costs 12 MB and 0.1 s."""
    return import_module("holdpoint.core.risk.sql.where")


class Source(msgspec.Struct, frozen=True):
    """A text that is read, its dialect, and how much of it may still be read."""

    text: str
    dialect: str
    budget: Budget

    def reach(self, condition: Tokens, table: str) -> Reach:
        """Return which rows of a table a condition takes."""
        if not condition:
            return Reach.UNREADABLE
        text = standard_sql(self.text, condition)
        key, known = (text, self.dialect, _if_named(table, text)), self.budget.whole.reaches
        if key not in known:
            dialects = tuple(dict.fromkeys((self.dialect, *DIALECTS) if self.dialect else DIALECTS))
            few = dialects if len(text) <= SHORT else dialects[:2]
            known[key] = _conditions().reach(text, few, table, self.budget.spend)
        return known[key]

    def order(self, tokens: Tokens, *, hidden: bool = False) -> "Order":
        """Return these tokens as an order."""
        return Order(self, tokens, hidden=hidden)


def _if_named(table: str, query: str) -> str:
    """Return the table where a query may speak of it; empty where its name makes no difference."""
    plain = table.replace("_", "").isalnum()
    return "" if plain and table.lower() not in query.lower() else table


class Order:
    """A verb and the tokens after it, up to the end of its statement or bracket."""

    def __init__(self, source: Source, tokens: Tokens, *, hidden: bool = False) -> None:
        self.source = source
        self.tokens = tokens
        self.hidden = hidden
        """Whether it stands inside of, or behind, a query (WITH …) rather than at the head."""

    @property
    def verb(self) -> str:
        """The first word, in upper case."""
        return self.tokens[0].text

    @property
    def dialect(self) -> str:
        """The dialect of its text; empty where nobody knows it."""
        return self.source.dialect

    @cached_property
    def line(self) -> str:
        """Its tokens in upper case with one blank between them, as rules compare it."""
        return " ".join("_".join(token.text[:MAX_WORD].upper().split()) for token in self.tokens)

    def word(self, place: int) -> str:
        """Return the token at a place; empty beyond the end."""
        return self.tokens[place].text if place < len(self.tokens) else ""

    def has(self, *expected: str) -> bool:
        """Return whether one of these words occurs unquoted."""
        return any(token.text in expected and token.kind == "word" for token in self.tokens)

    def follows(self, first: str, second: str) -> bool:
        """Return whether these words occur side by side."""
        return (first, second) in pairs_of(self.tokens)

    def strings(self) -> Iterator[str]:
        """Yield what stands in quotes, without them."""
        return (unquoted(token.text) for token in self.tokens if token.kind == "string")

    def names(self) -> Iterator[str]:
        """Yield its words and quoted names behind the verb, in lower case."""
        return (bare(token) for token in self.tokens[1:] if token.kind in {"word", "name"})

    def finding(
        self,
        rule: str,
        level: RiskLevel,
        reason: str,
        quote: int = 0,
        heuristic: Heuristic = Heuristic.IRREVERSIBILITY,
    ) -> Finding:
        """Return a finding about its first `quote` words (all when 0), which `{}` stands for."""
        last = self.tokens[quote - 1 if 0 < quote <= len(self.tokens) else -1]
        span = (self.tokens[0].start, last.end)
        return Finding(rule=rule, level=level, reason=reason, heuristic=heuristic, span=span)


MAX_EVIDENCE = 200
MAX_WORD = 60
"""Characters of a token that rules look at."""


def with_evidence(text: str, finding: Finding) -> Finding:
    """Return the finding with the words that its span covers."""
    start, end = finding.span or (0, 0)
    evidence = text[start:end]
    reason = finding.reason.replace("{}", quoted(evidence))
    return msgspec.structs.replace(finding, reason=reason, evidence=evidence[:MAX_EVIDENCE])


def quoted(text: str) -> str:
    """Return words as a reason quotes them: on one line, cut when long."""
    return beginning(" ".join(text.split()), MAX_QUOTED)


def _ruled(rule: Mapping[str, Any]) -> list[str]:
    return str(rule["verbs"]).split()


VERBS = words("words/sql:judged_verbs").union(*map(_ruled, entry("sql:rule")))
"""First words of the orders that rules are about."""

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
    "EXECUTE": frozenset({"AS", "IMMEDIATE"}),
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


def orders(source: Source, tokens: Tokens, verbs: frozenset[str] = VERBS) -> Iterator[Order]:
    """Yield each verb with what belongs to it."""
    first, after, known, ends = leading(tokens), 0, is_known(tokens), list[int]()
    lines = _starts_of_lines(source, tokens) if known else frozenset[int]()
    for place, token in enumerate(tokens):
        if place < after or token.kind != "word" or token.text not in verbs:
            continue
        stray = known and (
            is_stray(tokens, place) or (place in lines and _begins_anew(tokens, place))
        )
        if stray or _begins(tokens, place, first):
            ends = ends or _ends(tokens)
            inside = tokens[place : ends[place]]
            hidden = place > 0 and (_is_behind_with(tokens, place) or _is_in_query(tokens, place))
            yield source.order(inside, hidden=hidden)
            after = place + _judged_whole(inside)


def leading(tokens: Tokens) -> int:
    """Return the place of the first word behind opening brackets."""
    return next((at for at, token in enumerate(tokens) if token.text not in "({"), 0)


def _begins(tokens: Tokens, place: int, first: int) -> bool:
    """Return whether a verb begins a statement here; `first`: where the statement itself does."""
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
    """Return whether a statement may begin here, whatever it is."""
    if before in _OPENERS or tokens[place].text in {"EXEC", "EXECUTE"}:
        return True
    head = tokens[0].text
    if before in {"AS", "IS"}:
        schedules = head in {"CREATE", "ALTER"} and any(one.text == "TASK" for one in tokens[1:6])
        return head == "PREPARE" or defines(tokens[:8]) or schedules
    return head in _CONDITIONS and (tokens[place - 1].kind != "sign" or before == ")")


def _has_object(tokens: Tokens, place: int) -> bool:
    """Return whether what follows can be what the verb is about."""
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
    """Return whether a SET follows soon, and not at once: `UPDATE t AS u SET`."""
    behind = tokens[place + 1 : place + within]
    return any(token.text == "SET" for token in behind[1:]) and behind[0].text != "SET"


def _ends(tokens: Tokens) -> list[int]:
    """Return, for each token, the end of the statement that it stands in, or of its bracket."""
    ends, closing = [len(tokens)] * len(tokens), list[int]()
    for at in range(len(tokens) - 1, -1, -1):
        text = tokens[at].text
        if text == ";" and tokens[at].kind == "sign":
            closing = [at]
        elif text == ")":
            closing.append(at)
        elif text == "(" and closing and tokens[closing[-1]].text == ")":
            closing.pop()
        if closing:
            ends[at] = closing[-1]
    return ends


def _is_behind_with(tokens: Tokens, place: int) -> bool:
    """Return whether a WITH holds it, or says which rows it takes; else its own condition does."""
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
    """Return whether a part of a WITH is made of it: `WITH x AS (DELETE …)`."""
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
    """Return whether a verb that no grammar expects here is an order with its object."""
    if not place or tokens[place].text not in _GRAVE or not _has_name(tokens, place):
        return False
    if tokens[place].text == "UPDATE" and not _sets(tokens, place, JOINED):
        return False
    before = tokens[place - 1]
    if before.text == "ON":
        return tokens[place + 1].text not in {"CASCADE", "RESTRICT", "SET", "NO", "TO", "DO"}
    return before.text in ")*]}>" if before.kind == "sign" else before.text not in _GOES_ON


def _starts_of_lines(source: Source, tokens: Tokens) -> frozenset[int]:
    """Return where SQL Server, which needs no semicolon, may begin a statement: in no bracket."""
    anywhere, text = source.dialect in _BARE, source.text
    if not anywhere and "\n" not in text:
        return frozenset()
    return frozenset(
        place
        for place, token in without_brackets(tokens)
        if place and (anywhere or "\n" in text[tokens[place - 1].end : token.start])
    )


def _begins_anew(tokens: Tokens, place: int) -> bool:
    """Return whether a verb there is no part of the statement before it."""
    before, verb = tokens[place - 1], tokens[place].text
    goes_on = before.text not in ")*]" if before.kind == "sign" else before.text in _GOES_ON
    sets = verb == "SET" and any(token.text in _SET_AFTER for token in tokens[:place])
    return not goes_on and not sets and (verb in _ALONE or _has_name(tokens, place))


_BARE = frozenset({"tsql", "mssql", "fabric"})
"""Dialects in which a statement may follow another one with nothing between them."""


_SET_AFTER = frozenset({"ALTER", "CREATE", "INSERT", "MATCH", "MERGE", "UPDATE"})


def _has_name(tokens: Tokens, place: int) -> bool:
    """Whether what follows can be what the verb is about; rows are always those of a name."""
    if not _has_object(tokens, place) or tokens[0].text in _OTHERS:
        return False
    return tokens[place].text not in _GRAVE or tokens[place + 1].kind in {"word", "name"}


def is_known(tokens: Tokens) -> bool:
    """Return whether it begins as a statement does."""
    head = tokens[leading(tokens)]
    return head.text in VERBS or head.text in _HEADS or head.kind == "client"


def is_asked(tokens: Tokens) -> bool:
    """Return whether these are words of people, who ask or tell."""
    return not _PROSE.isdisjoint({token.text for token in tokens if token.kind == "word"})


def is_unknown(tokens: Tokens) -> bool:
    """Return whether it begins as no statement does, and may be one: it is no call and no list."""
    at = leading(tokens)
    head, after = tokens[at], tokens[at + 1 : at + 2]
    if is_known(tokens) or head.text[0] in "@:#$":
        return False
    if head.kind not in {"word", "name"} or not (after and after[0].text[0] in "(.:=[|,;*+-/"):
        return True
    # `SELEC * FORM users`: two words side by side are no sum.
    behind = tokens[at + 2 : at + 4]
    return after[0].text == "*" and [token.kind for token in behind] == ["word", "word"]


def is_unread(tokens: Tokens) -> bool:
    """Return whether a statement begins as none does, and a removing verb stands in it bare."""
    if not is_unknown(tokens):
        return False
    places = (place for place, token in enumerate(tokens) if token.text in _REMOVING)
    first = next((place for place in places if _is_bare(tokens, place)), 0)
    return bool(first) and not is_asked(tokens[:first])


def _is_bare(tokens: Tokens, place: int) -> bool:
    """Return whether it is no column that is compared or listed."""
    then = tokens[place + 1 : place + 2]
    return tokens[place].kind == "word" and not (then and then[0].text in _VALUED)


_VALUED = frozenset({"=", "<", ">", "<=", ">=", "<>", "!=", ".", ",", ")", ":"})
"""Signs behind the name of a column."""


def is_unclosed(tokens: Tokens) -> bool:
    """Return whether brackets around an order are never closed."""
    texts = [token.text for token in tokens]
    if texts[0] not in "({" or _REMOVING.isdisjoint(texts):
        return False
    return texts.count("(") > texts.count(")") or texts.count("{") > texts.count("}")


def open_bracket(tokens: Iterator[Token]) -> bool:
    """Return whether a text that asks opens a bracket or a CASE that it never closes."""
    texts = [token.text for token in tokens if token.kind != "client"]
    if not (_PROSE - {"A"}).isdisjoint(texts):
        return False
    return texts.count("(") > texts.count(")") or texts.count("CASE") > texts.count("END")
