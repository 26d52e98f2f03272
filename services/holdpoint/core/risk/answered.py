"""Words of a request that only asks: the title of a page, a text that is worked on and no more."""

from collections.abc import Mapping
from itertools import starmap, takewhile
from typing import Any

from holdpoint.core.risk.http.commanded import TITLED, commanded
from holdpoint.core.risk.http.target import targets
from holdpoint.core.risk.http.words import words_of, works_out
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.texts import Taken, is_plain, taken
from holdpoint.messages.base import JsonObject

MAX_URL = 4_096

_RUNS = words("words/programs:answered.runs")
_WORKED_ON = word_set("text texts input inputs content contents document documents sentence q")
_FILES = (".html", ".htm")
"""Pages, which are called whatever they are about: `sql-droptable.html`."""

_GETS = frozenset({"GET", "EXISTS", "TTL", "PTTL", "TYPE", "STRLEN", "HGETALL", "LLEN", "SMEMBERS"})
"""Orders of Redis that only read, as webdis has them in its addresses."""

_KEY_AT = len(("https:", "", "host", "GET", "key"))
_SIGNS = frozenset("%?#;\\")
"""What may say more than a path."""


def without_title(url: str) -> str:
    """The address of a page of documentation without what it is called; else the same.

    And that of a value in a store of keys without its key, where it is only got (`/GET/flushall`).
    """
    if len(url) > MAX_URL or ".." in url or not url.isascii() or not _SIGNS.isdisjoint(url):
        return url
    parts = url.split("/")
    if len(parts) == _KEY_AT and parts[-2] in _GETS and "//" in url:
        return "/".join([*parts[:-1], "."])
    kept = [*takewhile(lambda part: part.lower() not in TITLED, parts)]
    runs = words_of("/".join(kept if url.lower().endswith(_FILES) else parts[:-1]))
    if len(kept) == len(parts) or not _RUNS.isdisjoint(runs) or commanded(url):
        return url
    return "/".join([*parts[: len(kept) + 1], *("." for _ in parts[len(kept) + 1 :])])


def _only_checks(path: list[str]) -> bool:
    """Whether it says of a program what is right and wrong with it: `/v1/sql/parse`."""
    words = words_of(path[-1])[-1:] if path else ()
    runs = {word for part in path for word in words_of(part)} & _CERTAIN
    return words in _CHECKS and not runs


def _unchecked(arguments: JsonObject) -> Taken | None:
    """Without the program, where nothing beside it says that more is done with it."""
    body = arguments.get("body")
    if not isinstance(body, Mapping) or not all(starmap(_is_of_it, body.items())):
        return None
    found = taken(arguments, _PROGRAMS, is_plain)
    return None if any("analy" in text.lower() for text in found.texts) else found


def _is_of_it(key: str, value: Any) -> bool:
    """Whether it is the program, or says in a word how it is to be read."""
    return key.lower() in _PROGRAM and isinstance(value, str | int)


_CHECKS = tuple((one,) for one in ("validate", "parse", "lint", "format", "explain", "highlight"))
_CERTAIN = word_set("exec execute run eval shell console")
_PROGRAMS = word_set("sql query statement code text source")
_PROGRAM = _PROGRAMS | word_set("dialect language lang version schema options rules")


def without_text(url: str, arguments: JsonObject) -> Taken | None:
    """The request without the texts in its body, where they are only worked on; else None."""
    if len(url) > MAX_URL or "?" in url:
        return None
    if all(_only_checks(target.path) for target in targets(url)):
        return _unchecked(arguments)
    if not _RUNS.isdisjoint(words_of(url)):
        return None
    if not all(works_out(target.path) for target in targets(url)):
        return None
    return taken(arguments, _WORKED_ON, is_plain)
