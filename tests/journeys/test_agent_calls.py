"""Seed 001's access matrix at run time: who may call whom stands in the gate's own facts."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.actors import AgentVoice, Call, Guests, PersonVoice
from tests.running_system import Road, fresh

from holdpoint.core.access_matrix import CyclicError, matrix_of
from holdpoint.messages.answer import Choice
from holdpoint.messages.call import Phase, Trace
from holdpoint.messages.catalog import DISPATCH
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.runtime.config.registry import load_registry

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

DELETE = {"database": "crm", "sql": "DELETE FROM users"}
READ = {"path": "."}


@pytest.fixture
async def planner(guests: Guests) -> AgentVoice:
    return await guests.agent("planner")


@pytest.fixture
async def refunds(guests: Guests) -> AgentVoice:
    return await guests.agent("refund-agent")


async def dispatched(planner: AgentVoice, **arguments: Any) -> Envelope:
    """An open dispatch to the refund agent."""
    asked = {"target_agent": "refund-agent", "query": "List the folder", **arguments}
    call = await planner.propose("dispatch", asked)
    return await planner.hears(call, Status.APPROVED)


async def answered(refunds: AgentVoice, hold_id: str, **more: Any) -> Call:
    closed = Trace(
        trace_id=fresh("cycle"),
        group_id="g",
        fn="refund-agent",
        phase=Phase.CLOSED,
        dispatched_by=hold_id,
        output={"text": "Two refunds are due."},
        **more,
    )
    return await refunds.publish("trace", closed, fresh("key"))


async def test_an_agent_that_no_user_faces_acts_only_under_a_dispatch(
    planner: AgentVoice, refunds: AgentVoice
) -> None:
    told = await refunds.hears(await refunds.propose("list_directory", READ), Status.DENIED)
    assert "refund-agent is not user-facing" in told.reason

    above = await dispatched(planner)
    call = await refunds.propose("list_directory", READ, dispatched_by=above.hold_id)
    assert (await refunds.hears(call, Status.DONE)).status is Status.DONE


async def test_the_chain_stands_on_the_card(
    planner: AgentVoice, refunds: AgentVoice, ann: PersonVoice
) -> None:
    above = await dispatched(planner)
    call = await refunds.propose("execute_sql", DELETE, dispatched_by=above.hold_id)
    card = await ann.card((await refunds.pending(call)).hold_id)

    assert " → ".join(card.chain) == "user → planner → refund-agent → execute_sql"
    await ann.answer(card, Choice.CANCEL)


async def test_its_answer_ends_a_dispatch_and_is_told_to_whoever_called(
    planner: AgentVoice, refunds: AgentVoice
) -> None:
    above = await dispatched(planner)
    await answered(refunds, above.hold_id)
    told = await planner.ask(hold_id=above.hold_id, wait_s=5.0, known=Status.APPROVED)

    assert (told.status, told.formatted) == (Status.DONE, "Two refunds are due.")
    assert told.data == {"text": "Two refunds are due."}
    call = await refunds.propose("list_directory", READ, dispatched_by=above.hold_id)
    assert "names no open dispatch" in (await refunds.hears(call, Status.DENIED)).reason
    second = await answered(refunds, above.hold_id)
    assert (await refunds.hears(second, Status.REFUSED)).code == "already_closed"


async def test_its_answer_names_the_calls_that_still_wait(
    planner: AgentVoice, refunds: AgentVoice, ann: PersonVoice
) -> None:
    above = await dispatched(planner)
    call = await refunds.propose("execute_sql", DELETE, dispatched_by=above.hold_id)
    waits = await refunds.pending(call)
    await answered(refunds, above.hold_id)
    told = await planner.ask(hold_id=above.hold_id, wait_s=5.0, known=Status.APPROVED)

    open_call = f"execute_sql (hold {waits.hold_id}): pending confirmation"
    assert told.message_for_user == f"Two refunds are due.\nNot finished: {open_call}."
    await ann.answer(await ann.card(waits.hold_id), Choice.CANCEL)


async def test_a_withdrawn_dispatch_is_closed(planner: AgentVoice, refunds: AgentVoice) -> None:
    above = await dispatched(planner)
    await planner.hears(await planner.withdraw(above.hold_id), Status.BARRED)

    call = await refunds.propose("list_directory", READ, dispatched_by=above.hold_id)
    assert "names no open dispatch" in (await refunds.hears(call, Status.DENIED)).reason


async def test_a_dispatch_to_another_agent_opens_nothing(
    planner: AgentVoice, robot: AgentVoice, refunds: AgentVoice
) -> None:
    above = await dispatched(planner)
    call = await robot.propose("list_directory", READ, dispatched_by=above.hold_id)
    assert "names no open dispatch" in (await robot.hears(call, Status.DENIED)).reason
    forged = await answered(robot, above.hold_id)
    assert (await robot.hears(forged, Status.REFUSED)).code == "not_dispatched"
    still = await refunds.propose("list_directory", READ, dispatched_by=above.hold_id)
    await refunds.hears(still, Status.DONE)


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("robot", "planner may not call robot"),
        ("nobody", "planner may not call nobody"),
        ("planner", "planner may not call planner"),
    ],
)
async def test_a_dispatch_outside_of_the_matrix_is_denied(
    planner: AgentVoice, target: str, told: str
) -> None:
    call = await planner.propose("dispatch", {"target_agent": target, "query": "List it"})
    assert told in (await planner.hears(call, Status.DENIED)).reason


async def test_whoever_lacks_tool_0_calls_nobody(refunds: AgentVoice, planner: AgentVoice) -> None:
    above = await dispatched(planner)
    asked = {"target_agent": "planner", "query": "List it"}
    call = await refunds.propose("dispatch", asked, dispatched_by=above.hold_id)
    assert "`dispatch` is not in the list" in (await refunds.hears(call, Status.DENIED)).reason


async def test_path_generation_and_layers_are_those_of_the_running_agents(
    road: Road, planner: AgentVoice, refunds: AgentVoice
) -> None:
    matrix = matrix_of(load_registry(road.settings.config_dir).agents)
    layers = {it.agent: it.layer for it in matrix.places}
    assert (layers["planner"], layers["refund-agent"]) == (0, 1)
    assert ("planner", DISPATCH, "refund-agent", "list_directory") in matrix.paths("planner")

    above = await dispatched(planner)
    call = await refunds.propose("list_directory", READ, dispatched_by=above.hold_id)
    assert (await refunds.hears(call, Status.DONE)).status is Status.DONE


async def test_loop_prevention_denies_a_call_back_to_the_caller(
    road: Road, planner: AgentVoice, refunds: AgentVoice
) -> None:
    agents = {it.name: it for it in load_registry(road.settings.config_dir).agents}
    below = agents["refund-agent"]
    agents[below.name] = replace(below, may_call=("planner",))
    with pytest.raises(CyclicError, match="planner → refund-agent → planner"):
        matrix_of(agents.values())

    above = await dispatched(planner)
    loop = {"target_agent": "planner", "query": "List it"}
    back = await refunds.propose("dispatch", loop, dispatched_by=above.hold_id)
    itself = await planner.propose("dispatch", loop)

    for voice, call in ((refunds, back), (planner, itself)):
        assert (await voice.hears(call, Status.DENIED)).status is Status.DENIED


async def test_a_stopped_caller_stops_whom_it_called(
    planner: AgentVoice, refunds: AgentVoice, ann: PersonVoice
) -> None:
    above = await dispatched(planner)
    await ann.told(await ann.kill("planner", "enough"))
    try:
        call = await refunds.propose("list_directory", READ, dispatched_by=above.hold_id)
        assert "kill switch" in (await refunds.hears(call, Status.DENIED)).reason
    finally:
        await ann.told(await ann.revive("planner"))
