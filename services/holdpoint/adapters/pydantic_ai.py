"""pydantic-ai: a toolset whose calls run only with the gate's leave, as deferred tools.

    toolset = HeldToolset(FunctionToolset([order]), hp=hp)
    agent = Agent(model, toolsets=[toolset], output_type=[str, DeferredToolRequests])
    result = await agent.run("Order paper.")
    while isinstance(result.output, DeferredToolRequests):          # people are asked
        if results := await settle(result.output, hp):
            history = result.all_messages()
            result = await agent.run(message_history=history, deferred_tool_results=results)

An approval in the results lets the call come again, and there the gate is asked: only its verdict
lets the function run.
"""

from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import (
    ApprovalRequired,
    DeferredToolRequests,
    DeferredToolResults,
    RunContext,
    ToolApproved,
    ToolDenied,
)
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from holdpoint.adapters.host_calls import HostCalls, NotBegunError
from holdpoint.adapters.next_step_of_call import Next, Step, key_of, name_of
from holdpoint.client import Holdpoint

HOLD = "holdpoint_request_id"
"""Names a call's hold in the metadata of a deferred request."""


@dataclass(kw_only=True)
class HeldToolset(WrapperToolset[Any]):
    """A toolset behind the gate. `names` maps its tools to the catalog's, where they differ."""

    hp: Holdpoint
    names: dict[str, str] = field(default_factory=dict)

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        """Run the function with the gate's leave; defer the call while people are asked."""
        calls = HostCalls(hp=self.hp)
        known = self.names.get(name, name)
        conversation = ctx.conversation_id or ""
        own = name_of(known, tool_args, conversation)
        step = await calls.ask(
            known, tool_args, key_of("pydantic-ai", conversation, ctx.tool_call_id or "", own)
        )
        if step.next is Next.WAIT:
            raise ApprovalRequired(metadata={HOLD: step.hold_id, "text": step.text})
        if step.next is Next.OVER:
            return step.text
        try:
            return await calls.run(
                step, lambda: super(HeldToolset, self).call_tool(name, step.arguments, ctx, tool)
            )
        except NotBegunError as error:
            return str(error)


async def settle(
    requests: DeferredToolRequests, hp: Holdpoint, wait_s: float = 55.0
) -> DeferredToolResults | None:
    """Wait for people, then approve or deny each call; None while one of them still waits."""
    calls, results = HostCalls(hp=hp), DeferredToolResults()
    for call in requests.approvals:
        hold_id = str(requests.metadata.get(call.tool_call_id, {}).get(HOLD, ""))
        if not hold_id:
            continue
        first = Step(next=Next.WAIT, hold_id=hold_id, arguments=call.args_as_dict())
        step = await calls.wait(first, wait_s)
        if step.next is Next.WAIT:
            return None
        ran = step.next is Next.RUN
        results.approvals[call.tool_call_id] = ToolApproved() if ran else ToolDenied(step.text)
    return results
