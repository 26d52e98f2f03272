"""Commands that run until somebody stops them: what they tell, line by line, and their end."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from tests.integration.cli.command_line import HOLDPOINT, WITHIN_S, Ended, environment
from tests.running_system import CHEAP, CONFIG, PASSWORD

from holdpoint.runtime.broker.nats_conf import ANY_PORT
from holdpoint.runtime.config.settings import MEBIBYTE, Settings
from holdpoint.runtime.security import credentials


@dataclass(kw_only=True)
class Lasting:
    """A command that runs."""

    process: subprocess.Popen[bytes]
    errors: Path
    told: list[dict[str, Any]] = field(default_factory=list)
    """What it has told so far."""

    def tells(self, event: str, **fields: Any) -> dict[str, Any]:
        """Read on until it tells this."""
        for news in self._news():
            if news["event"] == event and fields.items() <= news.items():
                return news
        raise AssertionError(f"{event} never came: {self.told} {self.errors.read_text()}")

    def events(self) -> list[str]:
        """The names of what it has told; not what it says of this machine, like a full disk."""
        return [news["event"] for news in self.told if news.get("who") != "careful"]

    def interrupted(self) -> Ended:
        """Press Ctrl-C, and wait for the end."""
        self.process.send_signal(signal.SIGINT)
        return self.ended()

    def ended(self) -> Ended:
        """Read to the end; standard output holds nothing but news."""
        for _ in self._news():
            continue
        code = self.process.wait(WITHIN_S)
        return Ended(code=code, out="", err=self.errors.read_text())

    def _news(self) -> Iterator[dict[str, Any]]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.told.append(msgspec.json.decode(line))
            yield self.told[-1]


@contextmanager
def lasting(settings: Settings, *words: str, **more: str) -> Iterator[Lasting]:
    """Start a command with --json; whatever it started ends with the block."""
    with tempfile.NamedTemporaryFile() as errors:
        process = subprocess.Popen(
            [*HOLDPOINT, *words, "--json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            env=environment(settings, {"HP_NATS_URL": "", **more}),
        )
        try:
            yield Lasting(process=process, errors=Path(errors.name))
        finally:
            _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """It stops its own processes when it is asked; the kernel does it for what is killed."""
    process.terminate()
    try:
        process.communicate(timeout=WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def private(folder: Path) -> Settings:
    """A state directory of one's own, any ports, and the shipped configuration."""
    return Settings(
        state_dir=folder / "var",
        config_dir=CONFIG,
        nats_port=ANY_PORT,
        monitor_port_base=0,
        console_port=0,
        stream_max_bytes=64 * MEBIBYTE,
    )


def know(settings: Settings, person: str) -> None:
    """Give a person the password of all tests."""
    credentials.create_person_key(settings.people_dir, person, PASSWORD, CHEAP, must_change=False)


def is_gone(pid: int) -> bool:
    """Whether the process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False
