"""Calls to what serves everybody, domains that move, buttons, and remote calls that pay coins."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from holdpoint.core.risk.extract.embedded import opened
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.knowledge import verbs_on_things, words
from holdpoint.core.risk.tools.instructions import MAX_ORDER
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.wording import bare_key
from holdpoint.core.risk.words import LIVE, PRODUCTION, word_set
from holdpoint.core.text import beginning

MAX_PLACE = 253
"""Characters of a value that names a place: no name of a host has more."""

MAX_SHOWN = 24
DISTURBS = words("words/tools:production.disturbs")
_PROVISIONS = word_set(
    "terraform tofu pulumi terragrunt cloudformation changeset infrastructure kubernetes kubectl k"
)
_APPLIES = word_set("apply up execute run")
"""What is done to a plan of machines when it is carried out."""

_TALKS = words("words/tools:production.talks")
_BY_ITSELF = DISTURBS - _PROVISIONS
_OTHERS = words("words/tools:production.others")
_PLACES = words("words/tools:production.names")
_STAGES = words("words/tools:production.stages")
_WHERE = _PLACES | _STAGES | word_set("target targets")
_WHITHER = (("to",), ("destination",), ("dest",), ("into",))
"""Keys under which something else than a place may stand as well."""


def actions(named: tuple[str, ...], leaves: tuple[Leaf, ...]) -> frozenset[str]:
    """Return the words of a tool's name and of what its arguments order, `action: restart`."""
    said = named
    for leaf in leaves:
        if isinstance(leaf.value, str) and bare_key(leaf.key) in _ORDERS:
            said = (*said, *_ordered(leaf.value))
    joined = frozenset(map("".join, pairwise(said))) & DISTURBS
    return joined.union(said)


def _ordered(text: str) -> tuple[str, ...]:
    """Return the words of an order; none where it only looks, or is a line for a shell."""
    if len(text) > MAX_ORDER or " " in text.strip() or tool_name(text).reads:
        return ()
    return words_of(text)


_ORDERS = words("words/tools:production.orders")


def disturbed(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Yield what it does to production, as a reason; `named`: the words of the tool's name."""
    if _BY_ITSELF.isdisjoint(named) and not _is_applied(named):
        return
    if not _TALKS.isdisjoint(named):
        return
    if not PRODUCTION.isdisjoint(named) and _OTHERS.isdisjoint(named):
        yield "does it to production"
    for leaf in leaves:
        if is_live(leaf):
            yield f"does it to “{beginning(leaf.value.strip(), MAX_SHOWN)}”, which is production"


ALTERS = words("words/tools:production.alters")
_MACHINES = words("words/tools:production.machines")
_CHOSEN = words("words/tools:production.chosen")


def altered(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Yield what it changes on a machine of production; `named`: the words of the tool's name."""
    if not (_TALKS | _CHOSEN).isdisjoint(named):
        return
    for leaf in leaves:
        if not _MACHINES.isdisjoint(leaf.words) and is_live(leaf):
            yield f"changes “{beginning(leaf.value.strip(), MAX_SHOWN)}”, which is production"


def _is_applied(named: frozenset[str]) -> bool:
    """`apply_terraform`; a plan of it changes nothing."""
    return not (_PROVISIONS.isdisjoint(named) or _APPLIES.isdisjoint(named))


def is_live(leaf: Leaf) -> bool:
    """Return whether it names a place of production."""
    value = leaf.value
    if not isinstance(value, str) or len(value) > MAX_PLACE:
        return False
    where = leaf.words
    if where in _WHITHER:
        return value.strip().lower() in LIVE
    if _WHERE.isdisjoint(where):
        return False
    said = words_of(value)
    if not _OTHERS.isdisjoint(said) or _is_something_else(value.strip(), where):
        return False
    return not PRODUCTION.isdisjoint(said) or (said == ("live",) and not _STAGES.isdisjoint(where))


def _is_something_else(value: str, where: tuple[str, ...]) -> bool:
    """A title with blanks in it, or the path of a file."""
    if " " in value:
        return _STAGES.isdisjoint(where)
    return "/" in value and "://" not in value and "." in value.rpartition("/")[2]


MAX_SAID = 80
"""Characters of a button's name, or of what selects it."""

MAX_WORDS = 8
MAX_BETWEEN = 2
"""Words between an action and its thing: `Delete my account`."""

_PRESSES = word_set("click tap press dblclick doubleclick clicks")
_FILLS = word_set("type fill input")
PRESSES = (
    _PRESSES
    | _FILLS
    | word_set("browser page computer playwright puppeteer selenium ui web gui mouse")
)
"""Words of a name without which nothing is pressed."""

_BUTTONS = words("words/tools:buttons.buttons")
_TELLS = words("words/tools:buttons.tells")
_ACTIONS = verbs_on_things("button")
_ALONE = (("pay",), ("buy",))
_pays = re.compile(r"(?i)\bpay\s+(?:[$€£¥₹]|(?:USD|EUR|GBP|CHF)\s)\s*\d")


def pressed(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Yield what the call does; `named`: the words of the tool's name."""
    if not _FILLS.isdisjoint(named):
        yield from _confirmed(leaves)
    if _PRESSES.isdisjoint(named) and not any(map(_is_press, leaves)):
        return
    for leaf in leaves:
        if _is_button(leaf) and _does(leaf.value):
            yield f"presses “{beginning(leaf.value.strip(), MAX_SHOWN)}”"


def _confirmed(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    said = [leaf.value for leaf in leaves if isinstance(leaf.value, str)]
    if any("confirm" in one[:MAX_SAID].lower() for one in said):
        losses = (one.strip() for one in said if words_of(one[:MAX_SAID]) in _LOSSES)
        yield from (f"types “{one}”, which confirms it" for one in losses)


_LOSSES = tuple(
    (*front, verb)
    for verb in ("delete", "remove", "destroy", "erase", "terminate", "transfer", "wipe")
    for front in ((), ("permanently",), ("yes",))
)


def _is_press(leaf: Leaf) -> bool:
    return leaf.key == "action" and isinstance(leaf.value, str) and leaf.value in _PRESSES


def _is_button(leaf: Leaf) -> bool:
    if not isinstance(leaf.value, str) or len(leaf.value) > MAX_SAID:
        return False
    return not _BUTTONS.isdisjoint(leaf.words)


def _does(text: str) -> bool:
    words = words_of(text)
    if len(words) > MAX_WORDS or not _TELLS.isdisjoint(words):
        return False
    return words in _ALONE or bool(_pays.search(text)) or _orders(words)


def _orders(words: tuple[str, ...]) -> bool:
    """Return whether an action stands shortly before what it is done to."""
    return any(
        word in actions and not things.isdisjoint(words[at + 1 : at + 2 + MAX_BETWEEN])
        for at, word in enumerate(words)
        for actions, things, _ in _ACTIONS
    )


MAX_NAME = 60
_METHODS = ("method", "rpc_method", "rpcmethod", "command")
_PARAMS = ("params", "parameters", "args", "arguments", "param")
_PAYS = words("words/tools:rpc.pays")

_PAYS_TO = word_set("transfer send pay payment submit relay")
"""Those that also mean other things: only beside somebody who is paid."""

_WALLETS = words("words/tools:rpc.wallets")
_PAID = words("words/tools:rpc.paid")
_RPC_TRIED = ("testnet", "sepolia", "goerli", "holesky", "hoodi", "regtest", "devnet", "signet")
"""Chains whose coins are worth nothing: the address itself says which it is."""

_ADDRESSES = word_set("url uri endpoint host rpc_url rpcurl node network chain")


def paid_remotely(
    leaves: tuple[Leaf, ...], objects: tuple[Mapping[str, Any], ...]
) -> Iterator[str]:
    """The methods that pay."""
    found = [name for one in objects if (name := _paying(one))]
    if found and not any(map(_is_trial, leaves)):
        yield from found


def _paying(one: Mapping[str, Any]) -> str:
    """The name of a procedure that pays, beside what it is called with; else empty."""
    given = next((opened(one[key]) for key in _PARAMS if key in one), None)
    said = (one[key] for key in _METHODS if key in one)
    name = next((name for name in said if isinstance(name, str) and len(name) <= MAX_NAME), "")
    if given is None or not name:
        return ""
    words = words_of(name)
    bare = "".join(words[1:] if words[:1] and words[0] in _WALLETS else words)
    if bare in _PAYS or "".join(words) in _PAYS:
        return name
    known = given[0] if isinstance(given, list) and given else given
    keys = list(known)[:MAX_NAME] if isinstance(known, Mapping) else ()
    paid = any("".join(words_of(str(key))) in _PAID for key in keys)
    return name if paid and bare in _PAYS_TO else ""


def _is_trial(leaf: Leaf) -> bool:
    if leaf.key.lower() not in _ADDRESSES or not isinstance(leaf.value, str):
        return False
    host = leaf.value.partition("://")[2].partition("/")[0] or leaf.value[:MAX_NAME]
    return any(name in host.lower() for name in _RPC_TRIED)


ZONES = word_set("dns nameserver nameservers registrar")
_SETS_RECORDS = words("words/tools:dns_records.sets")
_RECORD_TYPES = word_set("type record rtype recordtype record_type rrtype")
_SERVERS = word_set("ns nameserver nameservers mx")
_WHOLE = frozenset({"NS", "MX"})
_ADDRESS_TYPES = frozenset({"A", "AAAA", "CNAME", "ALIAS", "ANAME"})
_IPS = word_set("ip ipv4 ipv6 ip_address ipaddress new_ip")
"""Where a name leads, though nobody says of what kind its record is."""

_NAMES = word_set("name host hostname subdomain record_name fqdn label")
_ZONES = word_set("zone domain zone_name apex")
_APEX = frozenset({"", "@", "*"})


def led_elsewhere(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Yield what the call does; `named`: the words of the tool's name."""
    if ZONES.isdisjoint(named) or _SETS_RECORDS.isdisjoint(named):
        return
    if any(map(_leads, leaves)):
        yield "moves everybody to another place"


def _leads(leaf: Leaf) -> bool:
    if not isinstance(leaf.value, str):
        return False
    key, said = leaf.key.lower(), leaf.value.strip()
    if not _SERVERS.isdisjoint(leaf.words[-1:]):
        return bool(said)
    beside = _lower(leaf.siblings)
    known = _lower(leaf.around) | beside
    name = next((known[one] for one in known if one in _NAMES), "")
    zone = next((known[one] for one in known if one in _ZONES), "")
    apex = name in _APEX or name == zone or (not zone and name.count(".") == 1)
    if key in _IPS or (said == "@" and key in _NAMES | {"record"}):
        website = any(beside[one].partition(".")[0] == "www" for one in _NAMES & beside.keys())
        untyped = _RECORD_TYPES.isdisjoint(beside.keys() - {key})
        return untyped and (said == "@" or apex or website)
    return key in _RECORD_TYPES and (
        said.upper() in _WHOLE or (said.upper() in _ADDRESS_TYPES and apex)
    )


def _lower(values: Mapping[str, Any]) -> dict[str, str]:
    return {
        str(key).lower(): value.strip().lower().rstrip(".")
        for key, value in values.items()
        if isinstance(value, str)
    }
