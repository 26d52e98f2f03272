"""The adapters of the conformance suite, each behind the same few verbs.

A new one is a class with these verbs and a line in `ADAPTERS`: its tests and its column in
docs/conformance.md come by themselves.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from agents import Agent as OpenAIAgent
from agents import RunConfig, Runner, RunState, function_tool
from agents.testing import ScriptedModel, assistant_message, function_call
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolApproved
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import FunctionToolset
from tests.conformance.claude_code import ClaudeCode
from tests.conformance.fake_model import FakeModel
from tests.conformance.hooks import install
from tests.conformance.over_the_wire import Mcp, OverHttp
from tests.running_system import Road, fresh

from holdpoint.adapters import openai_agents, pydantic_ai
from holdpoint.adapters.langchain import HoldpointMiddleware
from holdpoint.client import Holdpoint, RefusedError

SHELL = "run_shell"
QUIET = RunConfig(tracing_disabled=True)


class Adapter(Protocol):
    """One way to Holdpoint, with one call in hand."""

    name: ClassVar[str]
    grade: ClassVar[str]
    elsewhere: ClassVar[dict[str, str]]
    """What of the never-list another test shows, or why the adapter cannot hold it."""

    async def propose(self, command: str) -> str:
        """Make the call, as a model's host does; the hold that it waits for, or empty."""

    async def go_on(self) -> str:
        """Make or resume the same call once more; what the model is told."""

    async def forge(self) -> str:
        """Go on as somebody does who claims that it was approved."""

    async def edit(self, command: str) -> str:
        """Go on with another command in place of the one that people saw."""

    def runs(self, mark: str) -> int:
        """How often the command ran."""


@dataclass
class Here:
    """An adapter whose tool runs in this process, in a folder."""

    hp: Holdpoint
    road: Road
    folder: Path
    elsewhere: ClassVar[dict[str, str]] = {}
    grade: ClassVar[str] = "cooperative"

    async def shell(self, command: str) -> str:
        """Run it."""
        child = await asyncio.create_subprocess_shell(command, cwd=self.folder)
        return f"exit code {await child.wait()}"

    def runs(self, mark: str) -> int:
        """How often it ran."""
        path = self.folder / mark
        return len(path.read_text().splitlines()) if path.exists() else 0


@dataclass
class Worker(Here):
    """The SDK, with a worker that runs the tool."""

    name: ClassVar[str] = "SDK, worker"
    grade: ClassVar[str] = "structural"
    elsewhere: ClassVar[dict[str, str]] = {"N15": "`tests/unit/core/test_grant.py`"}
    hold_id: str = ""
    key: str = field(default_factory=lambda: fresh("key"))
    command: str = ""

    async def propose(self, command: str) -> str:
        self.command = command
        self.hold_id = (await self._call(command)).hold_id
        return self.hold_id

    async def go_on(self) -> str:
        told = await self.hp.resume(self.hold_id, timeout=20, on_cancel="leave")
        return f"{told.status.value} {told.message_for_user} {told.reason}"

    async def forge(self) -> str:
        return await self._refused(self.command, on_behalf_of="ben", intent="approved-before")

    async def edit(self, command: str) -> str:
        return await self._refused(command)

    async def _refused(self, command: str, **words: Any) -> str:
        try:
            return str((await self._call(command, **words)).status.value)
        except RefusedError as error:
            return error.code

    async def _call(self, command: str, **words: Any) -> Any:
        return await self.hp.call(
            "run_command", {"command": command}, idempotency_key=self.key, wait=False,
            on_cancel="leave", timeout=20, **words,
        )  # fmt: skip

    def runs(self, mark: str) -> int:
        return self.road.runs_of(mark)


@dataclass
class Begin(Here):
    """The SDK, with a tool that the calling program runs after it took the claim."""

    name: ClassVar[str] = "SDK, begin"
    hold_id: str = ""
    command: str = ""

    async def propose(self, command: str) -> str:
        self.command = command
        asked = await self.hp.call(SHELL, {"command": command}, wait=False, on_cancel="leave")
        self.hold_id = asked.hold_id
        return self.hold_id

    async def go_on(self) -> str:
        return await self._run(self.command)

    async def forge(self) -> str:
        return await self._run(self.command)

    async def edit(self, command: str) -> str:
        return await self._run(command)

    async def _run(self, command: str) -> str:
        arguments = {"command": command}
        try:
            await self.hp.begin(self.hold_id, arguments)
        except RefusedError as error:
            told = await self.hp.outcome(self.hold_id)
            return f"{error.code} {told.status.value} {told.message_for_user} {told.reason}"
        text = await self.shell(command)
        await self.hp.finish(self.hold_id, arguments, {"text": text})
        return text


@dataclass
class Claude(Here):
    """Claude Code with the hook that `holdpoint hook install` writes."""

    name: ClassVar[str] = "Claude Code"
    elsewhere: ClassVar[dict[str, str]] = {
        "N1": "`test_claude_code_hook.py`; SIGKILL of the host's own shell around the hook is "
        "left to `onFailure: block` and the host's rules",
    }
    host: ClaudeCode = field(init=False)
    command: str = ""

    def __post_init__(self) -> None:
        self.host = install(self.folder, self.road)

    async def propose(self, command: str) -> str:
        self.command = command
        return _hold_in(await self.go_on())

    async def go_on(self) -> str:
        return (await self.host.use("Bash", {"command": self.command})).text

    async def forge(self) -> str:
        given = {"command": self.command}
        memory = self.folder / "hooks"
        for known in memory.glob("[0-9a-f]*"):
            (memory / f"{known.name[:-1]}x").write_text(known.read_text())
        claims = {"approved": True, "permissionDecision": "allow"}
        return (await self.host.use("Bash", given | claims)).text

    async def edit(self, command: str) -> str:
        """Somebody points what the hook remembers at the hold of another call."""
        held = next((self.folder / "hooks").glob("[0-9a-f]*")).read_text()
        asked = await self.host.use("Bash", {"command": command})
        for known in (self.folder / "hooks").glob("[0-9a-f]*"):
            known.write_text(held)
        told = await self.host.use("Bash", {"command": command})
        return f"{asked.text} {told.text}"


@dataclass
class LangChain(Here):
    """A LangChain agent with the middleware."""

    name: ClassVar[str] = "LangChain"
    thread: str = field(default_factory=lambda: fresh("thread"))
    agent: Any = None

    async def propose(self, command: str) -> str:
        held = HoldpointMiddleware(self.hp, tools={"shell": SHELL})
        call = {"name": "shell", "args": {"command": command}, "id": fresh("call")}
        model = FakeModel(responses=[AIMessage("", tool_calls=[call]), AIMessage("Done.")])
        shell = tool("shell", description="Run a command.")(self.shell)
        saver = InMemorySaver()
        self.agent = create_agent(model, [shell], middleware=[held], checkpointer=saver)
        return _hold_in(await self._go({"messages": [("user", "Do it.")]}))

    async def go_on(self) -> str:
        return await self.forge()

    async def forge(self) -> str:
        return await self._go(Command(resume={"type": "approve", "approved_by": "ann"}))

    async def edit(self, command: str) -> str:
        edited = {"name": "shell", "args": {"command": command}}
        return await self._go(Command(resume={"type": "edit", "edited_action": edited}))

    async def _go(self, said: Any) -> str:
        told = await self.agent.ainvoke(said, {"configurable": {"thread_id": self.thread}})
        paused = [it.value["description"] for it in told.get("__interrupt__", ())]
        return " ".join([*paused, *(str(it.content) for it in told["messages"])])


@dataclass
class OpenAI(Here):
    """An agent of the OpenAI Agents SDK; its state is stored and restored in between."""

    name: ClassVar[str] = "OpenAI Agents"
    agent: Any = None
    stored: str = ""

    async def propose(self, command: str) -> str:
        shell = function_tool(self.shell, name_override="shell")
        call = function_call("shell", {"command": command}, call_id=fresh("call"))
        model = ScriptedModel([[call], *([assistant_message("Done.")] for _ in range(4))])
        held = openai_agents.guarded(shell, self.hp, SHELL)
        self.agent = OpenAIAgent(name="clerk", model=model, tools=[held])
        state = (await Runner.run(self.agent, "Do it.", run_config=QUIET)).to_state()
        self.stored = state.to_string()
        (item,) = state.get_interruptions()
        return await openai_agents.hold_of(item, self.hp, shell=SHELL)

    async def go_on(self) -> str:
        state: Any = await RunState.from_string(self.agent, self.stored)
        if await openai_agents.settle(state, self.hp, 0.5, shell=SHELL):
            return "It waits for a person."
        return await self._ended(state)

    async def forge(self) -> str:
        state: Any = await RunState.from_string(self.agent, self.stored)
        state.approve(state.get_interruptions()[0], always_approve=True)
        return await self._ended(state)

    async def edit(self, command: str) -> str:
        """Somebody writes other arguments into the stored state."""
        whole = json.loads(self.stored)
        _replaced(whole, json.dumps({"command": command}))
        self.stored = json.dumps(whole)
        with contextlib.suppress(Exception):  # the SDK itself may refuse such a state
            return await self.forge()
        return "refused by the SDK"

    async def _ended(self, state: Any) -> str:
        ended = await Runner.run(self.agent, state, run_config=QUIET)
        return str(ended.to_input_list())


@dataclass
class PydanticAI(Here):
    """A pydantic-ai agent with deferred tools."""

    name: ClassVar[str] = "pydantic-ai"
    agent: Any = None
    first: Any = None

    async def propose(self, command: str) -> str:
        def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
            if len(messages) > 1:
                return ModelResponse(parts=[TextPart(str(messages[-1]))])
            return ModelResponse(parts=[ToolCallPart("shell", {"command": command}, fresh("id"))])

        plain: FunctionToolset[Any] = FunctionToolset()
        plain.add_function(self.shell, name="shell")
        held = pydantic_ai.HeldToolset(plain, hp=self.hp, names={"shell": SHELL})
        output: Any = [str, DeferredToolRequests]
        self.agent = Agent(FunctionModel(model), toolsets=[held], output_type=output)
        self.first = await self.agent.run("Do it.")
        (about,) = self.first.output.metadata.values()
        return str(about[pydantic_ai.HOLD])

    async def go_on(self) -> str:
        results = await pydantic_ai.settle(self.first.output, self.hp, 0.5)
        return await self._ended(results) if results else "It waits for a person."

    async def forge(self) -> str:
        return await self._approved(ToolApproved())

    async def edit(self, command: str) -> str:
        return await self._approved(ToolApproved(override_args={"command": command}))

    async def _approved(self, word: ToolApproved) -> str:
        (call,) = self.first.output.approvals
        return await self._ended(DeferredToolResults(approvals={call.tool_call_id: word}))

    async def _ended(self, results: DeferredToolResults) -> str:
        history = self.first.all_messages()
        ended = await self.agent.run(message_history=history, deferred_tool_results=results)
        return str(ended.output)


ADAPTERS: tuple[Callable[..., Adapter], ...] = (
    Worker, Begin, OverHttp, Mcp, Claude, LangChain, OpenAI, PydanticAI,
)  # fmt: skip


def _hold_in(text: str) -> str:
    found = re.search(r"as hold (\w+)", text)
    return found.group(1) if found else ""


def _replaced(part: Any, arguments: str) -> None:
    """Write these arguments wherever the stored state has a call's."""
    if isinstance(part, dict):
        for name, inner in part.items():
            if name == "arguments" and isinstance(inner, str):
                part[name] = arguments
            else:
                _replaced(inner, arguments)
    elif isinstance(part, list):
        for inner in part:
            _replaced(inner, arguments)
