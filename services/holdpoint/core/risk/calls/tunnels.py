"""Ways in that are opened: tunnels without a lock, keys to everything, who says who one is."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

_TUNNELS = word_set("ngrok tunnel tunnels localtunnel cloudflared funnel")
_OPENS = words("words/tools:tunnels.opens")
_STORES = words("words/tools:tunnels.stores")

_NOBODY = frozenset({"", "none", "off", "no", "false", "disabled"})
_LOCKS = word_set("auth authentication password basic oauth")

_KEYS = word_set("key keys token tokens credential credentials pat secret")
_MAKES = word_set("create issue generate make new add mint update set provision")
_SCOPES = tuple(
    (word,) for word in ("scope", "scopes", "permission", "permissions", "abilities", "rights")
)
_WHOLE = frozenset({"*", "*:*", "*.*", "all", "full", "full_access", "full access", "everything"})

_SIGN_IN = word_set("saml sso oidc idp")
KEYED = _TUNNELS | _KEYS | _SIGN_IN
_CHANGES = word_set("set update configure replace change patch put edit switch")
_ISSUERS = word_set("idp issuer metadata sso login certificate cert entity")


def left_open(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    if not _TUNNELS.isdisjoint(named) and not _OPENS.isdisjoint(named):
        yield from ("lets the whole internet in" for leaf in leaves if _is_unlocked(leaf))
    if not _KEYS.isdisjoint(named) and not _MAKES.isdisjoint(named):
        yield from ("makes a key to everything" for leaf in leaves if _is_for_everything(leaf))
    if not _SIGN_IN.isdisjoint(named) and not _CHANGES.isdisjoint(named):
        yield from ("changes how everybody comes in" for leaf in leaves if _says_who(leaf))


def _is_unlocked(leaf: Leaf) -> bool:
    """`port: 5432`, `auth: null`."""
    words = words_of(leaf.key)
    if words[-1:] == ("port",):
        return str(leaf.value) in _STORES
    value = leaf.value.lower() if isinstance(leaf.value, str) else leaf.value
    return not _LOCKS.isdisjoint(words) and (value is None or value is False or value in _NOBODY)


def _is_for_everything(leaf: Leaf) -> bool:
    said = leaf.value.strip().lower() if isinstance(leaf.value, str) else ""
    return said in _WHOLE and words_of(leaf.key)[-1:] in _SCOPES


def _says_who(leaf: Leaf) -> bool:
    """Whether it is an address of whoever vouches for people from now on."""
    if not isinstance(leaf.value, str) or not leaf.value.lower().startswith(_WEB):
        return False
    return not _ISSUERS.isdisjoint(words_of(leaf.key))


_WEB = ("https://", "http://")
