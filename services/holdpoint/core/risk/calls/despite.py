"""What a call is told to do although its name only reads: `get_customer {"action": "delete"}`."""

from msgspec.structs import replace

from holdpoint.core.risk.calls.leaf import Leaf
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.calls.orders import Order, bare_key, orders_in
from holdpoint.core.risk.lexicon import word_set

_KEYS = word_set(
    "action actions operation op command cmd subcommand verb mode method act do then callback "
    "onfail onfailure onerror onsuccess oncomplete ondone onfinish ontimeout next nextaction "
    "fallback after afterwards thendo followup"
)
"""Keys that say what is done, in whatever tool they stand."""

_BEGIN = frozenset({key[:2] for key in _KEYS})
"""A first look: most keys begin otherwise."""

_LATER = word_set("onfail onfailure onerror onsuccess oncomplete ondone onfinish ontimeout")
"""What is done in some case: a single word there is the name of a way to end."""

_OF_DEEDS = word_set(
    "event events log logs audit audits history webhook webhooks hook hooks trigger triggers "
    "notification notifications alert alerts stream subscription subscriptions activity activities "
    "job jobs task tasks change changes changeset operation operations action actions transaction "
    "permission permissions access authorization privilege privileges policy policies rule rules "
    "role roles scope scopes can allowed route routes endpoint endpoints api apis path paths spec "
    "openapi schema schemas code function functions method methods symbol symbols command commands "
    "help docs documentation manual example examples trail trails "
    "request requests verb verbs intent intents approval approvals journal"
)
"""Things about deeds, where the name of one is what is looked for."""


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


_HOLD = word_set(
    "* params parameters options opts args arguments input inputs body payload data request config "
    "settings kwargs extra"
)
"""Keys around arguments, and a place in a list."""
