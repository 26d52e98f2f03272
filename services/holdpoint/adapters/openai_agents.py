"""OpenAI Agents SDK: function tools that run only with the gate's leave.

    agent = Agent(name="clerk", tools=[guarded(order, hp)])
    result = await Runner.run(agent, "Order paper.")
    while result.interruptions:     # people are asked; the state may be stored meanwhile
        state = result.to_state()
        await settle(state, hp)
        result = await Runner.run(agent, state)

Approving in the run state lets the tool be invoked, and there the gate is asked again: only its
verdict lets the function run, so that a forged or stale state runs nothing.
"""

import dataclasses
from typing import Any

import msgspec
from agents import FunctionTool, RunContextWrapper, RunState, ToolApprovalItem
from agents.tool_context import ToolContext

from holdpoint.adapters.host_calls import HostCalls, NotBegunError
from holdpoint.adapters.next_step_of_call import Next, Step, key_of
from holdpoint.client import Holdpoint
from holdpoint.messages.base import JsonObject


def guarded(tool: FunctionTool, hp: Holdpoint, name: str = "") -> FunctionTool:
    """Return the tool behind the gate. `name` is the catalog's, where that is another one."""
    calls, known = HostCalls(hp=hp), name or tool.name

    async def needs_approval(
        _: RunContextWrapper[Any], arguments: dict[str, Any], call_id: str
    ) -> bool:
        """Pause the run while people are asked."""
        return (await _ask(calls, known, arguments, call_id)).next is Next.WAIT

    async def invoke(context: ToolContext[Any], raw: str) -> Any:
        """Run the function with the gate's leave, and tell the model what became of it else."""
        step = await _ask(calls, known, _arguments(raw), context.tool_call_id)
        if step.next is not Next.RUN:
            return step.text
        given = msgspec.json.encode(step.arguments).decode() if step.is_changed else raw
        try:
            result = await calls.run(step, lambda: tool.on_invoke_tool(context, given))
        except NotBegunError as error:
            return str(error)
        notice = f"A person changed this call; what ran: {given}.\n" if step.is_changed else ""
        return f"{notice}{result}" if notice else result

    return dataclasses.replace(tool, needs_approval=needs_approval, on_invoke_tool=invoke)


async def settle(
    state: RunState[Any, Any], hp: Holdpoint, wait_s: float = 55.0, **names: str
) -> list[ToolApprovalItem]:
    """Wait for people, then approve or reject each call of the state; return what still waits.

    `names` maps the names of tools to the catalog's, as for `guarded`.
    """
    waiting = []
    for item in state.get_interruptions():
        step = await _waited(hp, names.get(item.name or "", item.name or ""), item, wait_s)
        if step.next is Next.WAIT:
            waiting.append(item)
        elif step.next is Next.RUN:
            state.approve(item)
        else:
            state.reject(item, rejection_message=step.text)
    return waiting


async def hold_of(item: ToolApprovalItem, hp: Holdpoint, **names: str) -> str:
    """Return the id of the hold that a call waits for: people answer that."""
    return (await _waited(hp, names.get(item.name or "", item.name or ""), item, 0.0)).hold_id


async def _waited(hp: Holdpoint, tool: str, item: ToolApprovalItem, wait_s: float) -> Step:
    call_id = str(getattr(item.raw_item, "call_id", ""))
    calls = HostCalls(hp=hp)
    step = await _ask(calls, tool, _arguments(item.arguments or ""), call_id)
    return await calls.wait(step, wait_s) if step.next is Next.WAIT and wait_s else step


async def _ask(calls: HostCalls, tool: str, arguments: JsonObject, call_id: str) -> Step:
    return await calls.ask(tool, arguments, key_of("openai-agents", call_id))


def _arguments(raw: str) -> JsonObject:
    """Read the model's arguments; what is no object fits no tool, and the gate says so."""
    try:
        said = msgspec.json.decode(raw or "{}")
    except msgspec.DecodeError:
        said = None
    return said if isinstance(said, dict) else {"unreadable": raw}
