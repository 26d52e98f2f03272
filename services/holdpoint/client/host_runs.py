"""Runs in the agent's own process: take the claim of what was let go, report how it ended."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from holdpoint.client.call_tracker import NOTHING_YET, Line, Pursuit
from holdpoint.client.options import trace_of
from holdpoint.client.outcome import Outcome
from holdpoint.messages.call import RUN_NODE, Phase, Trace
from holdpoint.messages.envelope import Status

JUDGED = frozenset(Status) - {Status.WAITING}


async def begin(line: Line, hold_id: str, arguments: Mapping[str, Any]) -> Outcome:
    """Take the claim; RefusedError unless it was let go, is this, and nobody took it before."""
    return await _said(line, _node(Phase.OPENED, hold_id, arguments))


async def finish(
    line: Line,
    hold_id: str,
    arguments: Mapping[str, Any],
    output: Mapping[str, Any],
    error: str,
) -> Outcome:
    """Report how the run ended, and what really ran."""
    node = _node(Phase.CLOSED, hold_id, arguments)
    return await _said(line, replace(node, output=dict(output), exception=error))


def _node(phase: Phase, hold_id: str, arguments: Mapping[str, Any]) -> Trace:
    words = {"input": {"arguments": dict(arguments)}}
    return replace(trace_of("run", phase, f"{RUN_NODE}{hold_id}", hold_id, words), runs=hold_id)


async def _said(line: Line, node: Trace) -> Outcome:
    pursuit = Pursuit(line=line, told=replace(NOTHING_YET, hold_id=node.runs))
    await pursuit.publish(node)
    await pursuit.follow(JUDGED)
    return pursuit.outcome()
