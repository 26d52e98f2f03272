"""The addresses that an object names: whole, in parts, under any usual key, in any spelling."""

from collections.abc import Iterator, Mapping
from typing import Any

from holdpoint.core.risk.lexicon import word_set

MAX_PARTS = 64
"""Parts of a path that is given as a list."""

_WHOLE = word_set("url uri endpoint href address requesturl")
_BY_METHOD = word_set("link requesturi fullurl targeturl apiurl requestpath")
_PATHS = word_set("path resource route target pathname urlpath apipath uripath subpath")
_BASES = word_set("baseurl baseuri base origin host hostname server domain apibase")
_WITHIN = ("raw", "href", "url", "pathname", "path")
_WHOLES = _WHOLE | _BY_METHOD
NAMES = _WHOLES | _PATHS
"""Keys of an object that may name an address, in lower case and without signs."""


def addresses(known: Mapping[str, Any]) -> tuple[str, ...]:
    """Each address that these keys may mean: every one of them is to be read."""
    whole, parts = list(_said(known, _WHOLES)), list(_said(known, _PATHS))
    base = next(_said(known, _BASES), "")
    relative = [text for text in whole if base and "://" not in text]
    base = base or (whole[0] if whole else "")
    return (*whole, *(_joined(base, part) for part in (*relative, *parts)))


def _said(known: Mapping[str, Any], names: frozenset[str]) -> Iterator[str]:
    """Also where a key comes twice in another spelling: `url`, `url 7`."""
    found = (_text(known[name]) for name in known if name.partition(" ")[0] in names)
    return (text for text in found if text)


def is_plain(known: Mapping[str, Any]) -> bool:
    """Whether it can be nothing but an address, so that a request may be taken for a mere read."""
    said = ((name, _text(value)) for name, value in known.items() if name in NAMES)
    return any(text and (name in _WHOLE or text[0] == "/" or "://" in text) for name, text in said)


def _joined(base: str, path: str) -> str:
    """A host needs its two strokes: else its name would count as a part of the path."""
    start = base.partition("?")[0].rstrip("/")
    if start and "://" not in start and start[0] != "/":
        start = f"//{start}"
    return path if "://" in path else f"{start}/{path.lstrip('/')}"


def _text(value: Any) -> str:
    """As a text, as a list of its parts, or as an object that holds either."""
    if isinstance(value, Mapping):
        value = next((value[name] for name in _WITHIN if name in value), "")
    if isinstance(value, list | tuple):
        value = "/".join(_strings(value))
    return value.strip() if isinstance(value, str) else ""


def _strings(parts: list[Any] | tuple[Any, ...]) -> Iterator[str]:
    return (str(part) for part in parts[:MAX_PARTS])
