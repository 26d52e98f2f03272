"""Whether a POST does nothing but answer: it tells, works on a text, asks a model, drafts."""

from collections.abc import Mapping
from typing import Any

from holdpoint.core.risk.http.body import opened
from holdpoint.core.risk.http.target import Target
from holdpoint.core.risk.http.words import tells, words_of, works_out
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_TURNS = 1_500

_HOSTS = word_set("translate translation translator embeddings embedding")
_MODELS = (("completions",), ("messages",), ("responses",), ("chat",), ("generate",),
           ("generate", "content"), ("converse",))  # fmt: skip
"""How a path ends at which a model is asked."""

_FIELDS = words("words/http:harmless.fields")

_TURNS = ("messages", "contents")
_SENDS = word_set("send sent publish published schedule scheduled submit deliver")


def is_harmless(target: Target, body: object) -> bool:
    """Whether it does no more than tell something, or what follows."""
    return tells(target.path) or does_nothing(target, body)


def does_nothing(target: Target, body: object) -> bool:
    """Whether what it is handed is only worked on, said to a model, or kept for its writer."""
    host = target.host.partition(".")[0] in _HOSTS and target.is_root
    return host or works_out(target.path) or _asks_a_model(target, body) or _drafts(target, body)


def _asks_a_model(target: Target, body: object) -> bool:
    words = words_of(target.path[-1]) if target.path else ()
    if words[-1:] not in _MODELS and words[-2:] not in _MODELS:
        return False
    return is_question(opened(body))


def is_question(held: Mapping[str, Any]) -> bool:
    """Whether a body holds no more than what a model is told, with no tool to use."""
    known = all(str(key).lower() in _FIELDS for key in held)
    said = [held[key] for key in _TURNS if key in held]
    turns = all(isinstance(one, list) and all(map(_is_turn, one[:MAX_TURNS])) for one in said)
    return known and turns and ("model" in held or "contents" in held)


def _is_turn(one: object) -> bool:
    return isinstance(one, Mapping) and "role" in one


def _drafts(target: Target, body: object) -> bool:
    """`POST /drafts`, as long as nothing says that it is sent."""
    if not target.path or target.path[-1].lower() not in {"draft", "drafts"}:
        return False
    names = (*(key for key, _ in target.asked), *map(str, opened(body)))
    return all(_SENDS.isdisjoint(words_of(name)) for name in names)
