"""With a right on the bus that nobody should have, and without the gate's key, nothing runs."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from nacl.signing import SigningKey
from tests.actors import AgentVoice, Guests, StreamEyes
from tests.integration.forgeries import SIGNED, Thief
from tests.running_system import LONG_S, Road, fresh
from tests.waiting import eventually

from holdpoint.ledger.exceptions import Kind
from holdpoint.messages.base import Message
from holdpoint.messages.codec import encode_event
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Hold, Outcome, Rendered, Resolved, Resumed
from holdpoint.messages.run import Finished, Started
from holdpoint.messages.subjects import hold_subject
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys
from holdpoint.runtime.security.keys import Keyset, Signer, worker_role

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


@pytest.fixture
async def thief(road: Road, robot: AgentVoice, guests: Guests, eyes: StreamEyes) -> Thief:
    name = f"{fresh('model')}.txt"
    call = await robot.propose("create_file", {"path": name, "content": "good"})
    (model,) = await eyes.facts((await robot.hears(call, Status.DONE)).hold_id)
    client = await guests.client("gate")
    return Thief(road, jetstream(client, road.login("gate")), model)


async def the_worker_goes_on(robot: AgentVoice, road: Road) -> None:
    """An honest grant right after it is served, and nothing stands in its way for long."""
    name = f"{fresh('after')}.txt"
    call = await robot.propose("create_file", {"path": name, "content": "good"})
    await robot.hears(call, Status.DONE, within_s=10)
    assert (road.scratch / name).exists()


async def settled(eyes: StreamEyes) -> bool:
    """Whether the shell's workers have dealt with every grant, so that no poison comes again."""
    js = jetstream(eyes.client, eyes.login)
    info = await js.consumer_info("HP_HOLDS_acme", "worker_shell")
    return bool(info.num_pending == 0 == info.num_ack_pending)


@pytest.mark.parametrize(
    "by", ["nobody", "a stranger", "a stranger as the gate", "a worker", "garbage", "a copy"]
)
async def test_what_the_gate_did_not_sign_has_no_effect_and_leaves_a_trace(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief, by: str
) -> None:
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

    headers: dict[str, Callable[[bytes], str] | None] = {
        "nobody": None,
        "a stranger": own("stranger-1"),
        "a stranger as the gate": own(gate.key_id),
        "a worker": worker.sign,
        "garbage": lambda _: "let me in",
        "a copy": lambda _: copied,
    }
    name = f"{fresh('evil')}.txt"

    forged = thief.forged(name)
    subject = await thief.publish(forged, headers[by])

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / name).exists()
    assert await eyes.runs(forged.hold.hold_id) == []
    assert await eventually(lambda: _unsigned(road, subject))


async def _unsigned(road: Road, subject: str) -> bool:
    return any(it.kind is Kind.UNSIGNED and it.subject == subject for it in road.exceptions())


async def test_a_signature_counts_on_its_own_subject_and_for_its_own_bytes(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief
) -> None:
    name = f"{fresh('original')}.txt"
    call = await robot.propose("create_file", {"path": name, "content": "good"})
    hold_id = (await robot.hears(call, Status.DONE)).hold_id
    (stored,) = await eyes.on("HOLDS", f"hp.acme.hold.robot.{hold_id}.>")
    (road.scratch / name).unlink()
    evil = name.replace("original", "modified")
    ghost, twin = fresh("h"), fresh("h")

    elsewhere = stored.subject.replace(hold_id, ghost)
    await thief.publish_raw(elsewhere, stored.data, stored.signature)
    altered = stored.data.replace(name.encode(), evil.encode())
    await thief.publish_raw(stored.subject, altered, stored.signature)
    moved = stored.data.replace(hold_id.encode(), twin.encode())
    await thief.publish_raw(stored.subject.replace(hold_id, twin), moved, stored.signature)

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / evil).exists()
    assert not (road.scratch / name).exists()
    assert await eyes.runs(ghost) == await eyes.runs(twin) == []
    assert await eventually(lambda: _unsigned(road, elsewhere))
    assert "It was signed for another subject" in road.logs()["worker-shell.log"]
    assert await eventually(lambda: _unsigned(road, stored.subject))


async def test_the_same_grant_twice_runs_once(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief
) -> None:
    name = f"{fresh('once')}.txt"
    call = await robot.propose("create_file", {"path": name, "content": "good"})
    hold_id = (await robot.hears(call, Status.DONE)).hold_id
    (stored,) = await eyes.on("HOLDS", f"hp.acme.hold.robot.{hold_id}.>")
    (road.scratch / name).unlink()

    for _ in range(3):
        await thief.publish_raw(stored.subject, stored.data, stored.signature)

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / name).exists()
    assert [type(fact) for fact in await eyes.runs(hold_id)] == [Started, Finished]


@pytest.mark.parametrize("flaw", SIGNED)
async def test_a_worker_believes_its_own_table_and_not_a_gate_that_errs(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief, flaw: str
) -> None:
    """Properly signed, and still not leave to run this here and now."""
    folder = road.settings.keys_dir
    name = f"{fresh('evil')}.txt"
    forged = thief.forged(name, SIGNED[flaw])

    await thief.publish(forged, Signer(folder, keys.GATE, Keyset(folder)).sign)

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / name).exists()
    runs = await eyes.runs(forged.hold.hold_id)
    assert not any(isinstance(fact, Started) for fact in runs)
    assert all(fact.executed is None for fact in runs if isinstance(fact, Finished))


async def test_a_revoked_key_lets_nothing_go(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief
) -> None:
    folder = road.settings.keys_dir
    stolen = keys.rotate(folder, keys.GATE, clock.now())
    signer = Signer(folder, keys.GATE, Keyset(folder))
    assert signer.key_id == stolen.key_id
    name = f"{fresh('evil')}.txt"
    forged = thief.forged(name)
    subject = hold_subject(forged)
    body = encode_event(
        forged, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
    )
    header = signer.sign(body)
    keys.revoke(folder, stolen.key_id, clock.now())
    since = clock.monotonic()
    await eventually(lambda: _passed(since, 2 * keys.RECHECK_S))

    await thief.publish_raw(subject, body, header)

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / name).exists()
    assert await eventually(lambda: _unsigned(road, subject))


async def _passed(since: float, seconds: float) -> bool:
    return clock.monotonic() - since > seconds


def _confirmed(it: Hold) -> Message:
    ended = replace(it, outcome=Outcome.CONFIRMED, resolved_at=clock.now(), stage="resolved")
    return Resolved(hold=ended, cause="ANSWERS:1", outcome=Outcome.CONFIRMED, by="ann")


def _approved_before(it: Hold) -> Message:
    assert it.requirement
    lax = replace(it.requirement, all_of=(), approvers={"operators": ("cem",)})
    return Rendered(hold=replace(it, requirement=lax, stage="rendered"), cause="HOLDS:1")


@pytest.mark.parametrize("lie", [_confirmed, _approved_before])
async def test_i3_the_gate_builds_nothing_on_a_fact_that_no_gate_signed(
    road: Road,
    robot: AgentVoice,
    guests: Guests,
    eyes: StreamEyes,
    thief: Thief,
    lie: Callable[[Hold], Any],
) -> None:
    """With a right on the bus and without a key, nobody moves a hold."""
    mark, call = await robot.command()
    ann, cem = await guests.person("ann"), await guests.person("cem")
    card = await ann.card((await robot.pending(call)).hold_id)
    *_, rendered = await eyes.facts(card.hold_id)
    fact = lie(rendered.hold)
    subject = hold_subject(fact)
    body = encode_event(
        fact, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
    )

    await thief.publish_raw(subject, body, None)
    await cem.answer(card, "proceed")  # type: ignore[arg-type]

    await the_worker_goes_on(robot, road)
    assert await eventually(lambda: _unsigned(road, subject))
    assert not any(isinstance(it, Resumed) for it in await eyes.facts(card.hold_id))
    assert road.runs_of(mark) == 0
