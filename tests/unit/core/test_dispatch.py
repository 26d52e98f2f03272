"""Whom a chain of agents may come through, and what a card says of it."""

import pytest
from msgspec.structs import replace
from tests.builders import ACTION, a_hold

from holdpoint.core.agent_tools import with_tools
from holdpoint.core.card import Shown, card_of
from holdpoint.core.catalog import Catalog
from holdpoint.core.dispatch import opens_for, why_outside
from holdpoint.messages.catalog import DISPATCH, Agent, Tool
from holdpoint.messages.hold import Outcome, Stage

AGENTS = {
    agent.name: agent
    for agent in (
        Agent(name="planner", tools=(DISPATCH,), may_call=("refund-agent",)),
        Agent(name="refund-agent", tools=(DISPATCH,), may_call=("clerk",), user_facing=False),
        Agent(name="clerk", tools=(), may_call=("planner",), user_facing=False),
    )
}


@pytest.mark.parametrize(
    ("chain", "target", "bound", "told"),
    [
        (("planner",), None, 2, ""),
        (("planner",), "refund-agent", 2, ""),
        (("planner", "refund-agent"), "clerk", 2, ""),
        (("refund-agent",), None, 2, "refund-agent is not user-facing"),
        (("stranger",), None, 2, "stranger is not user-facing"),
        (("planner",), "clerk", 2, "planner may not call clerk"),
        (("planner", "refund-agent"), "stranger", 2, "refund-agent may not call stranger"),
        (("planner", "refund-agent"), "clerk", 1, "2 calls deep; the access matrix has at most 1"),
        (("planner", "refund-agent", "clerk"), "planner", 9, "clerk may not call other agents"),
    ],
)
def test_the_matrix_decides(
    chain: tuple[str, ...], target: str | None, bound: int, told: str
) -> None:
    arguments = {"target_agent": target, "query": "?"} if target else None
    why = why_outside(chain, arguments, AGENTS, bound)

    assert (told in why) if told else not why


def test_a_result_is_returned_to_whoever_calls() -> None:
    asked = {"target_agent": "refund-agent", "query": "?", "return_to": "clerk"}
    assert "`return_to` names clerk" in why_outside(("planner",), asked, AGENTS, 2)


@pytest.mark.parametrize(
    ("stage", "outcome", "opens"),
    [
        (Stage.PASSED, None, True),
        (Stage.WITNESSED, None, True),
        (Stage.RESUMED, Outcome.CONFIRMED, True),
        (Stage.RESUMED, Outcome.CANCELLED, False),
        (Stage.RENDERED, None, False),
        (Stage.DENIED, None, False),
    ],
)
def test_only_what_was_let_go_opens_the_way(
    stage: Stage, outcome: Outcome | None, opens: bool
) -> None:
    asked = {"target_agent": "clerk", "query": "?"}
    hold = a_hold(
        action=replace(ACTION, tool=DISPATCH, arguments=asked), stage=stage, outcome=outcome
    )

    assert opens_for(hold, "clerk") is opens
    assert not opens_for(hold, "planner")
    assert not opens_for(replace(hold, action=replace(ACTION, arguments=asked)), "clerk")


def test_the_card_shows_the_chain() -> None:
    hold = a_hold(chain=("planner", "refund-agent"), action=replace(ACTION, tool="transfer_funds"))
    card = card_of(hold, None, Shown(group="g", state="rendered", seal_key="", revision=1))

    assert " → ".join(card.chain) == "user → planner → refund-agent → transfer_funds"


def test_domains_give_their_tools_and_a_list_narrows_them() -> None:
    def a_tool(name: str, domain: str) -> Tool:
        return Tool(
            name=name,
            domain=domain,
            level=1,
            description="",
            schema={"type": "object"},
            schema_sha256="",
            template="",
            aliases=(f"old_{name}",),
        )

    catalog = Catalog((a_tool("a", "one"), a_tool("b", "one"), a_tool("c", "two")))
    agents = (
        Agent(name="listed", tools=("old_c", "gone")),
        Agent(name="whole", tools=(), domains=("one", "nowhere"), narrowed=False),
        Agent(name="narrow", tools=("b", "c"), domains=("one",)),
        Agent(name="none", tools=(), domains=("one",)),
    )

    assert [agent.tools for agent in with_tools(agents, catalog)] == [
        ("c", "gone"),
        ("a", "b"),
        ("b",),
        (),
    ]
