"""A pids cgroup: limits the processes of a command that root runs. Standard library only.

The kernel exempts root from RLIMIT_NPROC, so a fork bomb could fill the machine's process table.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

PREFIX = "holdpoint-command-"
CGROUP_1, CGROUP_2 = "cgroup", "cgroup2"


def needed() -> bool:
    """Return whether this user is exempt from RLIMIT_NPROC: root, and not of a user namespace."""
    return os.getuid() == 0 and Path("/proc/self/uid_map").read_text().split()[:2] == ["0", "0"]


def possible() -> bool:
    """Return whether a cgroup can be made here."""
    try:
        made(1).rmdir()
    except OSError:
        return False
    return True


def made(processes: int) -> Path:
    """Make a cgroup for at most so many processes and threads, or raise OSError."""
    problem = OSError("no pids cgroup is mounted here")
    for parent in _parents():
        _remove_abandoned(parent)
        group = parent / f"{PREFIX}{os.getpid()}"
        try:
            group.mkdir()
            (group / "pids.max").write_text(str(processes))
        except OSError as error:
            problem = error
            with contextlib.suppress(OSError):
                group.rmdir()
        else:
            return group
    raise problem


def join(group: Path) -> None:
    """Move this process into the cgroup; what it starts stays there."""
    (group / "cgroup.procs").write_text("0")


def remove(group: Path) -> None:
    """Remove an empty cgroup; one that is still busy is removed before a later command."""
    with contextlib.suppress(OSError):
        group.rmdir()


def _remove_abandoned(parent: Path) -> None:
    """Remove the cgroups of launchers that were killed."""
    for group in parent.glob(f"{PREFIX}*"):
        if not Path("/proc", group.name.removeprefix(PREFIX)).exists():
            remove(group)


def _parents() -> Iterator[Path]:
    """Folders in which a cgroup may be made: beside the own one, then inside it."""
    for kind, root, mount in _mounts():
        own = mount / _own_path(kind).removeprefix(root).lstrip("/")
        if own != mount:
            yield own.parent
        yield own


def _mounts() -> Iterator[tuple[str, str, Path]]:
    """Kind, root in the hierarchy and place of each mount that may control processes."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, system = line.partition(" - ")
        kind, _, options = system.split(" ", 2)
        if kind == CGROUP_2 or (kind == CGROUP_1 and "pids" in options.split(",")):
            root, place = mount.split(" ")[3:5]
            yield kind, root, Path(place)


def _own_path(kind: str) -> str:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        number, controllers, path = line.split(":", 2)
        if (number == "0") if kind == CGROUP_2 else ("pids" in controllers.split(",")):
            return path
    return "/"
