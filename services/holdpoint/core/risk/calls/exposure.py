"""What is opened to everybody: a share, a policy, a network, rules without a condition."""

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.keys import PROSE_KEYS
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_SAID = 60
"""Characters of a value that may say who."""

_ANYBODY = word_set("allusers allauthenticatedusers public-read-write public-read")
_ALL = frozenset({"*", "*:*", "*/*"})
_DONE = word_set("action actions verbs notaction")
_ON = word_set("effect resource resources principal apigroups")
_ANYWHERE = frozenset({"0.0.0.0/0", "::/0"})
_ANY_SOURCE = frozenset({"any", "*", "internet", "all", "::", "anywhere"})
_SOURCES = word_set("source sources src cidr remote ip ips range ranges prefix")
_WALLS = word_set("firewall nsg ingress acl allowlist whitelist security")
_PORTS = word_set("port ports")
_LETS = words("words/tools:exposure.lets")
_OPENS = _LETS | _WALLS
_REFUSALS = word_set("deny drop reject block refuse egress outbound out")

_SHARES = words("words/tools:exposure.shares")
_UPDATES = words("words/tools:exposure.updates")
_OPENING = _UPDATES | _SHARES
_EVERYBODY = word_set(
    "everyone everybody anyone anybody public world worldwide internet anonymous unauthenticated"
)
_MANY = (
    ("all", "users"),
    ("authenticated", "users"),
    ("domain", "users"),
    ("all", "authenticated"),
)
_WHO = words("words/tools:exposure.who")
_FLAGS = word_set("public publicly anonymous anonymously anyone unauthenticated world")
_STRICTLY = word_set("publicly anonymous anonymously unauthenticated world")
"""What is said only of things that hold data, so that it counts where one is made as well."""

_OPEN = words("words/tools:exposure.open")
_KEEPS_OUT = words("words/tools:exposure.keeps_out")
_ASKED = word_set("read write create delete list get update")
_unconditional = glance(r"(?i)\ballow\s+[\w, ]+(?::\s*if\s+true\b|;)")
_POLICIES = word_set("policy rules hcl")
_for_all_paths = glance(
    r"(?i)\bpath\s+\"[*+]\"\s*\{\s*capabilities\s*=\s*\[[^\]]*\"(?:sudo|root|update|delete|create)\""
)
"""What a policy of a vault says that lets its bearers at everything."""


def exposed(named: frozenset[str], leaf: Leaf) -> str:
    """How a value opens something; empty when it does not. `named`: words of the tool's name."""
    if isinstance(leaf.value, bool):
        return _by_flag(named, leaf)
    if not isinstance(leaf.value, str):
        return ""
    if _in_rules(leaf) and _unconditional(whole_characters(leaf.value)):
        return FOR_ALL
    if leaf.key in _POLICIES and _for_all_paths(whole_characters(leaf.value)):
        return "allows everything"
    return _by_text(named, leaf, leaf.value.strip().lower())


FOR_ALL = "opens it to everybody"


def _by_text(named: frozenset[str], leaf: Leaf, said: str) -> str:
    if said in _ANYBODY or (said in _ALL and _is_principal(leaf) and _is_rule(leaf)):
        return FOR_ALL
    if said in _ALL and leaf.key.lower() in _DONE and _is_rule(leaf):
        return "allows everything"
    if said == "true" and _in_rules(leaf) and not _ASKED.isdisjoint(words_of(leaf.key)):
        return FOR_ALL
    if not _OPENS.isdisjoint(named) and _lets_in(named, leaf, said):
        return "lets the whole internet in"
    if len(said) <= MAX_SAID and _is_open_key(named, leaf, opens=True) and said not in _SHUT:
        return FOR_ALL
    shared = not _SHARES.isdisjoint(named) or _is_updated(named, leaf) or _is_shared(leaf)
    return FOR_ALL if shared and _is_for_all(leaf, said) and not _is_refusal(leaf) else ""


def _lets_in(named: frozenset[str], leaf: Leaf, said: str) -> bool:
    """By an address that is any, or by a rule in words."""
    worded = not _WALLS.isdisjoint(named) and len(said) <= MAX_RULE
    if worded and leaf.key.lower() not in PROSE_KEYS and _lets_all(whole_characters(said)):
        return True
    lets = _is_anywhere(named, leaf, said) and not _LETS.isdisjoint(named)
    return lets and not _is_refusal(leaf)


MAX_RULE = 120
"""Characters of one rule of a firewall in words."""

_lets_all = glance(
    r"^[^a-z]*(?:rule:? *)?(?:allow|permit|accept|open)\b(?:[^a-z]|[a-df-z]|e[a-fh-z]){0,100}"
    r"(?:0\.0\.0\.0/0|::/0|\bfrom (?:any|anywhere|everywhere|all)\b|\bany any\b)"
)
"""A rule in words that lets in, and does not speak of an egress."""


def _is_shared(leaf: Leaf) -> bool:
    """`export_contacts {"share_with": "anyone"}`."""
    return words_of(leaf.key)[:1] in (("share",), ("shared",), ("sharing",))


def _is_updated(named: frozenset[str], leaf: Leaf) -> bool:
    return not _UPDATES.isdisjoint(named) and not _VISIBLE.isdisjoint(words_of(leaf.key))


_VISIBLE = word_set(
    "visibility privacy accessibility sharing permission permissions access audience"
)


def _is_for_all(leaf: Leaf, said: str) -> bool:
    words = words_of(leaf.key)
    if not words or words[-1] not in _WHO or len(said) > MAX_SAID:
        return False
    who = words_of(said)
    return who[:1] != () and (who[0] in _EVERYBODY or who[:2] in _MANY)


def _is_anywhere(named: frozenset[str], leaf: Leaf, said: str) -> bool:
    if said in _ANYWHERE:
        return True
    walled = said in _ANY_SOURCE and not (_WALLS | _PORTS).isdisjoint(named)
    return walled and not _SOURCES.isdisjoint(words_of(leaf.key))


def _by_flag(named: frozenset[str], leaf: Leaf) -> str:
    """`public: true`, `block_public_access: false`, `".write": true` among rules."""
    words = words_of(leaf.key)
    if not words:
        return ""
    if leaf.value and leaf.key[0] == "." and words[-1] in _ASKED and _in_rules(leaf):
        return FOR_ALL
    if words[-1] == "private":
        updates = not _OPENING.isdisjoint(named)
        return FOR_ALL if updates and not leaf.value and len(words) < 3 else ""  # noqa: PLR2004  # `is_private`
    return FOR_ALL if _is_open_key(named, leaf, opens=leaf.value) else ""


def _is_open_key(named: frozenset[str], leaf: Leaf, *, opens: bool) -> bool:
    """Whether a key says that anybody may come in, or is kept out; `opens`: whether it says yes."""
    words = words_of(leaf.key)
    if _FLAGS.isdisjoint(words) or words[-1] not in _OPEN:
        return False
    keeps = words[0] in _KEEPS_OUT
    updates = not _OPENING.isdisjoint(named)
    return opens is not keeps and (updates or keeps or not _STRICTLY.isdisjoint(words))


_SHUT = words("words/tools:exposure.shut") | {""}


def _in_rules(leaf: Leaf) -> bool:
    return "ules" in leaf.path and "rules" in leaf.path.lower()


def _is_principal(leaf: Leaf) -> bool:
    path = leaf.path.lower()
    return "principal" in path and "notprincipal" not in path


def _is_refusal(leaf: Leaf) -> bool:
    """Whether the rule that it stands in keeps out, or is about what goes out."""
    said = {str(value).lower() for value in leaf.siblings.values() if isinstance(value, str)}
    return not said.isdisjoint(_REFUSALS)


def _is_rule(leaf: Leaf) -> bool:
    """Whether it stands in one, or in an object of one, and that does not deny."""
    for holder in (leaf.siblings, leaf.around):
        keys = {str(key).lower(): value for key, value in holder.items()}
        if not _ON.isdisjoint(keys):
            return str(keys.get("effect", "")).lower() != "deny"
    return False
