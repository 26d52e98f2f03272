"""The gate logs each decision in one line, which names the hold and none of its arguments."""

import pytest
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.running_system import Road
from tests.waiting import eventually

from holdpoint.messages.envelope import Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


async def test_a_halt_and_its_answer_are_a_line_each(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    mark, call = await robot.command()
    hold_id = (await robot.pending(call)).hold_id
    await ann.cancel(await ann.card(hold_id, "rendered"), "Not today.")

    halted, resolved, resumed = await _lines(road, hold_id, 3)

    assert "halted" in halted
    assert "agent=robot" in halted
    assert "tool=run_command" in halted
    assert "hold_level=3" in halted
    assert "resolved" in resolved
    assert "by=ann" in resolved
    assert "outcome=cancelled" in resolved
    assert "resumed" in resumed
    assert "confirmed=False" in resumed
    log = road.logs()["gate.log"]
    assert mark not in log
    assert "Not today." not in log


async def test_a_refusal_is_a_line_with_its_code(road: Road, robot: AgentVoice) -> None:
    call = await robot.propose("no_such_tool", {"secret": "hush"})
    assert (await robot.hears(call, Status.REFUSED)).code == "unknown_tool"

    (refused,) = await _lines(road, f"@robot:{call.seq}", 1)

    assert "refused" in refused
    assert "code=unknown_tool" in refused
    assert "hush" not in road.logs()["gate.log"]


async def test_a_call_that_passes_is_no_line(road: Road, guests: Guests) -> None:
    robot = await guests.agent()
    call = await robot.propose("list_directory", {"path": "."})
    done = await robot.hears(call, Status.DONE)

    assert done.hold_id not in road.logs()["gate.log"]


async def _lines(road: Road, text: str, count: int) -> list[str]:
    async def found() -> list[str] | None:
        lines = [line for line in road.logs()["gate.log"].splitlines() if text in line]
        return lines if len(lines) >= count else None

    lines = await eventually(found)
    assert lines is not None
    return lines
