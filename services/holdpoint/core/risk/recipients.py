"""Who a call writes to, or lets in, whose address is none of the house's own.

```
environments.yaml   own_domains: [acme.example]
send_email {"to": "ann@mail.acme.example"}      the house: a domain stands for all below it
send_email {"to": "ann@gmail.com"}              outside: a person is asked
create_contact {"email": "ann@gmail.com"}       nobody is written to
```
Without `own_domains` nobody knows who is outside, and an address alone says nothing.
"""

import re
from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import fold
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_SHOWN = 40
MAX_READ = 65_536
"""Characters of all texts of a call that are searched for addresses; more of them go up."""

_address = re.compile(r"(?<=[^\s@<>,;:\"'()])@\[?([^\s@<>,;:\"'()\]]{1,253})")
_WRITTEN_TO = word_set(
    "to cc bcc recipient recipients receiver receivers addressee addressees invitee invitees "
    "attendee attendees grantee grantees forward forwards collaborator collaborators share shared"
)
"""Words of a key under which stands whom it goes to, whatever the tool is called."""

_NAMED = word_set(
    "email emails mail mails address addresses user users member members guest guests person with "
    "people principal principals contact contacts destination target account accounts"
)
_SENDS = word_set(
    "send email mail message share invite forward notify reply submit grant add transmit deliver "
    "export relay broadcast subscribe redirect"
)
"""Words of a tool's name that make an address under one of those keys the one it goes to."""


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
        for found in _address.finditer(fold(leaf.value).folded):
            host = found[1].rstrip(".")
            if not any(host == domain or host.endswith(f".{domain}") for domain in own):
                where = beginning(host, MAX_SHOWN)
                yield _signal(f"it goes to {where}, which is none of your own domains")
                return


def _is_recipient(leaf: Leaf, *, sends: bool) -> bool:
    words = words_of(leaf.path)
    return not _WRITTEN_TO.isdisjoint(words) or (sends and not _NAMED.isdisjoint(words))


def _signal(reason: str) -> Signal:
    level = RiskLevel.HIGH
    return Signal(rule="call.outside", heuristic=Heuristic.CRITICALITY, level=level, reason=reason)
