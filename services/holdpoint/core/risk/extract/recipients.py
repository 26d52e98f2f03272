"""Recipients outside of the domains that configuration calls one's own."""

import re
import unicodedata
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header, make_header

from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_SHOWN = 40
MAX_READ = 65_536
"""Characters of all texts of a call that are searched for addresses; more of them go up."""

_handle = re.compile(r"(?<![^\s<>,;:\"'()])@[\w-]+(?![\w.@-])")
"""`@ann` in a chat, which no mail goes to."""

_place = re.compile(
    r"(?:@|%40|://|(?<=[\s)])(?:at|\(at\)|\[at\])\s(?=\s{0,3}[\w-]+\.))\s{0,3}"
    r"(?P<host>[^\s@<>,;:\"'()\[\]/?&#]{0,253})"
)
"""Where an address goes to, however it is written: `@`, `%40`, ` at `, the host of a URL."""

_WRITTEN_TO = words("words/actions:recipients.written_to")

_NAMED = words("words/actions:recipients.named")
_SENDS = words("words/actions:recipients.sends")


def sent_outside(
    tool: str, leaves: tuple[Leaf, ...], own: tuple[str, ...], *, reads: bool
) -> Iterator[Signal]:
    """Where it goes to an address outside of the house's `own` domains, if it has told them."""
    if not own or reads:
        return
    sends = not _SENDS.isdisjoint(tool_name(tool).words)
    left = MAX_READ
    for leaf in leaves:
        if not isinstance(leaf.value, str) or not _is_recipient(leaf, sends=sends):
            continue
        left -= len(leaf.value)
        if left < 0:
            yield _signal("it has more recipients than can be looked at")
            return
        for host in _hosts(leaf.value):
            if not any(host == domain or host.endswith(f".{domain}") for domain in own):
                where = beginning(host, MAX_SHOWN) or "an address that cannot be read"
                yield _signal(f"it goes to {where}, which is none of your own domains")
                return


def _hosts(written: str) -> Iterator[str]:
    """Where each address in a text goes to, empty where nobody can tell.

    As mailers read it: wide letters are plain ones, but a letter of another script is another
    letter, however alike the two look. Looks count where they can only raise.
    """
    text = unicodedata.normalize("NFKC", _decoded(written)).casefold()
    return (found["host"].rstrip(".") for found in _place.finditer(_handle.sub("", text)))


def _decoded(written: str) -> str:
    """With the words in another encoding that a header may hold: `=?utf-8?q?eve=40a.example?=`."""
    if "=?" not in written:
        return written
    try:
        return str(make_header(decode_header(written)))
    except (HeaderParseError, LookupError, ValueError):
        return f"{written} @"


def _is_recipient(leaf: Leaf, *, sends: bool) -> bool:
    words = words_of(leaf.path)
    return not _WRITTEN_TO.isdisjoint(words) or (sends and not _NAMED.isdisjoint(words))


def _signal(reason: str) -> Signal:
    level = RiskLevel.HIGH
    return Signal(rule="call.outside", heuristic=Heuristic.CRITICALITY, level=level, reason=reason)
