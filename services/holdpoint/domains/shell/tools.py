"""The shell's tools: list, read, create, and one command at a time."""

import asyncio
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TypeVar

from msgspec.structs import replace

from holdpoint.core.tool import PlanContext, Result, Run, RunContext, tool, what_ran
from holdpoint.domains.settings import ShellSettings
from holdpoint.domains.shell import cgroup, execute, files, formatters, landlock, plans, seccomp
from holdpoint.domains.shell.safe_paths import OutsideError, readable, writable
from holdpoint.domains.shell.schemas import CreateFile, ListDirectory, ReadFile, RunCommand
from holdpoint.messages.action import Plan
from holdpoint.messages.catalog import Repeat
from holdpoint.runtime.errors import SetupError

DISK_TIMEOUT_S = 10.0
"""A disk that does not answer for so long is an error."""

UNCONFINED = (
    "The shell domain runs without its confinement (`shell.unsafe`): a command sees every file of "
    "its user, keys and ledger included."
)

Refusal = (OutsideError, files.NotAFileError, OSError)
T = TypeVar("T")


@tool(
    domain="shell",
    level=1,
    template="list {path}",
    schema=ListDirectory,
    repeat=Repeat.IDEMPOTENT,
)
async def list_directory(arguments: ListDirectory, context: RunContext) -> Result:
    """List the files and folders in a folder of the working folder."""
    settings: ShellSettings = context.settings
    try:
        place = readable(settings, arguments.path)
        found = await _disk(lambda: files.listing(place, settings.list_entries))
    except Refusal as error:
        return formatters.refused(_why(error, arguments.path), str(settings.root))
    return formatters.listed(place, found)


@tool(
    domain="shell",
    level=1,
    template="read {path}",
    schema=ReadFile,
    repeat=Repeat.IDEMPOTENT,
)
async def read_file(arguments: ReadFile, context: RunContext) -> Result:
    """Read a text file in the working folder, a bounded piece at a time."""
    settings: ShellSettings = context.settings
    try:
        place = readable(settings, arguments.path)
        piece = await _disk(lambda: files.piece(place, arguments.offset, settings.read_bytes))
    except Refusal as error:
        return formatters.refused(_why(error, arguments.path), str(settings.root))
    return formatters.read(place, piece)


async def _created(arguments: CreateFile, context: RunContext) -> Result | None:
    """Return whether the file stands there with this content."""
    content = arguments.content.encode()
    place = writable(context.settings, arguments.path)
    if not await _disk(lambda: files.holds(place, content)):
        return None
    return formatters.created(place, len(content), what_ran("create_file", arguments))


@tool(
    domain="shell",
    level=2,
    template="create {path}",
    schema=CreateFile,
    repeat=Repeat.LOOKUP,
    lookup=_created,
    undo="Delete the new file.",
)
async def create_file(arguments: CreateFile, context: RunContext) -> Result:
    """Create a new text file in the working folder; a file that exists is never changed."""
    settings: ShellSettings = context.settings
    content = arguments.content.encode()
    try:
        place = writable(settings, arguments.path)
        await _disk(lambda: files.create(place, content, context.hold_id))
    except Refusal as error:
        return formatters.refused(_why(error, arguments.path), str(settings.root))
    return formatters.created(place, len(content), what_ran("create_file", arguments))


async def _plan_command(arguments: RunCommand, context: PlanContext) -> Plan:
    """Return what it would delete, or which files it would run."""
    return await plans.of_command(arguments.command, context.settings)


@tool(
    domain="shell",
    level=3,
    by_risk=True,
    template="run {command}",
    schema=RunCommand,
    repeat=Repeat.MANUAL,
    plan=_plan_command,
)
async def run_command(arguments: RunCommand, context: RunContext) -> Result:
    """Run a bash command line in the working folder, without network and within limits."""
    settings: ShellSettings = context.settings
    root = str(settings.root)
    if context.preconditions:
        plan = await plans.of_command(arguments.command, settings)
        if "conditions" not in context.preconditions:  # of a card from before an upgrade
            plan = replace(plan, conditions={})
        if context.preconditions != plans.conditions(plan):
            return formatters.changed(context.preconditions, plan, root)
    ran = await execute.run(arguments.command, settings)
    if ran.error:
        return formatters.refused(f"The command was not started: {ran.error}.", root)
    return formatters.ran(ran, root, what_ran("run_command", arguments))


TOOLS: tuple[Run, ...] = (list_directory, read_file, create_file, run_command)


def ready(settings: ShellSettings) -> None:
    """SetupError unless this machine can confine commands, or `unsafe` says that it need not."""
    if not settings.root.is_dir():
        raise SetupError(f"The shell's working folder {settings.root} is missing: create it.")
    if settings.unsafe:
        return
    if landlock.abi() < 1:
        raise SetupError(
            "This kernel has no Landlock (Linux 5.13 or newer, `landlock` in `lsm=`), so commands "
            "could read keys and ledger. Leave out the shell domain, or set `shell.unsafe: true`."
        )
    if not seccomp.possible():
        raise SetupError(
            f"No seccomp filter for {os.uname().machine}, so commands could open sockets. "
            "Leave out the shell domain, or set `shell.unsafe: true`."
        )
    if cgroup.needed() and not cgroup.possible():
        raise SetupError(
            "Root's commands need a pids cgroup, because the kernel does not limit how many "
            "processes root starts, and none can be made here. Run the shell worker as another "
            "user, make the pids cgroup writable, leave out the shell domain, or set "
            "`shell.unsafe: true`."
        )


def warnings(settings: ShellSettings) -> tuple[str, ...]:
    """Return what each card of this domain has to say."""
    return (UNCONFINED,) if settings.unsafe else ()


def opened(settings: ShellSettings) -> AbstractAsyncContextManager[None]:
    """Open nothing: the shell has no resource to keep."""
    ready(settings)
    return nullcontext()


async def _disk(work: Callable[[], T]) -> T:
    """In a thread, and not for ever."""
    async with asyncio.timeout(DISK_TIMEOUT_S):
        return await asyncio.to_thread(work)


def _why(error: Exception, path: str) -> str:
    if isinstance(error, FileExistsError):
        return f"`{path}` exists already, and was not changed."
    if isinstance(error, OSError):
        return f"`{path}`: {error.strerror or 'the disk does not answer'}."
    return str(error)
