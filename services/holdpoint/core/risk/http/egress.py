"""Keys and secrets that a request carries outside."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.http.paths import address_words, opened
from holdpoint.core.risk.http.request import Target, targets
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import PROSE_KEYS, word_set
from holdpoint.core.risk.text import whole_characters
from holdpoint.core.risk.tools.egress import (
    ASSIGNED,
    INSIDE,
    KEY_SHAPES,
    NAMED,
    PERSONAL,
    is_postbox,
    names_secret,
)

MAX_VALUES = 1_500
MAX_NAME = 80
MAX_TEXT = 16 * 1024
"""Characters of a text in which a password is looked for."""

_named = re2.compile(
    r"[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|PASSWD|PASS|PWD|API_?KEY|PRIVATE_KEY"
    r"|ACCESS_KEY|SIGNING_KEY|ENCRYPTION_KEY|CREDENTIALS?)(?:_[A-Z0-9_]*)?"
    r"|(?i:aws_secret_access_key|seed_phrase|recovery_phrase|mnemonic)"
)
"""A name that programs give to what only they may know."""

_filler = re2.compile(
    r"(?i)[$<*]|\{\{|x{4}|your|change|redact|placeholder|example[-_]|dummy|\.{3}|(?:arn|vault|ssm):"
    r"|process\.env|environ|getenv|secrets\.|config\.|settings\."
)
"""What stands for a secret that is not said."""

_told, _assigned = re2.compile(NAMED), re2.compile(ASSIGNED)
_MIN_SECRET = 8
_KEPT = words("words/http:secrets.kept")

_NAMES = ("key", "name")


def told(target: Target, body: object) -> Iterator[str]:
    """What goes there that should not, as what the request does."""
    public = is_postbox(target.host)
    said = list(islice(_said(target, body), MAX_VALUES))
    if public or not _keeps(target):
        if any(_is_secret(name, value, target.host) for name, value in said):
            yield "it hands a host outside what is named as a key or a password"
        elif any(_tells(name, value) for name, value in said):
            yield "it tells a host outside what looks like a password"
    if public and any(not PERSONAL.isdisjoint(address_words(name[:MAX_NAME])) for name, _ in said):
        yield "it hands what is somebody's own to a host where anybody may read it"


def _keeps(target: Target) -> bool:
    return not _KEPT.isdisjoint(word for part in target.path for word in address_words(part))


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
            waiting.extend((value[key], value["value"]) for key in _NAMES if _is_pair(value, key))
        elif isinstance(value, list | tuple):
            waiting.extend((name, one) for one in value[:MAX_VALUES])
        elif isinstance(value, str):
            yield name, value


def _is_pair(held: Mapping[str, Any], key: str) -> bool:
    return isinstance(held.get(key), str) and "value" in held


def _is_secret(name: str, value: str, host: str) -> bool:
    """Whether it is one that the host's own house did not give out: `STRIPE_API_KEY`."""
    name, value = name.strip()[:MAX_NAME], value.strip()
    if len(value) < _MIN_SECRET or not _named.fullmatch(whole_characters(name)):
        return False
    if _filler.search(whole_characters(value)):
        return False
    owner = name.lower().partition("_")[0]
    at_home = any(label.startswith(owner) for label in host.split("."))
    return not (at_home or (owner == "aws" and host.endswith(".amazonaws.com")))


def _tells(name: str, value: str) -> bool:
    """Whether a text says one: in a few words, where people read it."""
    text = whole_characters(value[:MAX_TEXT])
    if len(text) < _MIN_SECRET or not names_secret(text):
        return False
    said = (_told if name.lower() in PROSE_KEYS else _assigned).finditer(text)
    return any(not _filler.search(found[0]) for found in islice(said, MAX_NAME))


MAX_BODY = 64 * 1024
"""Characters of a body in which keys are looked for."""

_any = glance("|".join(KEY_SHAPES))
_shaped = tuple((glance(shape), homes) for shape, homes in KEY_SHAPES.items())


def carried(url: str, body: object) -> Iterator[str]:
    """What goes to another host than its maker's, in the body or in the address."""
    if not body and "?" not in url:
        return
    host = targets(url)[0].host
    if not host or INSIDE.search(host) or "vault" in address_words(host):
        return
    said = whole_characters(f"{url}\n{_text(body)}")
    if _any(said) and any(fires(said) and not _is_home(host, homes) for fires, homes in _shaped):
        yield "it carries a key to a host that did not give it out"
    yield from told(targets(url)[0], body)


def fetched(url: str) -> Iterator[str]:
    """Keys of the machine itself, which clouds hand out to whatever runs on it."""
    target = targets(url)[0]
    words = {word for part in target.path for word in address_words(part)}
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
