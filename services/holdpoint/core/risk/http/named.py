"""What requests in a call do, in the words of a tool's name: their path's, and their method's."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec.structs import replace

from holdpoint.core.risk.calls.serving import DISTURBS
from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.http.harmless import does_nothing
from holdpoint.core.risk.http.request import READING, Request, request_in
from holdpoint.core.risk.http.target import MAX_URL, Target, targets
from holdpoint.core.risk.http.words import tells, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.messages.risk import Signal

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
    ends = words_of(target.path[-1])[-1:]
    if ends == ("query",) and len(target.path) > 1:
        return not _COUNTED.isdisjoint(words_of(target.path[-2])[-1:])
    return not _SEARCHES.isdisjoint(ends) or target.path[-2:-1] == ["search"]


_COUNTED = words("words/http:named.counted")

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
        yield from (word for part in path[-MAX_PARTS:] for word in words_of(part))
        if adds and DISTURBS.intersection(done := words_of(last[:-1])):
            yield from done


def _is_idle(sent: Request, target: Target) -> bool:
    return sent.method == "POST" and all(does_nothing(target, body) for body in sent.bodies)


def _is_collection(last: str) -> bool:
    """Whether a POST adds one to it: `/webhooks`; not `/environments/production`."""
    return last.endswith("s") and not any(char.isdigit() for char in last)


def _exports(last: str) -> bool:
    """Whether it tells, but may tell somebody else."""
    return "export" in words_of(last)
