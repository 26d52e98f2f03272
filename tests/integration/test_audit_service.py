"""The audit on a real broker: what is published is entered, in order, and nothing invented."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nats.aio.client import Client
from sqlalchemy import select, update
from tests.conftest import Connect
from tests.integration.cli.command_line import Ended, alone, at_a_terminal, environment
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import asked, entered, new_ledger, unguarded
from tests.integration.ledger_stories import a_proposal, a_trace
from tests.waiting import eventually
from tests.world import PASSWORD, TENANT, World, last_sequences, provision

from holdpoint.audit import app, follower, stream_reader
from holdpoint.audit.verify import verify
from holdpoint.cli.commands.status import refilled
from holdpoint.cli.output import ExitCode
from holdpoint.core.leaf import leaf
from holdpoint.ledger import engines
from holdpoint.ledger.confirmations import record_in
from holdpoint.ledger.engines import file_of
from holdpoint.ledger.entries import LEDGER
from holdpoint.ledger.erasure import legal_holds
from holdpoint.ledger.exceptions import Kind, every_exception
from holdpoint.ledger.tables import bodies, events
from holdpoint.messages import subjects
from holdpoint.messages.call import Phase
from holdpoint.messages.codec import encode_event
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.service import Service
from holdpoint.runtime.security.credentials import GATE, PROVISIONER, agent_user

pytestmark = pytest.mark.nats

CALL = subjects.call_subject(TENANT, "robot", "propose")
CALLS = subjects.stream(TENANT, subjects.calls_of("robot"))
HOLDS = subjects.stream(TENANT, subjects.HOLDS)
MANY = 700
WHILE_S = 30.0
EVIL = "hp.acme.hold.robot.evil.resumed.shell"


@asynccontextmanager
async def auditing(world: World) -> AsyncIterator[Service]:
    """The service, without a process of its own."""
    built = await app.build(world.settings)
    for job in built.at_start:
        await job()
    await built.broker.start()
    running = [asyncio.create_task(job()) for job in built.jobs]
    yield built
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await built.broker.stop()
    for job in built.at_end:
        await job()


@pytest.fixture
async def robot(own_world: World, connected: Connect) -> Client:
    return await connected(own_world.login(agent_user("robot")))


@pytest.fixture
async def gate(own_world: World, connected: Connect) -> Client:
    return await connected(own_world.login(GATE))


@pytest.fixture
async def provisioner(own_world: World, connected: Connect) -> Client:
    return await connected(own_world.login(PROVISIONER))


async def test_a_ledger_that_was_cut_is_told_in_a_sentence(own_world: World) -> None:
    path = file_of(new_ledger(own_world.settings.state_dir))
    path.write_bytes(path.read_bytes()[:5000])
    built = await app.build(own_world.settings)

    with pytest.raises(SetupError, match=f"The ledger {path} is damaged"):
        await built.at_start[0]()

    await built.broker.stop()
    await built.at_end[0]()


async def test_damaged_pages_of_the_ledger_are_a_problem_of_the_audit(own_world: World) -> None:
    path, bus = file_of(new_ledger(own_world.settings.state_dir)), Bus()
    bus.call(a_trace("t1", Phase.OPENED, "", "plan"), "trace")  # or all is read to derive traces
    for number in range(400):
        bus.call(a_proposal(str(number)), "propose")
    entered(f"sqlite:///{path}", bus.entries)
    page = path.stat().st_size // 4096 * 3 // 4
    with path.open("r+b") as file:
        file.seek(page * 4096)
        file.write(b"\xa5" * 4096)

    async with auditing(own_world) as audit:

        async def is_told() -> bool:
            return f"The ledger {path} is damaged" in audit.problem()

        assert await eventually(is_told)


async def test_what_is_published_is_entered_in_order_and_once(
    own_world: World, robot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_reader, "BATCH", 100)
    async with auditing(own_world) as audit:
        await _propose(robot, MANY)
        await eventually(lambda: _entered(own_world, CALLS, MANY))
        await _propose(robot, 10)
        await eventually(lambda: _entered(own_world, CALLS, MANY + 10))

        assert audit.problem() == ""
    assert verify(own_world.settings.ledger_url).problems == ()


async def test_a_batch_is_bounded_in_bytes_and_goes_on_behind_a_message_without_body(
    own_world: World, robot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between accounts an empty body ends the road of a batch."""
    monkeypatch.setattr(stream_reader, "BATCH_BYTES", 10_000)
    sent = [b"x" * 3_000, b"", b"y" * 50_000, b"", b"", b"z" * 9_000, b"end"]
    for body in sent:
        await _store(robot, CALL, body)

    async with auditing(own_world):
        await eventually(lambda: _entered(own_world, CALLS, len(sent)))

    assert _bodies(own_world, CALLS) == sent


@pytest.mark.slow
@pytest.mark.parametrize(
    "headers",
    [
        {"Nats-Sequence": "99", "Nats-Subject": EVIL, "Nats-Time-Stamp": "2001-01-01T00:00:00Z"},
        {"nats-sequence": "99", "nats-subject": EVIL},
        {"Nats-Stream": HOLDS, "Nats-Num-Pending": "0", "Nats-Last-Sequence": "99"},
        {"Status": "404", "Description": "Message Not Found"},
        {"Status": "204", "Description": "EOB"},
    ],
    ids=str,
)
async def test_a_messages_own_headers_move_it_nowhere_and_end_nothing(
    headers: dict[str, str], own_world: World, robot: Client
) -> None:
    before = clock.now()
    for body in (b"", b"said"):
        await _store(robot, CALL, body, headers)
    await _store(robot, CALL, b"after")

    async with auditing(own_world):
        await eventually(lambda: _entered(own_world, CALLS, 3))

    own = subjects.stream(TENANT, LEDGER)
    asks = select(events).where(events.c.src_stream != own)
    rows = asked(own_world.settings.ledger_url, lambda c: c.execute(asks).all())
    assert {(row.src_stream, row.subject) for row in rows} == {(CALLS, CALL)}
    assert all(abs((row.time - before).total_seconds()) < WHILE_S for row in rows)
    assert _bodies(own_world, CALLS) == [b"", b"said", b"after"]


async def test_a_locked_ledger_loses_and_doubles_nothing(
    own_world: World, robot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BUSY_MS", 50)
    async with auditing(own_world) as audit:
        with closing(_connected(own_world)) as other:
            other.execute("BEGIN IMMEDIATE")
            await _propose(robot, MANY)
            await eventually(lambda: _says(audit, "locked"))
            assert _entries(own_world, CALLS) == []
            other.execute("ROLLBACK")
        await eventually(lambda: _entered(own_world, CALLS, MANY), WHILE_S)
        await eventually(lambda: _is_well(audit))

    assert verify(own_world.settings.ledger_url).problems == ()


@pytest.mark.slow
async def test_a_ledger_that_is_gone_is_not_made_anew_and_not_written_to_unseen(
    own_world: World, robot: Client
) -> None:
    path = file_of(own_world.settings.ledger_url)
    async with auditing(own_world) as audit:
        await _propose(robot, 10)
        await eventually(lambda: _entered(own_world, CALLS, 10))
        path.rename(path.with_suffix(".moved"))
        await _propose(robot, 10)
        await eventually(lambda: _says(audit, "The ledger"))
        assert not path.exists()
        path.with_suffix(".moved").rename(path)
        await eventually(lambda: _entered(own_world, CALLS, 20))

    assert verify(own_world.settings.ledger_url).problems == ()


@pytest.mark.slow
async def test_a_ledger_that_was_replaced_by_an_older_one_is_filled_again(
    own_world: World, robot: Client
) -> None:
    path = file_of(own_world.settings.ledger_url)
    async with auditing(own_world):
        await _propose(robot, 10)
        await eventually(lambda: _entered(own_world, CALLS, 10))
    shutil.copy(path, path.with_suffix(".older"))
    async with auditing(own_world):
        await _propose(robot, 10)
        await eventually(lambda: _entered(own_world, CALLS, 20))
        for old in path.parent.glob(f"{path.name}*"):
            old.unlink()
        path.with_suffix(".older").rename(path)
        await _propose(robot, 10)
        await eventually(lambda: _entered(own_world, CALLS, 30))

    assert verify(own_world.settings.ledger_url).problems == ()


async def test_a_message_that_breaks_us_halts_its_stream_and_no_other(
    own_world: World, robot: Client, gate: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = leaf

    def breaking(event: Mapping[str, Any]) -> bytes:
        if (event["src_stream"], event["src_seq"]) == (CALLS, 4):
            raise ValueError("of all numbers")
        return made(event)

    monkeypatch.setattr("holdpoint.ledger.entries.leaf", breaking)
    async with auditing(own_world) as audit:
        await _propose(robot, 10)
        await eventually(lambda: _entered(own_world, CALLS, 3))
        for number in range(5):
            await _store(gate, _fact(number), b"fact")
        await eventually(lambda: _entered(own_world, HOLDS, 5))

        assert await _says(audit, f"{CALLS}:4 cannot be entered: ValueError('of all numbers')")
    assert _entries(own_world, CALLS) == [1, 2, 3]


async def test_an_idle_agents_stream_is_read_once_a_fact_names_the_agent(
    own_world: World,
    robot: Client,
    gate: Client,
    connected: Connect,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(follower, "IDLE_READS_PER_S", 0.001)
    rival = await connected(own_world.login(agent_user("rival")))
    its_calls = subjects.stream(TENANT, subjects.calls_of("rival"))
    await _propose(robot, 1)
    async with auditing(own_world):
        await eventually(lambda: _entered(own_world, CALLS, 1))
        await _store(rival, subjects.call_subject(TENANT, "rival", "propose"), b"call")
        await _store(gate, _fact(1), b"fact")
        await eventually(lambda: _entered(own_world, HOLDS, 1))
        assert _entries(own_world, its_calls) == []

        await _store(gate, "hp.acme.hold.rival.h1.passed.shell", b"fact")
        await eventually(lambda: _entered(own_world, its_calls, 1))


@pytest.mark.slow
async def test_a_stream_that_was_made_anew_is_not_entered(
    own_world: World, robot: Client, provisioner: Client, gate: Client
) -> None:
    async with auditing(own_world) as audit:
        await _propose(robot, 5)
        await eventually(lambda: _entered(own_world, CALLS, 5))
        await _make_anew(own_world, provisioner)
        await _propose(robot, 9)
        await eventually(lambda: _says(audit, "Nothing more of it is entered."))
        await _store(gate, _fact(1), b"fact")
        await eventually(lambda: _entered(own_world, HOLDS, 1))
    async with auditing(own_world) as audit:
        await eventually(lambda: _says(audit, f"{CALLS} was made at"))

    assert _entries(own_world, CALLS) == [1, 2, 3, 4, 5]


async def test_a_stream_that_was_made_anew_while_the_audit_was_away_is_not_entered(
    own_world: World, robot: Client, provisioner: Client
) -> None:
    async with auditing(own_world):
        await _propose(robot, 5)
        await eventually(lambda: _entered(own_world, CALLS, 5))
    await _make_anew(own_world, provisioner)
    await _propose(robot, 9)
    async with auditing(own_world) as audit:
        await eventually(lambda: _says(audit, "Nothing more of it is entered."))

    assert _entries(own_world, CALLS) == [1, 2, 3, 4, 5]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("later", "why"), [(2, "ends at 5; the ledger holds it up to 8"), (3, "another message 8")]
)
async def test_a_store_from_an_older_copy_is_not_entered(
    later: int, why: str, own_world: World, robot: Client
) -> None:
    """Sequences that the ledger knows are given to other messages."""
    store = own_world.settings.state_dir / "nats"
    async with auditing(own_world) as audit:
        await _propose(robot, 3)
        await eventually(lambda: _entered(own_world, CALLS, 3))
        await own_world.server.stop()
        shutil.copytree(store, store.with_suffix(".older"))
        await own_world.server.start()
        await eventually(lambda: _connected_again(robot))
        await _propose(robot, 5)
        await eventually(lambda: _entered(own_world, CALLS, 8))
    await own_world.server.stop()
    shutil.rmtree(store)
    store.with_suffix(".older").rename(store)
    await own_world.server.start()
    await eventually(lambda: _connected_again(robot))
    await _propose(robot, later if later == 2 else 9)
    async with auditing(own_world) as audit:
        await eventually(lambda: _says(audit, why))

    assert len(_entries(own_world, CALLS)) == 8


async def test_a_gap_is_waited_for(own_world: World, gate: Client) -> None:
    await _with_a_gap(gate)
    async with auditing(own_world) as audit:
        await eventually(lambda: _entered(own_world, HOLDS, 2))
        await eventually(lambda: _says(audit, f"{HOLDS} lacks its messages 3 to 4."))

    assert _entries(own_world, HOLDS) == [1, 2]


@pytest.mark.slow
async def test_a_gap_that_stays_is_an_exception_and_no_end(
    own_world: World, gate: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "GAP_STAYS_S", 0.3)
    await _with_a_gap(gate)
    async with auditing(own_world) as audit:
        await eventually(lambda: _entered(own_world, HOLDS, 3))
        await eventually(lambda: _is_well(audit))

    assert _entries(own_world, HOLDS) == [1, 2, 5]
    url = own_world.settings.ledger_url
    found = asked(url, lambda it: every_exception(it, clock.now()))
    missing = [it.subject for it in found if it.kind is Kind.MESSAGES_MISSING]
    assert missing == [f"{HOLDS}:3-4"]
    assert [(it.check, it.row) for it in verify(url).problems] == [("gap", f"{HOLDS}:3")]


async def test_a_ledger_that_is_lost_says_so_and_takes_no_erasure_back(
    own_world: World, gate: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(own_world.settings, {}).items():
        monkeypatch.setenv(name, value)
    url, kept, gone = own_world.settings.ledger_url, "h" * 26, "g" * 26
    async with auditing(own_world):
        assert refilled() == ""
        for hold_id in (gone, kept):
            await _store(gate, f"hp.acme.hold.robot.{hold_id}.passed.shell", b"said")
        await eventually(lambda: _entered(own_world, HOLDS, 2))
        done = await _audit(own_world, "erase", gone, "--why", "asked")
        held = await _audit(own_world, "legal-hold", "case-7", "--why", "a lawsuit")
        assert (done.code, "1 bodies erased" in done.out) == (0, True)
        assert (held.code, held.out) == (0, "case-7: everything; cem: a lawsuit\n")
    for part in file_of(url).parent.glob(f"{file_of(url).name}*"):
        part.unlink()

    async with auditing(own_world):
        await eventually(lambda: _entered(own_world, HOLDS, 2))
    told = [it.name for it in asked(url, legal_holds)]
    found = asked(url, lambda it: every_exception(it, clock.now()))

    assert (_bodies(own_world, HOLDS), told) == ([b"said"], ["case-7"])
    assert Kind.LEDGER_REFILLED in [it.kind for it in found]
    assert refilled().startswith(
        "The ledger was lost and is being refilled from the bus: 4 events, since "
    )
    assert [it.row for it in verify(url).problems if it.check != "verification"] == []


async def test_who_erases_has_the_role_and_logs_in(own_world: World, gate: Client) -> None:
    """cem has it; ann has not, although she is an admin, and that she tried is in the ledger."""
    hold_id, url = "g" * 26, own_world.settings.ledger_url
    erasures = subjects.stream(TENANT, subjects.ERASURES)
    words = ("erase", hold_id, "--why", "asked")
    async with auditing(own_world):
        await _store(gate, f"hp.acme.hold.robot.{hold_id}.passed.shell", b"said")
        await eventually(lambda: _entered(own_world, HOLDS, 1))
        refused = await _audit(own_world, *words, by="ann")
        others = [
            await _audit(own_world, "retain", "7", by="ann"),
            await _audit(own_world, "legal-hold", "case-7", "--why", "x", by="ann"),
        ]
        await eventually(lambda: _entered(own_world, erasures, 3))
        nowhere = own_world.settings.model_copy(update={"nats_url": "nats://127.0.0.1:9"})
        unsaid = await _audit(replace(own_world, settings=nowhere), *words)
        assert _bodies(own_world, HOLDS) == [b"said"]
        done = await _audit(own_world, *words)
        await eventually(lambda: _entered(own_world, erasures, 4))

    assert [it.code for it in (refused, *others)] == [ExitCode.FAILED] * 3
    assert "does not give ann the role compliance. Nothing is changed." in refused.err
    assert "The refusal is recorded." in refused.err
    assert (unsaid.code, "could not be recorded" in unsaid.err) == (ExitCode.UNREACHABLE, True), (
        unsaid
    )
    assert (done.code, "1 bodies erased" in done.out) == (0, True)
    assert _bodies(own_world, HOLDS) == []
    told = select(events.c.principal, events.c.type).where(events.c.src_stream == erasures)
    rows = asked(url, lambda it: it.execute(told.order_by(events.c.src_seq)).all())
    told_by = [(who, kind.rpartition(".ledger_")[2]) for who, kind in rows]
    assert told_by == [("ann", "refused")] * 3 + [("cem", "erased")]


async def test_a_person_says_once_how_long_bodies_stay(own_world: World, gate: Client) -> None:
    hold_id = "g" * 26
    async with auditing(own_world):
        await _store(gate, f"hp.acme.hold.robot.{hold_id}.passed.shell", b"said")
        await eventually(lambda: _entered(own_world, HOLDS, 1))
        before = await _alone(own_world, "retain")
        said = await _audit(own_world, "retain", "365", "--why", "a year")
        assert _bodies(own_world, HOLDS) == [b"said"]
        with unguarded(own_world.settings.ledger_url) as connection:
            old = clock.now() - timedelta(days=366)
            its = update(events).where(events.c.src_stream == HOLDS)
            connection.execute(its.values(time=old))
        daily = await _alone(own_world, "retain", "--json")
        ended = await _audit(own_world, "retain", "0", "--why", "kept")
        after = await _alone(own_world, "retain")

    assert (before.code, "Nobody said how long bodies are kept." in before.err) == (1, True)
    assert (said.code, daily.code, ended.code, after.code) == (0, 0, 0, 1), (said, daily, ended)
    assert msgspec.json.decode(daily.out)["bodies"] == 1
    assert _bodies(own_world, HOLDS) == []


async def _alone(world: World, *words: str) -> Ended:
    return await asyncio.to_thread(alone, world.settings, "audit", *words)


async def _audit(world: World, *words: str, by: str = "cem") -> Ended:
    """Run it at a terminal, as a person with a password."""

    def run() -> Ended:
        with at_a_terminal(world.settings, "audit", *words, "--as", by) as screen:
            screen.answers(f"Password of {by}: ", PASSWORD)
            return screen.ended()

    return await asyncio.to_thread(run)


async def test_what_an_older_audit_had_in_hand_is_fetched_after_an_upgrade(
    own_world: World, robot: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It entered messages as they came again, and died: some among the last are not there yet."""
    await _propose(robot, 20)
    monkeypatch.setattr(follower, "GAP_STAYS_S", WHILE_S)
    async with auditing(own_world):
        await eventually(lambda: _entered(own_world, CALLS, 20))
    _forget(own_world, tmp_path, 7, 9, 10)

    async with auditing(own_world) as audit:
        await eventually(lambda: _entered(own_world, CALLS, 20))
        await _propose(robot, 1)
        await eventually(lambda: _entered(own_world, CALLS, 21))
        assert audit.problem() == ""
    assert sorted(_entries(own_world, CALLS)) == list(range(1, 22))


async def _propose(agent: Client, times: int) -> None:
    for _ in range(times):
        body = encode_event(
            a_proposal(clock.new_nonce()),
            event_id=clock.new_id(),
            source="robot",
            subject=CALL,
            at=clock.now(),
            salt=clock.new_nonce(),
        )
        await _store(agent, CALL, body)


async def _store(
    client: Client, subject: str, body: bytes, headers: dict[str, str] | None = None
) -> None:
    reply = await client.request(subject, body, headers=headers, timeout=5)
    assert "error" not in msgspec.json.decode(reply.data), reply.data


def _fact(number: int) -> str:
    return f"hp.acme.hold.robot.h{number}.passed.shell"


async def _with_a_gap(gate: Client) -> None:
    for number, lives in enumerate(("", "", "1s", "1s", "")):
        await _store(gate, _fact(number), b"fact", {"Nats-TTL": lives} if lives else None)

    async def is_gone() -> bool:
        request = msgspec.json.encode({"last_by_subj": _fact(3)})
        reply = await gate.request(f"$JS.API.STREAM.MSG.GET.{HOLDS}", request, timeout=5)
        return "error" in msgspec.json.decode(reply.data)

    await eventually(is_gone)


async def _make_anew(world: World, provisioner: Client) -> None:
    await provisioner.request(f"$JS.API.STREAM.DELETE.{CALLS}", b"", timeout=5)
    await provision(world)
    assert (await last_sequences(provisioner))[subjects.calls_of("robot")] == 0


async def _connected_again(client: Client) -> bool:
    return bool(client.is_connected)


async def _says(audit: Service, why: str) -> bool:
    assert why in audit.problem()
    return True


async def _is_well(audit: Service) -> bool:
    assert audit.problem() == ""
    return True


async def _entered(world: World, stream: str, times: int) -> bool:
    found = _entries(world, stream)
    assert len(found) == times
    return True


def _entries(world: World, stream: str) -> list[int]:
    """Source sequences in the order in which they were entered."""
    mine = select(events.c.src_seq).where(events.c.src_stream == stream).order_by(events.c.seq)
    return asked(world.settings.ledger_url, lambda c: list(c.scalars(mine)))


def _bodies(world: World, stream: str) -> list[bytes]:
    mine = select(bodies.c.body).join(events).where(events.c.src_stream == stream)
    ordered = mine.order_by(events.c.src_seq)
    return asked(world.settings.ledger_url, lambda c: list(c.scalars(ordered)))


def _forget(world: World, folder: Path, *seqs: int) -> None:
    """Put a ledger in its place that never heard these calls."""
    url = world.settings.ledger_url
    rows = asked(url, lambda c: c.execute(select(events, bodies.c.body).join(bodies)).all())
    path, poorer = file_of(url), new_ledger(folder, "poorer")
    entered(poorer, [record_in(row).entry for row in rows if row.src_seq not in seqs])
    for old in path.parent.glob(f"{path.name}*"):
        old.unlink()
    file_of(poorer).rename(path)


def _connected(world: World) -> sqlite3.Connection:
    return sqlite3.connect(file_of(world.settings.ledger_url), isolation_level=None)
