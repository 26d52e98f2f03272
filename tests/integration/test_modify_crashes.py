"""A gate dies while it changes a call or takes a plan's step: it is finished, and once."""

from typing import Any

import pytest
from tests.actors import Guests
from tests.running_system import LONG_S, Road, fresh
from tests.waiting import eventually

from holdpoint.client import Holdpoint, Status
from holdpoint.messages.answer import Change, Choice
from holdpoint.runtime.process.crash import VARIABLE

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]
pytest_plugins = ("tests.system_fixtures",)


def append(mark: str, times: int) -> dict[str, Any]:
    return {"command": "; ".join([f"echo ran >> {mark}"] * times)}


async def dies_at(road: Road, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the gate again, to die at this step."""
    road.supervisor.kill("gate")
    with monkeypatch.context() as armed:
        armed.setenv(VARIABLE, f"{step}:1")
        road.supervisor.start("gate")
    await road.supervisor.ready("gate")


async def comes_back(road: Road) -> None:
    async def dead() -> bool:
        return "gate" in road.supervisor.dead()

    await eventually(dead, LONG_S)
    road.supervisor.start("gate")
    await road.supervisor.ready("gate")


async def test_a_gate_that_dies_between_the_two_holds_is_continued(
    own: Road, visitors: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot, ann, eyes = await visitors.agent(), await visitors.person(), await visitors.eyes()
    for step in ("publish.resolve.after", "publish.halt.before", "publish.halt.after"):
        mark = fresh("mark")
        call = await robot.propose("run_command", append(mark, 3))
        card = await ann.card((await robot.pending(call)).hold_id)
        await dies_at(own, step, monkeypatch)

        change = Change(arguments=append(mark, 1))
        seq = await ann.answer(card, Choice.MODIFY, change=change)
        await comes_back(own)

        told = await ann.heard(card, seq)
        assert told.status is Status.SUPERSEDED, step
        assert own.runs_of(mark) == 0
        new = await ann.card(told.superseded_by)
        await ann.proceed(new)
        await ann.card(new.hold_id, "done")
        assert own.runs_of(mark) == 1
        (halted,) = [it for it in await eyes.facts(new.hold_id) if type(it).__name__ == "Halted"]
        assert halted.cause == f"ANSWERS:{seq}"


async def test_a_step_that_was_taken_by_a_gate_that_died_runs_once(
    own: Road, visitors: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await visitors.person()
    async with Holdpoint.connect("robot", own.settings) as hp:
        for step in ("publish.resume.after", "publish.passed.before"):
            mark = fresh("mark")
            steps = [("run_command", append(mark, 1)), ("run_command", append(mark, 2))]
            asked = await hp.plan(steps, wait=False)
            await ann.proceed(await ann.card(asked.hold_id))
            assert (await hp.resume(asked.hold_id)).confirmed
            await dies_at(own, step, monkeypatch)

            first = await hp.call(*steps[0], plan=asked.hold_id, wait=False, timeout=1)
            await comes_back(own)

            key = first.idempotency_key
            first = await hp.call(*steps[0], plan=asked.hold_id, idempotency_key=key)
            second = await hp.call(*steps[1], plan=asked.hold_id)
            ended = [first.status in {Status.DONE, Status.ALREADY_PROCESSED}, second.status]
            assert ended == [True, Status.DONE], step
            assert own.runs_of(mark) == 3
