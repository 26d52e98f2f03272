"""Seed 003 and 004: a request in plain words, through the coordinator, to a tool and back."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from nats.errors import Error as NatsError
from tests.actors import Guests
from tests.api_system import Http, HttpAgent, people_yaml
from tests.coordinator_system import CLOUD, Asking, coordinated
from tests.running_system import COORDINATOR, TENANT, Road, fresh
from tests.waiting import eventually

from holdpoint.ledger.history import Node, cycles_of, derivative, history
from holdpoint.messages.envelope import Status
from holdpoint.messages.request import AgentResponse
from holdpoint.messages.state import Flag, SetFlag
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import API

pytestmark = [pytest.mark.nats, pytest.mark.slow]

ANN, BEN = HttpAgent(name="ann", kid="ann-1"), HttpAgent(name="ben", kid="ben-1")
"""People with a key for the HTTP API."""


@pytest.fixture(scope="module")
def bank_town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Shared by the module; the coordinator is started again where it was killed."""
    with asyncio.Runner() as runner:
        world = coordinated(
            tmp_path_factory.mktemp("coordinator"),
            own=CLOUD,
            others=(COORDINATOR, API),
            configure=lambda folder: people_yaml(folder, ANN, BEN),
        )
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def visitors(bank_town: Road) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=bank_town, stack=stack)


@pytest.fixture
async def ann(visitors: Guests) -> Asking:
    return Asking(person=await visitors.person("ann"))


@pytest.fixture
async def ben(visitors: Guests) -> Asking:
    return Asking(person=await visitors.person("ben"))


def waiting_hold(response: AgentResponse) -> str:
    """The hold that an answer says is waiting."""
    assert response.tool_calls
    assert response.tool_calls[-1].result["status"] == "pending_confirmation", response
    return str(response.tool_calls[-1].result["hold_id"])


async def test_a_balance_is_told(ann: Asking) -> None:
    told = await ann.ask("what's my balance")
    assert told.success, told
    assert "Account ACC-12345678 balances:" in told.message
    assert [it.tool_name for it in told.tool_calls or ()] == [
        "list_accounts",
        "get_account_balances",
    ]


async def test_a_transfer_waits_for_its_card_and_is_told_under_the_same_request(
    ann: Asking,
) -> None:
    request_id = clock.new_id()
    told = await ann.ask("transfer $150 to savings", request_id)
    assert told.success, told
    assert "waits for a confirmation" in told.message
    hold_id = waiting_hold(told)

    again = await ann.ask("transfer $150 to savings", request_id)
    assert waiting_hold(again) == hold_id

    card = await ann.person.card(hold_id)
    assert " → ".join(card.chain) in {"", "user → coordinator → bank_transfers_transfer_funds"}
    await ann.person.proceed(card)
    await ann.person.card(hold_id, "done")
    ended = await ann.ask("transfer $150 to savings", request_id)
    assert ended.success
    assert "150.00" in ended.message
    assert ended.request_id == request_id


async def test_a_deletion_that_was_done_is_told_as_done(ann: Asking) -> None:
    await ann.ask("add task: call the plumber")
    request_id = clock.new_id()
    hold_id = waiting_hold(await ann.ask("delete the plumber task", request_id))
    await ann.person.proceed(await ann.person.card(hold_id))
    await ann.person.card(hold_id, "done")
    told = await ann.ask("delete the plumber task", request_id)
    assert told.success, told
    assert "is deleted" in told.message


async def test_tasks_are_added_listed_and_completed(ben: Asking) -> None:
    told = await ben.ask("remind me to water the plants")
    assert "water the plants" in told.message
    assert "water the plants" in (await ben.ask("show my tasks")).message
    done = await ben.ask("mark water the plants as done")
    hold_id = waiting_hold(done)
    await ben.person.proceed(await ben.person.card(hold_id))
    await ben.person.card(hold_id, "done")
    assert "water the plants" in (await ben.ask("show completed tasks")).message


async def test_who_asks_is_never_in_the_body(ann: Asking) -> None:
    told = await ann.ask("what's my balance", user_id="ben")
    assert not told.success
    assert "`user_id` names somebody else" in told.message


@pytest.mark.parametrize(
    ("text", "told", "agents"),
    [
        (
            "check database cost",
            ("orders, billing", "$1,200"),
            ("finops-agent", "db-troubleshoot-agent"),
        ),
        (
            "security of compute",
            ("web-1, web-2", "open port"),
            ("security-agent", "infrastructure-agent"),
        ),
        (
            "why is the DB slow?",
            ("lock timeouts", "orders.lines"),
            ("db-troubleshoot-agent", "log-analytics-agent"),
        ),
    ],
)
async def test_agent_delegation(
    ann: Asking, text: str, told: tuple[str, ...], agents: tuple[str, ...]
) -> None:
    request_id = clock.new_id()
    answer = await ann.ask(text, request_id)
    assert answer.success, answer
    assert all(it in answer.message for it in told)
    dispatched = [it for it in answer.tool_calls or () if it.tool_name == "dispatch"]
    assert tuple(it.parameters["target_agent"] for it in dispatched) == agents

    again = await ann.ask(text, request_id)
    assert again.message == answer.message


async def test_nobody_asks_in_another_persons_name(ben: Asking) -> None:
    with pytest.raises((NatsError, TimeoutError)):
        await ben.person.client.request("hp.acme.ask.ann.coordinator", b"{}", timeout=1.0)


async def test_a_tool_without_a_workflow_is_found_in_the_catalog(ann: Asking) -> None:
    told = await ann.ask("list my accounts")
    assert told.success, told
    assert "Joint Savings" in told.message
    held = await ann.ask("set a balance alert of $100 on checking")
    assert held.tool_calls, held


async def test_what_is_unclear_is_asked_back_and_calls_nothing(ann: Asking) -> None:
    for text in ("don't delete task 4", "add milk and delete bread", "transfer money to savings"):
        told = await ann.ask(text)
        assert not told.success
        assert told.tool_calls is None
        assert "?" in told.message
    unknown = await ann.ask("what's the weather like?")
    assert unknown.message.count("“") == 3


async def test_a_question_back_is_answered_in_the_next_message(ann: Asking) -> None:
    asked = await ann.ask("transfer $7")
    assert asked.message == "So far I have USD 7.00. To which of your accounts?"
    history = [
        {"role": "user", "content": "transfer $7"},
        {"role": "assistant", "content": asked.message},
    ]
    told = await ann.ask("savings", conversation_history=history)
    await ann.person.cancel(await ann.person.card(waiting_hold(told)))
    assert told.tool_calls
    assert told.tool_calls[-1].parameters["amount"] == {"value": "7.00", "currency": "USD"}


async def test_the_card_of_a_dispute_names_the_charge(ann: Asking) -> None:
    card = await ann.person.card(waiting_hold(await ann.ask("dispute the bakery charge")))
    assert card.title == "Dispute USD 42.50 at Corner Bakery, 12 Jan 2025"
    assert card.ui.action.arguments["reason"] == "No reason was given."
    await ann.person.cancel(card)
    told = await ann.ask("I don't recognize the charge from City Hotel")  # of another account
    card = await ann.person.card(waiting_hold(told))
    assert card.title == "Dispute USD 120.50 at City Hotel, 10 Jan 2025"
    await ann.person.cancel(card)


async def test_a_bare_amount_is_in_the_one_currency_of_every_account(ann: Asking) -> None:
    asked = await ann.ask("transfer")
    history = [
        {"role": "user", "content": "transfer"},
        {"role": "assistant", "content": asked.message},
        {"role": "user", "content": "150"},
    ]
    again = await ann.ask("150", conversation_history=history[:2])
    assert again.message == "So far I have 150.00. To which of your accounts?"
    history.append({"role": "assistant", "content": again.message})
    told = await ann.ask("savings", conversation_history=history)
    card = await ann.person.card(waiting_hold(told))
    assert "USD 150.00" in card.title
    assert "transfer / 150 / savings" in card.ui.message
    await ann.person.cancel(card)


DELEGATED = (
    "coordinator→dispatch→finops-agent→("
    "dispatch→db-troubleshoot-agent→oci_opsi_search_databases,oci_cost_get_summary)"
)


async def test_h_and_its_derivatives_of_a_delegated_request_come_out_exactly(
    ann: Asking, bank_town: Road
) -> None:
    said = f"check database cost {fresh('for')}"
    answer = await ann.ask(said)
    assert answer.tool_calls
    dispatched = answer.tool_calls[0]

    async def told() -> Node:
        cycles = bank_town.ledger(lambda it: cycles_of(it, TENANT, "coordinator", 20))
        found = [it for it in cycles if history((it,))[0][0] == said]
        assert [it.shape for it in found] == [DELEGATED]
        assert found[0].output
        assert found[0].children[0].output
        return found[0]

    cycle = await eventually(told, 30.0)
    assert history((cycle,)) == [(said, answer.message)]
    ((u, q, r, v),) = derivative((cycle,))
    assert (u, v) == (said, answer.message)
    assert isinstance(q, dict)
    assert q.items() >= {"target_agent": "finops-agent", "return_to": "coordinator"}.items()
    assert q == dispatched.parameters
    assert "$1,200" in str(r)


async def test_cancel_asks_back_while_a_hold_waits(ann: Asking) -> None:
    hold_id = waiting_hold(await ann.ask("transfer $5 to savings"))
    told = await ann.ask("cancel task 99")
    assert "to take that back, choose Cancel on its card" in told.message
    await ann.person.cancel(await ann.person.card(hold_id))


async def test_cancel_asks_back_while_an_older_hold_waits(ann: Asking) -> None:
    first = waiting_hold(await ann.ask("transfer $21 to savings"))
    for amount in range(22, 31):
        later = waiting_hold(await ann.ask(f"transfer ${amount} to savings"))
        await ann.person.cancel(await ann.person.card(later))
    told = await ann.ask("cancel")
    assert "to take that back, choose Cancel on its card" in told.message
    await ann.person.cancel(await ann.person.card(first))


async def test_a_used_request_id_is_refused_where_its_call_was_another_one(ann: Asking) -> None:
    request_id = clock.new_id()
    await ann.ask("what's my balance", request_id)
    told = await ann.ask("show my tasks", request_id)
    assert told.success  # another tool under the same key is another call
    told = await ann.ask("remind me to buy tea", request_id)
    assert told.success
    told = await ann.ask("remind me to buy milk", request_id)
    assert "was used for another request" in told.message


async def test_flags_are_switched_at_run_time(ann: Asking) -> None:
    async def switched(flag: Flag, text: str, told: str, *, on: bool) -> None:
        await ann.person.order(SetFlag(flag=flag, on=on, reason="a test"), "flag")

        async def answered() -> bool:
            response = await ann.ask(text)
            assert told in response.message, response
            return True

        await eventually(answered, 10.0)

    slow, add = "why is the DB slow?", "add tea"
    await switched(Flag.DELEGATION, slow, "is switched off", on=False)
    await switched(Flag.DELEGATION, slow, "lock timeouts", on=True)
    await switched(Flag.KEYWORD_ROUTING, add, "not sure what you mean", on=False)
    await switched(Flag.KEYWORD_ROUTING, add, "I added task", on=True)
    await switched(Flag.WORKFLOW_FIRST, "give me a fleet summary", "Two databases", on=False)
    await switched(Flag.WORKFLOW_FIRST, "transfer $11 to savings", "only by a workflow", on=False)
    await switched(Flag.WORKFLOW_FIRST, "give me a fleet summary", "Two databases", on=True)


async def test_old_names_can_be_switched_off(ann: Asking, visitors: Guests) -> None:
    agent = await visitors.agent("coordinator")

    async def told(status: Status) -> str:
        async def heard() -> str:
            call = await agent.propose("get_fleet_summary", {})
            return (await agent.hears(call, status, within_s=2.0)).reason or status.value

        return str(await eventually(heard, 10.0))

    await ann.person.order(SetFlag(flag=Flag.LEGACY_ALIASES, on=False, reason="a test"), "flag")
    assert "call oci_opsi_get_fleet_summary" in await told(Status.REFUSED)
    await ann.person.order(SetFlag(flag=Flag.LEGACY_ALIASES, on=True, reason="a test"), "flag")
    await told(Status.DONE)


async def test_tools_that_only_ask_are_let_through_and_refused_at_run_time(
    ann: Asking, visitors: Guests
) -> None:
    agent = await visitors.agent("asker")

    async def told(status: Status) -> str:
        async def heard() -> str:
            call = await agent.propose("ask", {})
            return (await agent.hears(call, status, within_s=2.0)).reason or status.value

        return str(await eventually(heard, 10.0))

    async def switch(*, on: bool) -> None:
        await ann.person.order(SetFlag(flag=Flag.LEGACY_ASK, on=on, reason="a test"), "flag")

    assert "ask only asks a person" in await told(Status.REFUSED)
    await switch(on=True)
    await told(Status.DONE)
    await switch(on=False)
    await told(Status.REFUSED)


def a_request(message: str, **more: object) -> dict[str, object]:
    """The body of a request over HTTP."""
    return {
        "message": message,
        "conversation_history": [],
        "request_id": clock.new_id(),
        **more,
    }


async def test_a_person_asks_over_http_and_the_card_decides(ann: Asking, bank_town: Road) -> None:
    http = Http(url=bank_town.settings.api_url, agent=ANN)
    body = a_request("transfer $3 to savings")
    asked = await http.post("/v1/requests", body)
    assert (asked.status, asked.body["success"]) == (200, True)
    hold_id = asked.body["tool_calls"][-1]["result"]["hold_id"]
    again = await ann.ask("transfer $3 to savings", str(body["request_id"]))
    assert waiting_hold(again) == hold_id
    await ann.person.cancel(await ann.person.card(hold_id))

    async def told() -> str:
        ended = await http.post("/v1/requests", body)
        assert ended.body["message"] == "Cancelled. Nothing was done.", ended.body
        return str(ended.body["message"])

    await eventually(told, 20.0)


async def test_over_http_a_coordinator_that_is_away_is_unavailable(bank_town: Road) -> None:
    http = Http(url=bank_town.settings.api_url, agent=BEN)
    bank_town.supervisor.kill(COORDINATOR)
    away = await http.post("/v1/requests", a_request("show my tasks"))
    bank_town.supervisor.start(COORDINATOR)
    await bank_town.supervisor.ready(COORDINATOR)
    assert (away.status, away.body["code"]) == (503, "unavailable")
    assert "No coordinator answers now." in away.body["reason"]


async def test_over_http_a_token_says_who_asks_and_a_broken_rule_is_told(bank_town: Road) -> None:
    http = Http(url=bank_town.settings.api_url, agent=BEN)
    mine = await http.post("/v1/requests", a_request("show my tasks", user_id="ben"))
    theirs = await http.post("/v1/requests", a_request("show my tasks", user_id="ann"))
    assert (mine.status, mine.body["success"]) == (200, True)
    assert "names somebody else" in theirs.body["message"]
    empty = await http.post("/v1/requests", a_request("  "))
    assert "`message` is empty" in empty.body["message"]
    odd = await http.post("/v1/requests", a_request("hello", confirm=True))
    assert odd.status == 400
    forged = HttpAgent(name="ann", kid="ben-1", key=BEN.key)
    stranger = await Http(url=http.url, agent=forged).post("/v1/requests", a_request("hello"))
    assert (stranger.status, stranger.body["code"]) == (401, "token_refused")
    call = await http.propose("transfer_funds", {})
    assert (call.status, call.body["code"]) == (401, "token_refused")
