"""Records and secrets that a call or a request hands to somebody outside."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
import re2

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.http.paths import address_words, opened, words_in
from holdpoint.core.risk.http.request import Target, request_in, targets
from holdpoint.core.risk.knowledge import any_of, pattern, words
from holdpoint.core.risk.words import PROSE_KEYS, word_set
from holdpoint.core.text import MAX_TEXT, whole_characters

MAX_ADDRESS = 300
"""Characters of a text that may be an address."""

_HANDS_OUT = words("words/tools:egress.hands_out")
_WHERE = words("words/tools:egress.where")
_ADDRESS = re.compile(
    r"(?i)^(?:https?|ftps?|sftp|scp|ssh|rsync|webdavs?|wss?|tcp|udp)://(?:[^/@\s]*@)?([\w.-]+)"
)
_mail = re.compile(r"(?i)^[\w.+-]+@([\w-]+(?:\.[\w-]+)+)$")
INSIDE = re.compile(
    r"(?i)^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[\w-]+$"
    r"|.*\.(?:local|internal|intranet|corp|lan|svc)$|.*\.corp\.)"
)
STRANGERS = words("words/tools:egress.strangers")
"""Where anybody may have a box."""

_POSTBOXES = words("words/tools:egress.postboxes")
_POSTED_TO = words("words/tools:egress.posted_to")


def is_postbox(host: str) -> bool:
    """Return whether anybody may send something there, and anybody may read it."""
    labels = host.lower().split(".")
    return ".".join(labels[-2:]) in _POSTBOXES or not _POSTED_TO.isdisjoint(labels)


PEOPLE = words("words/tools:egress.people")
PERSONAL = words("words/tools:egress.personal")
"""What is somebody's own, or opens what is."""

_OWN = PERSONAL - word_set("card cards tax hash licence license health token sin birth") | word_set(
    "salaries payroll passports pem"
)
"""What the name of a file says that holds it."""

_LISTED = PEOPLE | word_set("ids keys tokens users addresses phones emails") - word_set("hr")
_DATA = words("words/tools:egress.file_endings")
"""How a file ends that holds what is somebody's when its name speaks of people."""

_ALL = frozenset({"all", "*", "full", "everything", "entire", "complete", "whole", "any"})
_FULL = words("words/tools:egress.full")


def handed_out(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    if not _FORWARDS.isdisjoint(named) and (where := next(_forwarded(named, leaves), "")):
        yield f"sends on to {where} whatever comes in"
    if not _LISTENS.isdisjoint(named) and any(map(_all, leaves)):
        yield from _told(leaves, anybody=False, asked=not _SENDERS.isdisjoint(named))
    if _HANDS_OUT.isdisjoint(named):
        return
    personal = any(map(_attaches, leaves)) or _is_about_keys(named)
    anybody = not _PACKS.isdisjoint(named) or personal
    if personal or _is_about_people(named) or any(map(_much, leaves)):
        yield from _told(leaves, anybody=anybody, asked=True)
        if not _EXPORTS.isdisjoint(named) and _COPIES.isdisjoint(named):
            yield from _stored(leaves)


_EXPORTS = word_set("export exports exporter share send upload transfer unload extract publish")
_COPIES = word_set("backup backups snapshot replicate sync")
"""A house's own copies, which lie in its own stores."""

_bucket = re.compile(r"(?i)^(?:s3[an]?|gs|gcs|abfss?|wasbs?|oss|r2|b2|azblob)://([\w.-]+)")


def _stored(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Stores in a cloud: nobody knows whose."""
    for leaf in leaves:
        if isinstance(leaf.value, str) and not _WHERE.isdisjoint(leaf.words):
            found = _bucket.match(leaf.value.strip()[:MAX_ADDRESS])
            yield from (f"hands records to {found[1]}",) if found else ()


def _is_about_keys(named: frozenset[str]) -> bool:
    """`vault_export_keys`, `copy_ssh_key`; to send somebody a new password is another thing."""
    if named.isdisjoint(_TAKES_ALONG):
        return False
    kept = not named.isdisjoint(_ONE_KEY) and not named.isdisjoint(_KEPT_BY)
    return kept or not named.isdisjoint(_KEYS)


_TAKES_ALONG = words("words/tools:egress.takes_along")
_KEYS = words("words/tools:egress.keys")
_ONE_KEY = word_set("key token tokens")
_KEPT_BY = words("words/tools:egress.kept_by")


def _is_about_people(named: frozenset[str]) -> bool:
    """Return whether its name says that people's data goes out; not mail to one of them."""
    mails = not _MAILS.isdisjoint(named) and (_PACKS | _STORED).isdisjoint(named)
    return not PEOPLE.isdisjoint(named) and not mails


_MAILS = word_set("send email mail message notify reply submit post invite")
_STORED = words("words/tools:egress.stored")
_SENDERS = words("words/tools:egress.senders")


def _told(leaves: tuple[Leaf, ...], *, anybody: bool, asked: bool) -> Iterator[str]:
    """`asked`: whether the address of a request is only where something is asked."""
    own = frozenset(_senders(leaves))
    sent = (leaf for leaf in leaves if not (asked and _is_asked(leaf)))
    hosts = (host for leaf in sent if (host := outside(leaf, anybody=anybody)))
    yield from (f"hands records to {host}" for host in hosts if host.lower() not in own)


def _senders(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Yield whose mail goes to their own house."""
    for leaf in leaves:
        if leaf.words[:1] in _FROM and isinstance(leaf.value, str):
            yield leaf.value.rpartition("@")[2].strip().lower()


_FROM = (("from",), ("sender",), ("reply",), ("mailbox",), ("account",))
_FORWARDS = word_set("rule rules filter filters forwarding forward autoforward redirect")
_LISTENS = word_set(
    "webhook webhooks hook hooks callback callbacks subscription endpoint endpoints"
)
_FILES = word_set(
    "attachment attachments file files filename filenames path paths document documents"
)
MAX_FILE = 200


def _forwarded(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """The addresses to which a rule sends mail on."""
    every = not named.isdisjoint({"forwarding", "autoforward", "mailbox", "inbox"})
    for leaf in leaves:
        words = words_of(leaf.path[-MAX_ADDRESS:])
        if every or not words or not _ON.isdisjoint(words):
            host = "" if _is_asked(leaf) else outside(leaf, anybody=True) or _mailed(leaf, words)
            yield from (host,) if host else ()


_ON = word_set("forward forwarding redirect forwards redirects")


def _mailed(leaf: Leaf, words: tuple[str, ...]) -> str:
    found = _mail.match(leaf.value.strip()) if isinstance(leaf.value, str) else None
    return str(found[1]) if found and words else ""


def _attaches(leaf: Leaf) -> bool:
    """Return whether it is a file whose name says that it holds what is somebody's own."""
    if not isinstance(leaf.value, str) or len(leaf.value) > MAX_FILE:
        return False
    if _FILES.isdisjoint(leaf.words) and not is_attached(leaf):
        return False
    said = words_of(leaf.value)
    return not _OWN.isdisjoint(said) or (
        not _DATA.isdisjoint(said[-1:]) and not _LISTED.isdisjoint(said)
    )


def is_attached(leaf: Leaf) -> bool:
    """Return whether it names a file in a list of them: `attachments: [{"name": "a.pdf"}]`."""
    if leaf.key.lower() not in _NAMED:
        return False
    return not _FILES.isdisjoint(words_of(leaf.path.rpartition("/")[0][-MAX_ADDRESS:]))


_NAMED = word_set("name title filename displayname")


def _all(leaf: Leaf) -> bool:
    """Return whether it asks for everything that happens, or for what is somebody's own."""
    if leaf.value is True:
        return not (PERSONAL | _ALL).isdisjoint(leaf.words)
    return isinstance(leaf.value, str) and leaf.value.strip().lower() in _ALL


_PACKS = word_set("export exports exporter dump dumps extract backup unload snapshot")
"""What goes to a person by mail when it has one: nobody knows who that is."""

SENT_OUT = _PACKS | _LISTENS | _FORWARDS | word_set("share replicate sync send")
"""Words of a request's path that say so; the others are names of things there."""


def outside(leaf: Leaf, *, anybody: bool) -> str:
    """The host of an address to which something goes."""
    value = leaf.value
    if not isinstance(value, str) or len(value) > MAX_ADDRESS:
        return ""
    if _WHERE.isdisjoint(leaf.words):
        return ""
    if found := _ADDRESS.match(value.strip()):
        return "" if INSIDE.search(found[1]) else str(found[1])
    found = _mail.match(value.strip())
    return str(found[1]) if found and (anybody or found[1].lower() in STRANGERS) else ""


def _is_asked(leaf: Leaf) -> bool:
    """Return whether it is the address of a request."""
    if not isinstance(leaf.value, str) or "://" not in leaf.value:
        return False
    sent = request_in(leaf.siblings)
    return sent is not None and leaf.value.strip() in sent.urls


def _much(leaf: Leaf) -> bool:
    """Return whether a value is about people, what is theirs, or everything."""
    value = leaf.value
    if leaf.key.lower() in PROSE_KEYS:
        return False
    if value is True:
        return not (PERSONAL | _ALL).isdisjoint(leaf.words)
    if not isinstance(value, str) or len(value) > MAX_ADDRESS or "://" in value or "@" in value:
        return False
    said = words_of(value)
    if len(said) > MAX_WORDS:
        return False
    return value.strip().lower() in _ALL or not (PEOPLE | PERSONAL | _FULL).isdisjoint(said)


MAX_WORDS = 6
"""Words of a name; more are a sentence."""
HANDS_ON = _HANDS_OUT | _LISTENS | _FORWARDS
TELLS = words("words/tools:secrets.tells")
_PIECE = r"[\w!#$%&*+?^~.-]"
_MIXED = rf"{_PIECE}*(?:[a-z]{_PIECE}*\d|\d{_PIECE}*[a-z]){_PIECE}{{3}}"
"""Letters and figures together: no word that somebody says about a password."""

_ENDED = r"[A-Za-z]{5,}\d{1,6}|[A-Za-z]{4}\d{2,6}"
"""A word with figures behind it."""

ASSIGNED = (
    r"\b[A-Z][A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]*"
    rf"\s*=\s*[\"']?(?:[^\s\"'<>${{}}*]{{12,}}|(?i:{_MIXED}))"
)
"""`DB_PASSWORD=…`, wherever it stands."""

NAMED = (
    rf"{ASSIGNED}"
    rf"|(?i)\b(?:password|passwd|passcode|passwort|pwd)(?: is|:| =|=) ?[\"'`]?(?:{_MIXED}|{_ENDED})"
    rf"|(?i)\b(?:login|logins|credentials|creds)(?: is| are|:) ?[\w.@-]+ ?(?:/|:|and) ?"
    rf"(?:{_MIXED})"
)
"""A password or a key by what stands before it."""

names_secret = prefilter(NAMED)
KEY_SHAPES: dict[str, tuple[str, ...]] = {
    rf"(?:^|\b|\W)(?:{shape})": homes
    for shape, homes in (
        (r"A(?:KIA|SIA)[0-9A-Z]{16}\b", ("amazonaws.com", "amazon.com")),
        (r"gh[opsur]_[A-Za-z0-9]{30,}", ("github.com", "githubusercontent.com")),
        (r"github_pat_\w{30,}", ("github.com", "githubusercontent.com")),
        (r"glpat-[\w-]{18,}", ("gitlab.com",)),
        (r"xox[abprs]-[\w-]{10,}", ("slack.com",)),
        (r"[sr]k_live_\w{16,}", ("stripe.com",)),
        (r"SG\.[\w-]{16,}\.[\w-]{16,}", ("sendgrid.com",)),
        (r"npm_[A-Za-z0-9]{30,}", ("npmjs.org", "npmjs.com")),
        (r"AIza[\w-]{30,}", ("googleapis.com", "google.com")),
        (r"sk-(?:(?:ant|proj)-[\w-]{20,}|[\w-]{32,})", ("anthropic.com", "openai.com")),
        (r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----", ()),
    )
}
"""How makers shape their keys, and where each is at home; a private key is nowhere."""

_is_secret = prefilter("|".join((*KEY_SHAPES, NAMED)))


def told(named: frozenset[str], text: str) -> Iterator[str]:
    """Yield what the call does with one in its text; `named`: the words of the tool's name."""
    if not TELLS.isdisjoint(named) and _is_secret(whole_characters(text[:MAX_TEXT])):
        yield "hands out what looks like a key or a password"


MAX_VALUES = 1_500
MAX_SECRET_NAME = 80
MAX_SECRET_TEXT = 16 * 1024
"""Characters of a text in which a password is looked for."""

_named = re2.compile(
    rf"[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:{any_of('words/tools:secrets_sent.variables')})(?:_[A-Z0-9_]*)?"
    r"|(?i:aws_secret_access_key|seed_phrase|recovery_phrase|mnemonic)"
)
"""A name that programs give to what only they may know."""

_filler = re2.compile("(?i)" + pattern("patterns/tools:egress.fillers"))
"""What stands for a secret that is not said."""

_says_secret, _assigned = re2.compile(NAMED), re2.compile(ASSIGNED)
_MIN_SECRET = 8
_KEPT_THERE = words("words/http:secrets.kept")
_NAME_KEYS = ("key", "name")


def told_to_host(target: Target, body: object) -> Iterator[str]:
    """Yield what goes there that should not, as what the request does."""
    public = is_postbox(target.host)
    said = list(islice(_said(target, body), MAX_VALUES))
    if public or not _keeps(target):
        if any(_is_named_secret(name, value, target.host) for name, value in said):
            yield "it hands a host outside what is named as a key or a password"
        elif any(_tells(name, value) for name, value in said):
            yield "it tells a host outside what looks like a password"
    if public and any(
        not PERSONAL.isdisjoint(address_words(name[:MAX_SECRET_NAME])) for name, _ in said
    ):
        yield "it hands what is somebody's own to a host where anybody may read it"


def _keeps(target: Target) -> bool:
    return not _KEPT_THERE.isdisjoint(words_in(target.path))


def _said(target: Target, body: object) -> Iterator[tuple[str, str]]:
    """Each text with its name, in the query and in the body at whatever depth."""
    yield from target.asked
    held = opened(body)
    if isinstance(body, str) and not any(held.values()):
        yield "body", body
    waiting: list[tuple[str, Any]] = [("", held)]
    for _ in range(MAX_VALUES):
        if not waiting:
            return
        name, value = waiting.pop()
        if isinstance(value, Mapping):
            waiting.extend((str(key), one) for key, one in islice(value.items(), MAX_VALUES))
            waiting.extend(
                (value[key], value["value"]) for key in _NAME_KEYS if _is_pair(value, key)
            )
        elif isinstance(value, list | tuple):
            waiting.extend((name, one) for one in value[:MAX_VALUES])
        elif isinstance(value, str):
            yield name, value


def _is_pair(held: Mapping[str, Any], key: str) -> bool:
    return isinstance(held.get(key), str) and "value" in held


def _is_named_secret(name: str, value: str, host: str) -> bool:
    """Return whether it is one that the host's own house did not give out: `STRIPE_API_KEY`."""
    name, value = name.strip()[:MAX_SECRET_NAME], value.strip()
    if len(value) < _MIN_SECRET or not _named.fullmatch(whole_characters(name)):
        return False
    if _filler.search(whole_characters(value)):
        return False
    owner = name.lower().partition("_")[0]
    at_home = any(label.startswith(owner) for label in host.split("."))
    return not (at_home or (owner == "aws" and host.endswith(".amazonaws.com")))


def _tells(name: str, value: str) -> bool:
    """Return whether a text says one: in a few words, where people read it."""
    text = whole_characters(value[:MAX_SECRET_TEXT])
    if len(text) < _MIN_SECRET or not names_secret(text):
        return False
    said = (_says_secret if name.lower() in PROSE_KEYS else _assigned).finditer(text)
    return any(not _filler.search(found[0]) for found in islice(said, MAX_SECRET_NAME))


MAX_BODY = 64 * 1024
"""Characters of a body in which keys are looked for."""

_any = prefilter("|".join(KEY_SHAPES))
_shaped = tuple((prefilter(shape), homes) for shape, homes in KEY_SHAPES.items())


def carried(url: str, body: object) -> Iterator[str]:
    """Yield what goes to another host than its maker's, in the body or in the address."""
    if not body and "?" not in url:
        return
    host = targets(url)[0].host
    if not host or INSIDE.search(host) or "vault" in address_words(host):
        return
    said = whole_characters(f"{url}\n{_text(body)}")
    if _any(said) and any(fires(said) and not _is_home(host, homes) for fires, homes in _shaped):
        yield "it carries a key to a host that did not give it out"
    yield from told_to_host(targets(url)[0], body)


def fetched(url: str) -> Iterator[str]:
    """Keys of the machine itself, which clouds hand out to whatever runs on it."""
    target = targets(url)[0]
    words = words_in(target.path)
    if target.host in _CLOUDS and not _HANDED_OUT.isdisjoint(words):
        yield "it fetches the keys of the machine itself"


_CLOUDS = word_set(
    "169.254.169.254 metadata.google.internal metadata 100.100.100.200 fd00:ec2::254"
)
_HANDED_OUT = word_set("credentials token tokens identity")


def _text(body: object) -> str:
    if isinstance(body, str):
        return body[:MAX_BODY]
    if not body:
        return ""
    try:
        return msgspec.json.encode(body)[:MAX_BODY].decode(errors="replace")
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return ""


def _is_home(host: str, homes: tuple[str, ...]) -> bool:
    return any(host == home or host.endswith(f".{home}") for home in homes)
