"""Explain why something has its level."""

import msgspec

from holdpoint.core.risk import Explanation, explain
from holdpoint.messages.policy import Policy
from holdpoint.policy_lab.assess import seen, subject_of
from holdpoint.policy_lab.cases import Line, line_in
from holdpoint.policy_lab.gate_view import FindTool, no_tools


def explanation(line: Line, policy: Policy, find: FindTool = no_tools) -> Explanation:
    """Why a line has its level, and what the gate would do with it by the tools of its catalog."""
    subject, context = subject_of(line, find)
    found, view = seen(line, policy, find)
    return explain(
        subject,
        context,
        policy,
        found=found,
        verdict=view.judged.verdict,
        tool=view.tool,
        operation_level=view.judged.level,
        line_id=line.id,
    )


def explained_line(raw: bytes, policy: Policy, find: FindTool = no_tools) -> bytes:
    """One line of JSON in, one out; raises `BadLineError`."""
    return msgspec.json.encode(explanation(line_in(raw), policy, find))
