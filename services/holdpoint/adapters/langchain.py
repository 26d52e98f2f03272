"""LangChain, LangGraph, deepagents: a middleware that holds tool calls.

    agent = create_agent(model, tools, middleware=[HoldpointMiddleware(hp)], checkpointer=saver)

Each tool call is proposed under a key made of thread and call, so a node that LangGraph runs again
finds its own hold, and the verdict that counts is the gate's stored one. A call that waits pauses
the graph; what the graph is resumed with can decline or change the call, and never approves it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypeVar

from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import PrivateStateAttr, ToolCallRequest
from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langgraph.config import get_config
from langgraph.types import interrupt

from holdpoint.adapters.agent_inbox import Decision, Kind, decision_of, human_interrupt, word_of
from holdpoint.adapters.host_calls import HostCalls, NotBegunError
from holdpoint.adapters.next_step_of_call import Next, Step, key_of
from holdpoint.client import Holdpoint, SyncHoldpoint

T = TypeVar("T")

Shape = Literal["per_call", "batched", "agent_inbox"]
"""Of the interrupt: one for each call, one for each turn of the model, or agent inbox's."""

ALL = ("approve", "reject", "edit", "modify", "respond")
"""Decisions of LangChain and seed 000: approve looks how the hold stands, reject cancels it, edit
and modify supersede it by a call of its own, respond cancels it and answers in the tool's place."""

EDIT_NOTICE = (
    "Note: a person changed this tool call before it ran. What ran had the arguments {arguments}. "
    "This was intended: do not make your original call again.\n"
)


class HeldState(AgentState[Any]):
    """The agent's state, with what clients changed of calls in this turn."""

    holdpoint_changes: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]


class HoldpointMiddleware(AgentMiddleware[Any, Any, Any]):
    """Holds the tool calls of a LangChain agent.

    `interrupt_on` has deepagents' form, `{"tool": {"allowed_decisions": ["approve", "reject",
    "modify"]}}`: it narrows what a client may answer, and `{"tool": False}` leaves a tool out. All
    other tools are proposed, and the gate says about which calls people are asked. `tools` maps
    the agent's names of tools to the catalog's, where they differ.
    """

    state_schema = HeldState

    def __init__(
        self,
        hp: Holdpoint | SyncHoldpoint,
        *,
        interrupt_on: Mapping[str, bool | Mapping[str, Any]] | None = None,
        tools: Mapping[str, str] | None = None,
        shape: Shape = "per_call",
        edit_notice: str = EDIT_NOTICE,
    ) -> None:
        super().__init__()
        self._sync = hp if isinstance(hp, SyncHoldpoint) else None
        self._calls = HostCalls(hp=hp.hp if isinstance(hp, SyncHoldpoint) else hp)
        self._allowed = {name: _decisions(it) for name, it in (interrupt_on or {}).items()}
        self._names = tools or {}
        self._shape = shape
        self._edit_notice = edit_notice

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]
    ) -> Any:
        """Run the tool only with the gate's leave; pause the graph while people are asked."""
        call = request.tool_call
        if self._is_left_out(call):
            return handler(request)
        step = self._now(self._ask(call, _changes(request.state).get(_id(call))))
        while self._pauses(step):
            decision = self._read(call, interrupt(self._question(call, step)))
            step, asked = self._now(self._decided(call, step, decision)), step
            if step.hold_id == asked.hold_id and step.next is not Next.WAIT:
                break
        if step.next is Next.OVER:
            return _message(call, step.text, ok=step.ok)
        try:
            self._now(self._calls.begin(step))
        except NotBegunError as error:
            return _message(call, str(error), ok=False)
        try:
            result = handler(_with(request, step))
        except Exception as error:
            self._now(self._calls.report(step, error=_told(error)))
            raise
        self._now(self._calls.report(step))
        return self._noticed(result, call, step)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Do the same for agents on an event loop."""
        call = request.tool_call
        if self._is_left_out(call):
            return await handler(request)
        step = await self._soon(self._ask(call, _changes(request.state).get(_id(call))))
        while self._pauses(step):
            decision = self._read(call, interrupt(self._question(call, step)))
            step, asked = await self._soon(self._decided(call, step, decision)), step
            if step.hold_id == asked.hold_id and step.next is not Next.WAIT:
                break
        if step.next is Next.OVER:
            return _message(call, step.text, ok=step.ok)
        try:
            await self._soon(self._calls.begin(step))
        except NotBegunError as error:
            return _message(call, str(error), ok=False)
        try:
            result = await handler(_with(request, step))
        except Exception as error:
            await self._soon(self._calls.report(step, error=_told(error)))
            raise
        await self._soon(self._calls.report(step))
        return self._noticed(result, call, step)

    def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002
        """Pause once for all calls of a turn that people are asked about."""
        if self._shape != "batched":
            return None
        asked = [(call, self._now(self._ask(call))) for call in self._held(state)]
        decided = self._batch(asked)
        steps = [(call, self._now(self._settled(call, step, it))) for call, step, it in decided]
        return _after(state, steps)

    async def aafter_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002
        """Do the same for agents on an event loop."""
        if self._shape != "batched":
            return None
        asked = [(call, await self._soon(self._ask(call))) for call in self._held(state)]
        decided = self._batch(asked)
        steps = [(call, await self._soon(self._settled(call, step, it)))
                 for call, step, it in decided]  # fmt: skip
        return _after(state, steps)

    def _is_left_out(self, call: ToolCall) -> bool:
        return self._allowed.get(call["name"]) == ()

    def _pauses(self, step: Step) -> bool:
        """Return whether the client is heard: always where people were asked."""
        return step.next is Next.WAIT or (step.was_asked and self._shape != "batched")

    async def _ask(self, call: ToolCall, changes: Decision | None = None) -> Step:
        """Ask about the call, or about what a client made of it; the same call is the same hold."""
        step = await self._calls.ask(self._name(call), call["args"], _key(call))
        return step if changes is None else await self._decided(call, step, changes)

    async def _decided(self, call: ToolCall, step: Step, decision: Decision) -> Step:
        """Return the step after a client's word; nothing that a client says is a yes."""
        match decision.kind:
            case Kind.CHANGE:
                changed = decision.arguments
                return await self._calls.replace(step, changed, self._name(call), _key(call))
            case Kind.DECLINE | Kind.ANSWER:
                await self._calls.withdraw(step, decision.text)
                return _ended(step, decision)
            case Kind.LOOK:
                return await self._calls.again(step)

    async def _settled(
        self, call: ToolCall, step: Step, decision: Decision
    ) -> tuple[Step, Decision]:
        """Return the end of a declined call; a changed one is asked about when its turn comes."""
        if decision.kind in {Kind.LOOK, Kind.CHANGE}:
            return step, decision
        return await self._decided(call, step, decision), decision

    def _batch(
        self, asked: Sequence[tuple[ToolCall, Step]]
    ) -> list[tuple[ToolCall, Step, Decision]]:
        """Interrupt once; decisions stand in the order of the calls that people are asked about."""
        waiting = [(call, step) for call, step in asked if step.was_asked]
        if not waiting:
            return []
        said = interrupt(self._batched_question(waiting))
        words = said.get("decisions", ()) if isinstance(said, Mapping) else ()
        if len(words) != len(waiting):
            raise ValueError(f"There are {len(words)} decisions for {len(waiting)} calls.")
        return [(call, step, self._read(call, word))
                for (call, step), word in zip(waiting, words, strict=True)]  # fmt: skip

    def _batched_question(self, waiting: Sequence[tuple[ToolCall, Step]]) -> dict[str, Any]:
        return {
            "action_requests": [
                {"name": call["name"], "args": call["args"], "description": step.text}
                for call, step in waiting
            ],
            "review_configs": [
                {"action_name": call["name"], "allowed_decisions": [*self._may(call)]}
                for call, _ in waiting
            ],
            "holdpoint_request_ids": [step.hold_id for _, step in waiting],
        }

    def _question(self, call: ToolCall, step: Step) -> dict[str, Any]:
        if self._shape == "agent_inbox":
            return human_interrupt(step, call["name"], self._may(call))
        return {
            "type": "tool_approval",
            "tool_call_id": call["id"],
            "name": call["name"],
            "args": step.arguments or call["args"],
            "description": step.text,
            "allowed_decisions": [*self._may(call)],
            "holdpoint_request_id": step.hold_id,
        }

    def _may(self, call: ToolCall) -> tuple[str, ...]:
        return self._allowed.get(call["name"], ALL)

    def _read(self, call: ToolCall, said: Any) -> Decision:
        word, allowed = word_of(said), self._may(call)
        same = {"accept": "approve", "ignore": "reject", "response": "respond"}
        means = same.get(word, word)
        edits = {"edit", "modify"}
        if means in ALL and means not in allowed and not (means in edits and edits & {*allowed}):
            raise ValueError(f"{word!r} is not allowed for {call['name']}: {', '.join(allowed)}.")
        return decision_of(said)

    def _held(self, state: Any) -> list[ToolCall]:
        last = next((it for it in reversed(state["messages"]) if isinstance(it, AIMessage)), None)
        return [it for it in (last.tool_calls if last else ()) if not self._is_left_out(it)]

    def _noticed(self, result: Any, call: ToolCall, step: Step) -> Any:
        """Tell the model where what ran is not what it wrote."""
        if step.arguments == call["args"] or not isinstance(result, ToolMessage):
            return result
        notice = self._edit_notice.format(arguments=step.arguments)
        return result.model_copy(update={"content": f"{notice}{result.content}"})

    def _name(self, call: ToolCall) -> str:
        return self._names.get(call["name"], call["name"])

    def _now(self, work: Coroutine[Any, Any, T]) -> T:
        if self._sync is None:
            work.close()
            raise TypeError("`invoke` and `stream` need a SyncHoldpoint; `ainvoke` takes both.")
        return self._sync.run(work)

    async def _soon(self, work: Coroutine[Any, Any, T]) -> T:
        return await (asyncio.to_thread(self._sync.run, work) if self._sync else work)


def create_deep_agent(  # as the seed calls it
    model: Any,
    *,
    hp: Holdpoint | SyncHoldpoint,
    tools: Sequence[Any],
    system_prompt: str = "",
    interrupt_on: Mapping[str, bool | Mapping[str, Any]] | None = None,
    middleware: Sequence[Any] = (),
    **options: Any,
) -> Any:
    """Create an agent as seed 000 does, with its `interrupt_on` kept by Holdpoint."""
    held = HoldpointMiddleware(hp, interrupt_on=interrupt_on)
    prompt = system_prompt or None
    every = [held, *middleware]
    return create_agent(model, tools, system_prompt=prompt, middleware=every, **options)


def _decisions(wanted: bool | Mapping[str, Any]) -> tuple[str, ...]:  # LangChain's
    if isinstance(wanted, bool):
        return ALL if wanted else ()
    allowed = tuple(wanted.get("allowed_decisions", ()))
    if not allowed or set(allowed) - set(ALL):
        raise ValueError(f"`allowed_decisions` are some of {', '.join(ALL)}; not {allowed}.")
    return allowed


def _key(call: ToolCall) -> str:
    thread = str(get_config().get("configurable", {}).get("thread_id", ""))
    return key_of("langchain", thread, _id(call))


def _id(call: ToolCall) -> str:
    if not call["id"]:
        raise ValueError(f"The model gave its call of {call['name']} no id: nothing runs.")
    return call["id"]


def _changes(state: Any) -> Mapping[str, Decision]:
    found = state.get("holdpoint_changes", {}) if isinstance(state, Mapping) else {}
    return {name: Decision(kind=Kind.CHANGE, arguments=it) for name, it in (found or {}).items()}


def _after(
    state: Any, steps: Sequence[tuple[ToolCall, tuple[Step, Decision]]]
) -> dict[str, Any] | None:
    """Return the state after a batch of decisions: changed calls, and declined ones answered."""
    kept = {_id(call): it.arguments for call, (_, it) in steps if it.kind is Kind.CHANGE}
    declined = [
        _message(call, step.text, ok=step.ok)
        for call, (step, it) in steps
        if it.kind in {Kind.DECLINE, Kind.ANSWER}
    ]
    if not steps and not state.get("holdpoint_changes"):
        return None
    return {"messages": declined, "holdpoint_changes": kept}


def _ended(step: Step, decision: Decision) -> Step:
    if decision.kind is Kind.ANSWER:
        return Step(next=Next.OVER, hold_id=step.hold_id, ok=True, text=decision.text)
    why = f" Reason: {decision.text}" if decision.text else ""
    text = f"Nothing ran: it was declined (hold {step.hold_id}).{why} Do not try it again."
    return Step(next=Next.OVER, hold_id=step.hold_id, text=text)


def _message(call: ToolCall, text: str, *, ok: bool) -> ToolMessage:
    status: Literal["success", "error"] = "success" if ok else "error"
    return ToolMessage(content=text, name=call["name"], tool_call_id=call["id"], status=status)


def _with(request: ToolCallRequest, step: Step) -> ToolCallRequest:
    """The request with what was let go, which is what the claim was taken for."""
    return request.override(tool_call={**request.tool_call, "args": step.arguments})


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
