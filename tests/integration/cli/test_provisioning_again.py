"""`holdpoint provision` on a running system: the broker reads its users again, and it works."""

import shutil
from pathlib import Path

import pytest
from tests.integration.cli.command_line import alone
from tests.world import World

from holdpoint.cli.output import ExitCode

pytestmark = pytest.mark.nats


@pytest.mark.slow
def test_provisioning_what_runs_is_done_however_often(own_world: World) -> None:
    for _ in range(3):
        ended = alone(own_world.settings, "provision", "--json")

        assert ended.code is ExitCode.OK.value, ended


@pytest.mark.slow
def test_a_broker_that_runs_elsewhere_is_provisioned_from_a_desk(
    own_world: World, tmp_path: Path
) -> None:
    desk = tmp_path / "desk"
    for folder in ("keys", "credentials", "people"):
        shutil.copytree(own_world.settings.state_dir / folder, desk / folder)
    settings = own_world.settings.model_copy(update={"state_dir": desk})

    assert alone(settings, "provision").code is ExitCode.OK.value
    nowhere = alone(settings, "provision", "--json", HP_NATS_URL="", HP_NATS_PORT="4222")
    assert (nowhere.code, "HP_NATS_URL" in nowhere.err) == (ExitCode.SETUP.value, True)
