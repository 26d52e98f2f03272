"""Running one command: starts the launcher, reads what it says within bounds, and never hangs."""

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from holdpoint.domains.settings import ShellSettings
from holdpoint.domains.shell.files import readable

PACKAGES = str(Path(__file__).resolve().parents[3])
BOOT = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from holdpoint.domains.shell.launcher import main; main()"
)
GRACE_S = 10.0
"""Time that the launcher may take to end what it started."""

CHUNK = 65536


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """Exit of a command, and its output."""

    code: int | None
    """Its exit code; negative for a signal; None when nobody knows."""

    stdout: str
    stderr: str
    truncated: bool = False
    timed_out: bool = False
    flooded: bool = False
    error: str = ""
    """Why it was not even started."""


class Bounded:
    """Output of one pipe: kept up to a limit, counted beyond it."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._kept = bytearray()
        self.seen = 0

    def add(self, chunk: bytes) -> None:
        """Take what still fits."""
        self.seen += len(chunk)
        self._kept += chunk[: max(0, self._keep - len(self._kept))]

    @property
    def truncated(self) -> bool:
        """Return whether something is missing."""
        return self.seen > len(self._kept)

    def text(self) -> str:
        """Return what was kept, and visibly that there was more."""
        note = f"\n… {self.seen - len(self._kept)} more bytes not shown" if self.truncated else ""
        return readable(bytes(self._kept)) + note


async def run(command: str, settings: ShellSettings) -> Ran:
    """The command, confined; everything that it started is gone when this returns."""
    report, pen = os.pipe()
    try:
        launcher = await _launch(pen)
    finally:
        os.close(pen)
    try:
        return await _attend(launcher, _order(command, settings), settings, report)
    finally:
        await _end(launcher)
        os.close(report)


async def _launch(pen: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-B", "-c", BOOT, PACKAGES, str(pen)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        pass_fds=(pen,),
        start_new_session=True,
        cwd="/",
        env={},
    )


def _order(command: str, settings: ShellSettings) -> bytes:
    order: dict[str, Any] = {
        "command": command,
        "root": str(settings.root),
        "write": [str(path) for path in settings.write_paths],
        "read": [str(path) for path in (*settings.read_paths, *settings.system_paths)],
        **settings.model_dump(
            include={
                *("network", "unsafe", "timeout_s"),
                *("memory_bytes", "file_bytes", "processes"),
            }
        ),
    }
    return json.dumps(order).encode() + b"\n"


async def _attend(
    launcher: asyncio.subprocess.Process, order: bytes, settings: ShellSettings, report: int
) -> Ran:
    assert launcher.stdin and launcher.stdout and launcher.stderr  # noqa: S101, PT018  # all are pipes
    out, err = Bounded(settings.output_bytes), Bounded(settings.output_bytes)
    late = False
    try:
        async with asyncio.timeout(settings.timeout_s + GRACE_S):
            launcher.stdin.write(order)
            with suppress(ConnectionError):
                await launcher.stdin.drain()
            await asyncio.gather(
                _read(launcher.stdout, out, settings.flood_bytes, launcher.stdin),
                _read(launcher.stderr, err, settings.flood_bytes, launcher.stdin),
            )
            await launcher.wait()
    except TimeoutError:
        late = True
    ended = {} if late else _report(report)
    return Ran(
        code=ended.get("code"),
        stdout=out.text(),
        stderr=err.text(),
        truncated=out.truncated or err.truncated,
        timed_out=late or bool(ended.get("timed_out")),
        flooded=max(out.seen, err.seen) > settings.flood_bytes,
        error=str(ended.get("error", "")),
    )


async def _read(
    pipe: asyncio.StreamReader, into: Bounded, flood: int, lifeline: asyncio.StreamWriter
) -> None:
    """To the end; a flood cuts the launcher's lifeline, upon which it ends everything."""
    while chunk := await pipe.read(CHUNK):
        into.add(chunk)
        if into.seen > flood:
            lifeline.close()


def _report(pipe: int) -> dict[str, Any]:
    os.set_blocking(pipe, False)
    said: dict[str, Any] = {}
    with suppress(BlockingIOError):
        for line in os.read(pipe, CHUNK).splitlines():
            said |= json.loads(line)
    return said


async def _end(launcher: asyncio.subprocess.Process) -> None:
    """Cut the lifeline and wait; if even that hangs, kill the launcher itself."""
    if launcher.returncode is not None:
        return
    if launcher.stdin is not None:
        launcher.stdin.close()
    try:
        async with asyncio.timeout(GRACE_S):
            await launcher.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            launcher.kill()
