"""Taint: whether content that nobody vouches for may steer what changes something.

Two things tell. The agent may name arguments that came from such content. And the policy names
tools that bring it: whatever its tree of agents changes within a window after one of them is
tainted, whatever the arguments look like, because content can be followed without being quoted.
Both only raise; a read stays what it is.
"""

from collections.abc import Iterator

from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.risk.case import Case
from holdpoint.core.risk.context import Brought
from holdpoint.core.risk.running_sums import during
from holdpoint.core.text import beginning
from holdpoint.messages.catalog import READ_LEVEL
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

LONGEST_SOURCE = 32
"""Characters of what a tool brings: the sentence about it stays under ninety."""

LONGEST_SAID = 20
"""Characters of an agent's words in a reason."""

MOST_COUNTED = 99
"""Further arguments that a reason counts."""

UNREADABLE = "whether untrusted content came in cannot be read, so a person looks"


def declared_taint(case: Case, _policy: Policy) -> Iterator[Signal]:
    """The agent says that arguments came from untrusted content."""
    if case.level is not None and (case.context.taint or case.context.taint_source):
        level = RiskLevel.HIGH if _changes(case) else RiskLevel.LOW
        said = _short(case.context.taint_source)
        source = f"“{said}”" if said else "untrusted content"
        named = _arguments(case.context.taint)
        yield _signal("taint.declared", level, f"by the agent's word, {named} came from {source}")


def content_came_in(case: Case, _policy: Policy) -> Iterator[Signal]:
    """Its tree of agents had untrusted content a while ago, or nobody can tell."""
    if not case.context.brought:
        return
    reasons = dict.fromkeys(why_steered(one) for one in case.context.brought)
    for reason in filter(None, reasons if _changes(case) else ()):
        yield _signal("taint.came-in", RiskLevel.HIGH, reason)


def why_steered(brought: Brought) -> str:
    """One sentence when this content came in, or nobody knows; else nothing."""
    if brought.times is None:
        return UNREADABLE
    if brought.times <= 0:
        return ""
    window = during(brought.within_s)
    return f"{brought.source} came in within the last {window} and may steer this call"


def _changes(case: Case) -> bool:
    return case.level is not None and case.level > READ_LEVEL


def _arguments(pointers: tuple[str, ...]) -> str:
    if not pointers or "" in pointers:
        return "every argument"
    first, more = _short(pointers[0]), len(pointers) - 1
    others = f" and {more if more <= MOST_COUNTED else 'many'} more" if more else ""
    return f"`{first}`{others}"


def _short(said: str) -> str:
    """An agent's words on one line, with what hides in them."""
    return beginning(one_line(visible(said)), LONGEST_SAID)


def _signal(rule: str, level: RiskLevel, reason: str) -> Signal:
    return Signal(rule=rule, heuristic=Heuristic.TAINT, level=level, reason=reason)
