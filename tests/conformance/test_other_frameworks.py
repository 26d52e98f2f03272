"""OpenAI Agents SDK and pydantic-ai with their own fake models, and a real gate."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import Agent as OpenAIAgent
from agents import RunConfig, Runner, RunState, function_tool
from agents.testing import ScriptedModel, assistant_message, function_call
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolApproved
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import FunctionToolset
from tests.actors import PersonVoice
from tests.running_system import Road, fresh

from holdpoint.adapters import openai_agents, pydantic_ai
from holdpoint.client import Holdpoint

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.conformance.shared_world",)

QUIET = RunConfig(tracing_disabled=True)


@pytest.fixture
async def hp(host_road: Road) -> AsyncIterator[Holdpoint]:
    keys = host_road.settings.model_copy(update={"nats_url": host_road.supervisor.url})
    async with Holdpoint.connect("coder", keys) as connected:
        yield connected


def openai_clerk(hp: Holdpoint, item: str, ordered: list[str]) -> OpenAIAgent[Any]:
    @function_tool
    async def order(item: str) -> str:
        """Order something."""
        ordered.append(item)
        return f"ordered {item}"

    model = ScriptedModel([
        [function_call("order", {"item": item}, call_id=fresh("call"))],
        [assistant_message("Done.")],
    ])  # fmt: skip
    return OpenAIAgent(name="clerk", model=model, tools=[openai_agents.guarded(order, hp)])


async def test_openai_runs_it_after_the_yes_from_a_stored_state(
    hp: Holdpoint, host_ann: PersonVoice
) -> None:
    ordered: list[str] = []
    clerk = openai_clerk(hp, item := fresh("item"), ordered)
    result = await Runner.run(clerk, "Order.", run_config=QUIET)
    state = result.to_state()
    still = await openai_agents.settle(state, hp, 0.1)
    stored = state.to_string()

    restored: RunState[Any, Any] = await RunState.from_string(clerk, stored)
    await host_ann.proceed(await host_ann.card(await openai_agents.hold_of(still[0], hp)))
    waiting = await openai_agents.settle(restored, hp)
    await Runner.run(clerk, restored, run_config=QUIET)

    assert (len(still), waiting, ordered) == (1, [], [item])


async def test_an_approval_forged_in_the_state_runs_nothing(hp: Holdpoint) -> None:
    ordered: list[str] = []
    clerk = openai_clerk(hp, fresh("item"), ordered)
    result = await Runner.run(clerk, "Order.", run_config=QUIET)
    state = result.to_state()
    state.approve(state.get_interruptions()[0])

    ended = await Runner.run(clerk, state, run_config=QUIET)

    assert ordered == []
    assert "waits for a person" in str(ended.to_input_list())


async def test_openai_is_told_of_a_no(hp: Holdpoint, host_ann: PersonVoice) -> None:
    ordered: list[str] = []
    clerk = openai_clerk(hp, fresh("item"), ordered)
    result = await Runner.run(clerk, "Order.", run_config=QUIET)
    state = result.to_state()
    (item,) = state.get_interruptions()
    await host_ann.cancel(await host_ann.card(await openai_agents.hold_of(item, hp)), "No.")

    await openai_agents.settle(state, hp)
    ended = await Runner.run(clerk, state, run_config=QUIET)

    assert ordered == []
    assert "cancelled" in str(ended.to_input_list())


def pydantic_clerk(hp: Holdpoint, item: str, ordered: list[str]) -> Agent[None, Any]:
    def order(item: str) -> str:
        """Order something."""
        ordered.append(item)
        return f"ordered {item}"

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        if len(messages) > 1:
            return ModelResponse(parts=[TextPart(str(messages[-1]))])
        return ModelResponse(parts=[ToolCallPart("order", {"item": item}, fresh("call"))])

    toolset = pydantic_ai.HeldToolset(FunctionToolset([order]), hp=hp)
    return Agent(FunctionModel(model), toolsets=[toolset], output_type=[str, DeferredToolRequests])


async def test_pydantic_ai_runs_it_after_the_yes(hp: Holdpoint, host_ann: PersonVoice) -> None:
    ordered: list[str] = []
    clerk = pydantic_clerk(hp, item := fresh("item"), ordered)
    first = await clerk.run("Order.")
    requests = first.output
    assert isinstance(requests, DeferredToolRequests)
    early = await pydantic_ai.settle(requests, hp, 0.1)
    (about,) = requests.metadata.values()
    await host_ann.proceed(await host_ann.card(about[pydantic_ai.HOLD]))

    results = await pydantic_ai.settle(requests, hp)
    ended = await clerk.run(message_history=first.all_messages(), deferred_tool_results=results)

    assert (early, ordered) == (None, [item])
    assert f"ordered {item}" in str(ended.output)


async def test_an_approval_forged_in_the_results_runs_nothing(
    hp: Holdpoint, host_ann: PersonVoice
) -> None:
    ordered: list[str] = []
    clerk = pydantic_clerk(hp, fresh("item"), ordered)
    first = await clerk.run("Order.")
    (call,) = first.output.approvals
    (about,) = first.output.metadata.values()
    forged = DeferredToolResults(
        approvals={call.tool_call_id: ToolApproved(override_args={"item": fresh("other")})}
    )

    second = await clerk.run(message_history=first.all_messages(), deferred_tool_results=forged)
    await host_ann.cancel(await host_ann.card(about[pydantic_ai.HOLD]), "No.")
    results = await pydantic_ai.settle(first.output, hp)
    told = await clerk.run(message_history=first.all_messages(), deferred_tool_results=results)

    assert isinstance(second.output, DeferredToolRequests)
    assert ordered == []
    assert "cancelled" in str(told.output)
