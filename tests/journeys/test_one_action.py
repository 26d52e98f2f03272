"""One action from the call to its effect, on every road that it can take."""

import shutil
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from tests.actors import AgentVoice, Call, PersonVoice, StreamEyes
from tests.running_system import Road, fresh
from tests.waiting import eventually

from holdpoint.core.digest import action_digest
from holdpoint.core.responses import waiting
from holdpoint.ledger.queries import ConfirmationEvent
from holdpoint.messages import subjects as s
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Halted, Rendered, Resolved, Resumed
from holdpoint.messages.run import Finished, Started
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import hold_fact

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

MICROSECONDS = timedelta(microseconds=3)
"""Two readings of one broker timestamp are rounded differently by nats-py."""

ENDED = (Status.DONE, Status.FAILED, Status.PRECONDITION_FAILED, Status.REFUSED, Status.DENIED)


def delete(table: str) -> dict[str, Any]:
    return {"database": "crm", "sql": f"DELETE FROM {table} WHERE status = 'stale'"}  # ours


async def propose_delete(robot: AgentVoice, table: str, **more: Any) -> Call:
    return await robot.propose("execute_sql", delete(table), **more)


async def test_a_harmless_read_passes_and_is_answered(road: Road, robot: AgentVoice) -> None:
    folder = fresh("folder")
    (road.scratch / folder).mkdir()
    (road.scratch / folder / "note.txt").write_text("hello")

    told = await robot.hears(
        await robot.propose("list_directory", {"path": folder}), *ENDED, within_s=5
    )

    assert told.status is Status.DONE
    assert "note.txt" in told.formatted
    assert road.confirmation(told.hold_id) is None


async def test_small_changes_of_the_working_folder_ask_nobody(
    road: Road, robot: AgentVoice
) -> None:
    """A parse proves that they lose nothing, and no dry run has to."""
    one, two = fresh("one"), fresh("two")
    commands = [
        f"mkdir {one}",
        f"touch {one}/a.txt && cp -n {one}/a.txt {two}.txt",
        "mkdir -p node_modules/left && rm -rf node_modules",
    ]

    for command in commands:
        call = await robot.propose("run_command", {"command": command})
        told = await robot.hears(call, *ENDED, Status.PENDING_CONFIRMATION)
        assert told.status is Status.DONE, (command, told.reason)
    assert (road.scratch / f"{two}.txt").is_file()
    assert not (road.scratch / "node_modules").exists()


async def test_a_creation_passes_and_is_done_once(
    road: Road, robot: AgentVoice, eyes: StreamEyes
) -> None:
    name = f"{fresh('note')}.txt"

    call = await robot.propose("create_file", {"path": name, "content": "hi"})
    told = await robot.hears(call, *ENDED)

    assert told.status is Status.DONE
    assert (road.scratch / name).read_text() == "hi"
    assert [type(fact) for fact in await eyes.runs(told.hold_id)] == [Started, Finished]


async def test_a_yes_releases_the_hold(road: Road, robot: AgentVoice, ann: PersonVoice) -> None:
    table = road.table(500)
    call = await propose_delete(robot, table)
    card = await ann.card((await robot.pending(call)).hold_id)

    assert card.title.startswith("Delete 500 rows in crm")
    assert card.ui.action.affected == 500
    assert card.ui.buttons == ("Proceed", "Cancel")
    assert road.rows(table) == 500

    assert (await ann.proceed(card)).status is not Status.REFUSED
    told = await robot.hears(call, *ENDED)

    assert told.status is Status.DONE
    assert told.data["affected"] == 500
    assert road.rows(table) == 0
    assert (await ann.card(card.hold_id, "done")).result == told.formatted


@pytest.mark.parametrize("command", ["rm -r old", "rm -r old; true"])
async def test_a_command_does_not_run_in_a_folder_that_took_the_place_of_its_own(
    road: Road, robot: AgentVoice, ann: PersonVoice, command: str
) -> None:
    """The first command has a count, which is the same in both folders; the second has none."""
    (road.scratch / "old").mkdir()
    (road.scratch / "old" / "a.txt").write_text("x")
    call = await robot.propose("run_command", {"command": command})
    card = await ann.card((await robot.pending(call)).hold_id)
    aside = road.scratch.rename(road.scratch.with_name("aside"))
    shutil.copytree(aside, road.scratch)
    try:
        await ann.proceed(card)
        told = await robot.hears(call, *ENDED)

        assert told.status is Status.PRECONDITION_FAILED
        assert "was moved or replaced" in told.reason
        assert (road.scratch / "old" / "a.txt").exists()
        assert (aside / "old" / "a.txt").exists()
    finally:
        shutil.rmtree(road.scratch)
        aside.rename(road.scratch)
        shutil.rmtree(road.scratch / "old", ignore_errors=True)


async def test_s6_everybody_saw_the_same_digest(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    call = await propose_delete(robot, road.table(500))
    card = await ann.card((await robot.pending(call)).hold_id)
    await ann.proceed(card)
    told = await robot.hears(call, *ENDED)

    facts, runs = await eyes.facts(card.hold_id), await eyes.runs(card.hold_id)
    assert [type(fact) for fact in facts] == [Halted, Rendered, Resolved, Resumed]
    assert [type(fact) for fact in runs] == [Started, Finished]
    halted, rendered, resolved, resumed = facts
    ran = resumed.hold.action
    assert action_digest(ran) == card.digest
    assert {fact.hold.digest for fact in facts} | {run.digest for run in runs} == {card.digest}
    assert action_digest(msgspec.structs.replace(ran, preconditions={})) == told.call_digest
    assert rendered.hold.render_digest == card.render_digest == resumed.hold.render_digest
    assert {run.nonce for run in runs} == {resumed.grant.nonce}
    assert halted.hold.causes == (f"CALLS@robot:{call.seq}",)
    assert [voice.person for voice in resolved.hold.voices] == ["ann"]


async def test_the_ledgers_row_of_a_yes_is_exact(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    table = road.table(500)
    call = await propose_delete(robot, table, reasoning="They are stale.")
    asked = await robot.pending(call)
    await ann.proceed(await ann.card(asked.hold_id))
    await robot.hears(call, Status.DONE)

    async def executed() -> ConfirmationEvent | None:
        row = road.confirmation(asked.hold_id)
        is_whole = (
            row and row.run_status and row.answered_at and row.resumed and row.agent_reasoning
        )
        return row if is_whole else None

    row = await eventually(executed)
    assert row is not None
    halted, _, resolved, _ = await eyes.on(s.HOLDS, s.hold_facts("acme", "robot", asked.hold_id))
    assert abs(row.timestamp - resolved.at) < MICROSECONDS
    assert row.halted_at is not None
    assert abs(row.halted_at - halted.at) < MICROSECONDS
    assert row == ConfirmationEvent(
        timestamp=row.timestamp,
        agent_reasoning="They are stale.",
        proposed_action=msgspec.to_builtins(hold_fact(halted.message).hold.action),
        risk_assessment="critical",
        user_response=True,
        final_action={"tool": "execute_sql", "arguments": delete(table) | {"parameters": {}}},
        hold_id=asked.hold_id,
        tenant="acme",
        agent="robot",
        on_behalf_of="ann",
        outcome="confirmed",
        answered=True,
        reason="",
        approvers=["ann"],
        resolved_by="ann",
        halted_at=row.halted_at,
        policy_version="1",
        digest=hold_fact(halted.message).hold.digest,
        proposal=f"CALLS@robot:{call.seq}",
        resumed=True,
        ended_as="confirmed",
        enforcement="structural",
        level=hold_fact(halted.message).hold.level,
        groups=row.groups,
        signals=row.signals,
        seconds_shown=row.seconds_shown,
        shown_at=row.shown_at,
        answered_at=row.answered_at,
        resumed_at=row.resumed_at,
        grant_nonce=row.grant_nonce,
        worker=row.worker,
        run_status="done",
    )
    assert None not in {row.seconds_shown, row.shown_at, row.answered_at, row.resumed_at}
    assert "" not in {row.grant_nonce or "", row.worker or ""}
    assert [] not in (row.groups, row.signals)


async def test_a_cancel_stops_it_and_says_that_a_person_said_no(
    road: Road, robot: AgentVoice, ben: PersonVoice, eyes: StreamEyes
) -> None:
    table = road.table(7)
    call = await propose_delete(robot, table)
    asked = await robot.pending(call)

    await ben.cancel(await ben.card(asked.hold_id), "Not on a Friday.")
    told = await robot.hears(call, Status.CANCELLED, *ENDED)

    assert (told.status, told.reason) == (Status.CANCELLED, "Not on a Friday.")
    row = await road.ended(asked.hold_id)
    assert (row.outcome, row.user_response, row.answered) == ("cancelled", False, True)
    assert (row.resolved_by, row.approvers, row.final_action) == ("ben", [], None)
    assert (row.resumed, row.ended_as) == (False, "cancelled")
    assert await eyes.runs(asked.hold_id) == []
    assert road.rows(table) == 7


@pytest.mark.slow
async def test_silence_expires_at_the_agents_own_earlier_deadline(
    road: Road, robot: AgentVoice, eyes: StreamEyes
) -> None:
    table = road.table(7)
    deadline = clock.now() + timedelta(seconds=2)
    call = await propose_delete(robot, table, deadline=deadline)
    asked = await robot.pending(call)
    assert asked.confirmation is not None
    assert asked.confirmation.expires_at == deadline

    told = await robot.hears(call, Status.EXPIRED, *ENDED)

    assert told.status is Status.EXPIRED
    row = await road.ended(asked.hold_id)
    assert (row.outcome, row.user_response, row.answered) == ("expired", False, False)
    assert (row.resolved_by, row.resumed) == (None, False)
    assert row.timestamp >= deadline
    assert await eyes.runs(asked.hold_id) == []
    assert road.rows(table) == 7


async def test_an_agent_cannot_ask_for_a_later_deadline(road: Road, robot: AgentVoice) -> None:
    call = await propose_delete(
        robot, road.table(1), deadline=clock.now() + timedelta(days=7), key=fresh("late")
    )

    asked = await robot.pending(call)

    assert asked.confirmation is not None
    assert asked.confirmation.expires_at is not None
    assert asked.confirmation.expires_at < clock.now() + timedelta(seconds=901)


async def test_the_agent_takes_back_what_is_pending(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    table = road.table(7)
    call = await propose_delete(robot, table)
    asked = await robot.pending(call)
    card = await ann.card(asked.hold_id)

    await robot.withdraw(asked.hold_id, "I found another way.")
    told = await robot.hears(call, Status.WITHDRAWN, *ENDED)

    assert (told.status, told.reason) == (Status.WITHDRAWN, "I found another way.")
    late = await ann.proceed(card)
    assert (late.status, late.code) == (Status.REFUSED, "already_closed")
    row = await road.ended(asked.hold_id)
    assert (row.outcome, row.answered, row.resumed) == ("withdrawn", False, False)
    assert road.rows(table) == 7


async def test_a_tool_that_is_not_in_the_agents_list_is_denied(
    road: Road, guests: Any, eyes: StreamEyes
) -> None:
    reader = await guests.agent("reader")
    call = await reader.propose("create_file", {"path": "no.txt", "content": "no"})

    told = await reader.hears(call, *ENDED)

    assert told.status is Status.DENIED
    assert "create_file" in told.reason
    assert await eyes.runs(told.hold_id) == []
    row = await road.ended(told.hold_id)
    assert (row.outcome, row.user_response, row.answered) == ("denied", False, False)
    assert not (road.scratch / "no.txt").exists()


async def test_an_agent_cannot_see_or_withdraw_anothers_hold(
    road: Road, robot: AgentVoice, guests: Any
) -> None:
    rival = await guests.agent("rival")
    asked = await robot.pending(await propose_delete(robot, road.table(5)))

    taken = await rival.hears(await rival.withdraw(asked.hold_id), Status.REFUSED)
    seen = await rival.ask(hold_id=asked.hold_id)

    assert taken.code == "unknown_hold"
    assert seen == waiting(asked.hold_id)
    assert (await robot.ask(hold_id=asked.hold_id)).status is Status.PENDING_CONFIRMATION


async def test_the_agent_learns_the_outcome_and_not_who_answered_or_how(
    road: Road, robot: AgentVoice, ben: PersonVoice
) -> None:
    call = await propose_delete(robot, road.table(5))
    asked = await robot.pending(call)
    pending = msgspec.json.encode(asked).decode()
    await ben.proceed(await ben.card(asked.hold_id))
    done = msgspec.json.encode(await robot.hears(call, Status.DONE)).decode()

    for word in ("ben", "voices", "proof", "render_digest", "nonce"):
        assert word not in pending.replace(asked.hold_id, "")
        assert word not in done.replace(asked.hold_id, "")
    assert "operators" not in done


async def test_only_the_first_answer_ends_it_and_the_second_is_told_so(
    road: Road, robot: AgentVoice, ann: PersonVoice, ben: PersonVoice
) -> None:
    asked = await robot.pending(await propose_delete(robot, road.table(5)))
    card = await ann.card(asked.hold_id)

    first, second = await ben.cancel(card), await ann.proceed(card)

    assert first.status is Status.CANCELLED
    assert (second.status, second.code) == (Status.REFUSED, "already_closed")


async def test_a_person_who_was_not_asked_has_no_say(
    road: Road, robot: AgentVoice, ann: PersonVoice, guests: Any
) -> None:
    cem = await guests.person("cem")
    asked = await robot.pending(await propose_delete(robot, road.table(5)))

    told = await cem.proceed(await ann.card(asked.hold_id))

    assert (told.status, told.code) == (Status.REFUSED, "not_an_approver")
    assert (await robot.ask(hold_id=asked.hold_id)).status is Status.PENDING_CONFIRMATION


async def test_a_refusal_wakes_whoever_waits_for_it(robot: AgentVoice) -> None:
    """A withdrawal of an unknown hold is refused after a while: the wait ends then, not later."""
    call = await robot.withdraw(fresh("unknown"))
    since = clock.monotonic()

    told = await robot.ask(call, wait_s=12.0)

    assert (told.status, told.code) == (Status.REFUSED, "unknown_hold")
    assert clock.monotonic() - since < 8


async def test_a_yes_to_a_script_is_a_yes_to_its_text(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    """The agent writes what the command runs after the person has read the card."""
    name = f"{fresh('later')}.sh"
    call = await robot.propose("run_command", {"command": f"bash {name}"})
    card = await ann.card((await robot.pending(call)).hold_id)
    unread = f"What it would change is not known: {name} does not exist yet."
    assert unread in {it.reason for it in card.signals}
    swapped = {"path": name, "content": f"touch {name}.swapped\n"}
    await robot.hears(await robot.propose("create_file", swapped), *ENDED)

    await ann.proceed(card)
    told = await robot.hears(call, *ENDED)

    assert told.status is Status.PRECONDITION_FAILED
    assert "no longer holds what the card showed" in told.formatted
    assert not (road.scratch / f"{name}.swapped").exists()
