"""Three brokers with TLS, two gates, two workers and two audits: any one of them may be gone."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, suppress

import pytest
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import APIError
from tests.actors import Guests, PersonVoice
from tests.running_system import LONG_S, Road, running
from tests.waiting import eventually

from holdpoint.messages import subjects
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Refused
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.broker.copies import copies
from holdpoint.runtime.broker.server import check_durability
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.security.credentials import AUDIT, GATE, SYSTEM
from holdpoint.runtime.security.keys import GATE as ROLE
from holdpoint.runtime.security.keys import Keyset, Signer
from holdpoint.runtime.store.journal import Journal

pytestmark = [pytest.mark.nats, pytest.mark.slow]

PAIRS = 50
"""Of facts that each of two gates writes at once."""

TWICE = ("gate", "worker-shell", "audit")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("cluster"), own={}, nodes=3, twice=TWICE)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def visitors(cluster: Road) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=cluster, stack=stack)


async def runs_once(cluster: Road, visitors: Guests) -> None:
    """A risky action waits for a yes and then runs, once."""
    robot, ann = await visitors.agent(), await visitors.person("ann")
    mark, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)
    assert (await ann.proceed(card)).status is Status.APPROVED
    assert (await robot.hears(call, Status.DONE, within_s=LONG_S)).status is Status.DONE
    row = await cluster.ended(card.hold_id, 3 * LONG_S)  # whoever reads leaves a broker late
    assert (row.outcome, cluster.runs_of(mark)) == ("confirmed", 1)


async def leads_again(cluster: Road, visitors: Guests, person: PersonVoice) -> None:
    """Wait until each stream has a leader, which alone answers, and the person is connected."""
    eyes = await visitors.eyes()
    js = jetstream(eyes.client, eyes.login)

    async def is_elected() -> bool:
        for kind in (subjects.calls_of("robot"), subjects.HOLDS, subjects.ANSWERS, subjects.RUNS):
            try:
                await js.stream_info(subjects.stream(cluster.settings.tenant, kind))
            except (NatsError, APIError) as error:
                raise AssertionError(repr(error)) from None
        return person.client.is_connected

    await eventually(is_elected, LONG_S)


async def test_every_stream_has_three_copies_and_every_server_syncs(
    cluster: Road, visitors: Guests
) -> None:
    eyes = await visitors.eyes()
    for kind in (subjects.HOLDS, subjects.STATE, subjects.TALLIES):
        name = subjects.stream(cluster.settings.tenant, kind)
        info = await jetstream(eyes.client, eyes.login).stream_info(name)
        assert info.config.num_replicas == 3
    await check_durability(await visitors.client(SYSTEM), "always", 3)
    assert await cluster.supervisor.storage_problem() == ""
    await runs_once(cluster, visitors)


@pytest.mark.parametrize("at", [0, 1, 2])
async def test_an_action_runs_once_while_a_broker_is_killed(
    at: int, cluster: Road, visitors: Guests
) -> None:
    node = cluster.supervisor.nodes[at]
    robot, ann = await visitors.agent(), await visitors.person("ann")
    mark, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)

    node.kill()
    await leads_again(cluster, visitors, ann)
    seq = await ann.answer(card, Choice.PROCEED)
    assert (await ann.heard(card, seq)).status is Status.APPROVED
    assert (await robot.hears(call, Status.DONE, within_s=LONG_S)).status is Status.DONE
    await runs_once(cluster, visitors)
    await cluster.supervisor.restart_broker(node.name)

    assert (await cluster.ended(card.hold_id)).outcome == "confirmed"
    assert cluster.runs_of(mark) == 1


async def test_calls_go_on_while_a_broker_stands_still(cluster: Road, visitors: Guests) -> None:
    """Whoever is connected to it leaves it for another; until then calls may be refused."""
    pid = cluster.supervisor.nodes[1].pid
    stuck = await connected_to(1, cluster, visitors)

    async def is_judged() -> bool:
        robot = await visitors.agent()
        _, call = await robot.command()
        heard = await robot.hears(call, Status.PENDING_CONFIRMATION, Status.REFUSED)
        assert heard.status is Status.PENDING_CONFIRMATION, heard.reason
        return True

    os.kill(pid, signal.SIGSTOP)
    try:
        await leads_again(cluster, visitors, await visitors.person("ann"))
        await eventually(is_judged, 2 * LONG_S)
        await runs_once(cluster, visitors)
        assert stuck.is_connected
        assert stuck.stats["reconnects"] == 1
    finally:
        os.kill(pid, signal.SIGCONT)
    await caught_up(cluster, visitors)


async def connected_to(at: int, cluster: Road, visitors: Guests) -> Client:
    """Return a connection to this one of the brokers; which one a client takes is chance."""
    node = cluster.supervisor.nodes[at]

    async def found() -> Client:
        client = await visitors.client(SYSTEM)
        assert client.connected_url is not None
        assert client.connected_url.port == node.port
        return client

    return await eventually(found, LONG_S)


async def caught_up(cluster: Road, visitors: Guests) -> None:
    """Wait until each stream has one leader, and all three servers have every message."""
    system = await visitors.client(SYSTEM)

    async def has_everything() -> bool:
        try:
            found = await copies(system, cluster.settings.servers)
        except HoldpointError as error:  # while servers start
            raise AssertionError(str(error)) from None
        streams = {it.stream for it in found}
        for one in streams:
            same = [it for it in found if it.stream == one]
            assert (len(same), sum(it.leads for it in same)) == (3, 1), one
            assert len({it.last_seq for it in same}) == 1, one
        return bool(streams)

    await eventually(has_everything, 2 * LONG_S)
    await leads_again(cluster, visitors, await visitors.person("ann"))


async def test_an_audit_that_dies_is_followed_by_the_one_that_stood_by(
    cluster: Road, visitors: Guests
) -> None:
    said = cluster.logs()
    first = AUDIT if "standing_by" in said[f"{AUDIT}@2.log"] else f"{AUDIT}@2"
    other = f"{AUDIT}@2" if first == AUDIT else AUDIT

    cluster.supervisor.kill(first)

    async def is_on_duty() -> bool:
        return "on_duty" in cluster.logs()[f"{other}.log"]

    await eventually(is_on_duty, LONG_S)
    await runs_once(cluster, visitors)
    cluster.supervisor.start(first)
    await cluster.supervisor.ready(first)


async def test_two_gates_write_pairs_of_facts_at_once(cluster: Road, visitors: Guests) -> None:
    """What one writes comes between what the other one writes, in all three copies."""
    settings, who = cluster.settings, cluster.login(GATE)
    signer = Signer(settings.keys_dir, ROLE, Keyset(settings.keys_dir))
    gates = [
        Journal(await visitors.client(GATE), who, settings.tenant, "test", signer) for _ in range(2)
    ]

    async def writes(gate: Journal, cause: str) -> int:
        said = Refused(principal="robot", cause=cause, code="bad_data", text="No.")
        place = subjects.at_refusal(settings.tenant, "robot", cause)
        first, _ = await gate.append_both((said, place), 0, (said, place))
        return first

    causes = [f"{subjects.calls_of('robot')}:{at}" for at in range(10_000, 10_000 + 2 * PAIRS)]
    both = (writes(gates[at % 2], cause) for at, cause in enumerate(causes))
    assert len({*await asyncio.gather(*both)}) == len(causes)
    await runs_once(cluster, visitors)


ANSWERS = 40
"""To one card: the first counts, and each is stored."""

ACKNOWLEDGED_S = 5.0
"""Or never: the stream has ended."""

AWAY = 2
"""A broker that is behind when a message ends a stream."""

ENDS_IT = {"Nats-Expected-Last-Msg-Id": "never-said"}
"""nats-server hands it to every copy of a stream, and each of them stops for good."""


async def are_mended(cluster: Road, *kinds: str) -> None:
    """Wait until these streams go on."""
    wanted = {subjects.stream(cluster.settings.tenant, it) for it in kinds}
    found: set[str] = set()

    async def all_of_them() -> bool:
        with suppress(HoldpointError):  # while servers start, and elect who leads
            found.update(await cluster.supervisor.mend_streams())
        return found >= wanted

    await eventually(all_of_them, 3 * LONG_S)
    assert found == wanted


async def test_a_stream_that_a_message_ended_goes_on(cluster: Road, visitors: Guests) -> None:
    """An agent ends its own calls, and a person everybody's answers; no answer is lost."""
    robot, ann = await visitors.agent(), await visitors.person("ann")
    tenant = cluster.settings.tenant
    called = subjects.call_subject(tenant, "robot", "propose")
    answered = subjects.answer_subject(tenant, "terminal", "ann", "robot", "h1")
    mark, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)

    for client, subject in ((robot.client, called), (ann.client, answered)):
        await client.publish(subject, b"{}", headers=ENDS_IT)
    await are_mended(cluster, subjects.calls_of("robot"), subjects.ANSWERS)

    await leads_again(cluster, visitors, ann)
    seq = await ann.answer(card, Choice.PROCEED)
    assert (await ann.heard(card, seq)).status is Status.APPROVED
    assert (await robot.hears(call, Status.DONE, within_s=LONG_S)).status is Status.DONE
    assert cluster.runs_of(mark) == 1
    await runs_once(cluster, visitors)
    assert await cluster.supervisor.storage_problem() == ""


async def said_around(ann: PersonVoice, card: Card, ends_it: str) -> dict[int, str]:
    """Say many answers at once, and amid them on this subject what ends the stream.

    Returns those that were acknowledged, by sequence.
    """

    async def answer(at: int) -> tuple[int, str]:
        if at == ANSWERS // 2:
            await ann.client.publish(ends_it, b"{}", headers=ENDS_IT)
        reason = f"answer {at}"
        async with asyncio.timeout(ACKNOWLEDGED_S if at else LONG_S):
            return await ann.answer(card, Choice.PROCEED, reason=reason), reason

    first = await answer(0)
    said = await asyncio.gather(*map(answer, range(1, ANSWERS)), return_exceptions=True)
    return dict((first, *(it for it in said if not isinstance(it, BaseException))))


@pytest.mark.parametrize("is_away", [False, True], ids=["all three", "one is away"])
async def test_no_answer_is_lost_that_was_acknowledged_before_its_stream_ended(
    is_away: bool, cluster: Road, visitors: Guests
) -> None:
    robot, ann = await visitors.agent(), await visitors.person("ann")
    mark, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)
    ends_it = subjects.answer_subject(cluster.settings.tenant, "terminal", "ann", "robot", "h1")
    if is_away:
        cluster.supervisor.nodes[AWAY].kill()
        await leads_again(cluster, visitors, ann)

    acknowledged = await said_around(ann, card, ends_it)
    if is_away:
        await cluster.supervisor.restart_broker(cluster.supervisor.nodes[AWAY].name)
    await are_mended(cluster, subjects.ANSWERS)
    await caught_up(cluster, visitors)

    eyes = await visitors.eyes()
    everything = subjects.answer_subject(cluster.settings.tenant, "*", "*", "*", "*")
    stored = {it.seq: it for it in await eyes.on(subjects.ANSWERS, everything)}
    assert all(f'"{reason}"'.encode() in stored[seq].data for seq, reason in acknowledged.items())
    last = max(it.seq for it in stored.values() if it.subject == ends_it)

    async def is_refused() -> bool:
        return bool(await eyes.refusals("ann", f"{subjects.ANSWERS}:{last}"))

    await eventually(is_refused, LONG_S)
    assert (await robot.hears(call, Status.DONE, within_s=LONG_S)).status is Status.DONE
    assert cluster.runs_of(mark) == 1
    await runs_once(cluster, visitors)
