"""The dry run of a command: what it would delete, walked and counted, never opened, never run."""

import asyncio
import os

from msgspec.structs import replace

from holdpoint.domains.settings import ShellSettings
from holdpoint.domains.shell.deletion_count import Toll, TooMuchError, toll
from holdpoint.domains.shell.deletion_targets import NotPlainError, understood
from holdpoint.domains.shell.safe_paths import OutsideError
from holdpoint.domains.shell.scripts import ABSENT, UNBOUND, Script, digests, scripts_of, shown
from holdpoint.messages.action import Plan
from holdpoint.messages.base import JsonObject

GRACE_S = 1.0
"""Beyond the walk's own limit: for a disk that hangs."""

UNPREDICTED = "only running it shows that"


async def of_command(command: str, settings: ShellSettings) -> Plan:
    """A plan bound to the working folder, with a count or an honest reason why there is none."""
    bound = await _folder(settings)
    return replace(await _predicted(command, settings), conditions=bound)


async def _folder(settings: ShellSettings) -> JsonObject:
    """Identify the folder itself: another one may take its place under the same path.

    By its inode alone: the number of its device changes where it is mounted again.
    """
    try:
        async with asyncio.timeout(GRACE_S):
            found = await asyncio.to_thread(os.stat, settings.root)
    except OSError:  # not there, or the disk does not answer
        return {}
    return {"folder": str(found.st_ino)}


async def _predicted(command: str, settings: ShellSettings) -> Plan:
    try:
        async with asyncio.timeout(settings.walk_s + GRACE_S):
            found = await asyncio.to_thread(_counted, command, settings)
    except NotPlainError:
        return await _unwalked(command, settings)
    except (OutsideError, TooMuchError) as error:
        return _none(settings, str(error))
    except TimeoutError:
        return _none(settings, "the disk does not answer")
    except OSError as error:
        return _none(settings, str(error.strerror))
    only_folders = found.folders if not found.files else 0
    return Plan(
        affected=only_folders or found.files,
        unit="folders" if only_folders else "files",
        targets=found.targets,
        sample=found.sample if only_folders else found.sample + _folders(found.folders),
        verb="delete",
        environment_keys=tuple(f"path:{target}" for target in found.targets),
        reversible=False,
    )


async def _unwalked(command: str, settings: ShellSettings) -> Plan:
    """Return a plan that knows which files it would run, and no effect."""
    try:
        async with asyncio.timeout(settings.walk_s):
            scripts = await asyncio.to_thread(scripts_of, command, settings)
    except TimeoutError:
        return _none(settings, "the disk does not answer")
    unread = next((one.name for one in scripts if one.digest == UNBOUND), "")
    why = f"It would run `{unread}`, which cannot be read: nobody can say yes to it."
    return replace(
        _none(settings, _unknown(scripts)),
        files=digests(scripts),
        sample=shown(scripts),
        impossible=why if unread else "",
    )


def _unknown(scripts: tuple[Script, ...]) -> str:
    """Return why nobody knows its effect: a script that is yet to be written says most."""
    absent = next((one.name for one in scripts if one.digest == ABSENT), "")
    return f"{absent} does not exist yet" if absent else UNPREDICTED


def conditions(plan: Plan) -> JsonObject:
    """Return what must still be so when the command runs."""
    counted = {} if plan.affected is None else {"affected": plan.affected}
    others = {"files": plan.files, "conditions": plan.conditions}
    return counted | {name: it for name, it in others.items() if it}


def _counted(command: str, settings: ShellSettings) -> Toll:
    return toll(understood(command), settings)


def _folders(count: int) -> tuple[str, ...]:
    return (f"and {count} folder{'' if count == 1 else 's'}",) if count else ()


def _none(settings: ShellSettings, why: str) -> Plan:
    """Wherever it goes, it cannot leave the working folder."""
    return Plan(
        verb="run", error=why, targets=(str(settings.root),),
        environment_keys=(f"path:{settings.root}",),
    )  # fmt: skip
