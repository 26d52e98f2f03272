"""Reasons on a card: the danger first, each once, without those that another makes needless."""

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

GENERAL = ("plan.irreversible", "verb.destructive")
"""Rules that say of any action that it cannot be undone: another reason tells more."""

SEED = "seed-002."
"""Begins the ids of seed 002's patterns, which say less than a parse does."""

LISTED = "command.high_risk"
"""The rule that finds a command on a list, and says nothing of what it does."""

PLACE = "environment.production"
"""The rule that says where it lands."""

PRODUCTION = "production"
NO_TAKING_BACK = "which the agent cannot take back"
"""Words by which the reason for a payment speaks of the way back: no fact repeats it."""

NO_WAY_BACK = "plan.irreversible"

_clauses = re.compile(r"(?<=[.,;:!?\u2013\u2014])\s+|\n+")


def ranked(signals: Iterable[Signal]) -> tuple[Signal | None, tuple[Signal, ...]]:
    """Return the danger and the other reasons, each text that fired quoted once."""
    known = tuple(signals)
    danger = max((it for it in known if not _is_doubt(it)), key=_gravity, default=None)
    others = sorted((it for it in known if it is not danger), key=lambda it: -it.level.rank)
    if danger is None:
        return None, tuple(others)
    first, *rest = quoted_once((danger, *others))
    return first, tuple(rest)


def says_place(signal: Signal) -> bool:
    """Return whether the place's reason names it: of a known effect it says that instead."""
    return signal.rule == PLACE and PRODUCTION in signal.reason


def _is_doubt(signal: Signal) -> bool:
    return signal.heuristic is Heuristic.UNCERTAINTY


def _gravity(signal: Signal) -> tuple[bool, bool, int, bool]:
    """Rank a reason: no way back says more of a danger than size, and the place says least."""
    is_lost = signal.heuristic is Heuristic.IRREVERSIBILITY and signal.rule != LISTED
    is_grave = is_lost and signal.level >= RiskLevel.HIGH
    is_general = signal.rule == PLACE or signal.heuristic is Heuristic.AGENT
    is_own = signal.level >= RiskLevel.MEDIUM and not is_general
    return is_grave, is_own, signal.level.rank, signal.rule == NO_WAY_BACK


def clause_of(words: str, evidence: str) -> str:
    """Return the part of the agent's words that evidence was cut from; else the evidence."""
    seen = evidence.strip()
    whole = (it.rstrip(" .,;:\u2013\u2014") for it in _clauses.split(words))
    return next((it for it in whole if seen and seen in it), evidence)


def in_words(reason: str, evidence: str) -> str:
    """Return a reason with the text that gave it away: `It drops a table: “DROP TABLE a”.`"""
    return f"{reason.rstrip('.')}: “{evidence}”." if evidence else reason


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
