"""Every indirect way to put a message where only another may write leads nowhere."""

from dataclasses import dataclass
from datetime import timedelta

import msgspec
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import TimeoutError as NatsTimeoutError
from tests.conftest import Become
from tests.waiting import eventually
from tests.world import TENANT, last_sequences

from holdpoint.messages.subjects import stream
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials

pytestmark = pytest.mark.nats

HOSTILE_REPLIES = (
    "hp.acme.call.rival.propose",
    "hp.acme.hold.robot.evil.resumed.shell",
    "hp.acme.refusal.robot.CALLS-1",
    "hp.acme.card.operators.evil",
    "hp.acme.answer.terminal.ben.robot.evil",
    "hp.acme.run.database.robot.evil.started.none",
    "hp.acme.run.shell.robot.evil.barred.gate",
    "hp.acme.admin.ann.kill",
    "hp.acme.state.kill.current",
    "hp.acme.timer.due.robot.evil.expire",
    "hp.acme.timer.set.robot.evil.expire",
    "hp.acme.seen.hold.robot.evil.resumed.shell",
    "$JS.API.STREAM.PURGE.HP_TIMERS_acme",
    "JS.core.API.STREAM.PURGE.HP_TIMERS_acme",
)
EVIL = "hp.acme.hold.robot.evil.resumed.shell"
HOSTILE_HEADERS = (
    {"Nats-Rollup": "all"},
    {"Nats-Rollup": "sub"},
    {"Nats-Incr": "+1"},
    {"Nats-Batch-Id": "b1"},
    {"Nats-Trace-Dest": EVIL},
    {"Nats-Trace-Dest": EVIL, "Nats-Trace-Only": "true"},
    {"Nats-Schedule": "@at 2020-01-01T00:00:00Z"},
    {"Nats-Marker-Reason": "Purge"},
    {"Nats-Subject": EVIL},
)
NEXT = b'{"batch":1,"no_wait":true}'
BATCH = b'{"seq":1,"batch":100,"next_by_subj":">"}'
PULLS = (
    ("worker_shell", "JS.core.API.CONSUMER.MSG.NEXT.HP_HOLDS_acme.worker_shell", NEXT),
    ("view_ann", "JS.core.API.CONSUMER.MSG.NEXT.HP_CARDS_acme.view_ann", NEXT),
    ("audit", "JS.core.API.DIRECT.GET.HP_HOLDS_acme", BATCH),
)
ASKS = (
    (
        "worker_shell",
        "JS.core.API.DIRECT.GET.HP_RUNS_acme.hp.acme.run.shell.robot.mine.started.none",
    ),
    ("worker_shell", "JS.core.API.CONSUMER.INFO.HP_HOLDS_acme.worker_shell"),
    ("view_ann", "JS.core.API.DIRECT.GET.HP_CARDS_acme.hp.acme.card.operators.mine"),
    ("person_ann", "JS.core.API.DIRECT.GET.HP_CARDS_acme.hp.acme.card.operators.mine"),
    ("audit", "JS.core.API.STREAM.INFO.HP_CALLS_acme@robot"),
)
WRITES = (
    ("agent_robot", "hp.acme.call.robot.propose", "CALLS@robot"),
    ("person_ann", "hp.acme.answer.terminal.ann.robot.mine", "ANSWERS"),
    ("person_ann", "hp.acme.admin.ann.kill", "ADMIN"),
    ("worker_shell", "hp.acme.run.shell.robot.mine.started.none", "RUNS"),
)


@dataclass(frozen=True, kw_only=True)
class Streams:
    """How far each stream has come, and what has come since."""

    provisioner: Client
    before: dict[str, int]

    async def grown(self) -> dict[str, int]:
        now = await last_sequences(self.provisioner)
        return {kind: now[kind] - seq for kind, seq in self.before.items() if now[kind] != seq}


@pytest.fixture
async def gate(become: Become) -> Client:
    """A gate that wrote something for everybody to read, and answers every question."""
    client = await become(credentials.GATE)

    async def answer(message: Msg) -> None:
        await message.respond(b'{"answer":"to you"}')

    for lane in ("hold", "answer", "order", "grant"):
        await client.subscribe(f"hp.acme.ask.*.{lane}", cb=answer)
    for number in range(3):
        await client.request(f"hp.acme.hold.robot.h{number}.passed.shell", b"fact", timeout=5)
    await client.request("hp.acme.card.operators.mine", b"card", timeout=5)
    await (await become("worker_shell")).request(
        "hp.acme.run.shell.robot.mine.started.none", b"run", timeout=5
    )
    return client


@pytest.fixture
async def streams(become: Become, gate: Client) -> Streams:
    del gate
    provisioner = await become(credentials.PROVISIONER)
    return Streams(provisioner=provisioner, before=await last_sequences(provisioner))


@pytest.mark.parametrize(("user", "subject", "kind"), WRITES)
async def test_the_acknowledgement_of_a_write_is_stored_nowhere(
    user: str, subject: str, kind: str, become: Become, streams: Streams
) -> None:
    client = await become(user)

    for reply in HOSTILE_REPLIES:
        await client.publish(subject, b"{}", reply=reply)
    await _round_trip(client, subject)

    assert await streams.grown() == {kind: len(HOSTILE_REPLIES) + 1}


@pytest.mark.parametrize(("user", "subject", "request_"), PULLS)
async def test_what_a_pull_delivers_is_stored_nowhere(
    user: str, subject: str, request_: bytes, become: Become, streams: Streams
) -> None:
    client = await become(user)

    for reply in HOSTILE_REPLIES:
        await client.publish(subject, request_, reply=reply)
    await _round_trip(client, subject)

    assert await streams.grown() == {}


@pytest.mark.parametrize(("user", "subject"), ASKS)
async def test_the_answer_to_a_question_is_stored_nowhere(
    user: str, subject: str, become: Become, streams: Streams
) -> None:
    client = await become(user)

    for reply in HOSTILE_REPLIES:
        await client.publish(subject, b"", reply=reply)
    await _round_trip(client, subject)

    assert await streams.grown() == {}


@pytest.mark.parametrize(
    ("user", "subject"),
    [
        ("agent_robot", "hp.acme.ask.robot.hold"),
        ("person_ann", "hp.acme.ask.ann.answer"),
        ("person_ann", "hp.acme.ask.ann.order"),
        ("worker_shell", "hp.acme.ask.shell.grant"),
    ],
)
async def test_the_gate_cannot_be_steered_by_whom_it_answers(
    user: str, subject: str, become: Become, streams: Streams
) -> None:
    client = await become(user)

    for reply in HOSTILE_REPLIES:
        await client.publish(subject, b"{}", reply=reply)
    await _round_trip(client, subject)

    assert await streams.grown() == {}


@pytest.mark.parametrize(("user", "subject", "kind"), WRITES)
@pytest.mark.parametrize("header", HOSTILE_HEADERS, ids=str)
async def test_a_header_moves_nothing_to_another_stream_and_removes_nothing(
    header: dict[str, str], user: str, subject: str, kind: str, become: Become
) -> None:
    client, provisioner = await become(user), await become(credentials.PROVISIONER)
    streams = Streams(provisioner=provisioner, before=await last_sequences(provisioner))
    kept = await _messages(provisioner, kind)

    await client.publish(subject, b"{}", headers=header | {"Nats-Schedule-Target": EVIL})
    await _round_trip(client, subject)

    assert set(await streams.grown()) == {kind}
    assert await _messages(provisioner, kind) > kept


@pytest.mark.parametrize("subject", ["hp.acme.call.robot.propose", "hp.acme.call.robot.trace"])
async def test_an_agent_cannot_let_its_message_expire_before_the_audit_reads_it(
    subject: str, become: Become, streams: Streams
) -> None:
    robot = await become("agent_robot")

    reply = await robot.request(subject, b"{}", headers={"Nats-TTL": "1s"}, timeout=5)

    assert msgspec.json.decode(reply.data)["error"]["err_code"] == 10166
    assert await streams.grown() == {}


async def test_an_agent_can_use_up_anothers_message_id_only_for_a_tenth_of_a_second(
    become: Become, streams: Streams
) -> None:
    """Whoever sends no Nats-Msg-Id, as everything of ours, cannot be suppressed at all."""
    del streams
    robot, rival = await become("agent_robot"), await become("agent_rival")
    header = {"Nats-Msg-Id": clock.new_id()}

    await robot.request("hp.acme.call.robot.propose", b"junk", headers=header, timeout=5)
    plain = await rival.request("hp.acme.call.rival.propose", b"real", timeout=5)

    async def accepted() -> bool:
        reply = await rival.request(
            "hp.acme.call.rival.propose", b"real", headers=header, timeout=5
        )
        return "duplicate" not in msgspec.json.decode(reply.data)

    assert "duplicate" not in msgspec.json.decode(plain.data)
    assert await eventually(accepted, within_s=1.0)


async def test_a_gate_timer_rings_only_inside_timers(streams: Streams, gate: Client) -> None:
    at = clock.now() - timedelta(hours=1)
    headers = {
        "Nats-Schedule": f"@at {at:%Y-%m-%dT%H:%M:%SZ}",
        "Nats-Schedule-Target": "hp.acme.answer.terminal.ann.robot.evil",
    }

    reply = await gate.request(
        "hp.acme.timer.set.robot.evil.expire", b"{}", headers=headers, timeout=5
    )

    assert "error" in msgspec.json.decode(reply.data)
    assert await streams.grown() == {}


async def test_a_sibling_cannot_answer_in_the_brokers_place(
    become: Become, streams: Streams
) -> None:
    """A reply to another's inbox needs its random part, and a wildcard is no wildcard there."""
    del streams
    robot, rival = await become("agent_robot"), await become("agent_rival")
    heard: list[Msg] = []

    async def keep(message: Msg) -> None:
        heard.append(message)

    await rival.subscribe(rival.new_inbox(), cb=keep)
    await rival.flush()
    for reply in ("_INBOX_agent_rival.*", "_INBOX_agent_rival.>", "_INBOX_agent_rival.guess"):
        await robot.publish("hp.acme.call.robot.propose", b"{}", reply=reply)
    await _round_trip(robot, "hp.acme.call.robot.propose")
    await _round_trip(rival, "hp.acme.call.rival.propose")

    assert heard == []


async def test_a_worker_cannot_reach_another_domains_dry_run(
    become: Become, streams: Streams
) -> None:
    """Not even with bytes of its own choice, which it wrote and then has read to the other."""
    del streams
    shell, database = await become("worker_shell"), await become("worker_database")
    heard: list[Msg] = []

    async def keep(message: Msg) -> None:
        heard.append(message)

    await database.subscribe("hp.acme.ask.database.plan", cb=keep)
    await database.flush()
    for user_subject in (
        subject for user, subject, *_ in (*ASKS, *PULLS) if user == "worker_shell"
    ):
        await shell.publish(user_subject, NEXT, reply="hp.acme.ask.database.plan")
    await _round_trip(shell, "hp.acme.run.shell.robot.mine.started.none")
    await _round_trip(database, "hp.acme.run.database.robot.mine.started.none")

    assert heard == []


async def _round_trip(client: Client, subject: str) -> None:
    """When this is answered, whatever the connection sent before has been dealt with."""
    inbox = client.new_inbox()
    replies = await client.subscribe(inbox)
    await client.publish(subject, b"" if "API." in subject else b"{}", reply=inbox)
    try:
        await replies.next_msg(timeout=5)
    except NatsTimeoutError:
        pytest.fail(f"no answer to {subject}")


async def _messages(provisioner: Client, kind: str) -> int:
    reply = await provisioner.request(f"$JS.API.STREAM.INFO.{stream(TENANT, kind)}", b"", timeout=5)
    return int(msgspec.json.decode(reply.data)["state"]["messages"])
