"""Bodies of requests, opened as a server opens them."""

from collections.abc import Iterator, Mapping
from typing import Any

import re2

from holdpoint.core.risk.extract.embedded import form_fields, held
from holdpoint.core.risk.extract.embedded import opened as unwrapped
from holdpoint.core.risk.extract.payload import words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters
from holdpoint.messages.twins import differently, stands_twice

MAX_TEXT = 64 * 1024
MAX_INNER = 128
"""Requests within one that are read: more things in a list are many whatever they are."""

MAX_FIELD = 4_096
_field = re2.compile(r"(?i)\b_method['\"]?\s*[=:]\s*['\"]?(DELETE|PURGE|PUT|PATCH)\b")
_line = re2.compile(
    r"(?m)^\s*(DELETE|PURGE|UNLINK|PUT|PATCH|POST|GET|HEAD)[ \t]+(\S+)[ \t]+HTTP/\d"
)
_once = word_set("amount total sum currency action op operation method cmd command")
"""Names of which one value counts; others may be lists."""


def opened(body: object) -> Mapping[str, Any]:
    """The object that a body is, or holds; a list stands under an empty name."""
    body = unwrapped(body) if isinstance(body, str) and len(body) <= MAX_TEXT else body
    if isinstance(body, str) and body.lstrip()[:1] in {"{", "["}:
        return {}  # nobody can read it
    if isinstance(body, str) and len(body) <= MAX_TEXT and body.lstrip()[:1] == "<":
        return _elements(body)
    if isinstance(body, str) and len(body) <= MAX_TEXT and "=" in body:
        body = held("body", body)
    if isinstance(body, list | tuple):
        return {"": list(body)}
    return body if isinstance(body, Mapping) else {}


def _elements(text: str) -> Mapping[str, Any]:
    """The elements of XML, and what they hold by their names."""
    found = [one for one in held("body", text.lstrip()) or () if isinstance(one, Mapping)]
    return {"": found} | {str(key): said for one in found for key, said in one.items()}


def batched(body: object) -> list[Mapping[str, Any]]:
    """The objects in its lists, and the lines in it, each of which may be a request."""
    lists = (value for value in opened(body).values() if isinstance(value, list))
    found = [one for listed in lists for one in listed if isinstance(one, Mapping)]
    return found[:MAX_INNER]


def spelled(body: object) -> Iterator[Mapping[str, str]]:
    """Requests in lines of it, as parts of a batch: `DELETE /users/7 HTTP/1.1`."""
    if isinstance(body, str) and "HTTP/" in body[:MAX_TEXT]:
        for method, url in _line.findall(whole_characters(body[:MAX_TEXT]))[:MAX_INNER]:
            yield {"method": method, "url": url}


def asked_for(body: object) -> str:
    """The method that a form asks to be taken for: `_method=DELETE`."""
    if isinstance(body, Mapping):
        said = body.get("_method")
        return said if isinstance(said, str) else ""
    match = _field.search(whole_characters(body[:MAX_FIELD])) if isinstance(body, str) else None
    return str(match[1]) if match else ""


def is_twofold(body: object) -> bool:
    """Whether a name stands in it twice with two values, of which readers choose differently."""
    if not isinstance(body, str) or len(body) > MAX_TEXT:
        return False
    if body.lstrip()[:1] in {"{", "["}:
        return stands_twice(body, differently)
    said = list(dict.fromkeys(form_fields(body))) if "&" in body and "\n" not in body else []
    names = [key for key, _ in said if not _once.isdisjoint(words_of(key)[-1:]) and "[" not in key]
    return len(names) > len(set(names))
