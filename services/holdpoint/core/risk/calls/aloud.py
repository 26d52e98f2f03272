"""What a call gives away by reading: a file of keys, or a key in the address that it fetches."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.excerpt import beginning, both_ends
from holdpoint.core.risk.http.carried import carried
from holdpoint.core.risk.http.request import request_in
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.shell.secrets import aloud
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_PATH = 300
MAX_SHOWN = 30

_OPENS = words("words/tools:aloud.opens")
_LISTS = words("words/tools:aloud.lists")
_PATHS = words("words/tools:aloud.paths")


def read_aloud(tool: str, leaves: tuple[Leaf, ...]) -> Iterator[Signal]:
    """What it reads to the agent, or tells whoever it asks."""
    named = frozenset(words_of(tool))
    opens = not _OPENS.isdisjoint(named) and _LISTS.isdisjoint(named)
    for leaf in leaves:
        value = leaf.value
        if not isinstance(value, str):
            continue
        if "://" in value and "?" in value:
            yield from (_signal("http.key", RiskLevel.HIGH, why) for why in _carried(leaf))
        elif opens and len(value) <= MAX_PATH and not _PATHS.isdisjoint(words_of(leaf.key)):
            path = value.strip().replace("\\", "/")
            level = aloud(path) if "." in path or "/" in path else None
            if level:
                read = f"“{beginning(tool, MAX_SHOWN)}” reads a secret aloud"
                yield _signal("call.secret-read", level, f"{read}: “{both_ends(path, MAX_SHOWN)}”")


def _carried(leaf: Leaf) -> Iterator[str]:
    """By an address alone; one with a method is judged as a request."""
    address = leaf.value.strip()
    alone = " " not in address and request_in(leaf.siblings) is None
    return carried(address, None) if alone else iter(())


def _signal(rule: str, level: RiskLevel, reason: str) -> Signal:
    return Signal(rule=rule, heuristic=Heuristic.CRITICALITY, level=level, reason=reason)
