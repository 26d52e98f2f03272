"""Each role on each surface: gate, console and terminal say the same about who may do what."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.actors import Guests
from tests.browser import Program
from tests.integration.cli.command_line import alone
from tests.running_system import Road, running
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode
from holdpoint.messages.envelope import Status

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]

AT_FIRST = """\
people:
  - {name: ann, groups: [operators], roles: [approver, admin]}
  - {name: ben, groups: [operators]}
  - {name: cem, groups: [finance], roles: [auditor]}
"""
DOORS = ("/ledger", "/actions", "/traces", "/figures", "/policy/replay", "/stop")
"""Those of auditors, and that of admins."""

LATER = AT_FIRST.replace("ben, groups: [operators]", "ben, groups: [operators], roles: [viewer]")


@pytest.fixture
async def road(tmp_path: Path) -> AsyncIterator[Road]:
    async with running(tmp_path, own={}, console=True, people_yaml=AT_FIRST) as road:
        yield road


async def page_of(road: Road, person: str) -> Program:
    program = Program(url=road.settings.console_url)
    assert (await program.log_in(person)).status == 200
    return program


async def restarted_with_roles(road: Road) -> None:
    """The gate learns of the roles; this broker still lets everybody speak."""
    (road.settings.config_dir / "people.yaml").write_text(LATER)
    road.supervisor.kill("gate")
    road.supervisor.start("gate")
    await road.supervisor.ready("gate")


async def test_each_role_opens_its_own_doors(road: Road) -> None:
    async with AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        await restarted_with_roles(road)
        ann, ben = await guests.person("ann"), await guests.person("ben")
        robot = await guests.agent()
        mark, call = await robot.command()
        card = await ben.card((await robot.pending(call)).hold_id)

        refused = await ben.proceed(card)
        assert (refused.status, refused.code) == (Status.REFUSED, "not_an_approver")
        assert (await ben.cancel(card)).code == "not_an_approver"
        at_the_terminal(road, card.hold_id)
        await in_the_console(road, card.hold_id)

        assert (await ann.proceed(card)).status is Status.APPROVED
        assert (await robot.hears(call, Status.DONE)).status is Status.DONE
        assert road.runs_of(mark) == 1
        assert (await ann.told(await ann.kill("doomed"))).status is Status.DONE


def at_the_terminal(road: Road, hold_id: str) -> None:
    """A viewer sees the card, and is told at once that only approvers answer."""
    assert alone(road.settings, "show", hold_id, "--as", "ben").code == ExitCode.OK
    told = alone(road.settings, "proceed", hold_id, "--as", "ben")
    assert (told.code, "make ben an approver" in told.err) == (ExitCode.FAILED, True)
    told = alone(road.settings, "kill", "on", "--reason", "x", "--as", "cem")
    assert "does not make cem an admin" in told.err


async def in_the_console(road: Road, hold_id: str) -> None:
    """A viewer's card has no buttons; auditors read the ledger, admins stop agents."""
    viewer = await page_of(road, "ben")

    async def shown() -> str:
        reply = await viewer.get(f"/holds/robot/{hold_id}")
        assert hold_id in reply.text
        return reply.text

    page = await eventually(shown)
    assert "only approvers answer it" in page
    assert 'data-choice="proceed"' not in page
    assert await doors(viewer) == [403] * 6
    assert await doors(await page_of(road, "cem")) == [200] * 5 + [403]
    assert await doors(await page_of(road, "ann")) == [403] * 5 + [200]
    refused = await viewer.get("/ledger", {"Accept-Language": "de"})
    assert "Nur wer prüft, liest das Protokoll" in refused.text


async def doors(program: Program) -> list[int]:
    """What the pages of auditors and admins say."""
    return [(await program.get(path)).status for path in DOORS]
