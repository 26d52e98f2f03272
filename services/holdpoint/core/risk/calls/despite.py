"""What a call is told to do although its name only reads: `get_customer {"action": "delete"}`."""

from msgspec.structs import replace

from holdpoint.core.risk.calls.leaf import Leaf
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.calls.orders import Order, bare_key, orders_in
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

_KEYS = words("words/tools:despite.keys")

_BEGIN = frozenset({key[:2] for key in _KEYS})
"""A first look: most keys begin otherwise."""

_LATER = word_set("onfail onfailure onerror onsuccess oncomplete ondone onfinish ontimeout")
"""What is done in some case: a single word there is the name of a way to end."""

_OF_DEEDS = words("words/tools:despite.of_deeds")


def orders_despite(tool: str, leaves: tuple[Leaf, ...], known: frozenset[str]) -> tuple[Order, ...]:
    """What a tool whose name only reads is told beside it; not what its records are about."""
    plain = tuple(
        replace(leaf, key="action")
        for leaf in leaves
        if leaf.key.lstrip("_-")[:2].lower() in _BEGIN and _tells(leaf)
    )
    if not plain or not _OF_DEEDS.isdisjoint(tool_name(tool).words):
        return ()
    return orders_in(tool, plain, known)


def _tells(leaf: Leaf) -> bool:
    key = bare_key(leaf.key)
    if key not in _KEYS or not isinstance(leaf.value, str) or not _is_on_top(leaf.path, key):
        return False
    return key not in _LATER or " " in leaf.value.strip()


def _is_on_top(path: str, key: str) -> bool:
    """Whether nothing stands around it but what holds the arguments, or a list of orders."""
    if path.count("/") == 1:
        return True
    return all(bare_key(one) in _HOLD or bare_key(one) == key for one in path.split("/")[1:])


_HOLD = words("words/tools:despite.hold")
