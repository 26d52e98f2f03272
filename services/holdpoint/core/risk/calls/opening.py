"""What gives power or opens something: the rank of an administrator, all rights, to everybody."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.lexicon import word_set

_GIVES = word_set(
    "grant add attach bind put invite assign set make promote create update change elevate"
)
_MIGHTY = word_set("admin administrator owner root superuser superadmin sysadmin sudo")
_RANKS = word_set("role roles permission permissions access level privilege privileges rights")
_ANYBODY = word_set("allusers allauthenticatedusers public-read-write")
_ANYWHERE = frozenset({"0.0.0.0/0", "::/0"})
_MIGHTY_POLICIES = word_set("administratoraccess poweruseraccess iamfullaccess cluster-admin")
_ALL = frozenset({"*", "*:*", "*/*"})
_DONE = word_set("action actions verbs notaction")
_ON = word_set("effect resource resources principal apigroups")
_SYSTEM = (
    "/etc/passwd", "/etc/shadow", "/etc/sudoers", "/etc/fstab", "/boot/", "/dev/sd", "/dev/nvme",
    "/etc/ssh/", "/etc/pam.d/", "/etc/hosts", "/etc/ld.so",
)  # fmt: skip
_PATHS = word_set("path file_path filepath file filename destination target")
_CONTENTS = word_set("content contents text body data new_str new_string file_text")


def opened_up(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    gives = not _GIVES.isdisjoint(named)
    for leaf in leaves:
        if not isinstance(leaf.value, str) or len(leaf.value) > MAX_VALUE:
            continue
        said = leaf.value.strip().lower()
        given = _given(leaf, said) if gives else ""
        if given:
            yield given
        elif said in _ANYBODY:
            yield "opens it to everybody"
        elif said in _ALL and leaf.key.lower() in _DONE and _is_rule(leaf):
            yield "allows everything"
        elif said.startswith(_SYSTEM) and leaf.key.lower() in _PATHS and _is_written(leaf):
            yield "writes into a file that the machine lives by"


MAX_VALUE = 200


def _given(leaf: Leaf, said: str) -> str:
    """What somebody is let do by a rank, a policy or a network that is opened."""
    if said in _MIGHTY and not _RANKS.isdisjoint(words_of(leaf.key)):
        return f"makes somebody {said}"
    if said in _ANYWHERE and not _is_refusal(leaf):
        return "lets the whole internet in"
    return "gives away all power" if said.rpartition("/")[2] in _MIGHTY_POLICIES else ""


def _is_refusal(leaf: Leaf) -> bool:
    """Whether the rule that it stands in keeps out, or is about what goes out."""
    said = {str(value).lower() for value in leaf.siblings.values() if isinstance(value, str)}
    return not said.isdisjoint(_REFUSALS)


_REFUSALS = word_set("deny drop reject block refuse egress outbound out")


def _is_rule(leaf: Leaf) -> bool:
    keys = {str(key).lower() for key in leaf.siblings}
    denies = str(leaf.siblings.get("Effect", leaf.siblings.get("effect", ""))).lower() == "deny"
    return not denies and not keys.isdisjoint(_ON)


def _is_written(leaf: Leaf) -> bool:
    return not _CONTENTS.isdisjoint(leaf.siblings)
