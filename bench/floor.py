"""The floor: the smallest hand-written pipeline with the same durable publishes as ours.

One process for each role, push consumers, publishes that do not wait for one another, and nothing
else: no rules, no signatures, no accounts, no audit. `python -m bench.floor ROLE URL` runs a role.

    passing read    call, verdict, result
    passing write   call, verdict, claim, result
    halted          call, halt, render, card, answer, resolve, resume, claim, result
"""

import asyncio
import contextlib
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import nats
from bench.measure import Call, Sync
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig

from holdpoint.messages import catalog, subjects
from holdpoint.runtime.broker.nats_conf import pid_file
from holdpoint.runtime.broker.nodes import ALONE, free_port
from holdpoint.runtime.broker.provisioning import provision
from holdpoint.runtime.broker.server import NatsServer
from holdpoint.runtime.broker.streams import Limits, Plan, Tenant, plan
from holdpoint.runtime.config.files import private_folder

TENANT = "floor"
AGENT = "agent"
FIRST_PORT = 24_000
UNBOUNDED: dict[str, Any] = {"pending_msgs_limit": -1, "pending_bytes_limit": -1}
IN_FLIGHT = 5000
READY = "ready"

RESULT = msgspec.json.encode({"status": "done", "data": {"number": 1}, "formatted": "done"})
SMALL = msgspec.json.encode({"decision": "proceed", "risk": "high"})

Handle: TypeAlias = Callable[[Msg], Awaitable[None]]


class Doing(msgspec.Struct):
    """What the floor's gate reads of a call: decoded and looked at, as the least a gate does."""

    tool: str
    arguments: msgspec.Raw
    reasoning: str


_decode = msgspec.json.Decoder(Doing).decode


class Publisher:
    """Publishes without waiting; the source is acknowledged when its publish was."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._waiting: dict[int, Msg | None] = {}
        self._count = 0
        self._inbox = client.new_inbox()

    async def start(self) -> "Publisher":
        """Listen for acknowledgements."""
        await self._client.subscribe(f"{self._inbox}.*", cb=self._acknowledged, **UNBOUNDED)
        return self

    async def publish(self, subject: str, body: bytes, source: Msg | None = None) -> None:
        """Send it off."""
        self._count += 1
        self._waiting[self._count] = source
        await self._client.publish(subject, body, reply=f"{self._inbox}.{self._count}")

    async def _acknowledged(self, ack: Msg) -> None:
        if not ack.data or b'"error"' in ack.data:
            sys.exit(f"No stream stored it: {ack.data.decode() or ack.headers}")
        source = self._waiting.pop(int(ack.subject.rpartition(".")[2]))
        if source is not None:
            await source.ack()


def call_subject(number: str) -> str:
    """Where a call goes."""
    return subjects.call_subject(TENANT, AGENT, number)


def _hold(number: str, word: str, domain: str) -> str:
    return f"hp.{TENANT}.hold.{AGENT}.{number}.{word}.{domain}"


def _run(number: str, word: str) -> str:
    return subjects.run_facts(TENANT, "bench", AGENT, number).replace(">", f"{word}.none")


async def _gate(client: Client, out: Publisher) -> None:
    """Passes what begins with `read` or `write`; halts and renders the rest."""
    halted: dict[str, bytes] = {}

    async def on_call(msg: Msg) -> None:
        number = msg.subject.rpartition(".")[2]
        doing = _decode(msg.data)
        if doing.tool != "change_probe":
            await out.publish(_hold(number, "passed", "bench"), msg.data, msg)
            return
        halted[number] = msg.data
        await out.publish(_hold(number, "halted", "none"), SMALL, msg)
        await out.publish(_hold(number, "rendered", "none"), msg.data)
        await out.publish(f"hp.{TENANT}.card.operators.{number}", msg.data)

    async def on_answer(msg: Msg) -> None:
        number = msg.subject.rpartition(".")[2]
        await out.publish(_hold(number, "resolved", "none"), SMALL)
        await out.publish(_hold(number, "resumed", "bench"), halted.pop(number), msg)

    await _consume(client, subjects.calls_of(AGENT), "gate", on_call)
    await _consume(client, subjects.ANSWERS, "gate", on_answer)


async def _worker(client: Client, out: Publisher) -> None:
    """Claims what changes something, then tells the result."""

    async def on_grant(msg: Msg) -> None:
        number = msg.subject.split(".")[4]
        if _decode(msg.data).tool != "read_probe":
            await out.publish(_run(number, "started"), SMALL)
        await out.publish(_run(number, "finished"), RESULT, msg)

    filters = [_hold("*", word, "bench") for word in ("passed", "resumed")]
    await _consume(client, subjects.HOLDS, "worker", on_grant, filters)


async def _person(client: Client, out: Publisher) -> None:
    """Answers each card at once."""

    async def on_card(msg: Msg) -> None:
        number = msg.subject.rpartition(".")[2]
        where = subjects.answer_subject(TENANT, "program", "ann", AGENT, number)
        await out.publish(where, SMALL, msg)

    await _consume(client, subjects.CARDS, "person", on_card)


ROLES = {"gate": _gate, "worker": _worker, "person": _person}


async def _consume(
    client: Client, kind: str, name: str, handle: Handle, filters: list[str] | None = None
) -> None:
    stream = subjects.stream(TENANT, kind)
    await client.jetstream().subscribe_bind(
        stream=stream,
        consumer=name,
        cb=handle,
        manual_ack=True,
        config=await _made(client, stream, name, filters),
        **UNBOUNDED,
    )


async def _made(
    client: Client, stream: str, name: str, filters: list[str] | None
) -> ConsumerConfig:
    config = ConsumerConfig(
        durable_name=name,
        deliver_subject=client.new_inbox(),
        ack_policy="explicit",  # type: ignore[arg-type]  # nats-py's own words are strings here
        filter_subjects=filters,
        max_ack_pending=IN_FLIGHT,
        ack_wait=30,
    )
    await client.jetstream().add_consumer(stream, config)
    return config


@dataclass(eq=False)
class Agent:
    """Calls and waits for the result of each."""

    client: Client
    out: Publisher
    _waiting: dict[str, asyncio.Future[None]] = field(default_factory=dict)

    async def start(self) -> None:
        """Listen for results."""
        finished = [_run("*", "finished")]
        await _consume(self.client, subjects.RUNS, "agent", self._on_result, finished)

    async def call(self, tool: str, note: str, number: int) -> None:
        """Make one call; returns with its result."""
        name = f"{tool[0]}{number}"
        done = asyncio.get_running_loop().create_future()
        self._waiting[name] = done
        arguments = {"number": number, "note": note}
        doing = {"tool": tool, "arguments": arguments, "reasoning": note}
        await self.out.publish(call_subject(name), msgspec.json.encode(doing))
        await done

    async def _on_result(self, msg: Msg) -> None:
        await msg.ack()
        self._waiting.pop(msg.subject.split(".")[5]).set_result(None)


@dataclass(frozen=True, kw_only=True)
class Floor:
    """The floor while it runs."""

    agent: Agent
    processes: Mapping[str, int]

    def caller(self, tool: str, note: str) -> Call:
        """An agent that makes calls of one tool."""
        return partial(self.agent.call, tool, note)


@contextlib.asynccontextmanager
async def running(sync: Sync) -> AsyncIterator[Floor]:
    """Server, streams as ours has them, and one process for each role."""
    with tempfile.TemporaryDirectory(prefix="hp-floor-") as folder:
        server = await _server(Path(folder), sync)
        children: list[subprocess.Popen[str]] = []
        client = await nats.connect(server.url)
        try:
            await _streams(client)
            processes = {"nats": server.pid}
            for role in ROLES:
                child = _child(role, server.url)
                children.append(child)
                processes[role] = child.pid
            agent = Agent(client, await Publisher(client).start())
            await agent.start()
            yield Floor(agent=agent, processes=processes)
        finally:
            await client.close()
            for child in children:
                child.kill()
                child.wait()
            server.kill()


async def _server(folder: Path, sync: Sync) -> NatsServer:
    config, run_dir = folder / "nats.conf", private_folder(folder / "run")
    port = free_port(FIRST_PORT)
    config.write_text(
        f"listen: 127.0.0.1:{port}\n"
        f"jetstream: {{store_dir: {folder / 'store'}, sync_interval: {sync}}}\n"
        f"pid_file: {pid_file(run_dir, ALONE)}\n"
    )
    server = NatsServer(config=config, run_dir=run_dir, port=port)
    await server.start()
    return server


async def _streams(client: Client) -> None:
    """Exactly ours, by the same plan."""
    tenant = Tenant(
        name=TENANT, agents=(catalog.Agent(name=AGENT, tools=()),), people=(), domains=("bench",)
    )
    limits = Limits(max_bytes=256 * 1024 * 1024, replicas=1)
    await provision(client, Plan(streams=plan(tenant, limits).streams, consumers=()))


def _child(role: str, url: str) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-m", "bench.floor", role, url], stdout=subprocess.PIPE, text=True
    )
    if child.stdout is None or child.stdout.readline().strip() != READY:
        raise RuntimeError(f"The floor's {role} does not start.")
    return child


async def _serve(role: str, url: str) -> None:
    client: Any = await nats.connect(url)
    await ROLES[role](client, await Publisher(client).start())
    await client.flush()
    print(READY, flush=True)  # its parent waits for it
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], sys.argv[2]))
