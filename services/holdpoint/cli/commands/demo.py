"""`holdpoint demo`: the whole story in one go, answered over the bus, checked at the end.

It runs in a state directory of its own, with a person and a password of its own, and asserts
from the ledger and from the real table and folder what came of each action.
"""

import asyncio
from functools import partial
from typing import Annotated

import typer

from holdpoint.cli import composition
from holdpoint.cli.commands.reset import discard
from holdpoint.cli.commands.up import ready
from holdpoint.cli.demo.bus_watch import watching
from holdpoint.cli.demo.checks import wrong
from holdpoint.cli.demo.sample_agent import make_sample
from holdpoint.cli.demo.script import PERSON, Story, play
from holdpoint.cli.events import Ended, Problem, Tell, teller
from holdpoint.cli.output import ExitCode
from holdpoint.cli.session import JsonOption
from holdpoint.runtime.config.settings import CLUSTER_SIZE, Settings
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.logs import configure
from holdpoint.runtime.process.supervisor import Supervisor
from holdpoint.runtime.security.credentials import WorkFactor, create_person_key

QUICK = WorkFactor(passes=1, memory_bytes=64 * 1024 * 1024)
"""The password lives for one demo, in this process only."""

WHOLE_DEMO_S = 90.0
LOOK_AGAIN_S = 0.05
DEATH_HEARD_S = 2.0
"""Whatever fails because a service died may be heard of a little before its death is."""

PORT_STEP = 1000
"""Away from the ports of `holdpoint up`."""

TWO = 2
"""Processes of each service, where one is to be missed by nobody."""

HIGHEST_PORT = 65000
"""Leaves room above for ports that are taken."""


def demo(
    *,
    cluster: Annotated[
        bool,
        typer.Option(
            "--cluster", help="With three brokers, two of each service, and one broker killed."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show risky actions wait for a person, from proposal to ledger, and check the end."""
    settings = _own_settings(Settings(), cluster=cluster)
    configure(settings, "demo")
    discard(settings)
    tell = teller(as_json=as_json)
    failures = asyncio.run(_demo(settings, tell))
    tell(Ended(ok=not failures, failures=failures))
    if failures:
        raise typer.Exit(ExitCode.FAILED)


async def _demo(settings: Settings, tell: Tell) -> list[str]:
    make_sample(settings)
    supervisor = composition.supervisor(settings)
    story = Story(settings=settings, tell=tell)
    if settings.is_cluster:
        story.before["leads"] = partial(_lose_a_node, supervisor, tell)
    try:
        async with asyncio.timeout(WHOLE_DEMO_S):
            password = clock.new_nonce()
            create_person_key(settings.people_dir, PERSON, password, QUICK, must_change=False)
            await supervisor.start_broker()
            await supervisor.start_services()
            tell(ready(supervisor, ()))
            return await _guarded(supervisor, story, password)
    except TimeoutError:
        return [*_deaths(supervisor), f"It did not end within {WHOLE_DEMO_S:.0f} s."]
    except HoldpointError as error:
        return [*_deaths(supervisor), str(error)]
    finally:
        await supervisor.stop()


async def _guarded(supervisor: Supervisor, story: Story, password: str) -> list[str]:
    """Play the story while everything lives; a service that dies ends it, by name.

    Of three brokers the one that is killed on purpose is no death of this kind.
    """
    playing = asyncio.create_task(_watched(story, password))
    guarding = asyncio.create_task(_first_death(supervisor))
    await asyncio.wait({playing, guarding}, return_when=asyncio.FIRST_COMPLETED)
    if playing.done() and playing.exception() is not None:
        await asyncio.wait({guarding}, timeout=DEATH_HEARD_S)
    if guarding.done():
        while not playing.done():  # who is connecting just then may miss one cancellation
            playing.cancel()
            await asyncio.wait({playing}, timeout=LOOK_AGAIN_S)
        await asyncio.gather(playing, return_exceptions=True)
        return _deaths(supervisor)
    guarding.cancel()
    await playing
    return [*_deaths(supervisor), *await wrong(story)]


async def _watched(story: Story, password: str) -> None:
    async with watching(story.settings, story.hear):
        await play(story, password)


def _lose_a_node(supervisor: Supervisor, tell: Tell) -> None:
    """Kill the broker's first server, as a power cut would: the other two go on."""
    name = supervisor.broker[0]
    supervisor.kill(name)
    tell(Problem(who=name, text="killed: the other two brokers go on"))


async def _first_death(supervisor: Supervisor) -> None:
    while not supervisor.dead():
        await asyncio.sleep(LOOK_AGAIN_S)


def _deaths(supervisor: Supervisor) -> list[str]:
    return [f"{name} died (exit code {code})." for name, code in supervisor.dead().items()]


def _own_settings(settings: Settings, *, cluster: bool) -> Settings:
    """A place of its own, so that it neither sees nor touches what `holdpoint up` keeps."""
    folder, port = settings.state_dir / "demo", settings.nats_port
    return Settings(
        state_dir=folder,
        config_dir=settings.config_dir,
        nats_url="",
        nats_port=min(port + PORT_STEP, HIGHEST_PORT) if port > 0 else port,
        monitor_port_base=0,
        console_port=0,
        ledger_url=f"sqlite+aiosqlite:///{folder}/ledger.db",
        log_level="error",
        broker_nodes=CLUSTER_SIZE if cluster else settings.broker_nodes,
        copies=max(settings.copies, TWO if cluster else 1),
    )


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(demo)
