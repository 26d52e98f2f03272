"""People too send what must not count: each of it is refused once, where they find it."""

import asyncio
import json
from typing import Any

import msgspec
import pytest
from nats.errors import TimeoutError as NatsTimeoutError
from tests.actors import AgentVoice, Call, PersonVoice, StreamEyes
from tests.integration.bad_calls import call, event, raw
from tests.running_system import LONG_S, Road, fresh
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.card import Card
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.state import Kill
from holdpoint.runtime.broker.connection import jetstream

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


async def end_of(robot: AgentVoice, sent: Call) -> Envelope:
    """How it ended; whatever it was, it must not wait for ever."""
    return await robot.hears(sent, *(set(Status) - {Status.WAITING, Status.APPROVED}))


async def is_served(robot: AgentVoice) -> None:
    """A good call right after it is answered at once."""
    good = await robot.propose("list_directory", {"path": "."})
    assert (await robot.hears(good, Status.DONE, within_s=10)).status is Status.DONE


@pytest.fixture(autouse=True)
def _the_gate_stays_up(road: Road) -> Any:
    before = road.supervisor.pid("gate")
    yield
    assert road.supervisor.pid("gate") == before
    assert dict(road.supervisor.dead()) == {}


async def a_card(robot: AgentVoice, person: PersonVoice) -> Card:
    command = f"echo x > {fresh('word')}"
    asked = await robot.pending(await robot.propose("run_command", {"command": command}))
    return await person.card(asked.hold_id)


def yes(card: Card, **changed: Any) -> dict[str, Any]:
    return {
        "hold_id": card.hold_id,
        "digest": card.digest,
        "render_digest": card.render_digest,
        "answer": "proceed",
        **changed,
    }


async def test_each_bad_answer_is_refused_with_its_code(
    robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    card, other = await a_card(robot, ann), await a_card(robot, ann)
    kind = "holdpoint.v1.answer"
    bad: list[tuple[str, bytes]] = [
        ("bad_json", b""),
        ("bad_json", b"yes"),
        ("bad_json", b"\xff\xfe"),
        ("bad_event", b"[]"),
        ("bad_event", raw(yes(card))),
        ("too_large", raw(event(yes(card), kind)).ljust(256 * 1024 + 1)),
        ("too_deep", raw(event(yes(card, more=json.loads("[" * 50 + "]" * 50)), kind))),
        ("not_finite", raw(event(yes(card, seconds_shown=float("nan")), kind))),
        ("duplicate_key", raw(event(yes(card), kind)).replace(b'"answer"', b'"answer":1,"answer"')),
        ("bad_unicode", raw(event(yes(card, reason="\ud800"), kind))),
        ("unknown_type", raw(event(yes(card)))),
        ("unknown_type", raw(event({"on": True}, "holdpoint.v1.kill"))),
        ("bad_data", raw(event(yes(card, answer="yes"), kind))),
        ("bad_data", raw(event(yes(card, answer=True), kind))),
        ("bad_data", raw(event(yes(card, answer="PROCEED"), kind))),
        ("bad_data", raw(event(yes(card, digest=None), kind))),
        ("bad_data", raw(event({"answer": "proceed"}, kind))),
        ("wrong_subject", raw(event(yes(card, hold_id=other.hold_id), kind))),
        ("other_digest", raw(event(yes(card, digest=other.digest), kind))),
        ("other_digest", raw(event(yes(card, digest=""), kind))),
        ("other_render", raw(event(yes(card, render_digest=other.render_digest), kind))),
        ("other_render", raw(event(yes(card, render_digest=""), kind))),
        ("other_digest", raw(event(yes(card, answer="cancel", digest=other.digest), kind))),
        ("bad_proof", raw(event(yes(card, proof="let me in"), kind))),
        ("bad_proof", raw(event(yes(card, proof="AAAA"), kind))),
        ("reason_too_large", raw(event(yes(card, reason="x" * 200 * 1024), kind))),
    ]
    js = jetstream(ann.client, ann.login)
    subject = s.answer_subject("acme", "terminal", "ann", "robot", card.hold_id)
    acks = [await js.publish(subject, body) for _, body in bad]

    told = await asyncio.gather(*(ann.heard(card, ack.seq) for ack in acks))

    assert [it.code for it in told] == [code for code, _ in bad]
    assert {it.status for it in told} == {Status.REFUSED}
    counts = [len(await eyes.refusals("ann", f"ANSWERS:{ack.seq}")) for ack in acks]
    assert counts == [1] * len(bad)
    assert (await robot.ask(hold_id=card.hold_id)).status is Status.PENDING_CONFIRMATION
    assert (await ann.proceed(card)).status is not Status.REFUSED


async def test_an_answer_to_a_hold_that_is_not_there_is_refused(
    robot: AgentVoice, ann: PersonVoice
) -> None:
    card = await a_card(robot, ann)
    ghost = msgspec.structs.replace(card, hold_id=fresh("ghost"))
    stolen = msgspec.structs.replace(card, agent="rival")

    for wrong in (ghost, stolen):
        assert (await ann.proceed(wrong)).code == "unknown_hold"


async def test_nobody_answers_or_orders_under_anothers_name(
    robot: AgentVoice, ann: PersonVoice, ben: PersonVoice
) -> None:
    card = await a_card(robot, ann)
    answer = Answer(
        hold_id=card.hold_id,
        digest=card.digest,
        render_digest=card.render_digest,
        answer=Choice.PROCEED,
    )
    subjects = {
        s.answer_subject("acme", "terminal", "ann", "robot", card.hold_id): answer,
        s.answer_subject("acme", "terminal", "zoe", "robot", card.hold_id): answer,
        s.answer_subject("acme", "slack", "ben", "robot", card.hold_id): answer,
        s.admin_subject("acme", "ben", "kill"): Kill(on=True),
        s.admin_subject("acme", "ann", "kill"): Kill(on=True),
    }
    js = jetstream(ben.client, ben.login)
    for subject, message in subjects.items():
        with pytest.raises(NatsTimeoutError):
            await js.publish(subject, encode(message), timeout=0.2)

    assert len(ben.login.denials) >= len(subjects)
    assert (await robot.ask(hold_id=card.hold_id)).status is Status.PENDING_CONFIRMATION


async def test_each_bad_order_is_refused_with_its_code(
    ann: PersonVoice, robot: AgentVoice, eyes: StreamEyes
) -> None:
    kind = "holdpoint.v1.kill"
    bad: list[tuple[str, bytes]] = [
        ("bad_json", b""),
        ("bad_json", b"stop"),
        ("bad_event", b"{}"),
        ("too_large", raw(event({"on": True}, kind)).ljust(256 * 1024 + 1)),
        ("unknown_type", raw(event({"on": True}, "holdpoint.v1.explode"))),
        ("bad_data", raw(event({}, kind))),
        ("bad_data", raw(event({"on": "yes"}, kind))),
        ("bad_data", raw(event({"on": 1}, kind))),
        ("duplicate_key", raw(event({"on": True}, kind)).replace(b'"on"', b'"on":false,"on"')),
        ("wrong_subject", raw(event(call()))),
        ("bad_data", raw(event({"version": "2"}, "holdpoint.v1.adopt_policy"))),
        (
            "reason_too_large",
            raw(event({"on": True, "agent": "doomed", "reason": "x" * 200 * 1024}, kind)),
        ),
        ("unknown_agent", raw(event({"on": True, "agent": "nobody-we-know"}, kind))),
    ]
    js = jetstream(ann.client, ann.login)
    acks = [await js.publish(s.admin_subject("acme", "ann", "kill"), body) for _, body in bad]

    async def codes() -> list[list[str]]:
        return [[it.code for it in await eyes.refusals("ann", f"ADMIN:{ack.seq}")] for ack in acks]

    async def all_told() -> bool:
        assert await codes() == [[code] for code, _ in bad]
        return True

    await eventually(all_told, LONG_S)
    await is_served(robot)


async def test_a_long_reason_cannot_block_the_withdrawals_of_others(
    robot: AgentVoice, ann: PersonVoice
) -> None:
    """Every later fact of the hold would carry it, and be too large to be stored."""
    card = await a_card(robot, ann)

    told = await end_of(robot, await robot.withdraw(card.hold_id, "x" * 200 * 1024))

    assert (told.status, told.code) == (Status.REFUSED, "reason_too_large")
    assert (await end_of(robot, await robot.withdraw(card.hold_id))).status is Status.WITHDRAWN
