"""Explain why something has its level."""

import msgspec

from holdpoint.core.risk import Explanation, explain
from holdpoint.messages.policy import Policy
from holdpoint.policy_lab.assess import stand_in, subject_of
from holdpoint.policy_lab.cases import Line, line_in
from holdpoint.policy_lab.judge import judged_by

HARMLESS = 1
"""The operation level of a tool that asks for nothing by itself."""

_NO_TOOL = stand_in("", "", HARMLESS)


def explanation(line: Line, policy: Policy) -> Explanation:
    """Why a line has its level."""
    subject, context = subject_of(line)
    judged = judged_by(policy, subject, context, _NO_TOOL, planned=True)
    return explain(
        subject,
        context,
        policy,
        found=judged.assessment,
        verdict=judged.verdict,
        line_id=line.id,
    )


def explained_line(raw: bytes, policy: Policy) -> bytes:
    """One line of JSON in, one out; raises `BadLineError`."""
    return msgspec.json.encode(explanation(line_in(raw), policy))
