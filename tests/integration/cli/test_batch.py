"""Several holds on the same action are answered at once, one answer each; others never are."""

import msgspec
import pytest
from tests.actors import AgentVoice, PersonVoice, StreamEyes
from tests.integration.cli.command_line import at_a_terminal
from tests.running_system import PASSWORD, Road

from holdpoint.cli.output import ExitCode
from holdpoint.messages import subjects as s
from holdpoint.messages.envelope import Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


async def test_the_same_action_is_answered_once_for_each_of_its_holds(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    mark, first = await robot.command()
    same = [await robot.propose("run_command", {"command": f"echo ran >> {mark}"}) for _ in "ab"]
    _, other = await robot.command()
    holds = [(await robot.pending(call)).hold_id for call in (first, *same)]
    for hold in (*holds, (await robot.pending(other)).hold_id):
        await ann.card(hold)

    words = ("confirm", "--same-as", holds[0], "--as", "ann", "--json")
    with at_a_terminal(road.settings, *words) as screen:
        screen.answers("Password of ann: ", PASSWORD)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    told = [msgspec.json.decode(line) for line in ended.out.splitlines()]
    assert {it["hold_id"] for it in told} == set(holds)
    for call in (first, *same):
        await robot.hears(call, Status.DONE)
    assert road.runs_of(mark) == 3
    for hold in holds:
        assert len(await eyes.on(s.ANSWERS, s.answer_subject("acme", "*", "ann", "*", hold))) == 1
    assert (await robot.ask(other)).status is Status.PENDING_CONFIRMATION


async def test_other_actions_are_not_answered_together(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    holds = []
    for _ in "ab":
        _, call = await robot.command()
        holds.append((await robot.pending(call)).hold_id)
        await ann.card(holds[-1])

    with at_a_terminal(road.settings, "confirm", *holds, "--as", "ann") as screen:
        ended = screen.ended()

    assert (ended.code, "another action" in ended.err) == (ExitCode.FAILED.value, True)
    for hold in holds:
        assert not await eyes.on(s.ANSWERS, s.answer_subject("acme", "*", "*", "*", hold))
