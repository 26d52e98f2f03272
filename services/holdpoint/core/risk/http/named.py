"""What requests in a call do, in the words of a tool's name: their path's, and their method's."""

from collections.abc import Iterator, Mapping
from typing import Any

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.http.request import Request, request_in
from holdpoint.core.risk.http.words import tells, words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_PARTS = 5
"""Parts of a path that are looked at: what it is about stands at its end."""

MAX_URL = 4_096

_READING = word_set("GET HEAD OPTIONS TRACE PROPFIND REPORT")


def requested(objects: tuple[Mapping[str, Any], ...]) -> frozenset[str]:
    """The words of each request that changes something; none where all of them read."""
    found = (word for one in objects if (sent := request_in(one)) for word in _words(sent))
    return frozenset(found)


def searched(objects: tuple[Mapping[str, Any], ...]) -> bool:
    """Whether each request in them is a search, or works on a text: nothing in it is done."""
    sent = [one for held in objects if (one := request_in(held))]
    asked = [(one.method, url) for one in sent for url in one.urls if _path(url)]
    return bool(asked) and all(_is_search(method, url) for method, url in asked)


def _is_search(method: str, url: str) -> bool:
    """`/notes/search`, `/search/notes`; and `/notes?q=…` where it is only got."""
    path = _path(url)
    ends = words_of(path[-1])[-1:]
    if method == "GET" and _seeks(url[:MAX_URL]):
        return True
    return not _SEARCHES.isdisjoint(ends) or path[-2:-1] == ["search"]


_seeks = glance(r"[?&](?:q|query|search|keywords?|term)=")
_SEARCHES = word_set("search msearch suggest autocomplete lookup find translate spellcheck")


def _path(url: str) -> list[str]:
    whole = whole_characters(url[:MAX_URL]).partition("?")[0]
    _, absolute, rest = whole.partition("://")
    return [part for part in (rest.partition("/")[2] if absolute else whole).split("/") if part]


def _words(sent: Request) -> Iterator[str]:
    if sent.method in _READING:
        return
    for url in sent.urls:
        path = _path(url)
        if tells(path) and not _exports(path[-1]):
            continue
        last = path[-1] if path else ""
        yield "create" if sent.method == "POST" and _is_collection(last) else "update"
        yield from (word for part in path[-MAX_PARTS:] for word in words_of(part))


def _is_collection(last: str) -> bool:
    """Whether a POST adds one to it: `/webhooks`; not `/environments/production`."""
    return last.endswith("s") and not any(char.isdigit() for char in last)


def _exports(last: str) -> bool:
    """Whether it tells, but may tell somebody else."""
    return "export" in words_of(last)
