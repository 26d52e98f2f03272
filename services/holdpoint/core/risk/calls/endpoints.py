"""What keeps machines safe, switched off or made blind: `DisableRealtimeMonitoring`."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 40

_KEEPERS = words("words/tools:endpoints.keepers")

_CHANGES = words("words/tools:endpoints.changes")
_WATCHED = words("words/tools:endpoints.watched")
_WATCHES = words("words/tools:endpoints.watches")
_TAKES = word_set("disable off exclude stop bypass")
_SPARED = word_set(
    "exclusion exclusions exclude excluded allowlist whitelist ignore excludepath exclusionpath"
)
_EVERYWHERE = words("words/tools:endpoints.everywhere")

_OFF = frozenset({"false", "off", "disabled", "disable", "none", "no", "inactive", "audit"})
_YES = (True, 1, "true", "1", "yes", "on")


def blinded(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as a person would write it; `named`: the words of the tool's name."""
    keeps = not _KEEPERS.isdisjoint(named) and not _CHANGES.isdisjoint(named)
    walls = keeps or not (_WALLS.isdisjoint(named) or _CHANGES.isdisjoint(named))
    for leaf in leaves:
        words = words_of(leaf.key)
        if leaf.value in _YES and (_disables(words) or _disables(_named_beside(leaf, words))):
            yield leaf.key
        elif keeps and _is_off(leaf) and not _WATCHES.isdisjoint(words):
            yield f"{leaf.key}: off"
        elif walls and words[-1:] in _MODES and _only_watches(leaf.value):
            yield f"{leaf.key}: {leaf.value}"
        elif keeps and _spares_all(words, leaf, named):
            yield f"exclude {leaf.value}"


_WALLS = word_set("waf ips ids dlp")
_MODES = (("mode",), ("action",), ("enforcement",))
_LETS_BY = words("words/tools:endpoints.lets_by")


def _only_watches(value: object) -> bool:
    return isinstance(value, str) and value[:MAX_SAID].lower() in _LETS_BY


def _named_beside(leaf: Leaf, words: tuple[str, ...]) -> tuple[str, ...]:
    """The setting whose value it is: `{"name": "DisableAntiSpyware", "value": 1}`."""
    said = leaf.siblings.get("name") if words in _VALUES else None
    return words_of(said) if isinstance(said, str) and len(said) <= MAX_SAID else ()


_VALUES = (("value",), ("data",))


def _disables(words: tuple[str, ...]) -> bool:
    """`DisableRealtimeMonitoring`, `disable_behavior_monitoring`."""
    if len(words) < 3 or words[0] not in _TAKES:  # noqa: PLR2004  # three words
        return False
    return words[-1] in _WATCHES and not _WATCHED.isdisjoint(words[1:-1])


def _is_off(leaf: Leaf) -> bool:
    value = leaf.value
    return value is False or (isinstance(value, str) and value[:MAX_SAID].lower() in _OFF)


def _spares_all(words: tuple[str, ...], leaf: Leaf, named: frozenset[str]) -> bool:
    """An exclusion that takes in a whole disk."""
    spares = not _SPARED.isdisjoint(words) or not _SPARED.isdisjoint(named)
    value = leaf.value
    return spares and isinstance(value, str) and value[:MAX_SAID].strip().lower() in _EVERYWHERE
