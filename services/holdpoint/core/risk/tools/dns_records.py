"""DNS records that lead a whole domain elsewhere: its name servers, mail, own address."""

from collections.abc import Iterator, Mapping
from typing import Any

from holdpoint.core.risk.extract.payload import Leaf
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

ZONES = word_set("dns nameserver nameservers registrar")
_SETS = words("words/tools:dns_records.sets")
_TYPES = word_set("type record rtype recordtype record_type rrtype")
_SERVERS = word_set("ns nameserver nameservers mx")
_WHOLE = frozenset({"NS", "MX"})
_ADDRESSES = frozenset({"A", "AAAA", "CNAME", "ALIAS", "ANAME"})
_IPS = word_set("ip ipv4 ipv6 ip_address ipaddress new_ip")
"""Where a name leads, though nobody says of what kind its record is."""

_NAMES = word_set("name host hostname subdomain record_name fqdn label")
_ZONES = word_set("zone domain zone_name apex")
_APEX = frozenset({"", "@", "*"})


def led_elsewhere(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does; `named`: the words of the tool's name."""
    if ZONES.isdisjoint(named) or _SETS.isdisjoint(named):
        return
    if any(map(_leads, leaves)):
        yield "moves everybody to another place"


def _leads(leaf: Leaf) -> bool:
    if not isinstance(leaf.value, str):
        return False
    if leaf.words[-1:] in _OF_SERVERS:
        return bool(leaf.value.strip())
    if leaf.key.lower() in _IPS:
        return _is_untyped(leaf) and (_is_apex(leaf) or _is_website(leaf))
    kind = leaf.value.strip().upper()
    if kind == "@":
        return leaf.key.lower() in _RECORDS and _is_untyped(leaf)
    if leaf.key.lower() not in _TYPES:
        return False
    return kind in _WHOLE or (kind in _ADDRESSES and _is_apex(leaf))


_OF_SERVERS = tuple((word,) for word in sorted(_SERVERS))


_RECORDS = _NAMES | {"record"}


def _is_untyped(leaf: Leaf) -> bool:
    """Whether nothing says that the record is of a kind that leads nowhere."""
    return _TYPES.isdisjoint(_lower(leaf.siblings).keys() - {leaf.key.lower()})


def _is_website(leaf: Leaf) -> bool:
    known = _lower(leaf.siblings)
    return any(known[key].partition(".")[0] == "www" for key in known if key in _NAMES)


def _is_apex(leaf: Leaf) -> bool:
    """Whether it is the record of the domain itself; a name under it is one of many."""
    known = _lower(leaf.around) | _lower(leaf.siblings)
    name = next((known[key] for key in known if key in _NAMES), "")
    zone = next((known[key] for key in known if key in _ZONES), "")
    return name in _APEX or name == zone or (not zone and name.count(".") == 1)


def _lower(values: Mapping[str, Any]) -> dict[str, str]:
    return {
        str(key).lower(): value.strip().lower().rstrip(".")
        for key, value in values.items()
        if isinstance(value, str)
    }
