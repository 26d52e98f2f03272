"""What a method does to the thing that a path names, as signals.

```
DELETE  …/reactions/9         a preference or a mark of one's own is taken back
DELETE  …/anything/9          something is gone
POST    …/delete-request      a verb in the path acts like the tool of that name
```
"""

from collections.abc import Iterator
from itertools import islice

from holdpoint.core.risk.http.body import opened
from holdpoint.core.risk.http.request import READING, TAKING
from holdpoint.core.risk.http.target import Target
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
from holdpoint.core.risk.wording import Form, Kind, verb_in
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_SHOWN = 40

_PLACES = word_set(
    "billing members admins owners keys secrets webhooks roles permissions credentials tokens"
)


def judged(method: str, target: Target, order: str, body: object) -> Iterator[Signal]:
    """What the method does there, with what its query or its body orders."""
    path = target.path
    shown = f"{method} /{'/'.join(path)}"
    if len(shown) > MAX_SHOWN:
        shown = f"{method} …{shown[len(method) - MAX_SHOWN + 2 :]}"
    if method in TAKING:
        yield from _taken(method, [part.lower() for part in path], shown)
    elif order and not tells(path):
        yield _signal("http.order", RiskLevel.HIGH, f"“{shown}”: {order}")
    elif _makes_mighty(method, path):
        yield _signal("http.power", RiskLevel.HIGH, f"“{shown}” makes somebody an administrator")
    elif method not in READING:
        yield from _acted(method, target, shown, _about(target, body))


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


def _about(target: Target, body: object) -> frozenset[str]:
    """What its host and the names in its body say that it is done to."""
    held = islice(opened(body), MAX_KEYS)
    named = {word for key in held for word in words_of(str(key)[:MAX_SHOWN])} & _SAVED
    host = words_of(target.host.partition(".")[0])
    return frozenset(named).union(_HOSTS.intersection(host))


MAX_KEYS = 1_500
_SAVED = word_set("backup snapshot database")
_HOSTS = word_set("door doors gate garage lock payroll firewall waf backup backups scada plant")
_WHOLE = word_set("rollback restart")
"""Deeds that are done to the whole of a service where nothing else is named."""


def _acted(method: str, target: Target, shown: str, about: frozenset[str]) -> Iterator[Signal]:
    """A verb at the end of the path is what the request does."""
    path = target.path
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
    elif why := grave(path, about) or _to_the_service(target, last):
        yield _signal("http.verb", RiskLevel.HIGH, f"“{shown}” {why}")
    elif MILD & set(last) or _PLACES & {part.lower() for part in path}:
        yield _signal("http.change", RiskLevel.MEDIUM, f"“{shown}” changes something that matters")


def _to_the_service(target: Target, last: tuple[str, ...]) -> str:
    alone = target.is_bare and target.host not in _OWN_MACHINE
    return "does it to the whole service" if alone and _WHOLE & set(last[-1:]) else ""


_OWN_MACHINE = word_set("localhost 127.0.0.1 ::1 0.0.0.0")


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
