"""The request that a command sends: its method, its address, and all of its body."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import re2

from holdpoint.core.risk.http.request import READING, WRITING
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.text import whole_characters

MAX_ARGS = 400
"""Words of a command that are read: whatever is longer is judged by its words alone."""

_METHODS = word_set("-X --request --method")
_HEADERS = word_set("-H --header")
_BODIES = words("words/shell:http.body_options")
_GETS = word_set("-G --get")
_URLS = frozenset({"--url"})
_NAMED = _METHODS | _HEADERS | _BODIES | _URLS
_SHORT = frozenset(name for name in _NAMED if not name.startswith("--"))


def sent_by(command: Command) -> dict[str, Any] | None:
    """The request that it sends and that may change something; None for any other command."""
    read = _READERS.get(command.name)
    return read(command.args[:MAX_ARGS]) if read else None


def _typed(args: tuple[str, ...]) -> dict[str, Any] | None:
    """As curl and wget are told: everything by options."""
    said = list(_options(args))
    bodies = [value for name, value in said if name in _BODIES and value[:1] != "@"]
    method = next((value.upper() for name, value in reversed(said) if name in _METHODS), "")
    url = next((value for name, value in said if name in _URLS), "")
    url = url or next((value for name, value in said if not name and "." in value), "")
    url = url or next((value for name, value in said if not name and ":" in value), "")
    asks = not _GETS.isdisjoint(args)
    method = method or ("POST" if bodies and not asks else "GET")
    if not url or (method not in WRITING and not _orders.search(whole_characters(url))):
        return None
    headers = dict(_pair(value, ":") for name, value in said if name in _HEADERS)
    return _request(method, url, headers) | ({"body": "&".join(bodies)} if bodies else {})


def _options(args: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each option with its value; a word that is none stands under no name."""
    words = iter(args)
    for word in words:
        name, mark, value = word.partition("=")
        if word in _NAMED:
            yield word, next(words, "")
        elif mark and name in _NAMED and name.startswith("--"):
            yield name, value
        elif word[:2] in _SHORT:
            yield word[:2], word[2:]
        elif word[:1] != "-":
            yield "", word


def _worded(args: tuple[str, ...]) -> dict[str, Any] | None:
    """As HTTPie is told: a method, an address, and fields."""
    given = (word.partition("--raw=")[2] for word in args)
    behind = (value for at, value in pairwise(args) if at == "--raw")
    raw = next(filter(None, (*given, *behind)), "")
    words = [word for word in args if word[:1] != "-" and word != raw]
    named = bool(words) and words[0].upper() in WRITING | READING
    rest = words[1:] if named else words
    headers = dict(_pair(word, ":") for word in rest[1:] if _header.match(whole_characters(word)))
    fields = dict(_pair(word, "=") for word in rest[1:] if "=" in word and "==" not in word)
    method = words[0].upper() if named else "POST" if fields or raw else "GET"
    if not rest or (method not in WRITING and not _orders.search(whole_characters(rest[0]))):
        return None
    return _request(method, rest[0], headers) | {"body": raw or fields}


_orders = re2.compile(r"(?i)[?&](?:_method|action|command|cmd|op|operation|delete)=")
"""What in the query of a mere GET may order something."""

_header = re2.compile(r"[A-Za-z][\w-]*:[^=]")


def _pair(text: str, mark: str) -> tuple[str, str]:
    name, _, value = text.partition(mark)
    return name.strip().removesuffix(":"), value.strip()


def _request(method: str, url: str, headers: dict[str, str]) -> dict[str, Any]:
    whole = url if "://" in url else f"http://{url}"
    return {"method": method, "url": whole} | ({"headers": headers} if headers else {})


_READERS: dict[str, Callable[[tuple[str, ...]], dict[str, Any] | None]] = {
    **dict.fromkeys(("curl", "curlie", "wget", "wget2"), _typed),
    **dict.fromkeys(("http", "https", "xh", "xhs"), _worded),
}
