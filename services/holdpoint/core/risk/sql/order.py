"""One order inside a statement: its words, and the syntax tree that sqlglot makes of it."""

from collections.abc import Iterator
from functools import cached_property

import msgspec
import sqlglot
from sqlglot import exp, parser
from sqlglot.errors import SqlglotError

from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.tokens import Tokens, bare, pairs_of, standard_sql, unquoted
from holdpoint.core.risk.sql.where import Reach, reach
from holdpoint.messages.risk import Heuristic, RiskLevel

# sqlglot warns about what it cannot parse and repeats the statement, values and all.
parser.logger.setLevel("CRITICAL")

MAX_PARSED = 5_000
"""Characters that are parsed in one assessment: at most 15 ms of work."""

MAX_TREE = 1_500
"""Characters of one statement that are parsed."""

MAX_DEPTH = 60
"""Nested brackets; Python's stack takes more, a person who reads it does not."""

LEAST = 200
"""Characters that even the shortest statement costs to parse."""

SHORT = 250
"""Characters of a statement that every dialect is asked about; a longer one, only two."""

DIALECTS = ("", "mysql", "postgres", "tsql")
"""Tried in turn; what one cannot parse another may."""

MAX_QUOTED = 36
"""Characters of a statement that a reason quotes: the sentence stays under ninety."""


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

    def parse(self, text: str, dialect: str) -> exp.Expr | None:
        """Return the tree of a statement; None where there is none, or no budget is left."""
        self.left -= max(len(text), LEAST)
        self.whole.left -= max(len(text), LEAST)
        spent = min(self.left, self.whole.left) < 0
        if spent or len(text) > MAX_TREE or text.count("(") > MAX_DEPTH:
            return None
        try:
            tree: exp.Expr = sqlglot.parse_one(text, dialect=dialect or None)
        except (SqlglotError, RecursionError, ValueError):
            return None
        return tree


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
            tree = self._condition(query)
            known[key] = Reach.UNREADABLE if tree is None else reach(tree, table)
        return known[key]

    def _condition(self, query: str) -> exp.Expr | None:
        """Return the tree of a WHERE, in the first dialect that can parse it."""
        dialects = tuple(dict.fromkeys((self.dialect, *DIALECTS) if self.dialect else DIALECTS))
        for dialect in dialects if len(query) <= SHORT else dialects[:2]:
            tree = self.budget.parse(query, dialect)
            where = tree.args.get("where") if tree is not None else None
            if isinstance(where, exp.Where):
                found: exp.Expr = where.this
                return found
        return None

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
