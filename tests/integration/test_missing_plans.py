"""A worker that is away for a moment costs a moment; for longer, a refusal that is no verdict."""

import asyncio
import os
from pathlib import Path

import pytest
from tests.actors import AgentVoice, Guests
from tests.running_system import LONG_S, TENANT, Road, fresh
from tests.waiting import eventually

from holdpoint.gate.app import CALLS_AT_ONCE
from holdpoint.gate.proposals import PLAN_TRY_S, PLAN_WAIT_S
from holdpoint.messages import subjects
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Halted
from holdpoint.runtime.process import clock

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures",)

AUTOMATA = 3
WORKER = "worker-shell"
TOLD = (Status.REFUSED, Status.DENIED, Status.PENDING_CONFIRMATION, Status.DONE)


def removal(road: Road) -> dict[str, str]:
    """A command that deletes one folder with one file, which is there."""
    name = fresh("wd")
    (road.scratch / name).mkdir()
    (road.scratch / name / "note.txt").write_text("old")
    return {"command": f"rm -r {name}"}


async def start(road: Road) -> None:
    road.supervisor.start(WORKER)
    await road.supervisor.ready(WORKER)


async def test_a_worker_that_comes_back_soon_is_waited_for(own: Road, visitors: Guests) -> None:
    robot, eyes = await visitors.agent(), await visitors.eyes()

    with own.paused(WORKER):
        call = await robot.propose("run_command", removal(own))
        since = clock.monotonic()
        await eventually(lambda: passed(since, PLAN_TRY_S), LONG_S)
    told = await robot.hears(call, *TOLD)

    assert told.status is Status.PENDING_CONFIRMATION
    (halted, *_) = await eyes.facts(told.hold_id)
    assert isinstance(halted, Halted)
    assert halted.hold.assessment.affected == 1


async def test_without_a_worker_nothing_is_decided_and_the_same_key_goes_on_later(
    own: Road, visitors: Guests
) -> None:
    robot, ann, eyes = await visitors.agent(), await visitors.person(), await visitors.eyes()
    arguments, key = removal(own), fresh("key")
    own.supervisor.kill(WORKER)

    since = clock.monotonic()
    refused = await robot.hears(
        await robot.propose("run_command", arguments, idempotency_key=key), *TOLD
    )

    assert (refused.status, refused.code) == (Status.REFUSED, "no_dry_run")
    assert "the worker for shell did not answer" in refused.reason
    assert "again" in refused.reason
    assert clock.monotonic() - since >= PLAN_WAIT_S
    assert await eyes.on(subjects.HOLDS, subjects.hold_facts(TENANT, robot.name, "*")) == []

    await start(own)
    call = await robot.propose("run_command", arguments, idempotency_key=key)
    asked = await robot.hears(call, *TOLD)
    assert asked.status is Status.PENDING_CONFIRMATION
    await ann.proceed(await ann.card(asked.hold_id))
    assert (await robot.hears(call, Status.DONE)).status is Status.DONE


async def test_a_worker_that_stands_still_is_told_apart_from_a_verdict(
    own: Road, visitors: Guests
) -> None:
    robot = await visitors.agent()
    arguments, key = removal(own), fresh("key")

    with own.paused(WORKER):
        call = await robot.propose("run_command", arguments, idempotency_key=key)
        refused = await robot.hears(call, *TOLD)
    again = await robot.propose("run_command", arguments, idempotency_key=key)

    assert (refused.status, refused.code) == (Status.REFUSED, "no_dry_run")
    assert (await robot.hears(again, *TOLD)).status is Status.PENDING_CONFIRMATION


async def test_whoever_may_not_call_it_is_denied_whether_or_not_the_worker_answers(
    own: Road, visitors: Guests
) -> None:
    reader = await visitors.agent("reader")
    own.supervisor.kill(WORKER)

    told = await reader.hears(await reader.propose("run_command", removal(own)), *TOLD)

    assert told.status is Status.DENIED
    assert "`run_command` is not in the list" in told.reason


async def test_calls_to_other_workers_do_not_wait_behind_it(own: Road, visitors: Guests) -> None:
    robot = await visitors.agent()
    own.supervisor.kill(WORKER)
    first = await robot.propose("run_command", removal(own))
    others = [robot.propose("run_command", removal(own)) for _ in range(CALLS_AT_ONCE)]
    waiting = [first, *await asyncio.gather(*others)]

    query = {"database": "crm", "sql": f"SELECT count(*) AS n FROM {own.table(1)}"}
    done = await robot.hears(await robot.propose("query_database", query), Status.DONE)

    assert done.status is Status.DONE
    assert (await robot.ask(first)).status is Status.WAITING
    assert {(await one(robot, call)) for call in waiting} == {"no_dry_run"}


async def one(robot: AgentVoice, call: object) -> str:
    """The code that a call ended with."""
    return (await robot.hears(call, *TOLD)).code  # type: ignore[arg-type]


async def test_what_is_taken_back_before_it_is_judged_never_asks_anybody(
    own: Road, visitors: Guests
) -> None:
    robot = await visitors.agent()
    with own.paused(WORKER):
        call = await robot.propose("run_command", removal(own))
        taken = await robot.withdraw((await robot.ask(call)).hold_id)
        since = clock.monotonic()
        await eventually(lambda: passed(since, PLAN_WAIT_S / 2), LONG_S)

    told = await robot.hears(taken, Status.WITHDRAWN, Status.REFUSED)
    assert (told.status, told.code) == (Status.WITHDRAWN, "withdrawn")


async def test_whoever_waits_for_a_judgement_costs_the_gate_no_work(
    own: Road, visitors: Guests
) -> None:
    robot = await visitors.agent()
    await eventually(lambda: is_compiled(own), LONG_S)
    own.supervisor.kill(WORKER)
    call = await robot.propose("run_command", removal(own))
    before = worked_s(own.supervisor.pid("gate"))

    told = await robot.ask(call, wait_s=PLAN_WAIT_S - 1)

    assert told.status is Status.WAITING
    assert worked_s(own.supervisor.pid("gate")) - before < 1


async def is_compiled(road: Road) -> bool:
    """Whether the gate has made the automata of the policy and of the engine's two lists."""
    return len(list(road.settings.compiled_dir.glob("*.automaton"))) >= AUTOMATA


async def passed(since: float, seconds: float) -> bool:
    return clock.monotonic() - since > seconds


def worked_s(pid: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
