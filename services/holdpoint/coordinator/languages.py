"""Answers in the language of the request: each sentence by the template that it was made from.

The coordinator thinks in English: what it said before is read back before a reply is understood.
A sentence without a template, and every value, stays as it is.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from holdpoint.core.risk import language_of
from holdpoint.messages.request import AgentRequest, ConversationMessage, Speaker

LANGUAGES = ("de",)
"""Languages with a file of sentences."""

SHORT = 2
"""Words of a reply that may have no language of its own: `150`, `Sparkonto`."""

_HOLE = re.compile(r"\{(\w+)\}")
_ENDS = re.compile(r"((?<=[.?!])\s+(?=[A-ZÄÖÜ])|\n)")


class _Template(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    reads: str


def answer_in(language: str, text: str) -> str:
    """Return an English answer in this language."""
    return _read(text, _templates(language, from_english=True)) if language in LANGUAGES else text


def request_language(request: AgentRequest) -> str:
    """Return the language of a request: its own, or of a short reply that of what was asked."""
    own = language_of(request.message.casefold())
    before = [it.content for it in request.conversation_history if it.role is Speaker.ASSISTANT]
    if own or not before or len(request.message.split()) > SHORT:
        return own
    return next((it for it in LANGUAGES if _in_english(it, before[-1]) != before[-1]), "")


def with_english_history(request: AgentRequest) -> AgentRequest:
    """Return a request with what the coordinator said before in English."""
    history = tuple(map(_as_english, request.conversation_history))
    return replace(request, conversation_history=history)


def _as_english(turn: ConversationMessage) -> ConversationMessage:
    if turn.role is not Speaker.ASSISTANT:
        return turn
    content = turn.content
    for language in LANGUAGES:
        content = _in_english(language, content)
    return replace(turn, content=content)


def _in_english(language: str, text: str) -> str:
    return _read(text, _templates(language, from_english=False))


@cache
def _templates(language: str, *, from_english: bool) -> tuple[_Template, ...]:
    """Return the templates, those with the most words of their own first."""
    raw = files("holdpoint.coordinator").joinpath(f"answers.{language}.toml").read_text("utf-8")
    pairs: Mapping[str, str] = tomllib.loads(raw)["sentences"]
    both = pairs.items() if from_english else ((told, english) for english, told in pairs.items())
    ordered = sorted(both, key=lambda it: -len(_HOLE.sub("", it[0])))
    return tuple(_Template(pattern=_pattern(text), reads=reads) for text, reads in ordered)


def _pattern(text: str) -> re.Pattern[str]:
    parts = _HOLE.split(text)
    names = {at: f"(?P<{part}>.+?)" for at, part in enumerate(parts) if at % 2}
    return re.compile("".join(names.get(at, re.escape(part)) for at, part in enumerate(parts)))


def _read(text: str, templates: tuple[_Template, ...]) -> str:
    return "".join(
        it if at % 2 else _filled(it, templates) for at, it in enumerate(_ENDS.split(text))
    )


def _filled(sentence: str, templates: tuple[_Template, ...]) -> str:
    """Return a sentence by the first template that it fits; as it is where none does."""
    for template in templates:
        if found := template.pattern.fullmatch(sentence):
            parts = _HOLE.split(template.reads)
            said = (_listed(found[it], templates) if at % 2 else it for at, it in enumerate(parts))
            return "".join(said)
    return sentence


def _listed(value: str, templates: tuple[_Template, ...]) -> str:
    """Return a value, which may be a list of sentences."""
    return "; ".join(_filled(it, templates) for it in value.split("; "))
