"""One deed inside a statement, and what is found about it."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.extract.money import Money
from holdpoint.core.risk.sql.tokens import Token
from holdpoint.messages.risk import Heuristic, RiskLevel

MAX_QUOTED = 36
"""Characters of a statement that a reason quotes: the sentence stays under ninety."""

LEAST = 250
"""Characters that even the shortest condition costs to parse."""

LOSS, SIZE = Heuristic.IRREVERSIBILITY, Heuristic.MAGNITUDE


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """Why a statement is risky; `{}` in the reason stands for the words that fired."""

    rule: str
    level: RiskLevel
    reason: str
    heuristic: Heuristic = LOSS
    span: tuple[int, int]
    money: Money | None = None
    """A sum that is moved: what it is worth by policy decides, and not the level."""


MAX_PARSED = 5_000
"""Characters of all conditions that are parsed; more statements than that nobody checks."""


class Parsed(msgspec.Struct):
    """What is parsed in one assessment, in however many ways its texts are read."""

    left: int = MAX_PARSED
    words: int = 9_000
    """Words of all deeds, each with what stands behind it."""

    known: dict[tuple[str, str, str], Any] = {}
    """What each condition lets through: none is parsed twice."""


class Budget(msgspec.Struct):
    """How much may still be parsed in one text; how many texts inside it, and words, are read."""

    left: int = MAX_PARSED
    texts: int = 300
    words: int = 6_000
    whole: Parsed = msgspec.field(default_factory=Parsed)

    def again(self) -> "Budget":
        """Of another reading of the same: only what is parsed counts on."""
        return Budget(whole=self.whole)

    def take(self, words: int) -> bool:
        """Whether so many words may still be read."""
        self.words -= words
        self.whole.words -= words
        return min(self.words, self.whole.words) >= 0

    def spend(self, size: int) -> bool:
        """Whether so many characters may still be parsed."""
        size = max(size, LEAST)
        self.left -= size
        self.whole.left -= size
        return min(self.left, self.whole.left) > 0


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """A verb and the words after it, up to the end of its statement or bracket."""

    text: str
    tokens: tuple[Token, ...]
    dialect: str
    budget: Budget
    hidden: bool = False
    """Whether it stands inside or behind a query (WITH …) rather than at the head."""

    @property
    def verb(self) -> str:
        """In upper case."""
        return self.tokens[0].text

    def word(self, place: int) -> str:
        """The word, sign or quoted name at a place; empty beyond the end."""
        return self.tokens[place].text if place < len(self.tokens) else ""

    def has(self, *words: str) -> bool:
        """Whether one of these words occurs unquoted."""
        return any(token.text in words and token.kind == "word" for token in self.tokens)

    def follows(self, *words: str) -> bool:
        """Whether these words occur one after the other."""
        texts = [token.text for token in self.tokens]
        size = len(words)
        return any(tuple(texts[at : at + size]) == words for at in range(len(texts) - size + 1))

    def strings(self) -> Iterator[str]:
        """What stands in quotes, without them."""
        for token in self.tokens:
            if token.kind == "string":
                yield unquoted(token.text)

    def found(self, rule: str, level: RiskLevel, reason: str, count: int = 0) -> Found:
        """What is found, with the first `count` words (all when 0) as its evidence."""
        last = self.tokens[count - 1 if 0 < count <= len(self.tokens) else -1]
        return Found(rule=rule, level=level, reason=reason, span=(self.tokens[0].start, last.end))


def unquoted(string: str) -> str:
    """The text in a string literal."""
    if string.startswith("$"):
        mark = string.index("$", 1) + 1
        return string[mark:].removesuffix(string[:mark])
    if string[:2] in {"0x", "0X"}:
        return bytes.fromhex(string[2:]).decode("latin-1")
    quote = string[-1]
    if string[:2] in {"x'", "X'"} and _hex.fullmatch(string[2:-1]):
        return bytes.fromhex(string[2:-1]).decode("latin-1")
    return string[string.index(quote) + 1 : -1].replace(quote * 2, quote)


def quoted(text: str) -> str:
    """Words as a reason quotes them: on one line, cut when long."""
    flat = " ".join(text.split())
    return beginning(flat, MAX_QUOTED)


_hex = re.compile(r"(?:[0-9a-fA-F]{2})*")
