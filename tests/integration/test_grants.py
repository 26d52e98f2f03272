"""A grant runs one exact action, once, in time, signed by the gate; nothing else runs anything."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.actors import AgentVoice, Call, Guests, PersonVoice
from tests.running_system import AGENTS_YAML, LONG_S, Road, running
from tests.waiting import eventually
from tests.world import TENANT

from holdpoint.client import Holdpoint, RefusedError
from holdpoint.core.digest import hold_id
from holdpoint.ledger.exceptions import Kind
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Passed, Resumed
from holdpoint.messages.run import Finished, Lapsed, Started
from holdpoint.runtime.process import clock, crash
from holdpoint.runtime.security.keys import Keyset, Signer, worker_role
from holdpoint.runtime.store.history import Runs
from holdpoint.runtime.store.journal import Journal

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

GRANT_S, VALID_S, SKEW_S = 1, 8, 5
CODER = "  - {name: coder, tools: [code_host_shell], acts_for: [ann]}\n"


def short_lived(policy: str) -> str:
    """The shipped policy, but grants live one second, and a yes eight."""
    return policy.replace("grant_s: 300", f"grant_s: {GRANT_S}").replace(
        "valid_for_s: 900", f"valid_for_s: {VALID_S}"
    )


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """A road on which grants age quickly."""
    with asyncio.Runner() as runner:
        folder = tmp_path_factory.mktemp("hasty")
        world = running(folder, short_lived, agents_yaml=AGENTS_YAML + CODER)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def visitors(hasty: Road) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=hasty, stack=stack)


async def asked(robot: AgentVoice, ann: PersonVoice) -> tuple[str, Card, Call]:
    """A command that waits for its yes, and leaves a line each time that it runs."""
    mark, call = await robot.command()
    return mark, await ann.card((await robot.pending(call)).hold_id), call


async def test_the_card_says_214_and_300_rows_match_so_nothing_is_deleted(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    table = road.table(214)
    sql = f"DELETE FROM {table} WHERE status = 'stale'"
    call = await robot.propose("execute_sql", {"database": "crm", "sql": sql})
    card = await ann.card((await robot.pending(call)).hold_id)
    assert card.ui.action.affected == 214
    road.fill(table, 86)

    await ann.proceed(card)
    told = await robot.hears(call, Status.PRECONDITION_FAILED, Status.DONE, Status.FAILED)

    assert told.status is Status.PRECONDITION_FAILED
    assert "214" in told.message_for_user
    assert "300" in told.message_for_user
    assert road.rows(table) == 300


@pytest.mark.slow
async def test_a_worker_that_was_away_runs_it_with_a_fresh_grant_or_never(
    hasty: Road, visitors: Guests
) -> None:
    """One pause, two actions: the first one's yes is over when the worker is back."""
    robot, ann, eyes = await visitors.agent(), await visitors.person(), await visitors.eyes()
    (old_mark, old_card, old_call), (new_mark, new_card, new_call) = (
        await asked(robot, ann),
        await asked(robot, ann),
    )
    old, new = old_card.hold_id, new_card.hold_id
    with hasty.paused("worker-shell"):
        since = clock.monotonic()
        await ann.proceed(old_card)
        await eventually(lambda: _passed(since, VALID_S - GRANT_S - SKEW_S), LONG_S)
        await ann.proceed(new_card)
        await eventually(lambda: _passed(since, VALID_S + 0.5), LONG_S)

    lapsed = await robot.hears(old_call, Status.LAPSED, Status.DONE)
    done = await robot.hears(new_call, Status.DONE, Status.LAPSED)

    assert lapsed.status is Status.LAPSED
    assert "approved, but not executed in time" in lapsed.message_for_user
    assert [type(fact) for fact in await eyes.runs(old)] == [Lapsed]
    assert done.status is Status.DONE
    assert [type(fact) for fact in await eyes.runs(new)] == [Started, Finished]
    assert (hasty.runs_of(old_mark), hasty.runs_of(new_mark)) == (0, 1)
    resumed = [fact for fact in await eyes.facts(new) if isinstance(fact, Resumed)]
    first, *_, last = [fact.grant.nonce for fact in resumed if fact.grant]
    assert first != last
    assert (await eyes.runs(new))[0].nonce == last
    await eventually(lambda: _is_found(hasty, old, Kind.LAPSED), LONG_S)


@pytest.mark.slow
async def test_a_run_of_the_asking_program_that_nobody_begins_lapses(
    hasty: Road, visitors: Guests
) -> None:
    ann, eyes = await visitors.person(), await visitors.eyes()
    settings = hasty.settings.model_copy(update={"nats_url": hasty.supervisor.url})
    arguments = {"command": "pytest --version"}
    async with Holdpoint.connect("coder", settings) as coder:
        held = await coder.call("code_host_shell", arguments, wait=False, on_cancel="leave")
        await ann.proceed(await ann.card(held.hold_id))

        async def lapsed() -> bool:
            return (await coder.outcome(held.hold_id)).status is Status.LAPSED

        assert await eventually(lapsed, LONG_S)
        with pytest.raises(RefusedError) as late:
            await coder.begin(held.hold_id, arguments)

    assert late.value.code == "too_late"
    assert [type(fact) for fact in await eyes.runs(held.hold_id)] == [Lapsed]


@pytest.mark.slow
async def test_a_dispatch_that_nobody_answers_lapses_once_no_call_waits_under_it(
    hasty: Road, visitors: Guests
) -> None:
    refunds, ann, eyes = (
        await visitors.agent("refund-agent"),
        await visitors.person(),
        await visitors.eyes(),
    )
    settings = hasty.settings.model_copy(update={"nats_url": hasty.supervisor.url})
    query = {"target_agent": "refund-agent", "query": "Delete the users"}
    async with Holdpoint.connect("planner", settings) as planner:
        busy = await planner.call("dispatch", query, wait=False, on_cancel="leave")
        idle = await planner.call("dispatch", query, wait=False, on_cancel="leave")
        assert (busy.status, idle.status) == (Status.APPROVED, Status.APPROVED)
        sql = {"database": "crm", "sql": "DELETE FROM users"}
        call = await refunds.propose("execute_sql", sql, dispatched_by=busy.hold_id)
        card = await ann.card((await refunds.pending(call)).hold_id)

        ended = await planner.resume(idle.hold_id, timeout=LONG_S)
        assert ended.status is Status.LAPSED
        assert "refund-agent did not answer in time" in ended.reason
        assert [type(fact) for fact in await eyes.runs(idle.hold_id)] == [Lapsed]
        assert (await planner.outcome(busy.hold_id)).status is Status.APPROVED

        await ann.cancel(card)
        ended = await planner.resume(busy.hold_id, timeout=LONG_S)
        assert ended.status is Status.LAPSED
        assert f"Its calls: execute_sql (hold {card.hold_id}): cancelled." in ended.reason


@pytest.mark.slow
async def test_what_is_claimed_after_its_time_does_not_run(
    hasty: Road, visitors: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker stands still between its look at the grant and its claim."""
    robot, ann, eyes = await visitors.agent(), await visitors.person(), await visitors.eyes()
    mark, card, call = await asked(robot, ann)
    monkeypatch.setenv(crash.VARIABLE, "publish.started.before:1:stop")
    hasty.supervisor.kill("worker-shell")
    hasty.supervisor.start("worker-shell")
    await hasty.supervisor.ready("worker-shell")
    monkeypatch.delenv(crash.VARIABLE)
    worker = hasty.supervisor.pid("worker-shell")
    await ann.proceed(card)

    async def stands_still() -> bool:
        return state_of(worker) == "T"

    await eventually(stands_still)
    since = clock.monotonic()
    await eventually(lambda: _passed(since, GRANT_S + SKEW_S + 0.5), LONG_S)
    os.kill(worker, signal.SIGCONT)

    told = await robot.hears(call, Status.FAILED, Status.DONE, Status.LAPSED)
    assert told.status is Status.FAILED
    assert "Nothing ran" in told.message_for_user
    assert hasty.runs_of(mark) == 0
    assert [type(fact) for fact in await eyes.runs(card.hold_id)] == [Started, Finished]


@pytest.mark.slow
async def test_what_another_worker_claimed_too_late_is_not_run_in_its_place(
    hasty: Road, visitors: Guests
) -> None:
    """A worker that died right after such a claim began nothing; this one must not either."""
    robot, eyes = await visitors.agent(), await visitors.eyes()
    hold = hold_id(TENANT, "robot", "ann", "create_file", "late")
    with hasty.paused("worker-shell"):
        since = clock.monotonic()
        call = await robot.propose("create_file", {"path": "late.txt", "content": "x"}, key="late")
        (passed,) = await eventually(lambda: eyes.facts(hold), LONG_S)
        await eventually(lambda: _passed(since, GRANT_S + SKEW_S + 0.5), LONG_S)
        await _claim(visitors, passed)

    told = await robot.hears(call, Status.FAILED, Status.DONE)
    assert told.status is Status.FAILED
    assert "Nothing ran" in told.message_for_user
    assert not (hasty.scratch / "late.txt").exists()


def state_of(pid: int) -> str:
    """Return the letter with which the kernel tells what a process does."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]


async def _claim(visitors: Guests, passed: Passed) -> None:
    """Claim a grant as a worker that dies at once."""
    user, folder = "worker_shell", visitors.road.settings.keys_dir
    login, client = visitors.road.login(user), await visitors.client(user)
    signer = Signer(folder, worker_role("shell"), Keyset(folder))
    runs = Runs(Journal(client, login, TENANT, "holdpoint/worker", signer))
    assert passed.grant is not None
    started = Started(
        hold_id=passed.hold.hold_id,
        digest=passed.hold.digest,
        cause="HOLDS:1",
        nonce=passed.grant.nonce,
        owner="worker/1",
        lease_until=clock.now(),
    )
    await runs.append(started, passed.hold, after=0)


async def _passed(since: float, seconds: float) -> bool:
    return clock.monotonic() - since > seconds


async def _is_found(road: Road, hold: str, kind: Kind) -> bool:
    """Whether the ledger, which is a moment behind, names it as this kind of exception."""
    return kind in {it.kind for it in road.exceptions() if it.hold_id == hold}
