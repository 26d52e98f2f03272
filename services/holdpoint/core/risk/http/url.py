"""Addresses as a server reads them: host, path, query."""

from itertools import chain
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
import re2

from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.text import unhidden, whole_characters

MAX_URL = 4_096
"""Characters of an address that are read; more make it unreadable."""

MAX_ROUNDS = 4
"""How often one was encoded; what is still encoded then is not read."""

_control = re2.compile(r"[\x00-\x1f\x7f]")
_request = re2.compile(r"[\r\n]\s*[A-Za-z]{3,12}\s+\S+\s+HTTP/\d")
"""A second request behind the first."""

_encoded = re2.compile(r"%[0-9A-Fa-f]{2}")
_root = re2.compile(r"v?\d[\d.]*|api|rest|rpc|services?")
"""Parts of a path that say nothing about what it is for."""


class Target(msgspec.Struct, frozen=True):
    """A host in lower case, the parts of a path, and what is asked, each name as often as said."""

    host: str
    path: list[str]
    asked: tuple[tuple[str, str], ...]

    @property
    def is_root(self) -> bool:
        """Whether its path says nothing."""
        return all(_root.fullmatch(part.lower()) for part in self.path)

    def said(self, name: str) -> frozenset[str]:
        """Everything that is asked under a name."""
        return frozenset(said for key, said in self.asked if key == name)

    @property
    def is_bare(self) -> bool:
        """Whether its path names no more than one thing, so that the host says what it is about."""
        return all(_root.fullmatch(part.lower()) for part in self.path[:-1])


@remembered(512)
def is_legible(url: str) -> bool:
    """Whether it is one address that a person could read, and no other request behind it."""
    if len(url) > MAX_URL or _control.search(whole_characters(url.strip())):
        return False
    path, _, query = whole_characters(url).partition("?")
    path = plain(path)
    return not (_control.search(path) or _encoded.search(path) or _request.search(plain(query)))


@remembered(512)
def targets(url: str) -> tuple[Target, ...]:
    """As it stands, where it climbs (`..`) resolved too, and where it shouts in small letters."""
    host, path, query = _split(whole_characters(url.strip()))
    raw = plain(path).replace(_STROKE, "/").split("/")
    parts = [name for part in raw if (name := part.partition(";")[0].strip())]
    asked = tuple(_pairs(query)) if query else ()
    flat = [part for part in parts if part not in {".", ".."}]
    ways: tuple[list[str], ...] = (flat, _resolved(parts)) if ".." in parts else (flat,)
    if any(map(str.isupper, flat)):
        ways += tuple([part.lower() if part.isupper() else part for part in way] for way in ways)
    return tuple(Target(host, way, asked) for way in ways)


def execs(url: str) -> tuple[str, ...]:
    """The words of the command that Kubernetes runs in a pod: `/pods/x/exec?command=ls`."""
    if "/exec" not in url or "command=" not in url:
        return ()
    read = targets(url)[0]
    if read.path[-3:-2] != ["pods"] or read.path[-1:] != ["exec"]:
        return ()
    _, _, query = _split(whole_characters(url.strip()))
    pairs = parse_qsl(query, keep_blank_values=True)
    return tuple(plain(said) for key, said in pairs if key == "command")


def plain(text: str) -> str:
    """Decoded until nothing is encoded, in the letters that it imitates."""
    for _ in range(MAX_ROUNDS):
        if "%" not in text or (once := unquote(text)) == text:
            break
        text = once
    return text if text.isascii() else unhidden(whole_characters(text))


def _split(url: str) -> tuple[str, str, str]:
    head, mark, query = url.partition("?")
    try:
        split = urlsplit(f"{head.replace(_STROKE, '/')}{mark}{query}")
        return (split.hostname or "").lower(), split.path, split.query[:MAX_URL]
    except ValueError:
        return "?", url, ""


_STROKE = "\\"
"""What browsers read as a stroke of the other kind."""


def _pairs(query: str) -> list[tuple[str, str]]:
    """Also where `;` stands between them, as some servers read it."""
    ways = (query, query.replace(";", "&")) if ";" in query else (query,)
    found = chain.from_iterable(parse_qsl(way, keep_blank_values=True) for way in ways)
    return list(dict.fromkeys((plain(key).removesuffix("[]"), plain(said)) for key, said in found))


def _resolved(parts: list[str]) -> list[str]:
    found: list[str] = []
    for part in parts:
        if part == "..":
            found[-1:] = []
        elif part != ".":
            found.append(part)
    return found
