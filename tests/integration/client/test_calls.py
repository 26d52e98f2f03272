"""What the SDK says on the wire, and what it makes of each answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

import msgspec
import pytest
from tests.integration.client.bus import AGENT, HOLD, SAYS, Bus, refused

from holdpoint.client import (
    Holdpoint,
    IntentClaim,
    Outcome,
    RefusedError,
    Result,
    RiskLevel,
    Scope,
    SetupError,
    Status,
    SyncHoldpoint,
    UnavailableError,
    system,
)
from holdpoint.messages.call import Intent, Propose, Trace
from holdpoint.messages.envelope import FINAL, Envelope

Ask: TypeAlias = Callable[[Holdpoint], Awaitable[object]]


@dataclass
class Order:
    command: bytes


class Command(msgspec.Struct):
    command: bytes


async def test_a_call_is_one_durable_proposal_and_returns_what_came_of_it(bus: Bus) -> None:
    done = Envelope(status=Status.DONE, hold_id=HOLD, data={"rows": 3}, formatted="3 rows")
    gate = await bus.gate(Status.PENDING_CONFIRMATION, Status.APPROVED, done)

    async with bus.agent() as hp:
        outcome = await hp.call(
            "read_file", SAYS, reasoning="to know", taint=("/path",), taint_source="mail"
        )

    (stored,) = await bus.said()
    assert isinstance(stored.said, Propose)
    assert stored.subject == "hp.acme.call.robot.propose"
    assert stored.said.arguments == SAYS
    assert (stored.said.reasoning, stored.said.taint) == ("to know", ("/path",))
    assert stored.said.taint_source == "mail"
    assert outcome.ok
    assert (outcome.status, outcome.data, outcome.formatted) == (Status.DONE, {"rows": 3}, "3 rows")
    assert outcome.idempotency_key == stored.said.idempotency_key
    assert [(it.known, it.hold_id) for it in gate.asked] == [
        (Status.APPROVED, ""),
        (Status.PENDING_CONFIRMATION, HOLD),
        (Status.APPROVED, HOLD),
    ]
    assert all(0 < it.wait_s <= 55 for it in gate.asked)
    assert {it.seq for it in gate.asked} == {bus.begins + 1}


async def test_without_waiting_it_returns_as_soon_as_people_are_asked(bus: Bus) -> None:
    await bus.gate(Status.WAITING, Status.APPROVED, Status.PENDING_CONFIRMATION)

    async with bus.agent() as hp:
        outcome = await hp.call("read_file", SAYS, wait=False)

    assert outcome.is_pending
    assert (outcome.status, outcome.hold_id) == (Status.PENDING_CONFIRMATION, HOLD)


async def test_a_given_key_is_sent_as_it_is(bus: Bus) -> None:
    await bus.gate(Status.ALREADY_PROCESSED)

    async with bus.agent() as hp:
        outcome = await hp.call("read_file", SAYS, idempotency_key="pay-7-2026")

    assert [it.said.idempotency_key for it in await bus.said() if isinstance(it.said, Propose)] == [
        "pay-7-2026"
    ]
    assert outcome.status is Status.ALREADY_PROCESSED
    assert outcome.ok


async def test_a_refusal_is_an_error_with_its_stable_code(bus: Bus) -> None:
    await bus.gate(refused("unknown_tool"))

    async with bus.agent() as hp:
        with pytest.raises(RefusedError, match="because") as caught:
            await hp.call("no_such_tool", {})

    assert (caught.value.code, caught.value.text) == ("unknown_tool", "because")


@pytest.mark.parametrize("status", sorted(FINAL - {Status.REFUSED}))
async def test_only_confirmed_is_true(bus: Bus, status: Status) -> None:
    await bus.gate(Status.PENDING_CONFIRMATION, status)

    async with bus.agent() as hp:
        answer = await hp.request_confirmation("Delete it?", "high", {"type": "shell"})

    assert answer is (status is Status.CONFIRMED)


@pytest.mark.usefixtures("short_waits")
async def test_a_confirmation_that_could_not_be_asked_for_is_no_answer(bus: Bus) -> None:
    async with bus.agent(patience_s=0.5) as hp:
        with pytest.raises(UnavailableError) as caught:
            await hp.request_confirmation("Delete it?", RiskLevel.HIGH, {"type": "shell"})

    (stored,) = await bus.said()
    assert isinstance(stored.said, Intent)
    assert stored.said.metadata == IntentClaim(
        confirmation_required=True, risk_level=RiskLevel.HIGH, action_type="shell"
    )
    assert caught.value.code == "unavailable"
    assert caught.value.idempotency_key == stored.said.idempotency_key


async def test_the_seeds_metadata_may_stand_beside_a_sentence(bus: Bus) -> None:
    await bus.gate(Status.CONFIRMED)
    metadata = {
        "confirmation_required": True,
        "risk_level": "critical",
        "action_type": "batch_delete",
        "scope": {"records": 500, "type": "user_accounts"},
    }

    async with bus.agent() as hp:
        outcome = await hp.say("I'm about to delete these 500 user accounts.", metadata)
        with pytest.raises(RefusedError) as caught:
            await hp.say("Hello.", {"risk_level": "enormous"})

    (stored,) = await bus.said()
    assert isinstance(stored.said, Intent)
    assert stored.said.metadata.scope == Scope(records=500, type="user_accounts")
    assert outcome.confirmed
    assert caught.value.code == "bad_data"


async def test_the_next_steps_of_a_pending_call_may_be_called_like_tools(bus: Bus) -> None:
    await bus.gate(Status.PENDING_CONFIRMATION, Status.WITHDRAWN)

    async with bus.agent() as hp:
        stands = await hp.call("confirm_read_file", {"hold_id": HOLD})
        withdrawn = await hp.call("cancel_pending_operation", {"hold_id": HOLD})

    assert (stands.status, withdrawn.status) == (Status.PENDING_CONFIRMATION, Status.WITHDRAWN)
    assert [type(it.said) for it in await bus.said()] == [Propose, Propose]


async def test_a_node_of_the_call_tree_is_written_down(bus: Bus) -> None:
    async with bus.agent() as hp:
        await hp.trace("plan", "opened", "t-1", "g-1", input={"goal": "tidy"}, parent="t-0")

    (stored,) = await bus.said()
    assert isinstance(stored.said, Trace)
    assert (stored.said.fn, stored.said.input) == ("plan", {"goal": "tidy"})
    assert stored.subject == "hp.acme.call.robot.trace"


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda hp: hp.call("read_file", {"deep": [{"n": float("nan")}]}), "not_finite"),
        (lambda hp: hp.say("x", action_detail={"n": float("inf")}), "not_finite"),
        (lambda hp: hp.call("read_file", {"text": "x" * 300_000}), "too_large"),
        (lambda hp: hp.call("read_file", {"path": "\ud800"}), "bad_unicode"),
        (lambda hp: hp.say("half a pair: \udc00"), "bad_unicode"),
        (lambda hp: hp.call("read_file", {"path": object()}), "bad_data"),
        (lambda hp: hp.call("run_command", {"command": b"ls"}), "bad_data"),
        (lambda hp: hp.call("run_command", {"deep": [({"c": bytearray(b"ls")},)]}), "bad_data"),
        (lambda hp: hp.call("run_command", {"deep": {"c": memoryview(b"ls")}}), "bad_data"),
        (lambda hp: hp.call("run_command", {"deep": {b"command": "ls"}}), "bad_data"),
        (lambda hp: hp.call("run_command", {"deep": {"c": {b"ls"}}}), "bad_data"),
        (lambda hp: hp.call("run_command", {"command": Order(command=b"ls")}), "bad_data"),
        (lambda hp: hp.call("run_command", {"command": Command(command=b"ls")}), "bad_data"),
        (lambda hp: hp.say("x", action_detail={"command": b"ls"}), "bad_data"),
        (lambda hp: hp.request_confirmation("Go?", "low", {"c": [b"ls"]}), "bad_data"),
        (lambda hp: hp.trace("f", "opened", "t", "g", input={"c": b"ls"}), "bad_data"),
        (lambda hp: hp.request_confirmation("Should I?", "bogus", {}), "bad_data"),
        (lambda hp: hp.trace("f", "bogus", "t", "g"), "bad_data"),
    ],
)
async def test_what_would_arrive_changed_or_not_at_all_is_not_sent(
    bus: Bus, ask: Ask, code: str
) -> None:
    async with bus.agent() as hp:
        with pytest.raises(RefusedError) as caught:
            await ask(hp)

    assert caught.value.code == code
    assert await bus.said() == []


@pytest.mark.usefixtures("short_waits")
async def test_whoever_uses_another_agents_name_is_told_so(bus: Bus) -> None:
    stranger = bus.world.login("agent_rival")

    async with bus.agent(seed=stranger.seed) as hp:
        with pytest.raises(SetupError, match="robot"):
            await hp.call("read_file", SAYS)


async def test_a_name_that_is_more_than_one_token_is_no_agent(bus: Bus) -> None:
    with pytest.raises(SetupError, match="no agent's name"):
        Holdpoint.connect("robot.>", bus.world.settings, seed="SU")


async def test_without_a_credential_nobody_speaks(bus: Bus) -> None:
    with pytest.raises(SetupError, match="holdpoint provision"):
        Holdpoint.connect("nobody", bus.world.settings)


async def test_before_it_is_connected_nothing_can_be_said(bus: Bus) -> None:
    with pytest.raises(UnavailableError, match="async with"):
        await bus.agent().call("read_file", SAYS)


async def test_system_asks_on_the_only_connection_and_never_guesses(bus: Bus) -> None:
    await bus.gate(Status.CONFIRMED)

    async def asks() -> bool:
        return await system.request_confirmation("Go?", RiskLevel.HIGH, {"type": "shell"})

    with pytest.raises(SetupError, match="No connection"):
        await asks()
    async with bus.agent():
        assert await asks() is True
        async with bus.agent():
            with pytest.raises(SetupError, match="Several"):
                await asks()


async def test_the_sync_client_does_the_same_without_a_loop(bus: Bus) -> None:
    await bus.gate(Status.DONE, refused("bad_arguments"), Status.CONFIRMED)

    def program() -> tuple[Outcome, str, bool]:
        with SyncHoldpoint.connect(AGENT, bus.world.settings) as hp:
            outcome = hp.call("read_file", SAYS)
            with pytest.raises(RefusedError) as caught:
                hp.call("read_file", {})
            return outcome, caught.value.code, hp.request_confirmation("Go?", "low", {})

    outcome, code, confirmed = await asyncio.to_thread(program)

    assert outcome.ok
    assert (code, confirmed) == ("bad_arguments", True)


def test_an_outcome_has_no_truth_of_its_own() -> None:
    with pytest.raises(TypeError, match="confirmed"):
        bool(Outcome(status=Status.CANCELLED))


def test_a_result_is_what_the_seeds_tools_return() -> None:
    done, failed = Result.ok({"rows": 3}), Result.fail("User cancelled operation")

    assert done
    assert not failed
    assert (done.data, failed.reason) == ({"rows": 3}, "User cancelled operation")
