"""Seed 002 to the letter, on the bus: its sentence halts, is rendered, resolved and resumed."""

from typing import Any

import msgspec
import pytest
from tests.actors import AgentVoice, PersonVoice, StreamEyes
from tests.running_system import Road
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

SENTENCE = "I'm about to delete these 500 user accounts. Should I proceed?"
METADATA = {
    "confirmation_required": True,
    "risk_level": "critical",
    "action_type": "batch_delete",
    "scope": {"records": 500, "type": "user_accounts"},
}
FOUR = ["holdpoint.v1.halt", "holdpoint.v1.render", "holdpoint.v1.resolve", "holdpoint.v1.resume"]


async def data_on(eyes: StreamEyes, hold_id: str) -> list[tuple[str, dict[str, Any]]]:
    """Each fact's type and data, as any language reads them."""
    stored = await eyes.on(s.HOLDS, s.hold_facts("acme", "robot", hold_id))
    events = [msgspec.json.decode(it.data) for it in stored]
    return [(event["type"], event["data"]) for event in events]


async def test_the_seeds_sentence_halts_with_exactly_the_seeds_metadata(
    robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    asked = await robot.pending(await robot.say(SENTENCE))
    card = await ann.card(asked.hold_id)

    (halt, halted), (render, rendered) = await data_on(eyes, asked.hold_id)
    assert [halt, render] == FOUR[:2]
    assert halted["metadata"] == METADATA
    assert halted["hold"]["metadata"] == METADATA
    assert msgspec.to_builtins(card.metadata) == METADATA
    assert card.ui.message == rendered["hold"]["ui"]["message"] == SENTENCE
    assert set(msgspec.to_builtins(card.ui)) == {
        "message",
        "action",
        "risk_level",
        "show_details",
        "buttons",
    }
    assert list(card.ui.buttons) == ["Proceed", "Cancel"]
    assert card.ui.risk_level.value == "critical"


@pytest.mark.parametrize(
    ("choice", "status", "confirmed"),
    [(Choice.PROCEED, Status.CONFIRMED, True), (Choice.CANCEL, Status.CANCELLED, False)],
)
async def test_its_resume_is_a_boolean_and_nothing_else(
    robot: AgentVoice,
    ann: PersonVoice,
    eyes: StreamEyes,
    choice: Choice,
    status: Status,
    confirmed: bool,
) -> None:
    call = await robot.say(SENTENCE)
    asked = await robot.pending(call)
    card = await ann.card(asked.hold_id)
    await ann.heard(card, await ann.answer(card, choice))

    told = await robot.hears(call, Status.CONFIRMED, Status.CANCELLED)

    assert told.status is status

    async def all_four() -> list[tuple[str, dict[str, Any]]]:
        facts = await data_on(eyes, asked.hold_id)
        assert [kind for kind, _ in facts] == FOUR
        return facts

    resume = (await eventually(all_four))[-1][1]
    assert resume["confirmed"] is confirmed
    assert "grant" not in resume
    assert await eyes.runs(asked.hold_id) == []


async def test_the_confirmation_log_has_the_seeds_fields(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    asked = await robot.pending(await robot.say(SENTENCE, reasoning="Cleaning up."))
    card = await ann.card(asked.hold_id)
    await ann.proceed(card)

    async def logged() -> dict[str, Any] | None:
        """What was said comes by a stream of its own, and may come last."""
        row = road.confirmation(asked.hold_id)
        whole = row and row.resumed is not None and row.agent_reasoning is not None
        return msgspec.structs.asdict(row) if row and whole else None

    row = await eventually(logged)
    assert row is not None
    assert list(row)[:6] == [
        "timestamp",
        "agent_reasoning",
        "proposed_action",
        "risk_assessment",
        "user_response",
        "final_action",
    ]
    assert row["agent_reasoning"] == f"{SENTENCE}\n\nCleaning up."
    assert row["proposed_action"]["says"] == SENTENCE
    assert (row["risk_assessment"], row["user_response"]) == ("critical", True)
    assert row["final_action"] is None


async def test_a_sentence_that_announces_nothing_passes(
    robot: AgentVoice, eyes: StreamEyes
) -> None:
    told = await robot.hears(
        await robot.say("I will look up your order."),
        Status.CONFIRMED,
        Status.PENDING_CONFIRMATION,
        Status.REFUSED,
    )

    assert told.status is Status.CONFIRMED
    ((kind, data),) = await data_on(eyes, told.hold_id)
    assert kind == "holdpoint.v1.passed"
    assert "grant" not in data
