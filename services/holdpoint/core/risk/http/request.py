"""Requests as a server reads them: address, method, headers, in an object or in a text."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
import re2

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import bare_key
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import fold, unhidden, whole_characters

MAX_URL = 4_096
"""Characters of an address that are read; more make it unreadable."""

MAX_ROUNDS = 4
"""How often one was encoded; what is still encoded then is not read."""

_control = re2.compile(r"[\x00-\x1f\x7f]")
_second_request = re2.compile(r"[\r\n]\s*[A-Za-z]{3,12}\s+\S+\s+HTTP/\d")
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
        """Return whether its path says nothing."""
        return all(_root.fullmatch(part.lower()) for part in self.path)

    def said(self, name: str) -> frozenset[str]:
        """Everything that is asked under a name."""
        return frozenset(said for key, said in self.asked if key == name)

    @property
    def is_bare(self) -> bool:
        """Return whether its path names at most one thing, so the host says what it is about."""
        return all(_root.fullmatch(part.lower()) for part in self.path[:-1])


@memoize(512)
def is_legible(url: str) -> bool:
    """Return whether it is one address that a person could read, and no other request behind it."""
    if len(url) > MAX_URL or _control.search(whole_characters(url.strip())):
        return False
    path, _, query = whole_characters(url).partition("?")
    path = plain(path)
    return not (
        _control.search(path) or _encoded.search(path) or _second_request.search(plain(query))
    )


@memoize(512)
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
    named = _without_scheme.fullmatch(head)
    head = f"//{head}" if named and (named[1] or "").lower() not in _SCRIPTS else head
    try:
        split = urlsplit(f"{head.replace(_STROKE, '/')}{mark}{query}")
        return (split.hostname or "").lower(), split.path, split.query[:MAX_URL]
    except ValueError:
        return "?", url, ""


_without_scheme = re2.compile(
    r"(?i)(?:(?:[a-z0-9-]+\.)+([a-z]{2,})|(?:\d+\.){3}\d+|localhost)(?::\d+)?/.*"
)
"""A host with what stands behind it, as people write addresses: `api.example.com/users/7`."""

_SCRIPTS = word_set("php asp aspx cgi jsp pl do html json xml")
"""Endings of a file, which is no host: `index.php/users`."""

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
    """Return whether it can only be an address, so that a request may count as a mere read."""
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


MAX_KEYS = 1_500
"""Keys of an object in which a request is looked for: as many as of a payload are read."""

MAX_METHOD = 40
MAX_METHODS = 4
"""Methods that may be meant; of more the gravest count."""

READING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT"})
TAKING = frozenset({"DELETE", "PURGE", "UNLINK"})
WRITING = TAKING | words("words/http:request.writing")
_OTHERS = words("words/http:request.others")
_METHODS = word_set("method verb httpmethod httpverb requestmethod")
_BODIES = word_set("body json data payload content")
_ASKED = word_set("query params headers body json data form")
_OPTIONS = word_set("options init opts request")
_OVERRIDES = word_set("_method xhttpmethodoverride xhttpmethod xmethodoverride")
_word = re2.compile(r"[A-Za-z][\w-]*")
_breaks = re2.compile(r"[\r\n]+[^\s:]")


class Request(msgspec.Struct, frozen=True):
    """Methods in upper case, and the addresses and the bodies, each of which may be meant."""

    methods: tuple[str, ...]
    urls: tuple[str, ...]
    bodies: tuple[object, ...]
    headers: tuple[tuple[str, str], ...]
    """By their names in lower case and without signs."""

    plain: bool
    """Whether its address can be nothing else."""

    @property
    def method(self) -> str:
        """The gravest."""
        return self.methods[0]

    @property
    def is_split(self) -> bool:
        """Return whether a line in its headers is none: what follows it is another request."""
        return any(_is_request(name) or _is_broken(said) for name, said in self.headers)


def _is_request(name: str) -> bool:
    """`delete /users/7 http`: no header has a blank in its name."""
    method, blank, _ = name.partition(" ")
    return bool(blank) and method.upper() in READING | WRITING


def _is_broken(header: str) -> bool:
    return _breaks.search(whole_characters(header.strip())) is not None


def plain_method(method: str) -> str:
    """In upper case, without blanks, what nobody sees and what is encoded."""
    return fold(plain(method[:MAX_METHOD])).folded.strip().upper()


def request_in(values: Mapping[str, Any]) -> Request | None:
    """The request; None when it says no method or no address."""
    if len(values) > MAX_KEYS or not _may_address(values):
        return None
    known = _known(values)
    said = [one for one in _each(known, _METHODS) if isinstance(one, str)]
    urls = addresses(known)
    if not said or not urls:
        return None
    return Request(
        gravest((*said, *_overriding(known))),
        tuple(url.partition("#")[0] for url in urls),
        tuple(_each(known, _BODIES)) or (None,),
        tuple(_headers(known.get("headers"))),
        is_plain(known),
    )


def gravest(methods: tuple[str, ...]) -> tuple[str, ...]:
    """Those that may be meant, the gravest first; what is no method only where nothing else is."""
    said = dict.fromkeys(map(plain_method, methods))
    known = [one for one in said if one in READING | WRITING | _OTHERS]
    return tuple(sorted(known or said, key=_gravity)[:MAX_METHODS])


def _gravity(method: str) -> int:
    """Those that nobody knows to change something come last: they are not looked at alone."""
    ranked = (TAKING, WRITING, READING)
    return next((rank for rank, each in enumerate(ranked) if method in each), len(ranked))


def method_alone(values: Mapping[str, Any]) -> str:
    """The method where no address is known; empty without one."""
    known = _known(values) if len(values) <= MAX_KEYS else {}
    said = [one for one in _each(known, _METHODS) if isinstance(one, str)]
    return gravest((*said, *_overriding(known)))[0] if said and not addresses(known) else ""


def odd_method(values: Mapping[str, Any]) -> str:
    """A method that is none, as a text; empty where there is none, or it can be read."""
    known = _known(values) if len(values) <= MAX_KEYS else {}
    said = next((one for one in _each(known, _METHODS) if one), None)
    if said is None or not isinstance(said, str):
        return "" if said is None else "?"
    method = plain_method(said)
    if _word.fullmatch(method) and len(said) <= MAX_METHOD:
        unknown = said.isupper() and method not in READING | WRITING | _OTHERS
        return method if unknown else ""
    return " ".join(method.split()) or "?"


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    """By its keys without signs; the options of a call such as `fetch` count as its own."""
    known: dict[str, Any] = {}
    for name, value in values.items():
        key = _key(name)
        known[key if key not in known else f"{key} {len(known)}"] = value
    more = (known[name] for name in _OPTIONS if isinstance(known.get(name), Mapping))
    within = {_key(name): value for one in more for name, value in one.items()}
    return within | known


_ADDRESSING = NAMES | _OPTIONS


def _may_address(values: Mapping[str, Any]) -> bool:
    """A first look, for all keys at once: most objects name no address."""
    return _names_one(" ".join(map(str, values)))


@memoize(1024)
def _names_one(keys: str) -> bool:
    return not _ADDRESSING.isdisjoint(bare_key(keys).split())


def _key(name: object) -> str:
    said = str(name)
    return "_method" if said.lower() == "_method" else bare_key(said)


def _each(known: Mapping[str, Any], names: frozenset[str]) -> Iterator[Any]:
    return (known[name] for name in known if name.partition(" ")[0] in names)


def _overriding(known: Mapping[str, Any]) -> Iterator[str]:
    """The methods that a header, a field or the query asks to be taken for."""
    for name in _ASKED & known.keys():
        pairs = _headers(known[name]) if name == "headers" else _fields(known[name])
        yield from (said for key, said in pairs if key in _OVERRIDES)


def _fields(held: object) -> Iterator[tuple[str, str]]:
    """Of an object, of a list of pairs, or of one of names with values; each of several values."""
    if isinstance(held, Mapping):
        yield from _valued(islice(held.items(), MAX_KEYS))
    elif isinstance(held, list | tuple):
        yield from _valued(islice(map(_pair, held), MAX_KEYS))


def _pair(one: object) -> tuple[object, object]:
    if isinstance(one, Mapping):
        return one.get("name", one.get("key", "")), one.get("value", "")
    if isinstance(one, list | tuple) and len(one) == _TWO:
        return one[0], one[1]
    return "", ""


_TWO = 2


def _valued(pairs: Iterator[tuple[object, object]]) -> Iterator[tuple[str, str]]:
    for name, held in pairs:
        if isinstance(held, str):
            yield _key(name), held
        elif isinstance(held, list | tuple):
            yield from ((_key(name), said) for said in held[:MAX_METHODS] if isinstance(said, str))


def _headers(held: object) -> Iterator[tuple[str, str]]:
    """As fields are, as lines, or as a list of lines."""
    if isinstance(held, str):
        yield from _lines(held.splitlines())
    elif isinstance(held, list | tuple):
        yield from _lines(one for one in held[:MAX_KEYS] if isinstance(one, str))
    yield from _fields(held)


def _lines(said: Iterable[str]) -> Iterator[tuple[str, str]]:
    lines = (line.partition(":") for line in islice(said, MAX_KEYS))
    yield from ((_key(name.strip()), value.strip()) for name, _, value in lines)
