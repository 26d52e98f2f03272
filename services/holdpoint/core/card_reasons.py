"""Reasons on a card: each said once, without those that another makes needless."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from holdpoint.messages.risk import Signal

GENERAL = ("plan.irreversible", "verb.destructive")
"""Rules that say of any action that it cannot be undone: another reason tells more."""

SEED = "seed-002."
"""Begins the ids of seed 002's patterns, which say less than a parse does."""


def distinct(signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """Reasons without those that only repeat another: the same words, or less of the same kind."""
    kept: list[Signal] = []
    for signal in signals:
        if not any(_repeats(signal, other) for other in kept):
            kept = [other for other in kept if not _repeats(other, signal)]
            kept.append(signal)
    return tuple(kept)


def quoted_once(signals: Iterable[Signal]) -> Iterator[Signal]:
    """The reasons, each without evidence that it or a reason above it quotes already."""
    read = ""
    for signal in signals:
        read += f"{signal.reason}\n"
        evidence = "" if signal.evidence.strip() in read else signal.evidence
        read += f"{evidence}\n"
        yield replace(signal, evidence=evidence)


def _repeats(signal: Signal, other: Signal) -> bool:
    """Return whether another reason of the same kind, as grave at least, says more of the same."""
    if signal.heuristic is not other.heuristic or signal.level > other.level:
        return False
    if signal.rule in GENERAL:
        return other.rule not in GENERAL or GENERAL.index(signal.rule) > GENERAL.index(other.rule)
    seen = signal.evidence.strip()
    same = seen and seen in other.evidence
    return bool(same) and (signal.rule.startswith(SEED) or not other.rule.startswith(SEED))
