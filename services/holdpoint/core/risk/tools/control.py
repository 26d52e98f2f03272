"""Control that changes hands: passwords, owners, keys, tunnels, payees, domains."""

from collections.abc import Iterator, Mapping
from typing import Any

from holdpoint.core.risk.extract.payload import Leaf
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

WAYS_IN = words("words/tools:takeovers.ways_in")
"""Words of a tool's name without one of which nobody is given a way in."""

_SHELLS = word_set("ssh authorized")
_KEYS = word_set("key keys")
_ADDS = word_set("add append put set import upload install register insert")
_CHANGES = words("words/tools:takeovers.changes")
_MAKES = word_set("create register signup add invite verify check validate login signin")
_PASSWORDS = word_set("password passwd passcode pwd")
_OLD = word_set("old current existing previous hint policy reset")
_WHOSE = words("words/tools:takeovers.whose")
_OWN = word_set("me self myself @me")


def taken_over(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does; `named`: the words of the tool's name. A link by mail sets none."""
    if not _SHELLS.isdisjoint(named) and not _KEYS.isdisjoint(named) and _ADDS & named:
        yield "lets whoever holds a key come in"
    if not _OWNERS.isdisjoint(named) and not _HANDS.isdisjoint(named):
        yield from ("makes it somebody else's" for leaf in leaves[:1] if _has_new(named, leaves))
    if not _SECRETS.isdisjoint(named) and not _ROTATES.isdisjoint(named):
        yield from ("locks out whatever uses them" for leaf in leaves if _is_of_all(leaf))
    if _CHANGES.isdisjoint(named) or not _MAKES.isdisjoint(named):
        return
    if any(map(_is_set, leaves)) and any(map(_is_somebody, leaves)):
        yield "sets somebody's password"


def _is_set(leaf: Leaf) -> bool:
    words = leaf.words
    named = words[-1:] != () and words[-1] in _PASSWORDS and words[0] not in _OLD
    named = named or words == ("new",)
    return named and isinstance(leaf.value, str) and bool(leaf.value)


def _is_somebody(leaf: Leaf) -> bool:
    if isinstance(leaf.value, bool) or not isinstance(leaf.value, str | int) or not leaf.value:
        return False
    return not _WHOSE.isdisjoint(leaf.words) and str(leaf.value).lower() not in _OWN


_OWNERS = word_set("owner ownership")
_HANDS = word_set("change transfer set reassign move give replace update")
_NEW = word_set("new to target recipient owner next successor")
_WORK = words("words/tools:takeovers.work")


def _has_new(named: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
    """Whether it names who owns it from now on, and what is no piece of work."""
    if not _WORK.isdisjoint(named):
        return False
    keys = {word for leaf in leaves for word in leaf.words}
    whom = any(
        isinstance(leaf.value, str) and leaf.value and not _NEW.isdisjoint(leaf.words)
        for leaf in leaves
    )
    return whom and _WORK.isdisjoint(keys)


_SECRETS = word_set("keys secrets credentials tokens")
_ROTATES = word_set("rotate regenerate roll reset reissue")
_SCOPES = word_set("scope level target which range for")
_WHOLE = word_set("org organization organisation global company tenant all account everything root")


def _is_of_all(leaf: Leaf) -> bool:
    said = isinstance(leaf.value, str) and leaf.value.strip().lower() in _WHOLE
    return said and not _SCOPES.isdisjoint(leaf.words)


_TUNNELS = word_set("ngrok tunnel tunnels localtunnel cloudflared funnel")
_OPENS = words("words/tools:tunnels.opens")
_STORES = words("words/tools:tunnels.stores")

_NOBODY = frozenset({"", "none", "off", "no", "false", "disabled"})
_LOCKS = word_set("auth authentication password basic oauth")

_TUNNELS_KEYS = word_set("key keys token tokens credential credentials pat secret")
_TUNNELS_MAKES = word_set("create issue generate make new add mint update set provision")
_TUNNELS_SCOPES = tuple(
    (word,) for word in ("scope", "scopes", "permission", "permissions", "abilities", "rights")
)
_TUNNELS_WHOLE = frozenset(
    {"*", "*:*", "*.*", "all", "full", "full_access", "full access", "everything"}
)

_SIGN_IN = word_set("saml sso oidc idp")
KEYED = _TUNNELS | _TUNNELS_KEYS | _SIGN_IN
_TUNNELS_CHANGES = word_set("set update configure replace change patch put edit switch")
_ISSUERS = word_set("idp issuer metadata sso login certificate cert entity")


def left_open(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    if not _TUNNELS.isdisjoint(named) and not _OPENS.isdisjoint(named):
        yield from ("lets the whole internet in" for leaf in leaves if _is_unlocked(leaf))
    if not _TUNNELS_KEYS.isdisjoint(named) and not _TUNNELS_MAKES.isdisjoint(named):
        yield from ("makes a key to everything" for leaf in leaves if _is_for_everything(leaf))
    if not _SIGN_IN.isdisjoint(named) and not _TUNNELS_CHANGES.isdisjoint(named):
        yield from ("changes how everybody comes in" for leaf in leaves if _says_who(leaf))


def _is_unlocked(leaf: Leaf) -> bool:
    """`port: 5432`, `auth: null`."""
    words = leaf.words
    if words[-1:] == ("port",):
        return str(leaf.value) in _STORES
    value = leaf.value.lower() if isinstance(leaf.value, str) else leaf.value
    return not _LOCKS.isdisjoint(words) and (value is None or value is False or value in _NOBODY)


def _is_for_everything(leaf: Leaf) -> bool:
    said = leaf.value.strip().lower() if isinstance(leaf.value, str) else ""
    return said in _TUNNELS_WHOLE and leaf.words[-1:] in _TUNNELS_SCOPES


def _says_who(leaf: Leaf) -> bool:
    """Whether it is an address of whoever vouches for people from now on."""
    if not isinstance(leaf.value, str) or not leaf.value.lower().startswith(_WEB):
        return False
    return not _ISSUERS.isdisjoint(leaf.words)


_WEB = ("https://", "http://")


_REROUTED_CHANGES = word_set("change update set edit replace modify switch patch put redirect")
PAID = words("words/tools:rerouted.paid")
_ACCOUNTS = word_set("iban routing bsb clabe ifsc aba rtn")
_NUMBERS = (
    ("account", "number"),
    ("sort", "code"),
    ("bank", "account"),
    ("wallet", "address"),
    ("account", "no"),
)


def rerouted(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does; `named`: the words of the tool's name."""
    if _REROUTED_CHANGES.isdisjoint(named) or PAID.isdisjoint(named):
        return
    if any(map(_is_account, leaves)):
        yield "sends money somewhere else from now on"


def _is_account(leaf: Leaf) -> bool:
    words = leaf.words
    named = words[-2:] in _NUMBERS or not _ACCOUNTS.isdisjoint(words)
    return named and isinstance(leaf.value, str | int) and bool(leaf.value)


ZONES = word_set("dns nameserver nameservers registrar")
_SETS = words("words/tools:zones.sets")
_TYPES = word_set("type record rtype recordtype record_type rrtype")
_SERVERS = word_set("ns nameserver nameservers mx")
_ZONES_WHOLE = frozenset({"NS", "MX"})
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
    return kind in _ZONES_WHOLE or (kind in _ADDRESSES and _is_apex(leaf))


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
