"""Ranks that rule over others: an administrator's role, group or policy, and how one comes in."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.remembered import remembered

MAX_WORDS = 4
"""Words of a rank; more are a sentence."""

MAX_RANK = 60

MAX_SHOWN = 24

_GIVES = words("words/tools:ranks.gives")
_MIGHTY = words("words/tools:ranks.mighty")
_FULL = (
    word_set("full unrestricted total all"),
    word_set("control access rights admin permissions privileges"),
)
_LESSER = words("words/tools:ranks.lesser")

_RANKS = words("words/tools:ranks.ranks")
_GROUPS = word_set("group groups groupname team teams membership memberships memberof")
_JOINED = word_set("user users member members account principal membership login identity group")
_WORK = words("words/tools:ranks.work")

_MIGHTY_POLICIES = word_set("administratoraccess poweruseraccess iamfullaccess cluster-admin")
_WAYS_IN = word_set("password passwd passcode credential credentials mfa fa totp pin secret")
_CHANGES = word_set("reset change set update rotate replace overwrite force")
_WHOSE = words("words/tools:ranks.whose")


@remembered(2048)
def is_mighty(said: str) -> bool:
    """`owner`, `SUPER_ADMIN`, `Domain Admins`, `Full Control`; not `non-admin`."""
    words = words_of(said) if len(said) <= MAX_RANK else ()
    if not words or len(words) > MAX_WORDS or not _LESSER.isdisjoint(words):
        return False
    full, whole = _FULL
    return not _MIGHTY.isdisjoint(words) or (words[0] in full and words[-1] in whole)


def given(named: frozenset[str], leaf: Leaf, said: str) -> str:
    """What a value makes of somebody; empty when nothing. `named`: the words of the tool's name."""
    words = words_of(leaf.key)
    if _WAYS_IN & named and _CHANGES & named and words[-1:] and words[-1] in _WHOSE:
        return "changes how an administrator comes in" if _is_administrator(said) else ""
    if _GIVES.isdisjoint(named):
        return ""
    if said.rpartition("/")[2] in _MIGHTY_POLICIES:
        return "gives away all power"
    group = not _GROUPS.isdisjoint(words) and _JOINED & named
    if is_high(words, said):
        return "makes somebody a maintainer" if _MEMBERS & named else ""
    ranked = _WORK.isdisjoint(named) and (group or not _RANKS.isdisjoint(words))
    return f"makes somebody {said[:MAX_SHOWN]}" if ranked and is_mighty(leaf.value) else ""


def raised(named: frozenset[str], leaf: Leaf) -> bool:
    """`is_admin: true`, `superuser: true`, where somebody is made or changed."""
    words = words_of(leaf.key)
    if is_high(words, leaf.value):
        return not _GIVES.isdisjoint(named) and not _MEMBERS.isdisjoint(named)
    if leaf.value is not True or _MIGHTY.isdisjoint(words) or _GIVES.isdisjoint(named):
        return False
    return _MIGHTY.union(_MAKES).issuperset(words) or (words[0] == "is" and words[-1] in _MIGHTY)


def is_high(words: tuple[str, ...], value: object) -> bool:
    """Whether it is GitLab's number for a maintainer or an owner: `access_level: 50`."""
    if words[-2:] not in _NUMBERED:
        return False
    return str(value) in _LEVELS


_NUMBERED = (("access", "level"), ("group", "access"))
_LEVELS = frozenset({"40", "50", "60"})
_MEMBERS = _JOINED | word_set(
    "invitation invitations invite collaborator collaborators project group groups share"
)
_MAKES = words("words/tools:ranks.makes")


def _is_administrator(said: str) -> bool:
    return said.partition("@")[0].rpartition("\\")[2] in _MIGHTY


def ranks_in(value: object) -> Iterator[str]:
    """The ranks that rule among a text or a list of texts."""
    listed = value if isinstance(value, list | tuple) else (value,)
    return (one for one in listed if isinstance(one, str) and is_mighty(one))
