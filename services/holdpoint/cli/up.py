"""`holdpoint up`: everything on this machine with one command; Ctrl-C stops it cleanly."""

import asyncio
import os
import shutil
import signal
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdpoint.cli import wiring
from holdpoint.cli.passwords import first_password
from holdpoint.cli.sample import make_sample, run_sample_agent
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.logs import configure
from holdpoint.runtime.provisioning import Prepared
from holdpoint.runtime.settings import Settings
from holdpoint.runtime.supervisor import Supervisor, read_running

console = Console()

WATCH_S = 0.5
RESTART_S = 2.0
STOPS_WITHIN_S = 40.0


def up(
    *,
    sample: Annotated[
        bool, typer.Option(help="Let a sample agent propose real actions on things made for it.")
    ] = True,
) -> None:
    """Start the broker, every service and a sample agent on this machine."""
    settings = Settings()
    configure(settings, "up")
    running = read_running(settings)
    if running is not None:
        console.print(
            f"Holdpoint already runs here: {running.broker} (process {running.pid}). "
            "Stop it with: holdpoint down"
        )
        raise typer.Exit(1)
    asyncio.run(_up(settings, sample=sample))


def down() -> None:
    """Stop what `holdpoint up` started."""
    running = read_running(Settings())
    if running is None:
        console.print("Nothing runs here.")
        return
    os.kill(running.pid, signal.SIGTERM)
    asyncio.run(_gone(running.pid))
    console.print("Stopped. What was pending is still pending at the next start.")


def reset(*, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Throw away all local state: keys, streams, ledger, sample things."""
    settings = Settings()
    if read_running(settings) is not None:
        raise SetupError("Holdpoint runs here. Stop it first: holdpoint down")
    state = settings.state_dir
    if not state.exists():
        console.print(f"There is nothing in {state}.")
        return
    if not yes and not typer.confirm(f"Throw away {state}, with its keys and its ledger?"):
        raise typer.Exit(1)
    _check_ours(state)
    shutil.rmtree(state)
    console.print(f"{state} is gone.")


def _check_ours(state: Path) -> None:
    """Nothing is removed that Holdpoint did not make."""
    if not (state / "keys").is_dir() and any(state.iterdir()):
        raise SetupError(f"{state} does not look like a state directory of Holdpoint.")


async def _up(settings: Settings, *, sample: bool) -> None:
    make_sample(settings)
    supervisor = wiring.supervisor(settings)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        prepared = await supervisor.start_broker()
        _passwords(settings, supervisor, prepared)
        await supervisor.start_services()
        _greet(settings, supervisor)
        await _until(stop, settings, supervisor, sample=sample)
    finally:
        console.print("Stopping …")
        await supervisor.stop()
        console.print("Stopped. What was pending is still pending at the next start.")


def _passwords(settings: Settings, supervisor: Supervisor, prepared: Prepared) -> None:
    """The first run gives the first person a password: an agent must not know it."""
    people = prepared.tenant.people
    if not people or len(prepared.without_password) < len(people):
        return
    if first_password(settings, people[0].name) and supervisor.server is not None:
        supervisor.prepare(supervisor.server.port)
        supervisor.server.reload()


def _greet(settings: Settings, supervisor: Supervisor) -> None:
    console.print(f"Holdpoint runs: broker {supervisor.url}, state in {settings.state_dir}/")
    console.print("In another terminal:  .venv/bin/holdpoint pending")
    console.print("Then:                 .venv/bin/holdpoint proceed ID   (or cancel ID)")
    console.print("Ctrl-C stops everything.")


async def _until(
    stop: asyncio.Event, settings: Settings, supervisor: Supervisor, *, sample: bool
) -> None:
    """Watch until a signal comes; a service that dies is started again."""
    jobs = [asyncio.create_task(_watch(supervisor))]
    if sample:
        jobs.append(asyncio.create_task(run_sample_agent(settings, console)))
    await stop.wait()
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)


async def _watch(supervisor: Supervisor) -> None:
    while True:
        for name, code in supervisor.dead().items():
            console.print(f"{name} ended (exit code {code}); it is started again.")
            await asyncio.sleep(RESTART_S)
            supervisor.start(name)
        await asyncio.sleep(WATCH_S)


async def _gone(pid: int) -> None:
    async with asyncio.timeout(STOPS_WITHIN_S):
        while _is_alive(pid):
            await asyncio.sleep(WATCH_S)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (up, down, reset):
        app.command()(command)
