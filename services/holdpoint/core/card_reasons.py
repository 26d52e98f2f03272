"""Reasons on a card: the danger first, each once, without those that another makes needless."""

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

ROWS = "sql.rows"
"""The rule that says that a statement changes rows, as the title does."""

SOUNDS = "intents.sounds"
"""The rule by which the learned reader hears a danger, and names none."""

GENERAL = ("plan.irreversible", "verb.destructive", SOUNDS)
"""Rules that say of many actions that they lose something, most first: another one tells more."""

FINAL = frozenset({"plan.irreversible", "verb.destructive", "tool.irreversible"})
"""Rules whose reason speaks of the way back: no fact repeats it."""

READERS = ("call.", "file.", "http.", "shell.", "sql.", "text.", "tool.")
"""Beginnings of the rules that read an action: what they doubt is no doubt of the agent's."""

MISSING = "plan.missing"
"""The rule that says that nobody counted what it would change."""

EVERYTHING = "call.everything"
"""The rule of a call that reaches all of a list, or all there is: one reason says so."""

SEED = "seed-002."
"""Begins the ids of seed 002's patterns, which say less than a parse does."""

LISTED = "command.high_risk"
"""The rule that finds a command on a list, and says nothing of what it does."""

PLACE = "environment.production"
"""The rule that says where it lands."""

PRODUCTION = "production"
NO_TAKING_BACK = "which the agent cannot take back"
"""Words by which the reason for a payment speaks of the way back: no fact repeats it."""

RUNS = "run"
"""The verb of a dry run that knows where a command starts, and not what it changes."""

UNCOUNTED = "what it would change is not known: "
"""Begins the reason of a dry run that failed, with why; else nobody answered."""

NO_WAY_BACK = "plan.irreversible"

_quoted = re.compile(r"\A`[^`]*` (?=[a-z])")
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
    """Return whether it is the agent that is not sure; what nobody read is a danger."""
    return signal.heuristic is Heuristic.UNCERTAINTY and not signal.rule.startswith(READERS)


def _gravity(signal: Signal) -> tuple[bool, bool, bool, int, bool]:
    """Rank a reason: no way back says more of a danger than size, and the place says least.

    That nobody counted its effect says less than what is known of it.
    """
    is_lost = signal.heuristic is Heuristic.IRREVERSIBILITY and signal.rule not in {LISTED, SOUNDS}
    is_grave = is_lost and signal.level >= RiskLevel.HIGH
    is_general = signal.rule in {PLACE, ROWS, SOUNDS} or signal.heuristic is Heuristic.AGENT
    is_own = signal.level >= RiskLevel.MEDIUM and not is_general
    is_known = is_own and signal.rule != MISSING
    return is_grave, is_known, is_own, signal.level.rank, signal.rule == NO_WAY_BACK


def clause_of(words: str, evidence: str) -> str:
    """Return the part of the agent's words that evidence was cut from; else the evidence."""
    seen = evidence.strip()
    whole = (it.rstrip(" .,;:\u2013\u2014") for it in _clauses.split(words))
    return next((it for it in whole if seen and seen in it), evidence)


def in_words(reason: str, evidence: str) -> str:
    """Return a reason with the text that gave it away: `It drops a table: “DROP TABLE a”.`"""
    return f"{reason.rstrip('.')}: “{evidence}”." if evidence else reason


def plainly(signal: Signal, texts: Iterable[str]) -> Signal:
    """Return a reason without the text that fired, where that is all of what the card shows.

    `rm -r a` deletes a directory: it deletes a directory.
    """
    seen = signal.evidence.strip()
    if not seen or seen not in {text.strip() for text in texts}:
        return signal
    return replace(signal, reason=_quoted.sub("it ", signal.reason), evidence="")


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
    if signal.rule == ROWS:
        return other.rule != ROWS and signal.level <= other.level
    if signal.heuristic is not other.heuristic or signal.level > other.level:
        return False
    if signal.rule == other.rule == EVERYTHING:
        return True
    if signal.rule in GENERAL:
        return other.rule not in GENERAL or GENERAL.index(signal.rule) > GENERAL.index(other.rule)
    seen = signal.evidence.strip()
    same = seen and seen in other.evidence
    return bool(same) and (signal.rule.startswith(SEED) or not other.rule.startswith(SEED))
