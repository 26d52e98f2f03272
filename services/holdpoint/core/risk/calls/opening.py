"""What gives power or opens something: the rank of an administrator, all rights, to everybody."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.exposure import FOR_ALL, exposed
from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.pairs import paired
from holdpoint.core.risk.calls.ranks import given, raised
from holdpoint.core.risk.calls.startup import is_lived_by, lets_out
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_VALUE = 300
"""Characters of a value that says whom or where; rules may be longer."""

MAX_RULES = 8_192


def opened_up(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    for leaf in leaves:
        if why := _opens(named, leaf):
            yield why


def made_public(words: tuple[str, ...], leaves: tuple[Leaf, ...]) -> str:
    """What a name that ends so does, `make_bucket_public`, unless an argument says no."""
    public = words[-1:] == ("public",) and not _TURNS.isdisjoint(words)
    return FOR_ALL if public and not any(map(_says_no, leaves)) else ""


def _says_no(leaf: Leaf) -> bool:
    """`public: false`; not `dry_run: false`, which only says that it is really done."""
    if leaf.value is not False:
        return False
    key = paired(leaf.siblings)[0] if leaf.key.lower() == "value" else ""
    return not _SWITCHES.isdisjoint(words_of(key or leaf.key))


def made_mighty(words: tuple[str, ...], leaves: tuple[Leaf, ...]) -> str:
    """What a name that ends so does, `assign_admin`, `grant_root_access`, `elevate_privileges`."""
    last, before = words[-1:], words[:-1]
    power = not _POWERS.isdisjoint(last)
    whose = not _MIGHTY.isdisjoint(last) or (power and not _RULERS.isdisjoint(before[-1:]))
    mighty = (whose and not _RAISES.isdisjoint(before)) or (power and before[-1:] in _LIFTS)
    return "makes somebody an administrator" if mighty and not any(map(_says_no, leaves)) else ""


_RAISES = words("words/tools:opening.raises")
_MIGHTY = word_set("admin admins administrator administrators superuser superadmin sysadmin sudoer")
_RULERS = _MIGHTY | word_set("root sudo owner dba")
_POWERS = word_set("access right rights role privilege privileges permission permissions powers")
_LIFTS = (("elevate",), ("escalate",))
_TURNS = word_set("make set turn switch flip mark")
_SWITCHES = words("words/tools:opening.switches")


def _opens(named: frozenset[str], leaf: Leaf) -> str:
    value = leaf.value
    if not isinstance(value, str):
        return "makes somebody an administrator" if raised(named, leaf) else exposed(named, leaf)
    if len(value) <= MAX_VALUE:
        if why := given(named, leaf, value.strip().lower()):
            return why
        if is_lived_by(leaf, named):
            return "writes a file that the machine lives by"
        if lets_out(leaf):
            return "hands a container what its machine lives by"
    return exposed(named, leaf) if len(value) <= MAX_RULES else ""
