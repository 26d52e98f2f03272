"""One order inside a statement: its words, and the syntax tree that sqlglot makes of it."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import msgspec

from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.tokens import Tokens, bare, pairs_of, standard_sql, unquoted
from holdpoint.core.risk.text import beginning
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
        """Whether so many words may still be read."""
        self.words -= count
        self.whole.words -= count
        return min(self.words, self.whole.words) >= 0

    def spend(self, size: int) -> bool:
        """Whether so many characters may still be parsed."""
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
        query = f"SELECT 1 WHERE {standard_sql(self.text, condition)}"
        key, known = (query, self.dialect, table), self.budget.whole.reaches
        if key not in known:
            dialects = tuple(dict.fromkeys((self.dialect, *DIALECTS) if self.dialect else DIALECTS))
            few = dialects if len(query) <= SHORT else dialects[:2]
            known[key] = _conditions().reach(query, few, table, self.budget.spend)
        return known[key]

    def order(self, tokens: Tokens, *, hidden: bool = False) -> "Order":
        """Return these tokens as an order."""
        return Order(self, tokens, hidden=hidden)


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
        """Whether one of these words occurs unquoted."""
        return any(token.text in expected and token.kind == "word" for token in self.tokens)

    def follows(self, first: str, second: str) -> bool:
        """Whether these words occur side by side."""
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


MAX_WORD = 60
"""Characters of a token that rules look at."""


def quoted(text: str) -> str:
    """Return words as a reason quotes them: on one line, cut when long."""
    return beginning(" ".join(text.split()), MAX_QUOTED)
