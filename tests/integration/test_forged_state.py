"""With a right on the bus and without the gate's key, nobody changes what holds (I3)."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
from msgspec.structs import replace
from nacl.signing import SigningKey
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import JetStreamContext
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.running_system import LONG_S, Road, fresh
from tests.waiting import eventually

from holdpoint.ledger.exceptions import Kind
from holdpoint.messages import subjects as s
from holdpoint.messages.base import Message
from holdpoint.messages.codec import encode_event
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Refused, Resumed
from holdpoint.messages.state import CURRENT, KillState, PolicyState
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys
from holdpoint.runtime.security.keys import SIGNATURE_HEADER, Keyset, Signer, worker_role
from holdpoint.runtime.store.journal import Stored

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

KILL = s.state_subject("acme", "kill", CURRENT)
POLICY = s.state_subject("acme", "policy", CURRENT)
BY = ("nobody", "a stranger", "a stranger as the gate", "a worker", "garbage", "a copy", "nonsense")


@dataclass(frozen=True, kw_only=True)
class Thief:
    """Somebody with the gate's right on the bus."""

    js: JetStreamContext
    headers: dict[str, Callable[[bytes], str] | None]

    async def writes(self, subject: str, message: Message, by: str) -> str:
        """Put it there, signed by whoever this is; the id of what was stored."""
        body = encode_event(
            message, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
        )
        header = self.headers[by]
        signature = header(body) if header else ""
        return await self.puts(subject, b"\xff" if by == "nonsense" else body, signature)

    async def puts(self, subject: str, body: bytes, signature: str) -> str:
        """Put these bytes there."""
        headers = {SIGNATURE_HEADER: signature} if signature else None
        ack = await self.js.publish(subject, body, headers=headers)
        return f"STATE:{ack.seq}"


@pytest.fixture
async def thief(road: Road, guests: Guests) -> Thief:
    folder = road.settings.keys_dir
    gate, worker = (
        Signer(folder, role, Keyset(folder)) for role in (keys.GATE, worker_role("shell"))
    )
    stranger = SigningKey.generate()
    copied = gate.sign(b"something else that the gate once signed")

    def own(key_id: str) -> Callable[[bytes], str]:
        def header(body: bytes) -> str:
            kind = keys.PAYLOAD_TYPE
            told = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(body), body)
            return f"{key_id} {base64.b64encode(stranger.sign(told).signature).decode()}"

        return header

    return Thief(
        js=jetstream(await guests.client("gate"), road.login("gate")),
        headers={
            "nobody": None,
            "a stranger": own("stranger-1"),
            "a stranger as the gate": own(gate.key_id),
            "a worker": worker.sign,
            "garbage": lambda _: "let me in",
            "a copy": lambda _: copied,
            "nonsense": None,
        },
    )


@pytest.fixture
async def doomed(guests: Guests) -> AgentVoice:
    return await guests.agent("doomed")


async def _may_act(agent: AgentVoice) -> bool:
    call = await agent.propose("list_directory", {"path": "."})
    told = await agent.hears(call, Status.DONE, Status.DENIED, Status.BARRED)
    return told.status is Status.DONE


async def _traces(eyes: StreamEyes, forged: str) -> Refused:
    """The gate's refusal of it, of which there is one."""

    async def refused() -> list[Refused]:
        return await eyes.refusals("gate", forged)

    (trace,) = await eventually(refused)
    assert trace.code == "not_signed"
    return trace


@pytest.mark.parametrize("by", BY)
async def test_a_forged_lift_of_the_kill_switch_lifts_nothing(
    road: Road, ann: PersonVoice, doomed: AgentVoice, eyes: StreamEyes, thief: Thief, by: str
) -> None:
    try:
        await ann.kill("doomed")
        await eventually(lambda: _is_stopped(doomed))

        lift = KillState(stopped={}, by="ann", cause="ADMIN:1")
        forged = await thief.writes(KILL, lift, by)

        assert not await _may_act(doomed)
        await _traces(eyes, forged)
        last = (await eyes.on(s.STATE, KILL))[-1]
        assert await eventually(lambda: _is_told(road, last), LONG_S)
    finally:
        await ann.revive("doomed")
        await eventually(lambda: _may_act(doomed))


async def _is_stopped(agent: AgentVoice) -> bool:
    return not await _may_act(agent)


async def _is_told(road: Road, forged: Stored) -> bool:
    """Whether an auditor finds it among the exceptions."""
    unsigned = [it for it in road.exceptions() if it.kind is Kind.UNSIGNED]
    return any(
        it.subject == forged.subject and abs(it.at - forged.at) < ROUNDING for it in unsigned
    )


ROUNDING = timedelta(milliseconds=1)


@pytest.mark.parametrize("by", BY)
async def test_a_forged_kill_switch_stops_nobody(
    doomed: AgentVoice, eyes: StreamEyes, thief: Thief, by: str
) -> None:
    thrown = KillState(stopped={"doomed": "I say so."}, by="ann", cause="ADMIN:1")

    forged = await thief.writes(KILL, thrown, by)

    assert await _may_act(doomed)
    await _traces(eyes, forged)


@pytest.mark.parametrize("by", BY)
async def test_a_forged_policy_version_does_not_stand(
    robot: AgentVoice, eyes: StreamEyes, thief: Thief, by: str
) -> None:
    first = await robot.propose("list_directory", {"path": "."})
    before = (await eyes.facts((await robot.hears(first, Status.DONE)).hold_id))[0].hold.policy

    lie = PolicyState(version="lax", digest="0" * 64, by="ann", cause="ADMIN:1")
    forged = await thief.writes(POLICY, lie, by)

    call = await robot.propose("list_directory", {"path": "."})
    (fact,) = await eyes.facts((await robot.hears(call, Status.DONE)).hold_id)
    assert fact.hold.policy == before
    await _traces(eyes, forged)


async def test_what_the_gate_itself_signed_counts_where_and_when_it_was_signed(
    ann: PersonVoice, doomed: AgentVoice, eyes: StreamEyes, thief: Thief
) -> None:
    """An old "go on", word for word, does not take back a newer "stop"."""
    try:
        await ann.kill("doomed")
        await eventually(lambda: _is_stopped(doomed))
        await ann.revive("doomed")
        await eventually(lambda: _may_act(doomed))
        lifted = (await eyes.on(s.STATE, KILL))[-1]
        policy = (await eyes.on(s.STATE, POLICY))[-1]
        await ann.kill("doomed")
        await eventually(lambda: _is_stopped(doomed))

        for old in (lifted, policy):
            forged = await thief.puts(KILL, old.data, old.signature)

            assert not await _may_act(doomed)
            await _traces(eyes, forged)
    finally:
        await ann.revive("doomed")
        await eventually(lambda: _may_act(doomed))


async def test_an_honest_order_goes_on_from_what_was_forged(
    ann: PersonVoice, doomed: AgentVoice, eyes: StreamEyes, thief: Thief
) -> None:
    try:
        for _ in range(3):
            await thief.writes(KILL, KillState(stopped={}, by="x", cause=""), "nobody")
        await ann.kill("doomed")
        await eventually(lambda: _is_stopped(doomed))
        last = (await eyes.on(s.STATE, KILL))[-1].message
        assert isinstance(last, KillState)
        assert "doomed" in last.stopped
    finally:
        await ann.revive("doomed")
        await eventually(lambda: _may_act(doomed))


async def test_a_refusal_that_no_gate_signed_is_told_to_nobody(
    robot: AgentVoice, guests: Guests, road: Road
) -> None:
    """A sender believes that what it said did not count; it did."""
    js = jetstream(await guests.client("gate"), road.login("gate"))
    call = await robot.propose("list_directory", {"path": "."})
    lie = Refused(principal="robot", cause=f"CALLS@robot:{call.seq}", code="lie", text="No.")
    subject = s.refusal_subject("acme", "robot", f"CALLS@robot:{call.seq}")
    body = encode_event(
        lie, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
    )

    await js.publish(subject, body)

    told = await robot.hears(call, Status.DONE, Status.REFUSED)
    assert told.status is Status.DONE


@pytest.mark.slow
async def test_a_forged_yes_to_a_sentence_is_told_to_nobody(
    robot: AgentVoice, ann: PersonVoice, guests: Guests, road: Road, eyes: StreamEyes
) -> None:
    """Nothing checks a sentence's RESUME but the gate that tells it."""
    js = jetstream(await guests.client("gate"), road.login("gate"))
    call = await robot.say("I will delete all 500 users now. Should I proceed?")
    hold_id = (await robot.pending(call)).hold_id
    await ann.card(hold_id)
    (*_, rendered) = await eyes.on(s.HOLDS, s.hold_facts("acme", "robot", hold_id))
    hold = replace(rendered.message.hold, stage="resumed", outcome="confirmed")  # type: ignore[attr-defined]
    yes = Resumed(hold=hold, cause="HOLDS:1", confirmed=True)
    subject = s.hold_subject(yes)
    body = encode_event(
        yes, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
    )

    await js.publish(subject, body)

    with pytest.raises(NatsTimeoutError):
        await robot.ask(hold_id=hold_id)
    assert road.supervisor.dead() == {}
