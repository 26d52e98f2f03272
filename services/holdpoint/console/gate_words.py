"""Titles and reasons of the gate in another language: by the template that each was made from.

A card keeps its English text, which is the record. A sentence is told in the reader's language
where it fits exactly one shipped template, in one way only; whatever else it says stays English,
and so do the values that stand in it and the sentences of a house's own policy.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from holdpoint.console.languages import ENGLISH, localized
from holdpoint.core.sentences import as_sentence
from holdpoint.messages.card import Card

_HOLE = re.compile(r"\{(\w*)\}")
_COMMAND = re.compile(r"(`[^`]*` )(.+)", re.DOTALL)
LONGEST = 400
"""Characters of a sentence that is compared with templates: a longer one stays as it is."""

_STEP = re.compile(r"Step (\d+): (.+)", re.DOTALL)


class Template(msgspec.Struct, frozen=True):
    """An English template, which tells its values in one way only, and what it reads as."""

    begins: str
    """Words before its first value: few templates share them with a text."""

    shortest: re.Pattern[str]
    longest: re.Pattern[str]
    told: str

    def fill(self, text: str, said: Callable[[str, str], str]) -> str:
        """Return the sentence with the values of the text; empty where it does not fit for sure."""
        found, other = self.shortest.fullmatch(text), self.longest.fullmatch(text)
        if not found or not other or found.groups() != other.groups():
            return ""
        named = {name: said(name, value) for name, value in found.groupdict().items()}
        return _HOLE.sub(lambda it: named[it[1] or "value"], self.told)


_SPOKEN = frozenset({"affected", "status", "level", "product", "what"})
"""Values that are words of the gate, and are translated too."""

_NUMBERS = frozenset({"affected", "amount", "limit", "principal", "penalty", "confidence", "total"})
"""Values whose numbers are written as the language writes them."""

_COUNTED = frozenset({"what", "total", "unchanged"})
"""Values that may be a count with its unit."""

_SHAPES: Mapping[str, str] = {
    "affected": r"[\d,]+|an unknown number of|all",
    "voices": r"\d+",
    "window": r"\d+ (?:h|min|s)",
}
"""Patterns of values with a form of their own: `500 user` is no number of accounts."""

_is_phrase = re.compile(r"[^\d“„`].* .*", re.DOTALL).fullmatch
"""Words of a sentence that somebody wrote, which stand in quotes in another language."""

_QUOTE = re.compile("“([^“”]*)”")

_whose = re.compile(
    "by this agent(?: and its subagents| alone)?|for the person it acts for"
    "|with this tool|on this resource"
)
"""Words for the owner of a sum, of which several may follow each other."""


class GateWords(msgspec.Struct, frozen=True):
    """Words of the gate, in one language."""

    titles: Mapping[str, tuple[Template, ...]]
    """By the tool: what another one is called with cannot pass for a title of this one."""

    reasons: tuple[Template, ...]
    sentences: Mapping[str, str]
    """Reasons, warnings and ways back without any value in them."""

    counts: tuple[Template, ...]
    words: Mapping[str, str]
    language: str

    def counted(self, text: str) -> str:
        """Return how much is affected: `500 Zeilen`."""
        return self._filled(text, self.counts) or localized(text, self.language)

    def title(self, card: Card) -> str:
        """Return the card's title."""
        return self.titled(card.ui.action.tool, card.title)

    def titled(self, tool: str, title: str) -> str:
        """Return the title of a call of this tool."""
        return self._filled(title, self.titles.get(tool, ())) or self._quoted(title)

    def label(self, card: Card, choice: str) -> str:
        """Return what stands on a button, its title told as on the card; empty without one."""
        label = card.labels.get(choice, "")
        verb, _, title = label.partition(": ")
        if verb not in self.words:
            return label
        named = self.title(card) if title == card.title else title
        return f"{self.words[verb]}: {named}" if title else self.words[verb]

    def sample(self, card: Card) -> str:
        """Return what a dry run found, a line each; how many folders come with it is the last."""
        *found, last = card.sample or ("",)
        told = self._filled(last, self.counts) if last.startswith("and ") else ""
        return "\n".join((*found, told or last))

    def reason(self, text: str) -> str:
        """Return a reason; one about a command keeps the command, or names it no more."""
        if found := _STEP.fullmatch(text):
            told = self.reason(as_sentence(found[2]))
            step = self.words.get("Step", "Step")
            return text if told == as_sentence(found[2]) else f"{step} {found[1]}: {told}"
        whole = self._sentence(text)
        if not whole and (found := _COMMAND.fullmatch(text)):
            told = self._sentence(as_sentence(found[2]))
            whole = told and f"{found[1]}{told[:1].lower()}{told[1:]}"
        if not whole and text.startswith("It "):
            told = self._sentence(as_sentence(text.removeprefix("It ")))
            whole = told and f"{self.words['It']} {told[:1].lower()}{told[1:]}"
        return whole or text

    def _sentence(self, text: str) -> str:
        return self.sentences.get(text) or self._filled(text, self.reasons)

    def _filled(self, text: str, templates: tuple[Template, ...]) -> str:
        known = templates if len(text) <= LONGEST else ()
        likely = (it for it in known if text.startswith(it.begins))
        told = {it.fill(text, self._said) for it in likely} - {""}
        return told.pop() if len(told) == 1 else ""

    def _said(self, name: str, value: str) -> str:
        if name in _SPOKEN and value in self.words:
            return self.words[value]
        if name == "whose":
            return _whose.sub(lambda it: self.words[it[0]], value)
        if name in _COUNTED and (told := self._filled(value, self.counts)):
            return told
        if name == "what" and _is_phrase(value):
            return f"„{value}“"
        return localized(value, self.language) if name in _NUMBERS else self._quoted(value)

    def _quoted(self, text: str) -> str:
        """Return what stands in quotes as a whole in the quotes of the language."""
        quote = None if self.language == ENGLISH else _QUOTE.fullmatch(text)
        return f"„{quote[1]}“" if quote else text


class _File(msgspec.Struct, forbid_unknown_fields=True):
    titles: dict[str, dict[str, str]]
    reasons: dict[str, str]
    counts: dict[str, str]
    words: dict[str, str]


@cache
def load_gate_words(folder: Path, language: str) -> GateWords:
    """Return what the gate says in this language; of English nothing is translated."""
    if language == ENGLISH:
        return GateWords({}, (), {}, (), {}, language)
    raw = (folder / f"gate.{language}.json").read_bytes()
    file = msgspec.json.decode(raw, type=_File)
    said = {as_sentence(text): as_sentence(told) for text, told in file.reasons.items()}
    return GateWords(
        titles={tool: _compiled(known) for tool, known in file.titles.items()},
        reasons=_compiled({text: told for text, told in said.items() if _HOLE.search(text)}),
        sentences={text: told for text, told in said.items() if not _HOLE.search(text)},
        counts=_compiled(file.counts),
        words=file.words,
        language=language,
    )


def _compiled(known: Mapping[str, str]) -> tuple[Template, ...]:
    return tuple(
        Template(
            begins=_HOLE.split(text, maxsplit=1)[0],
            shortest=_pattern(text, ".+?"),
            longest=_pattern(text, ".+"),
            told=told,
        )
        for text, told in known.items()
    )


def _pattern(text: str, value: str) -> re.Pattern[str]:
    pieces = _HOLE.split(text)
    return re.compile(
        "".join(
            f"(?P<{piece or 'value'}>{_SHAPES.get(piece, value)})" if at % 2 else re.escape(piece)
            for at, piece in enumerate(pieces)
        ),
        re.DOTALL,
    )
