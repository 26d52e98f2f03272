"""Files of a policy are a draft: a fault there ends no gate that has an adopted policy."""

from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest
from tests.actors import Guests
from tests.integration.cli.command_line import Ended, alone
from tests.running_system import Road, fresh, running

from holdpoint.cli.output import ExitCode
from holdpoint.messages.envelope import Status
from holdpoint.runtime.errors import SetupError

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

FAULTS = {
    "no regular expression": "patterns:\n  - {id: own.bad, pattern: '(', heuristic: magnitude, "
    "level: high, reason: it explodes, must_fire: ['(']}\n",
    "no YAML": "patterns: [",
    "an unknown key": "patters: []\n",
}


async def judged(guests: Guests) -> str:
    """How a call ends that the shipped policy lets pass."""
    robot = await guests.agent()
    call = await robot.propose("create_file", {"path": f"{fresh('f')}.txt", "content": "x"})
    return (await robot.hears(call, Status.DONE, Status.DENIED, Status.REFUSED)).status.value


def call_unheard(road: Road) -> Ended:
    words = ("call", "list_directory", "--arg", "path=.", "--as", "robot", "--no-wait")
    return alone(road.settings, *words, "--timeout", "1")


@pytest.mark.slow
async def test_a_fault_in_a_draft_ends_no_gate_that_has_an_adopted_policy(tmp_path: Path) -> None:
    async with running(tmp_path, own={}) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        assert await judged(guests) == "done"
        draft = road.settings.config_dir / "policy" / "draft.yaml"
        for name, text in FAULTS.items():
            draft.write_text(text)
            road.supervisor.kill("gate")
            road.supervisor.start("gate")
            await road.supervisor.ready("gate")

            assert await judged(guests) == "done", name
            assert "policy_on_disk_unusable" in road.logs()["gate.log"], name
            found = alone(road.settings, "status", "--json")
            told = "\n".join(msgspec.json.decode(found.out)["warnings"])
            assert f"{draft}" in told, (name, told)
            assert "Gates go on by the policy in force" in told, name
            assert "To judge by it: holdpoint policy adopt" not in told, name
        draft.write_text(FAULTS["no regular expression"])
        refused = adopt(road)
        assert refused.code == ExitCode.SETUP.value, refused
        assert f"{draft}:2: pattern own.bad" in refused.err + refused.out

        road.supervisor.kill("gate")
        unheard = call_unheard(road)
        assert unheard.code == ExitCode.UNDECIDED.value
        again = next(line for line in unheard.out.splitlines() if line.startswith("Look again"))
        assert "--key " in again


@pytest.mark.slow
async def test_without_an_adopted_policy_a_faulty_one_is_refused_and_status_says_why(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, own={}, later=frozenset({"gate"})) as road:
        draft = road.settings.config_dir / "policy" / "draft.yaml"
        draft.write_text(FAULTS["no regular expression"])
        road.supervisor.start("gate")
        with pytest.raises(SetupError, match=r"draft\.yaml:2: pattern own\.bad"):
            await road.supervisor.ready("gate")

        await road.supervisor.ready(road.supervisor.services[0])  # what was started is written down
        found = msgspec.json.decode(alone(road.settings, "status", "--json").out)
        gate = next(it for it in found["services"] if it["name"] == "gate")
        assert not gate["alive"]
        assert f"{draft}:2: pattern own.bad" in gate["last_words"]
        assert any("A gate does not start by such a policy" in it for it in found["warnings"])


def adopt(road: Road) -> Ended:
    words = ("policy", "adopt", "--reason", "a try", "--as", "ann")
    return alone(road.settings, *words)


@pytest.mark.slow
async def test_the_first_gate_puts_the_policy_on_disk_in_force_when_it_starts(
    tmp_path: Path,
) -> None:
    """What is edited afterwards waits for a person, whether or not somebody has called yet."""
    async with running(tmp_path, own={}) as road, AsyncExitStack() as stack:
        draft = road.settings.config_dir / "policy" / "draft.yaml"
        draft.write_text(FAULTS["an unknown key"])
        road.supervisor.kill("gate")
        road.supervisor.start("gate")
        await road.supervisor.ready("gate")

        assert await judged(Guests(road=road, stack=stack)) == "done"
        assert "policy_on_disk_unusable" in road.logs()["gate.log"]
