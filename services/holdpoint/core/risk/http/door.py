"""`read_request`: what a method and a path would do.

```
GET, HEAD, OPTIONS …          read, whatever the path says
DELETE  …/reactions/9         a preference or a mark of one's own is taken back
DELETE  …/anything/9          something is gone
POST    …/delete-request      a verb in the path acts like the tool of that name
```
"""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.wording import Form, Kind, verb_in
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_URL = 4_096
"""Characters of an address that are read; more make it unreadable."""

MAX_SHOWN = 40

READING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT"})
WRITING = frozenset({"POST", "PUT", "PATCH", "DELETE", "PURGE", "MOVE", "COPY", "LINK", "UNLINK"})

OWN_MARKS = word_set(
    "assignees reviewers invitations invitation subscription subscriptions following "
    "reactions reaction starred star stars like likes vote votes bookmark bookmarks favorite "
    "favorites favourite favourites watch watches pin pins notifications seen read typing "
    "interaction-limits lock sessions session logout follow mute draft drafts preview "
    "previews presence cache cart"
)
"""Last words of a path whose DELETE only takes a mark of one's own back."""

BULK = word_set("all bulk batch bulk-delete everything mass")
_ENDS = word_set(
    "delete destroy purge wipe erase remove revoke transfer terminate drop truncate archive "
    "disable deactivate suspend ban cancel close force reset flush clear merge overwrite "
    "rollback shutdown uninstall unpublish decommission expunge kill evict detach pay "
    "payments payment payout payouts refund refunds withdraw withdrawals transfers charge "
    "charges"
)
_DANGEROUS_ENDS = word_set(
    "delete destroy purge wipe erase transfer transfers terminate drop truncate expunge kill "
    "decommission flush uninstall unpublish shutdown withdraw withdrawals payout payouts"
)
_MILD = word_set("merge cancel close disable archive suspend reset clear force remove revoke")
_UNDOES = word_set("revoke remove disable suspend deactivate ban reset")
_PLACES = word_set(
    "billing members admins owners keys secrets webhooks roles permissions credentials tokens"
)
_piece = re2.compile(r"[a-z]+")


class RequestReading(msgspec.Struct, frozen=True, kw_only=True):
    """What a request would do."""

    signals: tuple[Signal, ...] = ()
    reads_only: bool = False
    verb: str = ""


def is_request(values: Mapping[str, Any]) -> bool:
    """Whether an object says a method and an address."""
    method, url = values.get("method"), values.get("url")
    known = isinstance(method, str) and method.upper() in READING | WRITING
    return known and isinstance(url, str)


def read_request(method: str, url: str) -> RequestReading:
    """Read it; an unknown method counts as a write."""
    does = method.strip().upper()
    if does in READING and len(url) <= MAX_URL:
        return RequestReading(reads_only=True, verb=does.lower())
    signals = (_unreadable(),) if len(url) > MAX_URL else tuple(_judged(does, url))
    return RequestReading(signals=signals, verb=does.lower())


def _judged(method: str, url: str) -> Iterator[Signal]:
    parts = _path(url)
    shown = f"{method} /{'/'.join(parts)}"
    if len(shown) > MAX_SHOWN:
        shown = f"{method} …{shown[len(method) - MAX_SHOWN + 2 :]}"
    if method in {"DELETE", "PURGE", "UNLINK"}:
        yield from _taken(method, parts, shown)
    else:
        yield from _acted(parts, shown)


def _path(url: str) -> list[str]:
    try:
        path = urlsplit(url).path
    except ValueError:
        path = url
    return [part for part in unquote(path).lower().split("/") if part]


def _taken(method: str, parts: list[str], shown: str) -> Iterator[Signal]:
    """A DELETE: of a mark of one's own it is mild."""
    last = next((part for part in reversed(parts) if not _is_value(part)), "")
    near = {word for part in parts[-2:] for word in (part, *_piece.findall(part)[-1:])}
    if method != "PURGE" and (OWN_MARKS & near or last in OWN_MARKS):
        yield _signal("http.unmark", RiskLevel.LOW, f"“{shown}” takes back a mark of one's own")
    else:
        yield _signal("http.delete", RiskLevel.HIGH, f"“{shown}” removes it for everybody")


def _is_value(part: str) -> bool:
    """An id rather than a name: it holds a digit, or is very long."""
    return any(char.isdigit() for char in part) or len(part) > MAX_SHOWN


def _acted(parts: list[str], shown: str) -> Iterator[Signal]:
    """A verb at the end of the path is what the request does."""
    words = [word for part in parts[-2:] for word in _piece.findall(part)]
    last = _piece.findall(parts[-1]) if parts else []
    bad = next((word for word in last if word in _DANGEROUS_ENDS), "")
    if bad and not _is_noun_of_reading(last):
        yield _signal("http.verb", RiskLevel.HIGH, f"“{shown}” does what “{bad}” says")
    elif BULK & set(words) and any(_takes(word) for word in words):
        yield _signal("http.bulk", RiskLevel.HIGH, f"“{shown}” takes many at once")
    elif _PLACES & set(parts) and any(word in _UNDOES for word in last):
        yield _signal("http.verb", RiskLevel.HIGH, f"“{shown}” takes access away")
    elif any(word in _MILD or word in _ENDS for word in last) or _PLACES & set(parts):
        yield _signal("http.change", RiskLevel.MEDIUM, f"“{shown}” changes something that matters")


def _takes(word: str) -> bool:
    verb = verb_in(word)
    return verb is not None and verb.kind is Kind.DELETE and verb.form is Form.BASE


def _is_noun_of_reading(words: list[str]) -> bool:
    """`/bulk-list`, `/transfer-status`: told, not done."""
    return bool(words) and words[-1] in {
        "status",
        "list",
        "search",
        "preview",
        "estimate",
        "history",
    }


def _signal(rule: str, level: RiskLevel, reason: str) -> Signal:
    return Signal(rule=rule, heuristic=Heuristic.IRREVERSIBILITY, level=level, reason=reason)


def _unreadable() -> Signal:
    return Signal(
        rule="http.unreadable",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.HIGH,
        reason="the address is longer than anybody can read",
    )
