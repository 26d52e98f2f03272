"""What serves everybody, and is stopped, rolled out, put back or resized: production by its name.

A target that no configuration lists counts as production too, but only where the catalog's level
says that a tool changes something; here the call itself says where.
"""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 253
"""Characters of a value that names a place: no name of a host has more."""

MAX_SHOWN = 24

DISTURBS = words("words/tools:serving.disturbs")
_PROVISIONS = word_set("terraform tofu pulumi terragrunt cloudformation changeset infrastructure")
_APPLIES = word_set("apply up execute run")
"""What is done to a plan of machines when it is carried out."""

_TALKS = words("words/tools:serving.talks")

_BY_ITSELF = DISTURBS - _PROVISIONS
_LIVE = word_set("prod production prd")
_STAGE = _LIVE | {"live"}
_OTHERS = words("words/tools:serving.others")

_NAMES = words("words/tools:serving.names")
_STAGES = words("words/tools:serving.stages")
_WHERE = _NAMES | _STAGES | word_set("target targets")
_WHITHER = (("to",), ("destination",), ("dest",), ("into",))
"""Keys under which something else than a place may stand as well."""


def disturbed(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What it does to production, as a reason; `named`: the words of the tool's name."""
    if _BY_ITSELF.isdisjoint(named) and not _is_applied(named):
        return
    if not _TALKS.isdisjoint(named):
        return
    if not _LIVE.isdisjoint(named) and _OTHERS.isdisjoint(named):
        yield "does it to production"
    for leaf in leaves:
        if _is_live(leaf):
            yield f"does it to “{beginning(leaf.value.strip(), MAX_SHOWN)}”, which is production"


ALTERS = words("words/tools:serving.alters")
_MACHINES = words("words/tools:serving.machines")
_CHOSEN = words("words/tools:serving.chosen")


def altered(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What it changes on a machine of production; `named`: the words of the tool's name."""
    if not (_TALKS | _CHOSEN).isdisjoint(named):
        return
    for leaf in leaves:
        if not _MACHINES.isdisjoint(words_of(leaf.key)) and _is_live(leaf):
            yield f"changes “{beginning(leaf.value.strip(), MAX_SHOWN)}”, which is production"


def _is_applied(named: frozenset[str]) -> bool:
    """`apply_terraform`; a plan of it changes nothing."""
    return not (_PROVISIONS.isdisjoint(named) or _APPLIES.isdisjoint(named))


def _is_live(leaf: Leaf) -> bool:
    value = leaf.value
    if not isinstance(value, str) or len(value) > MAX_SAID:
        return False
    where = words_of(leaf.key)
    if where in _WHITHER:
        return value.strip().lower() in _STAGE
    if _WHERE.isdisjoint(where):
        return False
    said = words_of(value)
    if not _OTHERS.isdisjoint(said) or _is_something_else(value.strip(), where):
        return False
    return not _LIVE.isdisjoint(said) or (said == ("live",) and not _STAGES.isdisjoint(where))


def _is_something_else(value: str, where: tuple[str, ...]) -> bool:
    """A title with blanks in it, or the path of a file."""
    if " " in value:
        return _STAGES.isdisjoint(where)
    return "/" in value and "://" not in value and "." in value.rpartition("/")[2]
