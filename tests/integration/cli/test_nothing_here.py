"""Where nothing was set up, or where it is on its way back, a command says so and makes nothing."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from tests.integration.cli.command_line import alone
from tests.running_system import CONFIG

from holdpoint.cli.output import ExitCode
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process.supervisor import SERVICES_FILE, Written, only_one

CLOSED = "nats://127.0.0.1:9"


@pytest.fixture
def somebody() -> Iterator[str]:
    """Where a program listens that is none of ours."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"nats://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("doctor",),
        ("status",),
        ("pending",),
        ("pending", "--as", "ann"),
        ("show", "abcdefgh", "--as", "ann"),
        ("call", "list_directory", "--as", "sample-agent"),
        ("say", "Hello.", "--as", "sample-agent"),
    ],
)
def test_an_empty_folder_stays_empty_and_is_told(
    words: tuple[str, ...], somebody: str, tmp_path: Path
) -> None:
    settings = Settings(state_dir=tmp_path / "var", config_dir=CONFIG, nats_url=somebody)

    ended = alone(settings, *words)

    assert list(tmp_path.iterdir()) == []
    assert ended.code in {ExitCode.SETUP.value, ExitCode.FAILED.value, ExitCode.UNREACHABLE.value}
    told = " ".join(f"{ended.out} {ended.err}".split())
    assert "There is no state of Holdpoint here" in told
    assert "HP_STATE_DIR names" in told


@contextmanager
def supervised(settings: Settings, broker: str) -> Iterator[None]:
    """What a supervisor writes down while it lives."""
    with only_one(settings.run_dir):
        written = Written(pid=os.getpid(), broker=broker, services={})
        path = settings.run_dir / SERVICES_FILE
        files.replace(path, msgspec.json.encode(written), files.PUBLIC)
        yield


@pytest.mark.parametrize(("broker", "told"), [(CLOSED, "is restarting it"), ("", "is starting it")])
def test_a_broker_on_its_way_back_is_told(broker: str, told: str, tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "var", config_dir=CONFIG, nats_url=CLOSED)
    with supervised(settings, broker):
        ended = alone(settings, "call", "list_directory", "--as", "sample-agent")

    assert ended.code is ExitCode.UNREACHABLE.value
    assert f"Holdpoint runs here (process {os.getpid()}) and {told}" in ended.err
    assert "holdpoint up" not in ended.err


@pytest.mark.parametrize("broker", [None, "nats://127.0.0.1:10"])
def test_a_broker_that_nobody_here_supervises_is_to_be_started(
    broker: str | None, tmp_path: Path
) -> None:
    settings = Settings(state_dir=tmp_path / "var", config_dir=CONFIG, nats_url=CLOSED)
    with supervised(settings, broker or ""):
        elsewhere = alone(settings, "status").out if broker else ""
    stopped = alone(settings, "status").out

    assert all("Start it with: holdpoint up" in told for told in (elsewhere or stopped, stopped))
