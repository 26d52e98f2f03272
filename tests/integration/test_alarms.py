"""Whatever lets an action run waits for the answers that reached the broker before it."""

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace
from tests.builders import a_confirmed_hold, a_hold, asked_of
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.world import TENANT, World

from holdpoint.gate.answers import on_answer
from holdpoint.gate.context import Gate
from holdpoint.gate.safety_net import on_alarm
from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.codec import encode_event
from holdpoint.messages.hold import AnyHoldFact, Hold, Outcome, Rendered, Resolved, Stage
from holdpoint.messages.policy import Voices
from holdpoint.messages.state import Alarm, TimerKind
from holdpoint.runtime.broker.lanes import Delivery, delivery_of
from holdpoint.runtime.broker.wire import wire_of
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import LoadedHold

pytestmark = pytest.mark.nats

ASKED = asked_of(Voices(group="operators"), approvers={"operators": ("ann", "ben")})
COOLED = timedelta(seconds=60)


async def test_a_stop_is_counted_before_what_cooled_off_goes_on(
    own_world: World, connected: Connect
) -> None:
    """The gate that was given it died, and nobody has it in hand when the alarm rings."""
    gate, now = await a_gate(own_world, connected), clock.now()
    cooling = replace(ASKED, cooling_off_s=int(COOLED.total_seconds()))
    hold = a_confirmed_hold(
        requirement=cooling, proposed_at=now - 2 * COOLED, resolved_at=now - COOLED
    )
    await stored(gate, Resolved(hold=hold, cause="ANSWERS:1", outcome=Outcome.CONFIRMED, by="ann"))
    stop = await answered(own_world, connected, gate, hold, Choice.CANCEL)

    await rings(gate, hold, TimerKind.RESUME)
    waits = (await stands(gate, hold)).hold.stage
    await on_answer(gate, stop)
    await rings(gate, hold, TimerKind.RESUME)

    ended = (await stands(gate, hold)).hold
    assert waits is Stage.RESOLVED
    assert (ended.stage, ended.outcome, ended.closed_by) == (
        Stage.RESUMED, Outcome.CANCELLED, "ben",
    )  # fmt: skip


async def test_a_late_notice_lets_nothing_go_on(own_world: World, connected: Connect) -> None:
    """What was due while everything was down rings when the broker is back, in any order."""
    gate, now = await a_gate(own_world, connected), clock.now()
    seconds = int(COOLED.total_seconds())
    cooling = replace(ASKED, cooling_off_s=seconds, notice_before_s=(seconds // 2,))
    hold = a_confirmed_hold(
        requirement=cooling, proposed_at=now - 2 * COOLED, resolved_at=now - COOLED
    )
    await stored(gate, Resolved(hold=hold, cause="ANSWERS:1", outcome=Outcome.CONFIRMED, by="ann"))
    await answered(own_world, connected, gate, hold, Choice.CANCEL)

    await rings(gate, hold, TimerKind.REMIND)

    assert (await stands(gate, hold)).hold.stage is Stage.RESOLVED


async def test_a_yes_in_time_is_counted_before_its_hold_expires(
    own_world: World, connected: Connect
) -> None:
    """However long it takes until the broker hands it out again."""
    gate, now = await a_gate(own_world, connected), clock.now()
    hold = a_hold(requirement=ASKED, proposed_at=now, expires_at=now + timedelta(seconds=60))
    await stored(gate, Rendered(hold=hold, cause="HOLDS:1"))
    yes = await answered(own_world, connected, gate, hold, Choice.PROCEED)

    await rings(gate, hold, TimerKind.EXPIRE, now + timedelta(seconds=60), deliveries=100)
    waits = (await stands(gate, hold)).hold.stage
    await on_answer(gate, yes)
    await rings(gate, hold, TimerKind.EXPIRE, now + timedelta(seconds=60), deliveries=101)

    assert waits is Stage.RENDERED
    assert (await stands(gate, hold)).hold.outcome is Outcome.CONFIRMED


async def test_a_no_that_came_first_is_counted_before_a_yes(
    own_world: World, connected: Connect
) -> None:
    """The gate that was given the no stands still, and another one has the yes."""
    gate, now = await a_gate(own_world, connected), clock.now()
    hold = a_hold(requirement=ASKED, proposed_at=now, expires_at=now + timedelta(seconds=60))
    await stored(gate, Rendered(hold=hold, cause="HOLDS:1"))
    no = await answered(own_world, connected, gate, hold, Choice.CANCEL)
    yes = await answered(own_world, connected, gate, hold, Choice.PROCEED, by="ann")

    await on_answer(gate, yes)
    waits = (await stands(gate, hold)).hold.stage
    await on_answer(gate, no)
    await on_answer(gate, yes)

    ended = (await stands(gate, hold)).hold
    assert waits is Stage.RENDERED
    assert (ended.outcome, ended.closed_by) == (Outcome.CANCELLED, "ben")


async def stored(gate: Gate, fact: AnyHoldFact) -> None:
    await gate.holds.append(fact, after=0)


async def stands(gate: Gate, hold: Hold) -> LoadedHold:
    loaded = await gate.holds.load(hold.agent, hold.hold_id)
    assert loaded is not None
    return loaded


async def answered(
    world: World, connected: Connect, gate: Gate, hold: Hold, choice: Choice, by: str = "ben"
) -> Delivery:
    """Store an answer, which nobody hears yet; as it is delivered again later."""
    person = await connected(world.login(f"person_{by}"))
    subject = s.answer_subject(TENANT, "terminal", by, hold.agent, hold.hold_id)
    answer = Answer(
        hold_id=hold.hold_id, answer=choice, digest=hold.digest, render_digest=hold.render_digest
    )
    body = encode_event(
        answer, event_id="a1", source="test", subject=subject, at=clock.now(), salt=""
    )
    await person.request(subject, body, timeout=5)
    kept = await gate.journal.reader.last(s.ANSWERS, subject)
    assert kept is not None
    reply = f"$JS.ACK.HP_ANSWERS_acme.gates.2.{kept.seq}.1.{_nanoseconds(kept.at)}.0"
    return delivery_of(wire_of(gate.client), subject, reply, b"", body)


async def rings(
    gate: Gate, hold: Hold, kind: TimerKind, at: datetime | None = None, deliveries: int = 1
) -> None:
    rang = at or clock.now()
    subject = s.timer_subject(TENANT, "due", hold.agent, hold.hold_id, kind.value)
    alarm = Alarm(agent=hold.agent, hold_id=hold.hold_id, kind=kind, at=rang)
    body = encode_event(alarm, event_id="t1", source="test", subject=subject, at=rang, salt="")
    reply = f"$JS.ACK.HP_TIMERS_acme.gates.{deliveries}.1.1.{_nanoseconds(rang)}.0"
    await on_alarm(gate, delivery_of(wire_of(gate.client), subject, reply, b"", body))


def _nanoseconds(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000) * 1000
