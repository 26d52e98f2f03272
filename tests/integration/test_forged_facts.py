"""What no gate signed steers no gate: not a card, not a grant, not an alarm (I3)."""

from datetime import timedelta

import pytest
from msgspec.structs import replace
from nats.js import JetStreamContext
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.integration.forgeries import Thief
from tests.running_system import LONG_S, Road, fresh
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.base import Message
from holdpoint.messages.codec import encode_event
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Passed
from holdpoint.messages.run import Lapsed
from holdpoint.messages.state import Alarm, TimerKind
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys
from holdpoint.runtime.security.keys import Keyset, Signer

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


@pytest.fixture
async def js(road: Road, guests: Guests) -> JetStreamContext:
    """The gate's right on the bus."""
    return jetstream(await guests.client("gate"), road.login("gate"))


def unsigned(message: Message, subject: str) -> bytes:
    return encode_event(
        message, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
    )


async def test_a_forged_card_does_not_keep_the_next_one_from_the_screen(
    robot: AgentVoice, ann: PersonVoice, js: JetStreamContext
) -> None:
    _, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)
    subject = s.card_subject("acme", "operators", card.hold_id)
    lie = replace(card, state="done", revision=2**40)

    await js.publish(subject, unsigned(lie, subject))
    await ann.cancel(card)

    assert (await ann.card(card.hold_id, "resumed")).revision < lie.revision


async def test_a_forged_grant_is_not_said_to_have_lapsed(
    road: Road, robot: AgentVoice, eyes: StreamEyes, js: JetStreamContext
) -> None:
    """The sweep looks at what no worker has settled; an honest grant after it shows that it did."""
    name = f"{fresh('model')}.txt"
    call = await robot.propose("create_file", {"path": name, "content": "good"})
    (model,) = await eyes.facts((await robot.hears(call, Status.DONE)).hold_id)
    thief = Thief(road, js, model)
    signer = Signer(road.settings.keys_dir, keys.GATE, Keyset(road.settings.keys_dir))

    with road.paused("worker-shell"):
        forged, honest = (thief.forged(f"{fresh('old')}.txt", _stale) for _ in range(2))
        await thief.publish(forged, None)
        await thief.publish(honest, signer.sign)

        async def is_swept() -> bool:
            return any(isinstance(it, Lapsed) for it in await eyes.runs(honest.hold.hold_id))

        await eventually(is_swept, LONG_S)
        assert await eyes.runs(forged.hold.hold_id) == []


def _stale(fact: Passed) -> Passed:
    return replace(fact, hold=replace(fact.hold, proposed_at=clock.now() - timedelta(hours=9)))


@pytest.mark.slow
async def test_a_forged_alarm_does_not_keep_a_hold_open(
    robot: AgentVoice, eyes: StreamEyes, js: JetStreamContext
) -> None:
    deadline = clock.now() + timedelta(seconds=8)
    _, call = await robot.command(deadline=deadline)
    hold = (await robot.pending(call)).hold_id
    subject = s.timer_subject("acme", "set", "robot", hold, TimerKind.EXPIRE.value)
    late = clock.now() + timedelta(hours=9)
    lie = Alarm(agent="robot", hold_id=hold, kind=TimerKind.EXPIRE, at=late)

    async def is_armed() -> bool:
        return bool(await eyes.on(s.TIMERS, subject))

    await eventually(is_armed)
    await js.publish(
        subject,
        unsigned(lie, subject),
        headers={
            "Nats-Schedule": f"@at {late:%Y-%m-%dT%H:%M:%SZ}",
            "Nats-Schedule-Target": subject.replace(".set.", ".due."),
        },
    )

    assert (await robot.hears(call, Status.EXPIRED)).status is Status.EXPIRED
