"""Keys that a request carries to a house that did not give them out: `{"key": "AKIA…"}`."""

import re
from collections.abc import Iterator

import msgspec

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.http.secrets import told
from holdpoint.core.risk.http.target import targets
from holdpoint.core.risk.http.words import words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_BODY = 64 * 1024
"""Characters of a body in which keys are looked for."""

_KEYS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"A(?:KIA|SIA)[0-9A-Z]{16}\b", ("amazonaws.com", "amazon.com")),
    (r"gh[opsur]_[A-Za-z0-9]{30,}|github_pat_\w{30,}", ("github.com", "githubusercontent.com")),
    (r"glpat-[\w-]{18,}", ("gitlab.com",)),
    (r"xox[abprs]-[\w-]{10,}", ("slack.com",)),
    (r"[sr]k_live_\w{16,}", ("stripe.com",)),
    (r"SG\.[\w-]{16,}\.[\w-]{16,}", ("sendgrid.com",)),
    (r"npm_[A-Za-z0-9]{30,}", ("npmjs.org", "npmjs.com")),
    (r"AIza[\w-]{30,}", ("googleapis.com", "google.com")),
    (r"sk-(?:ant-|proj-)[\w-]{20,}", ("anthropic.com", "openai.com")),
    (r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----", ()),
)
"""How makers shape their keys, and where each is at home; a private key is nowhere."""

_any = glance("|".join(rf"(?:^|[^\w-])(?:{shape})" for shape, _ in _KEYS))
_shaped = tuple((glance(rf"(?:^|[^\w-])(?:{shape})"), homes) for shape, homes in _KEYS)
_inside = re.compile(
    r"(?i)^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[\w-]+$"
    r"|.*\.(?:local|internal|intranet|corp|lan|svc)$|.*\bvault\b)"
)


def carried(url: str, body: object) -> Iterator[str]:
    """What goes to another host than its maker's, in the body or in the address."""
    if not body and "?" not in url:
        return
    host = targets(url)[0].host
    if not host or _inside.search(host):
        return
    said = whole_characters(f"{url}\n{_text(body)}")
    if _any(said) and any(fires(said) and not _is_home(host, homes) for fires, homes in _shaped):
        yield "it carries a key to a host that did not give it out"
    yield from told(targets(url)[0], body)


def fetched(url: str) -> Iterator[str]:
    """Keys of the machine itself, which clouds hand out to whatever runs on it."""
    target = targets(url)[0]
    words = {word for part in target.path for word in words_of(part)}
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
