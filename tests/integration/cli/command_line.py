"""The real command line as a process: without a terminal, or at a terminal of its own."""

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.forking import Birth, Forked, born
from tests.waiting import eventually

from holdpoint.runtime.broker.nats_conf import ANY_PORT
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

WITHIN_S = 30.0
GLANCE_S = 0.2
"""Between two looks at whether the command still lives."""

WHOLE_LINE = "\n"
HOLDPOINT = (sys.executable, "-m", "holdpoint")

BACKGROUND = """\
import os, subprocess, sys
os.close(os.open(sys.argv[1], os.O_RDWR))
command = [sys.executable, "-m", "holdpoint", *sys.argv[2:]]
sys.exit(subprocess.run(command, process_group=0).returncode)
"""
IN_THE_BACKGROUND = (sys.executable, "-c", BACKGROUND)
"""A session leader that opens a terminal gets it as its own; its child is in the background."""

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, kw_only=True)
class Ended:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


class Files(NamedTuple):
    """The files that a command reads and writes as its input, output and errors."""

    given: Path
    out: Path
    err: Path

    def ended(self, process: subprocess.Popen[bytes], within_s: float) -> Ended:
        """Wait until the command ends."""
        code = process.wait(within_s)
        return Ended(code=code, out=self.out.read_text(), err=self.err.read_text())


@dataclass(kw_only=True)
class Screen:
    """A command at a terminal: what stands on it, and a keyboard."""

    master: int
    process: subprocess.Popen[bytes]
    files: Files
    shown: str = ""
    _raw: bytes = field(default=b"", repr=False)

    def sees(self, text: str) -> str:
        """Wait until the text stands on the screen."""
        return self.sees_one_of(text)

    def sees_one_of(self, *texts: str) -> str:
        """Wait until one of these stands on the screen."""
        deadline = clock.monotonic() + WITHIN_S
        while not any(text in self.shown for text in texts):
            over = self.process.poll() is not None or clock.monotonic() > deadline
            if not self._reads(GLANCE_S) and over:
                raise AssertionError(f"{texts!r} never came: {self.shown!r}")
        return self.shown

    def types(self, text: str) -> None:
        """Press these keys."""
        os.write(self.master, text.encode())

    def answers(self, prompt: str, text: str) -> None:
        """Wait for the question that follows what was read so far, and answer it."""
        self.sees(prompt)
        self.shown = self.shown.partition(prompt)[2]
        self.types(text + WHOLE_LINE)

    def ended(self) -> Ended:
        """Wait until the command ends."""
        ended = self.files.ended(self.process, WITHIN_S)
        while self._reads(0):
            pass
        return ended

    async def warned(self, number: int) -> str:
        """Wait for this line of its errors, from 0 on."""

        async def line() -> str:
            lines = self.files.err.read_text().splitlines(keepends=True)
            whole = [it.strip() for it in lines if it.endswith(WHOLE_LINE)]
            return whole[number] if number < len(whole) else ""

        return await eventually(line, WITHIN_S)

    @property
    def everything(self) -> str:
        """All that ever stood on the screen."""
        return self._raw.decode(errors="replace")

    def _reads(self, within_s: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], within_s)
        piece = os.read(self.master, 65536) if ready else b""
        self._raw += piece
        self.shown += COLOURS.sub("", piece.decode(errors="replace"))
        return bool(piece)


def alone(settings: Settings, *words: str, said: str = "", **more: str) -> Ended:
    """Run a command without any terminal; `said` stands on its standard input."""
    with _files(said) as files:
        process = _begun(files, environment(settings, more), words)
        try:
            return files.ended(process, 2 * WITHIN_S)
        finally:
            _end(process)


@contextmanager
def at_a_terminal(
    settings: Settings, *words: str, said: str = "", starter: tuple[str, ...] = (), **more: str
) -> Iterator[Screen]:
    """Start a command whose controlling terminal is new; its output goes to files.

    A `starter` is another program, which is executed with the terminal and the words.
    """
    master, slave = pty.openpty()
    terminal, env = os.ttyname(slave), environment(settings, more)
    with _files(said) as files:
        if starter:
            process = _executed(files, env, (*starter, terminal, *words))
        else:
            process = _begun(files, env, words, terminal)
        try:
            yield Screen(master=master, process=process, files=files)
        finally:
            _end(process)
            os.close(slave)
            os.close(master)


@contextmanager
def _files(said: str) -> Iterator[Files]:
    with TemporaryDirectory(prefix="command") as folder:
        files = Files(*(Path(folder, name) for name in ("in", "out", "err")))
        files.given.write_text(said)
        files.out.touch()
        files.err.touch()
        yield files


def _begun(
    files: Files, env: Mapping[str, str], words: tuple[str, ...], terminal: str = ""
) -> Forked:
    return born(
        Birth(
            name="", arguments=words, env=env, input=str(files.given), out=str(files.out),
            err=str(files.err), folder=str(Path.cwd()), terminal=terminal,
        )
    )  # fmt: skip


def _executed(
    files: Files, env: Mapping[str, str], command: tuple[str, ...]
) -> subprocess.Popen[bytes]:
    with files.given.open() as given, files.out.open("a") as out, files.err.open("a") as err:
        return subprocess.Popen(
            command, stdin=given, stdout=out, stderr=err, env=env, start_new_session=True
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait(WITHIN_S)


def environment(settings: Settings, more: Mapping[str, str]) -> dict[str, str]:
    """What the command is told: the world's place, and nothing of this shell's HP_ variables."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HP_")}
    url = settings.broker_url
    return inherited | {
        "HP_TENANT": settings.tenant,
        "HP_STATE_DIR": str(settings.state_dir),
        "HP_CONFIG_DIR": str(settings.config_dir),
        "HP_NATS_URL": "" if url.endswith(f":{ANY_PORT}") else url,
        "HP_NATS_PORT": str(settings.nats_port),
        "HP_MONITOR_PORT_BASE": str(settings.monitor_port_base),
        "HP_CONSOLE_PORT": str(settings.console_port),
        "COLUMNS": "100",
        "LINES": "200",
        **more,
    }
