"""A disk that fills up: a small tmpfs under the state folder, which only root can mount."""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.actors import Part, Plot, live
from tests.faults.fault_system import AGENTS, Scene
from tests.faults.kill_rounds import play, plots
from tests.running_system import fresh

from holdpoint.runtime.process import clock

SIZE = "96m"
LOST_AFTER_S = 8.0
CHUNK = 1 << 20


class CannotMountError(Exception):
    """A full disk needs a small one: run as root (in a container: with CAP_SYS_ADMIN)."""


@contextmanager
def small(folder: Path) -> Iterator[Path]:
    """A file system of its own, gone afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        raise CannotMountError(CannotMountError.__doc__)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


async def full(scene: Scene) -> None:
    """Nothing more can be stored; nothing runs that was not let go; room is made, all goes on.

    The broker does not heal by itself: a restart does, as docs/operate.md says.
    """
    await play(scene, plots(scene.dice))
    with _filled(scene.road.settings.state_dir):
        calls = [_tried(scene, part) for part in (Part.PROCEED, Part.CANCEL, Part.SILENCE)]
        lives = [asyncio.create_task(call) for call in calls]
        await asyncio.wait(lives, timeout=LOST_AFTER_S)
    await scene.cast.kill_broker()
    await asyncio.gather(*lives)
    await play(scene, plots(scene.dice))
    await scene.comes_to_rest(clock.monotonic())


async def _tried(scene: Scene, part: Part) -> None:
    plot = Plot(agent=AGENTS[0], tool="change", part=part)
    scene.told.append(await live(scene.agents[plot.agent], scene.people, plot))


@contextmanager
def _filled(folder: Path) -> Iterator[None]:
    """Not a byte is left."""
    filler = folder / fresh("filler")
    with filler.open("wb", buffering=0) as out, contextlib.suppress(OSError):
        for size in (CHUNK, 1):
            with contextlib.suppress(OSError):
                while True:
                    out.write(b"\0" * size)
    try:
        yield
    finally:
        filler.unlink()
