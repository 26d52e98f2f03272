"""Ours, with everything on: broker with accounts, gate, worker, audit, the SDK, a person's program.

It runs in a private folder with the shipped policy; the tools that are measured are `domain.py`'s.
"""

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Literal

from bench.domain import DOMAIN
from bench.measure import Call, Sync

from holdpoint.cli.domains import domain_names
from holdpoint.client import Holdpoint
from holdpoint.core.risk import make_fast
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.codec import message_in
from holdpoint.messages.subjects import CARDS, stream
from holdpoint.runtime.broker.connection import Login, connect
from holdpoint.runtime.broker.lanes import Delivery, Lane
from holdpoint.runtime.broker.nodes import free_port
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.broker.pulls import pull
from holdpoint.runtime.broker.streams import view_durable
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.settings import MEBIBYTE, Settings
from holdpoint.runtime.process.supervisor import Supervisor
from holdpoint.runtime.security.credentials import (
    WorkFactor,
    create_person_key,
    person_user,
    read_seed,
    unlock_person_key,
    view_user,
)
from holdpoint.runtime.security.permissions import TERMINAL
from holdpoint.runtime.store.compiled_patterns import CompiledFiles

HERE = Path(__file__).parent
SHIPPED = HERE.parent / "deploy" / "config"
PERSON = "ann"
PASSWORD = "of nobody in particular"  # noqa: S105  # lives as long as one run
AGENT = "bench-agent"
TOOLS = "read_probe, write_probe, change_probe, bench_echo"
BUDGET = (
    "{calls_per_second: 100000, calls_at_once: 1000000, bytes_per_day: 1000000000000, "
    "holds_per_day: 10000000, holds_at_once: 10000000}"
)
"""What is measured is the road, not how it is limited."""

AGENTS = f"agents: [{{name: {AGENT}, tools: [{TOOLS}], acts_for: [{PERSON}], budget: {BUDGET}}}]\n"
PEOPLE = f"people: [{{name: {PERSON}, groups: [operators], admin: true}}]\n"
QUICK = WorkFactor(passes=1, memory_bytes=64 * 1024)
WORKER = f"worker-{DOMAIN}"
COMPILED = HERE.parent / "var" / "bench-compiled"
"""Kept between runs: compiling takes seconds of a core."""


@dataclass(frozen=True, kw_only=True)
class Ours:
    """Holdpoint while it runs."""

    settings: Settings
    agent: Holdpoint
    processes: Mapping[str, int]
    supervisor: Supervisor

    def caller(self, tool: str, note: str) -> Call:
        """The SDK, making calls of one tool."""

        async def call(number: int) -> None:
            outcome = await self.agent.call(tool, {"number": number, "note": note}, reasoning=note)
            if outcome.status != "done":
                raise RuntimeError(f"{tool} ended as {outcome.status}: {outcome.reason}")

        return call


@contextlib.asynccontextmanager
async def running(
    sync: Sync,
    twice: Sequence[str] = (),
    declare: Callable[[Settings], None] = lambda _: None,
    more: tuple[str, ...] = (),
    brokers: Literal[1, 3] = 1,
) -> AsyncIterator[Ours]:
    """Everything, each service a process, some of them two; a person's program answers.

    `declare` writes into the configuration what the services of `more` need.
    """
    with tempfile.TemporaryDirectory(prefix="hp-bench-") as folder:
        settings = _settings(Path(folder), sync, brokers)
        declare(settings)
        services = ("gate", WORKER, "audit", *more)
        known = domain_names(settings)
        supervisor = Supervisor(settings=settings, domains=known, services=services)
        create_person_key(settings.people_dir, PERSON, PASSWORD, QUICK, must_change=False)
        try:
            _compile(settings)
            await supervisor.start_broker()
            await supervisor.start_services()
            async with (
                _seconds(supervisor, twice),
                Holdpoint.connect(AGENT, settings) as agent,
                _answering(settings),
            ):
                yield Ours(
                    settings=settings,
                    agent=agent,
                    processes=_processes(supervisor),
                    supervisor=supervisor,
                )
        finally:
            await supervisor.stop()


@contextlib.asynccontextmanager
async def _seconds(supervisor: Supervisor, names: Sequence[str]) -> AsyncIterator[None]:
    """Second processes of these services."""
    children = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "holdpoint",
            "serve",
            name,
            env=supervisor.environment(name) | {"HP_HEALTH_PORT": "0"},
            stdout=asyncio.subprocess.PIPE,
        )
        for name in names
    ]
    try:
        for child in children:
            if child.stdout is not None:
                await child.stdout.readline()  # it says when it is ready
        yield
    finally:
        for child in children:
            child.kill()
            await child.wait()


def _settings(folder: Path, sync: Sync, brokers: Literal[1, 3]) -> Settings:
    config = copytree(SHIPPED, folder / "config")
    (config / "agents.yaml").write_text(AGENTS)
    (config / "people.yaml").write_text(PEOPLE)
    (config / "domains.yaml").write_text("{}\n")
    return Settings(
        state_dir=folder / "var",
        config_dir=config,
        domains={DOMAIN: HERE / "domain.py"},
        nats_port=25_000,
        nats_url="",
        nats_monitor_port=free_port(28_000) if brokers == 1 else 0,
        broker_nodes=brokers,
        monitor_port_base=0,
        console_port=0,
        sync_interval=sync,
        stream_max_bytes=256 * MEBIBYTE,
        log_level="warning" if brokers == 1 else "error",  # the three are killed on purpose
    )


def _compile(settings: Settings) -> None:
    """Give the gate its compiled patterns, as one finds them that starts again."""
    policy = load_policy(settings.config_dir, {})
    make_fast(policy, CompiledFiles(COMPILED))
    copytree(COMPILED, settings.compiled_dir)


def _processes(supervisor: Supervisor) -> dict[str, int]:
    services = {name: supervisor.pid(name) for name in supervisor.services}
    return services | {it.name: it.pid for it in supervisor.nodes}


@contextlib.asynccontextmanager
async def _answering(settings: Settings) -> AsyncIterator[None]:
    """A program with a person's key says yes to every card as soon as it is there."""
    own = Login(
        user=person_user(PERSON),
        seed=unlock_person_key(settings.people_dir, PERSON, PASSWORD),
        url=settings.broker_url,
        ca=settings.broker_ca,
    )
    seed = read_seed(settings.credentials_dir, view_user(PERSON))
    view = Login(user=view_user(PERSON), seed=seed, url=own.url, ca=own.ca)
    person = await Person.connect(PERSON, settings.tenant, TERMINAL, own)
    reader = await connect(view)
    lane = Lane(stream=stream(settings.tenant, CARDS), durable=view_durable(PERSON), batch=256)
    task = asyncio.create_task(pull(reader, view, lane, partial(_answer, person)))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await reader.close()
        await person.close()


async def _answer(person: Person, delivery: Delivery) -> None:
    card = message_in(delivery.data, Card)
    if card.state == "rendered":
        await person.answer(card, Choice.PROCEED)
