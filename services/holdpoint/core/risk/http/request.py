"""The request that an object describes, under whatever keys, and the method that will count."""

from collections.abc import Mapping
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.http.address import NAMES, addresses, is_plain
from holdpoint.core.risk.http.orders import opened
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.text import fold, whole_characters

MAX_KEYS = 64
"""Keys of an object in which a request is looked for."""

MAX_METHOD = 40
MAX_INNER = 16
"""Requests within one that are read."""

MAX_BODY = 4_096
_field = re2.compile(r"(?i)\b_method['\"]?\s*[=:]\s*['\"]?(DELETE|PURGE|PUT|PATCH)\b")
_METHODS = word_set("method verb httpmethod httpverb requestmethod")
_BODIES = word_set("body json data payload content")
_ASKED = word_set("query params headers body json data form")
_OPTIONS = word_set("options init opts request")
_OVERRIDES = word_set("_method xhttpmethodoverride xhttpmethod xmethodoverride")


class Request(msgspec.Struct, frozen=True):
    """A method in upper case, the addresses that may be meant, and a body where there is one."""

    method: str
    urls: tuple[str, ...]
    body: object
    plain: bool
    """Whether its address can be nothing else."""


def plain_method(method: str) -> str:
    """In upper case, without blanks and what nobody sees."""
    return fold(method[:MAX_METHOD]).folded.strip().upper()


def request_in(values: Mapping[str, Any]) -> Request | None:
    """The request; None when it says no method or no address."""
    if len(values) > MAX_KEYS or not _may_address(values):
        return None
    known = _known(values)
    method, urls = _first(known, _METHODS), addresses(known)
    if not isinstance(method, str) or not urls:
        return None
    method = _overriding(known) or method
    return Request(plain_method(method), urls, _first(known, _BODIES), is_plain(known))


def method_alone(values: Mapping[str, Any]) -> str:
    """The method where no address is known, `?` for one that is no text; empty without a method."""
    known = _known(values) if len(values) <= MAX_KEYS else {}
    method = _first(known, _METHODS)
    if not method or addresses(known):
        return ""
    return plain_method(_overriding(known) or method) if isinstance(method, str) else "?"


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    """By its keys without signs; the options of a call such as `fetch` count as its own."""
    known = {_key(name): value for name, value in values.items()}
    more = (known[name] for name in _OPTIONS if isinstance(known.get(name), Mapping))
    within = {_key(name): value for one in more for name, value in one.items()}
    return within | known


def asked_for(body: object) -> str:
    """The method that a form asks to be taken for: `_method=DELETE`."""
    if isinstance(body, Mapping):
        said = body.get("_method")
        return plain_method(said) if isinstance(said, str) else ""
    match = _field.search(whole_characters(body[:MAX_BODY])) if isinstance(body, str) else None
    return str(match[1]).upper() if match else ""


def batched(body: object) -> list[Mapping[str, Any]]:
    """The objects in the lists of a body, each of which may be a request."""
    held = opened(body)
    lists = (value for value in held.values() if isinstance(value, list))
    return [one for listed in lists for one in listed if isinstance(one, Mapping)][:MAX_INNER]


_ADDRESSING = NAMES | _OPTIONS


def _may_address(values: Mapping[str, Any]) -> bool:
    """A first look, for all keys at once: most objects name no address."""
    return _names_one(" ".join(map(str, values)))


@remembered(1024)
def _names_one(keys: str) -> bool:
    return not _ADDRESSING.isdisjoint(_bare(keys).split())


def _bare(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def _key(name: object) -> str:
    said = str(name)
    return "_method" if said.lower() == "_method" else _bare(said)


def _first(known: Mapping[str, Any], names: frozenset[str]) -> Any:
    return next((known[name] for name in known if name in names), None)


def _overriding(known: Mapping[str, Any]) -> str:
    """The method that a header, a field or the query asks to be taken for."""
    for name in _ASKED & known.keys():
        held = known[name]
        if isinstance(held, Mapping) and len(held) <= MAX_KEYS:
            for key, value in held.items():
                if _key(key) in _OVERRIDES and isinstance(value, str):
                    return value
    return ""
