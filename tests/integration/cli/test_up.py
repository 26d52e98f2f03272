"""`holdpoint up` makes way for others, keeps what it started alive, and goes on where it was."""

import http.client
import os
import shutil
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.integration.cli.long_commands import Lasting, know, lasting, private
from tests.running_system import CONFIG, PASSWORD, config_in, take_out
from tests.waiting import eventually

from holdpoint.cli.adopted_policy import kept
from holdpoint.cli.config_checks import problems
from holdpoint.cli.output import ExitCode
from holdpoint.core.digest import policy_digest
from holdpoint.domains.settings import BANK, TASKS
from holdpoint.runtime.broker.nodes import PORTS_TRIED
from holdpoint.runtime.config.settings import LOOPBACK, Settings
from holdpoint.runtime.config.shipped import copy_shipped
from holdpoint.runtime.process.supervisor import BROKER

pytestmark = pytest.mark.nats

UP = ("up", "--no-sample")
OWN = {"HP_NATS_URL": ""}
"""It starts a broker of its own, whatever runs elsewhere."""

ONE_AGENT = "agents:\n  - {name: robot, tools: [read_file], acts_for: [ann]}\n"
CTRL_C = "\x03"
COMMAND = "rm -r old-reports"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Two domains less than shipped: with all of them it starts in the slow tests here."""
    folder = tmp_path_factory.mktemp("up")
    config = config_in(folder / "config", agents_yaml=ONE_AGENT)
    for part in (BANK, TASKS):
        take_out(config / "domains.yaml", part)
    return private(folder).model_copy(update={"config_dir": config})


@pytest.fixture(scope="module")
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.create_server((LOOPBACK, 0)) as listener:
        yield int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def up(settings: Settings, taken: int) -> Iterator[Lasting]:
    """Shared: everything on a port that is taken, on a machine where nobody has a password."""
    with lasting(settings, *UP, HP_NATS_PORT=str(taken), HP_CONSOLE_PORT=str(taken)) as command:
        command.tells("ready")
        yield command


@pytest.mark.slow
def test_a_first_run_without_a_terminal_tells_a_password_once(up: Lasting) -> None:
    first, *others = (news["event"] for news in up.told)

    assert first == "password_made"
    assert first not in others


def test_a_port_that_is_taken_gives_way_to_the_next_free_one(
    up: Lasting, taken: int, settings: Settings
) -> None:
    address = ready_in(up)["address"]
    port = urlsplit(address).port

    assert port is not None
    assert taken < port < taken + PORTS_TRIED
    assert settings.broker_url == address
    assert msgspec.json.decode(alone(settings, "status", "--json").out)["broker"]["reachable"]


def test_a_console_that_could_not_have_its_port_says_where_it_is(
    up: Lasting, taken: int, settings: Settings
) -> None:
    ready = ready_in(up)

    assert ready["console"] == settings.console_url
    assert urlsplit(ready["console"]).port != taken
    assert ready["console_moved"] is True


def test_the_policy_in_force_is_kept_to_compare_with(up: Lasting, settings: Settings) -> None:
    """The first gate put it in force; nobody adopted anything here yet."""
    ready_in(up)
    status = msgspec.json.decode(alone(settings, "status", "--json").out)
    policy = kept(settings)

    assert policy is not None
    assert policy_digest(policy) == status["broker"]["policy_digest"]


def test_a_second_up_says_where_the_first_one_runs(up: Lasting, settings: Settings) -> None:
    ready = ready_in(up)

    ended = alone(settings, *UP, **OWN)
    told = alone(settings, *UP, "--json", **OWN)

    assert (ended.code, told.code) == (ExitCode.FAILED, ExitCode.FAILED)
    assert f"already runs here: {ready['address']} (process {ready['pid']})" in ended.err
    assert msgspec.json.decode(told.err)["error"]["code"] == "already_runs"
    assert (ended.out, told.out) == ("", "")
    assert alone(settings, "status").code == ExitCode.OK


@pytest.mark.slow
@pytest.mark.usefixtures("up")
def test_nothing_is_thrown_away_under_what_runs(settings: Settings) -> None:
    ended = alone(settings, "reset", "--yes")

    assert ended.code == ExitCode.SETUP
    assert "holdpoint down" in ended.err
    assert alone(settings, "status").code == ExitCode.OK


@pytest.mark.slow
@pytest.mark.parametrize("service", ["worker-shell", BROKER])
def test_what_dies_is_started_again(service: str, up: Lasting, settings: Settings) -> None:
    os.kill(pid_of(service, up, settings), signal.SIGKILL)

    assert up.tells("died", service=service)["exit_code"] == -signal.SIGKILL
    up.tells("restarted", service=service)


@pytest.mark.slow
def test_the_broker_is_started_again_while_others_are_waited_for(
    up: Lasting, settings: Settings
) -> None:
    for service in ("audit", BROKER):
        os.kill(pid_of(service, up, settings), signal.SIGKILL)
        up.tells("died", service=service)
    up.tells("restarted", service=BROKER)
    up.tells("restarted", service="audit")


@pytest.mark.slow
def test_nobody_takes_the_consoles_port_while_it_is_started_again(
    up: Lasting, settings: Settings
) -> None:
    address = settings.console_url
    os.kill(pid_of("console", up, settings), signal.SIGKILL)

    with pytest.raises(OSError, match="in use"):
        socket.create_server((LOOPBACK, urlsplit(address).port or 0))
    up.tells("restarted", service="console")
    assert settings.console_url == address
    assert http_status(address) == HTTPStatus.OK


@pytest.mark.usefixtures("up")
async def test_everything_is_well_after_a_restart(settings: Settings) -> None:
    async def is_well() -> bool:
        return alone(settings, "status").code == ExitCode.OK

    assert await eventually(is_well)


@pytest.mark.slow
def test_what_was_pending_at_ctrl_c_can_be_answered_after_the_next_start(tmp_path: Path) -> None:
    settings = private(tmp_path)
    know(settings, "ann")
    reports = settings.state_dir / "sample" / "scratch-space" / "old-reports"

    with lasting(settings, *UP) as first:
        first.tells("ready")
        hold_id = proposed(settings)
        assert first.interrupted().code == ExitCode.OK
    assert first.events() == ["ready", "stopping", "stopped"]
    assert reports.exists()

    with lasting(settings, *UP) as second:
        second.tells("ready")
        assert pending(settings) == [hold_id]
        proceed(settings, hold_id)
        assert not reports.exists()
        assert stopped(settings) == second.process.pid
        assert second.ended().code == ExitCode.OK
    assert stopped(settings) is None


@pytest.mark.slow
def test_it_tells_what_moved_and_that_another_policy_lies_on_disk(
    tmp_path: Path, taken: int
) -> None:
    config = shutil.copytree(CONFIG, tmp_path / "config")
    settings = private(tmp_path).model_copy(update={"config_dir": config})
    know(settings, "ann")
    with lasting(settings, *UP) as first:
        assert first.tells("ready")["moved"] == {}
        proposed(settings)
        assert first.interrupted().code == ExitCode.OK
    policy = config / "policy" / "default.yaml"
    policy.write_text(policy.read_text().replace('version: "1"', 'version: "2"'))

    with lasting(settings, *UP, HP_MONITOR_PORT_BASE=str(taken)) as second:
        moved = second.tells("ready")["moved"]
        while "holdpoint policy adopt" not in second.tells("problem", who="careful")["text"]:
            continue

    assert urlsplit(moved["gate"]).port != taken


@pytest.mark.slow
def test_while_it_asks_for_the_first_password_it_runs_already(tmp_path: Path) -> None:
    settings = private(tmp_path)
    with at_a_terminal(settings, *UP, HP_NATS_URL="") as screen:
        screen.sees("New password of ann")

        second = alone(settings, *UP, **OWN)
        assert (second.code, settings.broker_url in second.err) == (ExitCode.FAILED, True)
        assert alone(settings, "reset", "--yes").code == ExitCode.SETUP

        screen.types(CTRL_C)
        assert screen.ended().code == ExitCode.INTERRUPTED
    assert stopped(settings) is None


@pytest.mark.slow
def test_a_damaged_ledger_is_told_in_the_words_of_this_start(tmp_path: Path) -> None:
    settings = private(tmp_path)
    know(settings, "ann")
    settings.run_dir.mkdir(mode=0o700)
    (settings.run_dir / "audit.log").write_text("An earlier run wrote this.\n")
    (settings.state_dir / "ledger.db").write_bytes(b"garbage" * 1000)

    ended = alone(settings, *UP, **OWN)

    assert ended.code == ExitCode.SETUP
    assert "ledger.db is damaged" in ended.err
    assert "earlier run" not in ended.err
    assert "Traceback" not in ended.err


def test_a_file_in_the_place_of_the_state_folder_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")

    ended = alone(private(tmp_path), *UP, **OWN)

    assert ended.code == ExitCode.SETUP
    assert f"{tmp_path / 'var'} is no folder" in ended.err


def test_a_mistake_that_config_check_finds_is_told_and_nothing_starts(tmp_path: Path) -> None:
    config = tmp_path / "config"
    copy_shipped(config)
    agents = config / "agents.yaml"
    agents.write_text(agents.read_text().replace("run_command", "run_comand", 1))
    settings = private(tmp_path).model_copy(update={"config_dir": config})

    ended = alone(settings, *UP, **OWN)

    (problem,) = problems(settings)
    assert ended.code == ExitCode.SETUP
    assert " ".join(ended.err.split()) == problem.line
    assert not settings.state_dir.exists()


def proposed(settings: Settings) -> str:
    words = ("--reasoning", "They are old.", "--no-wait", "--as", "sample-agent", "--json")
    ended = alone(settings, "call", "run_command", "--arg", f"command={COMMAND}", *words)
    assert ended.code == ExitCode.UNDECIDED, ended
    return str(msgspec.json.decode(ended.out)["hold_id"])


def pending(settings: Settings) -> list[str]:
    ended = alone(settings, "pending", "--as", "ann", "--json")
    return [msgspec.json.decode(line)["hold_id"] for line in ended.out.splitlines()]


def proceed(settings: Settings, hold_id: str) -> None:
    with at_a_terminal(settings, "proceed", hold_id, "--as", "ann") as screen:
        assert COMMAND in screen.sees("Password of ann: ")
        screen.answers("Password of ann: ", PASSWORD)
        ended = screen.ended()
    assert ended.code == ExitCode.OK, ended


def stopped(settings: Settings) -> int | None:
    """The process that `holdpoint down` stopped."""
    ended = alone(settings, "down", "--json")
    assert ended.code == ExitCode.OK, ended
    found = msgspec.json.decode(ended.out)["stopped"]
    return found["pid"] if found else None


def ready_in(up: Lasting) -> dict[str, Any]:
    return next(news for news in up.told if news["event"] == "ready")


def http_status(address: str) -> int:
    port = urlsplit(address).port
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", "/login", headers={"Host": f"localhost:{port}"})
        reply = connection.getresponse()
        reply.read()
        return reply.status


def pid_of(service: str, up: Lasting, settings: Settings) -> int:
    if service == BROKER:
        return int((settings.run_dir / "nats.pid").read_text())
    return int(ready_in(up)["services"][service])
