"""Requests in the words of a tool's name, and requests that only answer."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec.structs import replace

from holdpoint.core.risk.http.body import opened
from holdpoint.core.risk.http.path_words import address_words, tells, works_out
from holdpoint.core.risk.http.request import READING, Request, request_in
from holdpoint.core.risk.http.url import MAX_URL, Target, targets
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import beginning
from holdpoint.core.risk.tools.hazards import DISTURBS
from holdpoint.messages.risk import Signal

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
    words = address_words(target.path[-1]) if target.path else ()
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
    return all(_SENDS.isdisjoint(address_words(name)) for name in names)


MAX_PARTS = 5
"""Parts of a path that are looked at: what it is about stands at its end."""


def requested(objects: tuple[Mapping[str, Any], ...]) -> frozenset[str]:
    """The words of each request that changes something; none where all of them read."""
    sent = islice(filter(None, map(request_in, objects)), MAX_REQUESTS)
    return frozenset(word for one in sent for word in _words(one))


MAX_REQUESTS = 56
"""Requests in one call that are read; a call that holds more goes up."""


def as_sent(
    signals: tuple[Signal, ...], tool: str, objects: tuple[Mapping[str, Any], ...]
) -> tuple[Signal, ...]:
    """With what was sent in their reasons, in the place of a tool that only sends."""
    sent = next(filter(None, map(request_in, objects)), None)
    target = next(_targets(sent), None) if sent else None
    if sent is None or target is None:
        return signals
    asked = min(target.said("Action"), default="") or f"/{'/'.join(target.path[-2:])}"
    shown = beginning(f"{sent.method} {asked}", MAX_SHOWN)
    return tuple(replace(one, reason=one.reason.replace(tool, shown, 1)) for one in signals)


MAX_SHOWN = 30
"""Characters of a request in a reason."""


def searched(objects: tuple[Mapping[str, Any], ...]) -> bool:
    """Whether each request in them is a search, or works on a text: nothing in it is done."""
    sent = [one for held in objects if (one := request_in(held))]
    asked = [(one, target) for one in sent for target in _targets(one) if target.path]
    return bool(asked) and all(_is_search(one, target) for one, target in asked)


def _is_search(sent: Request, target: Target) -> bool:
    """`/notes/search`, `/search/notes`; and `/notes?q=…` where it is only got."""
    if sent.method == "GET" and any(key in _SOUGHT for key, _ in target.asked):
        return True
    if _is_idle(sent, target):
        return True
    ends = address_words(target.path[-1])[-1:]
    if ends == ("query",) and len(target.path) > 1:
        return not _COUNTED.isdisjoint(address_words(target.path[-2])[-1:])
    return not _SEARCHES.isdisjoint(ends) or target.path[-2:-1] == ["search"]


_COUNTED = words("words/http:as_tool.counted")

_SOUGHT = word_set("q query search keyword keywords term")
_SEARCHES = word_set(
    "search msearch suggest autocomplete lookup find translate spellcheck preview estimate"
)


def _targets(sent: Request) -> Iterator[Target]:
    return (target for url in sent.urls for target in targets(url[:MAX_URL]))


def _words(sent: Request) -> Iterator[str]:
    if sent.method in READING:
        return
    for target in _targets(sent):
        path = target.path
        silent = tells(path) or _is_idle(sent, target)
        if silent and not (path and _exports(path[-1])):
            continue
        last = path[-1] if path else ""
        adds = sent.method == "POST" and _is_collection(last)
        yield "create" if adds else "update"
        yield from (word for part in path[-MAX_PARTS:] for word in address_words(part))
        if adds and DISTURBS.intersection(done := address_words(last[:-1])):
            yield from done


def _is_idle(sent: Request, target: Target) -> bool:
    return sent.method == "POST" and all(does_nothing(target, body) for body in sent.bodies)


def _is_collection(last: str) -> bool:
    """Whether a POST adds one to it: `/webhooks`; not `/environments/production`."""
    return last.endswith("s") and not any(char.isdigit() for char in last)


def _exports(last: str) -> bool:
    """Whether it tells, but may tell somebody else."""
    return "export" in address_words(last)
