"""`read_request`: what a method and a path would do.

```
GET, HEAD, OPTIONS …          read, unless a GET plainly orders: `/users/42/delete`
DELETE  …/reactions/9         a preference or a mark of one's own is taken back
DELETE  …/anything/9          something is gone
POST    …/delete-request      a verb in the path acts like the tool of that name
```
"""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from holdpoint.core.risk.http.carried import carried
from holdpoint.core.risk.http.commanded import commanded
from holdpoint.core.risk.http.orders import ordered, rehearsed
from holdpoint.core.risk.http.request import (
    Request,
    asked_for,
    batched,
    method_alone,
    plain_method,
    request_in,
)
from holdpoint.core.risk.http.words import (
    BULK,
    FAR_MARKS,
    MARKS,
    MARKS_ON,
    MILD,
    OWN_MARKS,
    SENT_MARKS,
    TAKES,
    grave,
    tells,
    words_of,
)
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters
from holdpoint.core.risk.wording import Form, Kind, verb_in
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_URL = 4_096
"""Characters of an address that are read; more make it unreadable."""

MAX_SHOWN = 40

READING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT"})
WRITING = frozenset({"POST", "PUT", "PATCH", "DELETE", "PURGE", "MOVE", "COPY", "LINK", "UNLINK"})

_PLACES = word_set(
    "billing members admins owners keys secrets webhooks roles permissions credentials tokens"
)


class RequestReading(msgspec.Struct, frozen=True, kw_only=True):
    """What a request would do."""

    signals: tuple[Signal, ...] = ()
    reads_only: bool = False
    verb: str = ""


def read_request(method: str, url: str, body: object = None) -> RequestReading:
    """Read it, with the requests in its body; an unknown method counts as a write."""
    outer = _read(method, url, body)
    inner = (found for one in batched(body) if (found := read_object(one)))
    within = tuple(signal for found in inner for signal in found.signals)
    return msgspec.structs.replace(outer, signals=(*outer.signals, *within)) if within else outer


def _read(method: str, url: str, body: object) -> RequestReading:
    """What it does, and the keys that it gives away."""
    found = _does(method, url, body)
    if not carried(url[:MAX_URL], body):
        return found
    return msgspec.structs.replace(found, signals=(*found.signals, _given_away()), reads_only=False)


def _does(method: str, url: str, body: object) -> RequestReading:
    does = plain_method(method)
    if len(url) > MAX_URL:
        return RequestReading(signals=(_unreadable(),), verb=does.lower())
    path, query = _parts(whole_characters(url))
    does = (does == "POST" and asked_for(body)) or does
    order = "" if rehearsed(path, query) else ordered(does, path, query, body)
    if does == "GET" and not order:
        order = commanded(whole_characters(url))
    asks = does in READING or rehearsed(path, query) or (does == "POST" and tells(path))
    if asks and not order:
        return RequestReading(reads_only=True, verb=does.lower())
    return RequestReading(signals=tuple(_judged(does, path, order)), verb=does.lower())


def read_object(values: Mapping[str, Any]) -> RequestReading | None:
    """The request that an object describes, without those in its body; None when it is none."""
    sent = request_in(values)
    if sent is None or sent.method not in READING | WRITING:
        return None
    if sent.method in READING and not sent.plain:
        return None
    return _read_each(sent)


def read_addressless(values: Mapping[str, Any]) -> RequestReading | None:
    """What goes nobody knows where; None for a mere read, and where there is an address."""
    method = method_alone(values)
    if not method or method in READING:
        return None
    return RequestReading(signals=(_addressless(method[:MAX_SHOWN]),), verb=method.lower())


def _read_each(sent: Request) -> RequestReading:
    """At each address that may be meant, the gravest counts."""
    found = [_read(sent.method, url, sent.body) for url in sent.urls]
    return RequestReading(
        signals=tuple(dict.fromkeys(signal for one in found for signal in one.signals)),
        reads_only=all(one.reads_only for one in found),
        verb=found[0].verb,
    )


def _judged(method: str, path: list[str], order: str) -> Iterator[Signal]:
    shown = f"{method} /{'/'.join(path)}"
    if len(shown) > MAX_SHOWN:
        shown = f"{method} …{shown[len(method) - MAX_SHOWN + 2 :]}"
    if method in {"DELETE", "PURGE", "UNLINK"}:
        yield from _taken(method, [part.lower() for part in path], shown)
    elif order and not tells(path):
        yield _signal("http.order", RiskLevel.HIGH, f"“{shown}”: {order}")
    elif _makes_mighty(method, path):
        yield _signal("http.power", RiskLevel.HIGH, f"“{shown}” makes somebody an administrator")
    elif method not in READING:
        yield from _acted(method, path, shown)


def _parts(url: str) -> tuple[list[str], str]:
    try:
        split = urlsplit(url)
        path, query = split.path, split.query
    except ValueError:
        path, query = url, ""
    return [part for part in unquote(path).split("/") if part], query


def _taken(method: str, parts: list[str], shown: str) -> Iterator[Signal]:
    """A DELETE: of a mark of one's own it is mild."""
    last = next((part for part in reversed(parts) if not _is_value(part)), "")
    near = {word for part in parts[-2:] for word in (part, *words_of(part)[-1:])}
    own = OWN_MARKS & near or last in OWN_MARKS or FAR_MARKS & set(parts[-4:])
    own = own or (MARKS & set(parts[-2:]) and MARKS_ON & set(parts[:-1]))
    if method != "PURGE" and own:
        yield _signal("http.unmark", RiskLevel.LOW, f"“{shown}” takes back a mark of one's own")
    else:
        yield _signal("http.delete", RiskLevel.HIGH, f"“{shown}” removes it for everybody")


def _is_value(part: str) -> bool:
    """An id rather than a name: it holds a digit, or is very long."""
    return any(char.isdigit() for char in part) or len(part) > MAX_SHOWN


def _acted(method: str, path: list[str], shown: str) -> Iterator[Signal]:
    """A verb at the end of the path is what the request does."""
    last = words_of(path[-1]) if path else ()
    near = {word for part in path[-2:] for word in words_of(part)}
    bad = next((word for word in (*last, "".join(last)) if word in TAKES), "") or _followed(path)
    forced = method == "PATCH" and "refs" in path
    if method == "POST" and bad in {"remove", "delete"} and SENT_MARKS & near:
        yield _signal("http.unmark", RiskLevel.LOW, f"“{shown}” takes back a mark of one's own")
        return
    if tells(path):
        return
    if forced:
        yield _signal("http.change", RiskLevel.HIGH, f"“{shown}” moves what others build on")
    elif bad and not (bad == "remove" and "token" in last):
        yield _signal("http.verb", RiskLevel.HIGH, f"“{shown}” does what “{bad}” says")
    elif BULK & near and (any(_takes(word) for word in near) or _to_all(last)):
        yield _signal("http.bulk", RiskLevel.HIGH, f"“{shown}” takes many at once")
    elif why := grave(path):
        yield _signal("http.verb", RiskLevel.HIGH, f"“{shown}” {why}")
    elif MILD & set(last) or _PLACES & {part.lower() for part in path}:
        yield _signal("http.change", RiskLevel.MEDIUM, f"“{shown}” changes something that matters")


def _followed(path: list[str]) -> str:
    """A deed that an id or a name follows: `statuses/destroy/7`."""
    before = path[-2].lower() if len(path) > 1 else ""
    return before if before in _PLAIN else ""


_PLAIN = word_set("delete destroy purge wipe erase terminate")


def _makes_mighty(method: str, path: list[str]) -> bool:
    """`PUT /groups/admins/members/bob`, `POST /admins`."""
    names = [part.lower() for part in path if part.lower() not in {"members", "users"}]
    return method in {"PUT", "POST"} and not _MIGHTY.isdisjoint(names[-2:])


_MIGHTY = word_set("admins administrators owners superusers")


def _to_all(last: tuple[str, ...]) -> bool:
    """`rotate-all`, `restartAll`."""
    return not BULK.isdisjoint(last) and not MILD.isdisjoint(last)


def _takes(word: str) -> bool:
    verb = verb_in(word)
    return verb is not None and verb.kind is Kind.DELETE and verb.form is Form.BASE


def _signal(rule: str, level: RiskLevel, reason: str) -> Signal:
    return Signal(rule=rule, heuristic=Heuristic.IRREVERSIBILITY, level=level, reason=reason)


def _unreadable() -> Signal:
    return Signal(
        rule="http.unreadable",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.HIGH,
        reason="the address is longer than anybody can read",
    )


def _given_away() -> Signal:
    return Signal(
        rule="http.key",
        heuristic=Heuristic.CRITICALITY,
        level=RiskLevel.HIGH,
        reason="it carries a key to a host that did not give it out",
    )


def _addressless(method: str) -> Signal:
    return Signal(
        rule="http.addressless",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.HIGH,
        reason=f"a {method} is sent, and nobody can tell to which address",
    )
