"""LangChain's middleware with a real graph, the library's fake model, and a real gate."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from tests.actors import PersonVoice
from tests.conformance.fake_model import FakeModel
from tests.running_system import Road, fresh

from holdpoint.adapters.langchain import HoldpointMiddleware, create_deep_agent
from holdpoint.client import Holdpoint, Status

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.conformance.shared_world",)


class Shop:
    """An agent that orders, and what it really ordered."""

    def __init__(self, hp: Holdpoint, *items: str, **options: Any) -> None:
        self.ordered: list[str] = []
        self.thread = fresh("thread")

        @tool
        def order(item: str) -> str:
            """Order something."""
            self.ordered.append(item)
            return f"ordered {item}"

        calls = [{"name": "order", "args": {"item": it}, "id": f"call-{n}"}
                 for n, it in enumerate(items)]  # fmt: skip
        model = FakeModel(responses=[AIMessage("", tool_calls=calls), AIMessage("Done.")])
        make: Callable[..., Any] = options.pop("make", _plain)
        self.agent = make(hp, model, [order], **options)

    async def go(self, said: Any = None) -> list[Any]:
        """Begin, or resume with what a client says; the interrupts that it ends with."""
        start = {"messages": [("user", "Order.")]}
        config = {"configurable": {"thread_id": self.thread}}
        told = await self.agent.ainvoke(start if said is None else Command(resume=said), config)
        self.messages = told["messages"]
        return list(told.get("__interrupt__", ()))

    @property
    def results(self) -> list[str]:
        """What the model was told of its calls."""
        return [it.content for it in self.messages if it.type == "tool"]


def _plain(hp: Holdpoint, model: Any, tools: list[Any], **options: Any) -> Any:
    held = HoldpointMiddleware(hp, **options)
    return create_agent(model, tools, middleware=[held], checkpointer=InMemorySaver())


def _as_the_seed(hp: Holdpoint, model: Any, tools: list[Any], **options: Any) -> Any:
    return create_deep_agent(
        model=model,
        hp=hp,
        system_prompt="You handle all operations.",
        tools=tools,
        checkpointer=InMemorySaver(),
        **options,
    )


@pytest.fixture
async def hp(host_road: Road) -> AsyncIterator[Holdpoint]:
    keys = host_road.settings.model_copy(update={"nats_url": host_road.supervisor.url})
    async with Holdpoint.connect("coder", keys) as connected:
        yield connected


def hold_of(question: Any) -> str:
    return str(question.value["holdpoint_request_id"])


async def test_a_clients_approval_is_none_and_the_gates_verdict_runs_it_once(
    hp: Holdpoint, host_ann: PersonVoice
) -> None:
    shop = Shop(hp, item := fresh("item"))

    (question,) = await shop.go()
    (still,) = await shop.go({"type": "approve"})
    before = list(shop.ordered)
    await host_ann.proceed(await host_ann.card(hold_of(question)))
    after = await shop.go({"type": "approve"})

    assert question.value["type"] == "tool_approval"
    assert hold_of(still) == hold_of(question)
    assert (before, after, shop.ordered) == ([], [], [item])
    assert shop.results == [f"ordered {item}"]
    assert (await hp.outcome(hold_of(question))).status is Status.DONE


async def test_a_client_may_always_decline(hp: Holdpoint, host_ann: PersonVoice) -> None:
    shop = Shop(hp, fresh("item"))
    (question,) = await shop.go()
    await host_ann.proceed(await host_ann.card(hold_of(question)))

    await shop.go({"type": "reject", "message": "Not that one."})

    assert shop.ordered == []
    assert "Not that one." in shop.results[0]
    assert (await hp.outcome(hold_of(question))).status is Status.BARRED


async def test_a_clients_change_is_a_call_of_its_own(hp: Holdpoint, host_ann: PersonVoice) -> None:
    shop, other = Shop(hp, fresh("item")), fresh("other")
    (question,) = await shop.go()

    edit = {"type": "edit", "edited_action": {"name": "order", "args": {"item": other}}}
    (again,) = await shop.go(edit)
    await host_ann.proceed(await host_ann.card(hold_of(again)))
    await shop.go({"type": "approve"})

    assert hold_of(again) != hold_of(question)
    assert (await hp.outcome(hold_of(question))).status is Status.WITHDRAWN
    assert shop.ordered == [other]
    assert shop.results[0].startswith("Note: a person changed this tool call")


async def test_one_interrupt_for_a_turn(hp: Holdpoint, host_ann: PersonVoice) -> None:
    items, other = [fresh("item") for _ in range(3)], fresh("other")
    shop = Shop(hp, *items, shape="batched")

    (question,) = await shop.go()
    first, second, _ = question.value["holdpoint_request_ids"]
    await host_ann.proceed(await host_ann.card(first))
    change = {"type": "edit", "edited_action": {"name": "order", "args": {"item": other}}}
    questions = await shop.go({"decisions": [{"type": "approve"}, {"type": "reject"}, change]})

    assert [it["name"] for it in question.value["action_requests"]] == ["order"] * 3
    assert (await hp.outcome(second)).status is Status.WITHDRAWN
    (changed,) = questions
    await host_ann.proceed(await host_ann.card(hold_of(changed)))
    await shop.go({changed.id: {"type": "approve"}})
    assert sorted(shop.ordered) == sorted([items[0], other])
    assert len(shop.results) == len(items)


async def test_agent_inbox_in_and_out(hp: Holdpoint, host_ann: PersonVoice) -> None:
    shop, other = Shop(hp, item := fresh("item"), shape="agent_inbox"), fresh("other")

    (question,) = await shop.go()
    edit = [{"type": "edit", "args": {"action": "order", "args": {"item": other}}}]
    (again,) = await shop.go(edit)
    await host_ann.proceed(await host_ann.card(hold_of(again)))
    await shop.go([{"type": "accept", "args": None}])

    assert question.value["action_request"] == {"action": "order", "args": {"item": item}}
    assert question.value["config"]["allow_accept"] is True
    assert shop.ordered == [other]


async def test_the_seeds_snippet_runs(hp: Holdpoint, host_ann: PersonVoice) -> None:
    """Seed 000: approve, reject and modify are proceed, cancel and supersede."""
    interrupt_on: Mapping[str, Any] = {
        "order": {"allowed_decisions": ["approve", "reject", "modify"]},
    }
    modified = fresh("modified")
    shop = Shop(hp, fresh("item"), make=_as_the_seed, interrupt_on=interrupt_on)

    (question,) = await shop.go()
    modify = {"type": "modify", "edited_action": {"name": "order", "args": {"item": modified}}}
    (again,) = await shop.go(modify)
    await host_ann.proceed(await host_ann.card(hold_of(again)))
    await shop.go({"type": "approve"})

    assert question.value["allowed_decisions"] == ["approve", "reject", "modify"]
    assert shop.ordered == [modified]
    other = Shop(hp, fresh("item"), make=_as_the_seed, interrupt_on=interrupt_on)
    await other.go()
    with pytest.raises(ValueError, match="not allowed"):
        await other.go({"type": "respond", "message": "I did it."})


async def test_a_no_is_told_to_the_model(hp: Holdpoint, host_ann: PersonVoice) -> None:
    shop = Shop(hp, fresh("item"))
    (question,) = await shop.go()
    await host_ann.cancel(await host_ann.card(hold_of(question)), "Too dear.")

    await shop.go({"type": "approve"})

    assert shop.ordered == []
    assert "cancelled" in shop.results[0]
