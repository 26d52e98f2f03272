"""Runs in the asking program: the claim is taken once, for exactly what was let go."""

from collections.abc import AsyncIterator

import pytest
from tests.actors import PersonVoice
from tests.running_system import Road, fresh
from tests.waiting import eventually

from holdpoint.client import Holdpoint, Outcome, RefusedError, Status

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.conformance.shared_world",)


@pytest.fixture
async def hp(host_road: Road) -> AsyncIterator[Holdpoint]:
    login = host_road.login("agent_coder")
    keys = host_road.settings.model_copy(update={"nats_url": login.url})
    async with Holdpoint.connect("coder", keys) as connected:
        yield connected


def order() -> dict[str, str]:
    return {"item": fresh("item")}


async def approved(hp: Holdpoint, ann: PersonVoice, arguments: dict[str, str]) -> Outcome:
    asked = await hp.call("order", arguments, wait=False)
    assert asked.status is Status.PENDING_CONFIRMATION
    await ann.proceed(await ann.card(asked.hold_id))
    told = await hp.resume(asked.hold_id)
    assert told.may_run
    return told


async def test_what_passes_may_run_at_once_and_is_reported(hp: Holdpoint) -> None:
    arguments = {"command": "ls -la"}
    told = await hp.call("run_shell", arguments)

    begun = await hp.begin(told.hold_id, arguments)
    ended = await hp.finish(told.hold_id, arguments, {"text": "two files"})

    assert told.may_run
    assert begun.status is Status.APPROVED
    assert (ended.status, ended.formatted) == (Status.DONE, "two files")


async def test_a_yes_lets_one_run_begin(hp: Holdpoint, host_ann: PersonVoice) -> None:
    arguments = order()
    told = await approved(hp, host_ann, arguments)

    await hp.begin(told.hold_id, arguments)
    with pytest.raises(RefusedError) as again:
        await hp.begin(told.hold_id, arguments)
    await hp.finish(told.hold_id, arguments, error="out of stock")
    with pytest.raises(RefusedError) as late:
        await hp.begin(told.hold_id, arguments)

    assert again.value.code == "already_started"
    assert late.value.code in {"already_started", "already_closed"}
    assert (await hp.outcome(told.hold_id)).status is Status.FAILED


async def test_nothing_else_begins_by_that_yes(hp: Holdpoint, host_ann: PersonVoice) -> None:
    arguments = order()
    told = await approved(hp, host_ann, arguments)

    with pytest.raises(RefusedError) as other:
        await hp.begin(told.hold_id, {"item": "another"})

    assert other.value.code == "other_arguments"
    assert (await hp.begin(told.hold_id, arguments)).status is Status.APPROVED


async def test_nothing_begins_before_the_yes_or_after_a_no(
    hp: Holdpoint, host_ann: PersonVoice
) -> None:
    arguments = order()
    asked = await hp.call("order", arguments, wait=False)
    with pytest.raises(RefusedError) as early:
        await hp.begin(asked.hold_id, arguments)
    await host_ann.cancel(await host_ann.card(asked.hold_id), "No.")
    with pytest.raises(RefusedError) as declined:
        await hp.begin(asked.hold_id, arguments)

    assert (early.value.code, declined.value.code) == ("not_let_go", "not_let_go")


async def test_another_agents_yes_begins_nothing(
    hp: Holdpoint, host_road: Road, host_ann: PersonVoice
) -> None:
    arguments = order()
    told = await approved(hp, host_ann, arguments)
    keys = host_road.settings.model_copy(update={"nats_url": host_road.supervisor.url})

    async with Holdpoint.connect("rival", keys) as rival:
        with pytest.raises(RefusedError) as theirs:
            await rival.begin(told.hold_id, arguments)

    assert theirs.value.code == "unknown_hold"


async def test_what_ran_otherwise_is_in_doubt(hp: Holdpoint, host_ann: PersonVoice) -> None:
    arguments = order()
    told = await approved(hp, host_ann, arguments)
    await hp.begin(told.hold_id, arguments)

    ended = await hp.finish(told.hold_id, {"item": "another"})

    assert ended.status is Status.IN_DOUBT


async def test_the_kill_switch_stops_what_was_approved(
    hp: Holdpoint, host_ann: PersonVoice
) -> None:
    arguments = order()
    told = await approved(hp, host_ann, arguments)
    assert (await host_ann.told(await host_ann.kill("coder"))).status is Status.DONE
    try:
        with pytest.raises(RefusedError):
            await hp.begin(told.hold_id, arguments)
        assert (await hp.outcome(told.hold_id)).status is Status.BARRED
    finally:
        await host_ann.told(await host_ann.revive("coder"))


async def test_a_workers_tool_is_not_the_programs_to_run(
    hp: Holdpoint, host_road: Road, host_ann: PersonVoice
) -> None:
    mark = fresh("mark")
    arguments = {"command": f"echo ran >> {mark}"}
    asked = await hp.call("run_command", arguments, wait=False)
    with pytest.raises(RefusedError) as theirs:
        await hp.begin(asked.hold_id, arguments)
    await host_ann.proceed(await host_ann.card(asked.hold_id))

    async def ran() -> bool:
        return host_road.runs_of(mark) == 1

    assert await eventually(ran)
    assert theirs.value.code == "not_let_go"
