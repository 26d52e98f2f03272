"""Verdict of a gate about a line: the catalog entry of the tool that it calls decides too."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from holdpoint.core.risk import Context, Sentence
from holdpoint.messages.action import Action
from holdpoint.messages.catalog import UNLEVELLED, Tool
from holdpoint.messages.policy import Policy, VerdictKind
from holdpoint.messages.risk import Assessment
from holdpoint.policy_lab.cases import LineKind
from holdpoint.policy_lab.judge import Judgement, judged_by, stand_in

HARMLESS = 1
"""The operation level of a tool that asks for nothing by itself."""

RUNS_COMMANDS = "run_command"
CHANGES_DATA = "execute_sql"
_NO_TOOL = stand_in("", "", HARMLESS)

FindTool = Callable[[str], Tool | None]
"""A tool of the catalog by name or alias."""


class GateView(NamedTuple):
    """What a gate would do with a line, whatever the agent."""

    judged: Judgement
    tool: str
    """The tool of the catalog that it calls; empty where it calls none of them."""


def gate_view(
    kind: LineKind,
    subject: Action | Sentence,
    context: Context,
    found: Assessment,
    policy: Policy,
    find: FindTool,
) -> GateView:
    """Judge a line as the gate does, with a dry run that finds nothing; `found` is its risk.

    A call of a tool that the catalog does not list is refused.
    """
    if isinstance(subject, Action) and not (kind is LineKind.SQL and found.reads_only):
        entry = called_by(kind, subject, find)
    else:
        entry = None
    if entry is None and kind is LineKind.TOOL_CALL and find is not no_tools:
        refused = Judgement(verdict=VerdictKind.DENY, level=UNLEVELLED, assessment=found)
        return GateView(refused, "")
    if entry is None or not isinstance(subject, Action):
        return GateView(judged_by(policy, subject, context, _NO_TOOL, planned=True), "")
    called = replace(subject, tool=entry.name, domain=entry.domain)
    known = replace(context, tool=replace(entry, plans=False))
    return GateView(judged_by(policy, called, known, entry, planned=True), entry.name)


def no_tools(_name: str) -> None:
    """Find nothing: where no catalog is known, risk alone decides."""


def called_by(kind: LineKind, subject: Action, find: FindTool) -> Tool | None:
    """Return the tool of the catalog that a line calls; a statement that changes nothing needs
    none of them.
    """
    match kind:
        case LineKind.SHELL:
            return find(RUNS_COMMANDS)
        case LineKind.SQL:
            return find(CHANGES_DATA)
        case LineKind.TOOL_CALL:
            return find(subject.tool)
        case _:
            return None
