"""Read a shell text: what is dangerous about it, what it touches, whether it only reads."""

from collections.abc import Iterator

import msgspec

from holdpoint.core.risk.excerpt import beginning, both_ends
from holdpoint.core.risk.shell.disguise import Bare, bare
from holdpoint.core.risk.shell.judge import is_known
from holdpoint.core.risk.shell.model import Command, Danger, shown
from holdpoint.core.risk.shell.walk import Walk
from holdpoint.core.risk.shell.windows import EVALUATES, fetched_and_run
from holdpoint.core.risk.sql.door import read_sql
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_TEXT = 16 * 1024
"""Characters that are read; a longer command is no command that a person would check."""

MAX_SQL = 8
"""SQL texts of one command that are read."""

MAX_REASON = 90
MAX_EVIDENCE = 200


class ShellReading(msgspec.Struct, frozen=True, kw_only=True):
    """What a shell text would do."""

    signals: tuple[Signal, ...] = ()
    reads_only: bool = False
    """Whether every command in it is known to change nothing."""

    known: bool = False
    """Whether every program that it names is known: none takes a text for an order."""

    verb: str = ""
    """What its worst command does: `delete`, `push`, `run`."""

    targets: tuple[str, ...] = ()
    """What it touches: paths, hosts, databases, clusters, in order."""

    sql: tuple[str, ...] = ()
    """SQL texts that it hands to a database."""

    unreadable: str = ""
    """Why a part could not be read; empty when all was."""


def read_shell(text: str) -> ShellReading:
    """Read it; whatever cannot be read makes it riskier, never safer."""
    if len(text) > MAX_TEXT:
        why = f"the command is longer than {MAX_TEXT} characters"
        return ShellReading(signals=(_unreadable(why),), unreadable=why)
    seen = bare(text)
    walk = Walk()
    walk.script(seen.text)
    state = walk.state
    _evaluated(walk, seen.text)
    signals = _signals(state.found, seen, text)
    if seen.hidden:
        signals.append(_DISGUISED)
    state.stuck = state.stuck or _why_stuck(walk)
    if state.stuck:
        signals.append(_unreadable(f"the command cannot be read: {state.stuck}"))
    signals += _carried(state.sql[:MAX_SQL], text)
    worst = max(state.found, key=lambda one: one[0].level.rank, default=None)
    return ShellReading(
        signals=tuple(signals),
        known=all(map(is_known, state.programs)),
        reads_only=state.reads_only and state.commands > 0 and not state.stuck,
        verb=worst[0].verb if worst else "",
        targets=tuple(state.targets),
        sql=tuple(state.sql),
        unreadable=state.stuck,
    )


def _evaluated(walk: Walk, text: str) -> None:
    """Note what PowerShell would run of brackets that this grammar does not know."""
    state = walk.state
    found = None if EVALUATES.isdisjoint(state.programs) else fetched_and_run(text)
    if found:
        span = (0, len(text))
        state.note(found, Command(name="iex", path=text[:MAX_REASON], span=span))
        state.reads_only = False


def _why_stuck(walk: Walk) -> str:
    """Why a part was not read, although no limit of the walk was met; empty when all was."""
    if walk.expander.overrun:
        return "its values are nested too deep"
    broken = walk.state.broken and not all(map(is_known, walk.state.programs))
    return "its syntax is broken" if broken else ""


def _carried(statements: list[str], text: str) -> Iterator[Signal]:
    """What the SQL that it hands on would do, told in the places of this text."""
    ends: dict[str, int] = {}
    for sql in statements:
        at = text.find(sql, ends.get(sql, 0))
        if sql in ends and at < 0:
            continue
        ends[sql] = at + len(sql) if at >= 0 else 0
        for signal in read_sql(sql).signals:
            span = signal.span
            moved = (span[0] + at, span[1] + at) if span and at >= 0 else None
            yield msgspec.structs.replace(signal, span=moved)


_DISGUISED = Signal(
    rule="shell.disguise",
    heuristic=Heuristic.UNCERTAINTY,
    level=RiskLevel.HIGH,
    reason="the command has look-alike or invisible characters in it",
)


def _unreadable(why: str) -> Signal:
    return Signal(
        rule="shell.unreadable",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.HIGH,
        reason=beginning(why, MAX_REASON),
    )


def _signals(found: list[tuple[Danger, Command]], seen: Bare, text: str) -> list[Signal]:
    """One signal for each rule and place, in the order in which they were found."""
    signals: dict[tuple[str, tuple[int, int]], Signal] = {}
    for danger, command in found:
        span = seen.span(*command.span)
        key = (danger.rule, span)
        if key not in signals or signals[key].level < danger.level:
            signals[key] = Signal(
                rule=danger.rule,
                heuristic=danger.heuristic,
                level=danger.level,
                reason=_reason(danger, command),
                span=span,
                evidence=text[span[0] : span[1]][:MAX_EVIDENCE],
            )
    return list(signals.values())


def _reason(danger: Danger, command: Command) -> str:
    """`rm -rf /etc` deletes parts of the system."""
    room = MAX_REASON - len(danger.reason) - len("`` ")
    written = (f"{one.sign} {one.target}" for one in command.redirects if one.sign in _WRITES)
    words = " ".join((command.path, *command.args, *written))
    said = " ".join(shown(words).split())
    return beginning(f"`{both_ends(said, max(room, 1))}` {danger.reason}", MAX_REASON)


_WRITES = frozenset({">", ">|", ">&", "&>", ">>", "&>>", "<"})
"""Redirections whose file tells what the command does."""
