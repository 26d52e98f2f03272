"""One service in the foreground: programs learn where it listens, and that it stopped."""

import urllib.request

import msgspec
import pytest
from tests.integration.cli.command_line import alone
from tests.integration.cli.long_commands import lasting
from tests.world import World

from holdpoint.cli.output import ExitCode

pytestmark = pytest.mark.nats


@pytest.mark.slow
def test_a_service_tells_where_its_health_is(own_world: World) -> None:
    url = own_world.settings.broker_url
    with lasting(own_world.settings, "serve", "audit", HP_NATS_URL=url) as audit:
        serving = audit.tells("serving")
        with urllib.request.urlopen(f"{serving['address']}/readyz", timeout=5) as page:  # noqa: S310  # our own address
            assert page.status == 200
        ended = audit.interrupted()

    assert (serving["service"], serving["pid"]) == ("audit", audit.process.pid)
    assert ended.code == ExitCode.OK, ended
    assert audit.told[-1] == {"event": "stopped"}


def test_a_service_that_nobody_knows_is_an_error_for_programs_too(own_world: World) -> None:
    ended = alone(own_world.settings, "serve", "butler", "--json")

    assert ended.code == ExitCode.SETUP
    assert ended.out == ""
    assert msgspec.json.decode(ended.err.splitlines()[-1])["error"]["code"] == "setup"


def test_a_service_refuses_a_state_folder_that_others_can_write(own_world: World) -> None:
    own_world.settings.keys_dir.chmod(0o770)

    ended = alone(own_world.settings, "serve", "audit")

    assert ended.code == ExitCode.SETUP
    assert f"chmod 700 {own_world.settings.keys_dir}" in ended.err
