"""What gives power or opens something: the rank of an administrator, all rights, to everybody."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.exposure import exposed
from holdpoint.core.risk.calls.leaf import Leaf
from holdpoint.core.risk.calls.ranks import given, raised
from holdpoint.core.risk.calls.startup import is_lived_by

MAX_VALUE = 300
"""Characters of a value that says whom or where; rules may be longer."""

MAX_RULES = 8_192


def opened_up(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    for leaf in leaves:
        if why := _opens(named, leaf):
            yield why


def _opens(named: frozenset[str], leaf: Leaf) -> str:
    value = leaf.value
    if not isinstance(value, str):
        return "makes somebody an administrator" if raised(named, leaf) else exposed(named, leaf)
    if len(value) <= MAX_VALUE:
        if why := given(named, leaf, value.strip().lower()):
            return why
        if is_lived_by(leaf, named):
            return "writes a file that the machine lives by"
    return exposed(named, leaf) if len(value) <= MAX_RULES else ""
