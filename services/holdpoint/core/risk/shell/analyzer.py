"""Analyze a shell command: what it does, what it touches, whether it only reads."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain

import msgspec

from holdpoint.core.risk.model import Analysis, Finding
from holdpoint.core.risk.shell.control_flow import read_tree
from holdpoint.core.risk.shell.judge import KNOWN_PROGRAMS
from holdpoint.core.risk.shell.model import Command, Flow, Origin, shown
from holdpoint.core.risk.shell.network_commands import EVALUATES, fetched_and_run
from holdpoint.core.risk.shell.preprocessing import is_prompted, other_readings, without_prompts
from holdpoint.core.risk.shell.scope import Choice
from holdpoint.core.risk.shell.state import Doubt, State
from holdpoint.core.risk.shell.targets import targets_of, targets_of_statement
from holdpoint.core.risk.shell.walk import Walk
from holdpoint.core.risk.shell.written_files import Found, planted, settings
from holdpoint.core.risk.sql.analyzer import analyze_sql
from holdpoint.core.risk.sql.orders import Budget
from holdpoint.core.text import Bare, bare, beginning, both_ends
from holdpoint.messages.risk import Heuristic, RiskLevel

MAX_TEXT = 16 * 1024
"""Characters that are read; a longer command is no command that a person would check."""

MAX_SQL = 48
"""SQL texts of one command that are read."""

MAX_STUCK = 1_024
"""Characters of them that are parsed where the command was not read as a whole."""

MAX_CHOICES = 2
"""Readings beside the first that are made of a text however long it is."""

MAX_AGAIN = 250
"""Commands of all its readings, before there are more of them."""

MAX_REASON = 90
MAX_EVIDENCE = 200


class ShellAnalysis(Analysis, frozen=True, kw_only=True):
    """What a shell text would do."""

    sql_analyses: Mapping[str, Analysis] = {}
    """Those of its SQL statements that were read, in no dialect."""

    in_full: tuple[str, ...] = ()
    """Its commands with short names, with the long ones in their place."""


def analyze_shell(text: str, budget: Budget | None = None) -> ShellAnalysis:
    """Return what a shell text would do; what cannot be read makes it riskier, never safer."""
    if len(text) > MAX_TEXT:
        why = f"the command is longer than {MAX_TEXT} characters"
        return ShellAnalysis(findings=(_unreadable(why),), unreadable=why)
    seen = bare(text)
    state = _walked(seen.text, seen.written)
    findings = _findings(state, seen, text) if state.found else []
    written: list[Finding] = []
    if state.files:
        placed = {state.places.get(name, name): flow for name, flow in state.files.items()}
        written = list(planted(placed, _findings_in))
    findings += written
    if seen.hidden or state.masked:
        findings.append(_DISGUISED)
    if state.stuck:
        findings.append(_unreadable(f"the command cannot be read: {state.stuck}"))
    elif state.broken:
        findings.append(_BROKEN)
    read: dict[str, Analysis] = {}
    if state.sql:
        read = _read_statements(state, budget or Budget())
        findings += _in_statements(state, seen.text, text, read)
        if len(state.sql) > MAX_SQL:
            findings.append(_unreadable("the command cannot be read: it holds too many statements"))
    worst = max(state.found, key=_rank) if state.found else None
    return ShellAnalysis(
        findings=tuple(findings),
        known=state.programs <= KNOWN_PROGRAMS,
        reads_only=state.only_reads and not written,
        verb=worst[0].verb if worst else "",
        targets=tuple(sorted(state.targets, key=state.targets.__getitem__, reverse=True)),
        commands=tuple(state.run),
        in_full=tuple(state.in_full),
        statements=tuple(state.sql),
        requests=tuple(state.sent),
        sql_analyses=read,
        unreadable=state.stuck,
    )


def commands_in(text: str) -> tuple[str, ...]:
    """Return the commands of a text as they run: without quotes, also those that another runs."""
    return analyze_shell(text).commands


def _rank(found: tuple[Finding, Command]) -> int:
    return found[0].level.rank


def analyze_files(texts: Mapping[str, str]) -> tuple[Finding, ...]:
    """Return what is grave about files of these names, where something runs them by itself."""
    files = {name: Flow(Origin.PLAIN, text) for name, text in texts.items()}
    return (*settings(files), *planted(files, _findings_in))


def _findings_in(text: str) -> Found:
    return _walked(bare(text[:MAX_TEXT]).text).found


def _walked(text: str, written: str = "") -> State:
    """All that is found in it; and in what stands behind a prompt, if it was copied with one.

    `written`: the same as `Bare` has it, where its folding made syntax.
    """
    state = _outcomes(text)
    for other in (*other_readings(text), *((written,) if written else ())):
        state.add(_outcomes(other))
    if state.stuck or not is_prompted(text):
        return state
    if (said := without_prompts(text)) != text:
        state.add(_outcomes(said))
    return state


def _outcomes(text: str) -> State:
    """All that its readings found: one, and one more for each way in which a doubt may end."""
    state, doubt = _reading(text, _FIRST)
    commands = state.commands
    for turn, choice in enumerate(doubt.others() if state.scope.asked else ()):
        if turn >= MAX_CHOICES and commands > MAX_AGAIN:
            state.stuck = state.stuck or "too much of it may run or not"
        if state.stuck:
            break
        other, _ = _reading(text, choice)
        commands += other.commands
        state.add(other)
    if EVALUATES.isdisjoint(state.programs):
        return state
    if (bared := _evaluated_group.sub(r"\1 \2 ", text)) != text:
        state.add(_outcomes(bared))
    if finding := fetched_and_run(text):  # of brackets that only PowerShell knows
        span = (0, len(text))
        state.note(finding, Command(name="iex", path=text[:MAX_REASON], span=span))
        state.reads_only = False
    return state


_evaluated_group = re.compile(r"(?i)\b((?:iex|invoke-expression)\s*)\(([^()]*)\)")
"""`iex ("rm -rf " + $d)`: brackets that are no subshell in PowerShell."""

_FIRST = Choice()
_said = re.compile(r"\w|^$")
"""Without a letter or a digit there is no command, unless the grammar knows one, such as `:`."""


def _reading(text: str, choice: Choice) -> tuple[State, Doubt]:
    walk = Walk(read_tree)
    state = walk.state
    state.scope.choice = choice
    walk.script(text)
    if state.later:
        walk.finish()
    if walk.expander.overrun:
        state.stuck = state.stuck or "its values are nested too deep or too long"
    state.broken = state.broken or not (state.programs or _said.search(text) or text.isspace())
    if state.broken and not state.programs <= KNOWN_PROGRAMS:
        state.stuck = state.stuck or "its syntax is broken"
    del walk.expander  # it refers back to the walk, and is needed no more: no garbage to be found
    return state, walk.doubt


def _read_statements(state: State, shared: Budget) -> dict[str, Analysis]:
    """Return what its SQL does: all of it may cost as much as one statement."""
    budget = Budget(left=MAX_STUCK, whole=shared.whole) if state.stuck else shared
    return {sql: analyze_sql(sql, budget=budget) for sql in dict.fromkeys(state.sql[:MAX_SQL])}


def _in_statements(
    state: State, walked: str, text: str, read: dict[str, Analysis]
) -> Iterator[Finding]:
    """Yield what the SQL that it hands on would do, told in the places of this text."""
    ends: dict[str, int] = {}
    for sql in state.sql[:MAX_SQL]:
        at = text.find(sql, ends.get(sql, 0))
        if sql in ends and at < 0:
            continue
        ends[sql] = at + len(sql) if at >= 0 else 0
        told = targets_of_statement(sql, state, walked) if read[sql].findings else ()
        for finding in read[sql].findings:
            span = finding.span
            moved = (span[0] + at, span[1] + at) if span and at >= 0 else None
            yield msgspec.structs.replace(finding, span=moved, targets=told)


_DISGUISED = Finding(
    rule="shell.disguise",
    heuristic=Heuristic.UNCERTAINTY,
    level=RiskLevel.HIGH,
    reason="the command has look-alike or invisible characters in it",
)


_BROKEN = Finding(
    rule="shell.broken",
    heuristic=Heuristic.UNCERTAINTY,
    level=RiskLevel.MEDIUM,
    reason="its syntax is broken: a quote or a bracket is open, or a part is missing",
)


def _unreadable(why: str) -> Finding:
    return Finding(
        rule="shell.unreadable",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.HIGH,
        reason=beginning(why, MAX_REASON),
    )


def _findings(state: State, seen: Bare, text: str) -> list[Finding]:
    """One finding for each rule and place, in the order in which they were found."""
    findings: dict[tuple[str, tuple[int, int]], Finding] = {}
    named: dict[tuple[str, tuple[int, int]], list[tuple[str, ...]]] = {}
    for finding, command in state.found:
        span = seen.span(*command.span)
        key = (finding.rule, span)
        named.setdefault(key, []).append(targets_of(finding, command, state, seen.text))
        if key not in findings or findings[key].level < finding.level:
            written = text[span[0] : span[1]]
            findings[key] = msgspec.structs.replace(
                finding,
                reason=_reason(finding, command, written),
                span=span,
                evidence=written[:MAX_EVIDENCE],
            )
    return [
        msgspec.structs.replace(one, targets=tuple(chain(*named[key]))) if all(named[key]) else one
        for key, one in findings.items()
    ]


def _reason(finding: Finding, command: Command, written: str) -> str:
    """`rm -rf /etc` deletes parts of the system."""
    room = MAX_REASON - len(finding.reason) - len("`` ")
    written_to = (one for one in command.redirects if one.sign in _WRITES and not one.in_words)
    targets = (f"{one.sign} {one.target}" for one in written_to)
    words = " ".join((command.path, *(_quoted(it, command.name) for it in command.args), *targets))
    said = " ".join((written if _of_windows.search(written) else shown(words)).split())
    return beginning(f"`{both_ends(said, max(room, 1))}` {finding.reason}", MAX_REASON)


def _quoted(word: str, program: str) -> str:
    """A word that was certainly quoted, as it was: one with blanks, or a pattern for `find`."""
    needed = " " in word or (program in {"find", "gfind"} and any(map(word.__contains__, "*?[")))
    return f"'{word}'" if needed and "'" not in word else word


_of_windows = re.compile(r"(?:^|[\s'\"=])(?:[A-Za-z]:|HK[A-Z_]+|\\)\\")
"""A path of Windows, whose backslashes a shell would take for its own."""

_WRITES = frozenset({">", ">|", ">&", "&>", ">>", "&>>", "<"})
"""Redirections whose file tells what the command does."""
