"""Results that the broker repeats to their agent: told at once, and only when they verify."""

import asyncio
from dataclasses import dataclass

import pytest
from msgspec.structs import replace
from tests.conftest import Connect
from tests.integration.client.bus import AGENT, HOLD, SAYS, Bus
from tests.running_system import fresh
from tests.waiting import eventually
from tests.world import TENANT, World

from holdpoint.client import Status, results
from holdpoint.client.call_tracker import ASK_WAIT_S
from holdpoint.client.results import Results
from holdpoint.messages.envelope import Envelope
from holdpoint.messages.run import Finished, RunStatus
from holdpoint.messages.subjects import at_run
from holdpoint.runtime.security import keys
from holdpoint.runtime.security.credentials import agent_user, worker_user
from holdpoint.runtime.security.keys import Keyset, Signer, worker_role
from holdpoint.runtime.store.journal import Journal, Reader

BY_THE_GATE = Envelope(status=Status.DONE, hold_id=HOLD, domain="shell", data={"by": "gate"})


@dataclass
class Worker:
    """Tells results as one domain's worker, signed as any."""

    world: World
    connected: Connect
    domain: str = "shell"
    signs_as: str = worker_role("shell")

    async def tells(self, call: str, data: str = "worker", agent: str = AGENT) -> Finished:
        login = self.world.login(worker_user(self.domain))
        folder = self.world.settings.keys_dir
        signer = Signer(folder, self.signs_as, Keyset(folder))
        journal = Journal(await self.connected(login), login, TENANT, "test", signer)
        fact = Finished(
            hold_id=fresh("h"), digest="d", cause="HOLDS:1", nonce="n", call=call,
            call_digest="c", status=RunStatus.DONE, data={"by": data},
        )  # fmt: skip
        await journal.append(fact, at_run(TENANT, self.domain, agent, fact), after=0)
        return fact


@pytest.fixture
def worker(bus: Bus) -> Worker:
    return Worker(bus.world, bus.connected)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No question is asked before the test has told what it tells."""
    monkeypatch.setattr(results, "SHORTEST_S", 30.0)
    monkeypatch.setattr(results, "LONGEST_S", 30.0)


async def made(bus: Bus, before: int) -> str:
    """The id of the call that was stored after this many."""

    async def stored() -> bool:
        return await bus.last() > before

    await eventually(stored)
    return f"CALLS@robot:{before + 1}"


@pytest.mark.usefixtures("patient")
async def test_a_result_is_told_without_a_question(bus: Bus, worker: Worker) -> None:
    gate = await bus.gate(BY_THE_GATE)
    async with bus.agent() as hp:
        assert (await hp.call("read_file", SAYS)).data == {"by": "gate"}
        before = await bus.last()
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        fact = await worker.tells(call_id := await made(bus, before))
        outcome = await calling

    assert (outcome.status, outcome.data) == (Status.DONE, {"by": "worker"})
    assert (outcome.hold_id, outcome.cause) == (fact.hold_id, call_id)
    assert (outcome.call_digest, outcome.domain) == ("c", "shell")
    assert len(gate.asked) == 1


async def test_a_result_that_comes_before_its_call_is_known_to_be_stored_is_kept(
    bus: Bus, worker: Worker
) -> None:
    login = bus.world.login(agent_user(AGENT))
    client = await bus.connected(login)
    keyset = Keyset(bus.world.settings.keys_dir)
    heard = Results(reader=Reader(client, login, TENANT, keyset), agent=AGENT)
    heard.listen(client)
    await client.flush()
    heard.learn("read_file", BY_THE_GATE)

    async def told(call_id: str) -> Envelope | None:
        """A later result shows that the one before it came."""
        await worker.tells(call_id, "early")
        later = heard.hear(f"{call_id}0", "read_file")
        await worker.tells(f"{call_id}0")
        async with asyncio.timeout(10):
            await later.copy
        return heard.hear(call_id, "read_file").told()

    with heard.expected():
        kept = await told("CALLS:77")
    assert kept is not None
    assert kept.data == {"by": "early"}
    assert await told("CALLS:78") is None


async def test_one_of_a_crowd_of_calls_gives_the_others_time_before_it_asks(bus: Bus) -> None:
    login = bus.world.login(agent_user(AGENT))
    keyset = Keyset(bus.world.settings.keys_dir)
    reader = Reader(await bus.connected(login), login, TENANT, keyset)
    heard = Results(reader=reader, agent=AGENT)
    waits = {}
    for calls in range(1, 1001):
        heard.hear(f"CALLS@robot:{calls}", "read_file")
        waits[calls] = heard.patience_s("read_file")

    assert (waits[1], waits[16]) == (results.SHORTEST_S, results.SHORTEST_S)
    assert waits[100] == pytest.approx(0.4)
    assert waits[1000] == results.CROWDED_S


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    "liar",
    [
        {"signs_as": worker_role("database")},
        {"domain": "database", "signs_as": worker_role("database")},
        {"signs_as": keys.GATE},
    ],
    ids=["another domain's key", "another domain", "the gate's key"],
)
async def test_a_result_that_does_not_verify_is_asked_about(liar: dict[str, str], bus: Bus) -> None:
    gate = await bus.gate(BY_THE_GATE, replace(BY_THE_GATE, status=Status.FAILED))
    async with bus.agent() as hp:
        await hp.call("read_file", SAYS)
        before = await bus.last()
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        await Worker(bus.world, bus.connected, **liar).tells(await made(bus, before), "liar")
        outcome = await calling

    assert (outcome.status, outcome.data) == (Status.FAILED, {"by": "gate"})
    assert len(gate.asked) == 2


@pytest.mark.parametrize(
    "first",
    [BY_THE_GATE, replace(BY_THE_GATE, status=Status.PENDING_CONFIRMATION, data={})],
    ids=["by the gate's answer to an earlier call", "by its answer to this one"],
)
async def test_a_result_is_told_even_when_the_gate_that_was_asked_is_gone(
    first: Envelope, bus: Bus, worker: Worker
) -> None:
    """Whose tool it is was learned."""
    gate = await bus.gate(first, None)
    async with bus.agent() as hp:
        if first.status is Status.DONE:
            await hp.call("read_file", SAYS)
        before = await bus.last()
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        call_id = await made(bus, before)
        await gate.was_asked(2)
        await worker.tells(call_id)
        async with asyncio.timeout(ASK_WAIT_S / 2):
            assert (await calling).data == {"by": "worker"}


async def test_what_takes_longer_than_usual_is_asked_about(bus: Bus) -> None:
    gate = await bus.gate(BY_THE_GATE)
    async with bus.agent() as hp:
        assert (await hp.call("read_file", SAYS)).ok
        assert (await hp.call("read_file", SAYS)).ok

    assert len(gate.asked) == 2


@pytest.mark.usefixtures("patient")
async def test_without_the_public_keys_nothing_is_believed_and_everything_asked(
    own_bus: Bus,
) -> None:
    gate = await own_bus.gate(BY_THE_GATE)
    (own_bus.world.settings.keys_dir / "keyset.json").unlink()
    async with own_bus.agent() as hp:
        assert (await hp.call("read_file", SAYS)).ok
        assert (await hp.call("read_file", SAYS)).ok

    assert len(gate.asked) == 2
