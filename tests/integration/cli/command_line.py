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

from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

WITHIN_S = 30.0
GLANCE_S = 0.2
"""Between two looks at whether the command still lives."""

WHOLE_LINE = "\n"
HOLDPOINT = (sys.executable, "-m", "holdpoint")

AT_A_TERMINAL = """\
import os, sys
os.close(os.open(sys.argv[1], os.O_RDWR))
os.execv(sys.argv[2], sys.argv[2:])
"""
"""A session leader that opens a terminal gets it as its own, whatever standard input is."""

IN_THE_BACKGROUND = """\
import os, subprocess, sys
os.close(os.open(sys.argv[1], os.O_RDWR))
sys.exit(subprocess.run(sys.argv[2:], process_group=0).returncode)
"""
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, kw_only=True)
class Ended:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


@dataclass(kw_only=True)
class Screen:
    """A command at a terminal: what stands on it, and a keyboard."""

    master: int
    process: subprocess.Popen[bytes]
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
        out, err = self.process.communicate(timeout=WITHIN_S)
        while self._reads(0):
            pass
        return Ended(code=self.process.returncode, out=out.decode(), err=err.decode())

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
    done = subprocess.run(
        [*HOLDPOINT, *words],
        input=said.encode(),
        capture_output=True,
        start_new_session=True,
        env=environment(settings, more),
        timeout=2 * WITHIN_S,
        check=False,
    )
    return Ended(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())


@contextmanager
def at_a_terminal(
    settings: Settings,
    *words: str,
    said: str = "",
    starter: str = AT_A_TERMINAL,
    program: tuple[str, ...] = HOLDPOINT,
    **more: str,
) -> Iterator[Screen]:
    """Start a command whose controlling terminal is new; its output goes to pipes."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", starter, os.ttyname(slave), *program, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=environment(settings, more),
    )
    assert process.stdin is not None
    process.stdin.write(said.encode())
    process.stdin.flush()
    try:
        yield Screen(master=master, process=process)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close() if stream else None
        os.close(slave)
        os.close(master)


def environment(settings: Settings, more: Mapping[str, str]) -> dict[str, str]:
    """What the command is told: the world's place, and nothing of this shell's HP_ variables."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HP_")}
    return inherited | {
        "HP_TENANT": settings.tenant,
        "HP_STATE_DIR": str(settings.state_dir),
        "HP_CONFIG_DIR": str(settings.config_dir),
        "HP_NATS_URL": settings.broker_url,
        "HP_LEDGER_URL": settings.ledger_url,
        "HP_NATS_PORT": str(settings.nats_port),
        "HP_MONITOR_PORT_BASE": str(settings.monitor_port_base),
        "HP_CONSOLE_PORT": str(settings.console_port),
        "HP_STREAM_MAX_BYTES": str(settings.stream_max_bytes),
        "COLUMNS": "100",
        "LINES": "200",
        **more,
    }
