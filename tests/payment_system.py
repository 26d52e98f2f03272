"""A road with a till, for tests of rolling sums: many agents, each with a sum of its own."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from tests.actors import AgentVoice, Call, Guests, StreamEyes
from tests.running_system import HERE, LONG_S, Road, fresh, running
from tests.waiting import eventually

from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.subjects import TALLIES
from holdpoint.runtime.process.crash import VARIABLE

PAYERS = tuple(f"payer-{number}" for number in range(40))
"""Whoever acts for nobody has both sums to themselves: each test takes agents of its own."""

TOOLS = "tools: [pay, list_directory, create_file, run_command]"
AGENTS_YAML = "agents:\n" + "".join(
    f"  - {{name: {name}, {TOOLS}{more}}}\n"
    for name, more in (
        *((it, "") for it in PAYERS),
        ("anns", ", acts_for: [ann]"),
        ("anns-other", ", acts_for: [ann]"),
        ("lead", ""),
        ("helper", ", started_by: lead"),
        ("helpers-helper", ", started_by: helper"),
    )
)
TOLD = (Status.DONE, Status.PENDING_CONFIRMATION, Status.DENIED, Status.REFUSED, Status.FAILED,
        Status.PRECONDITION_FAILED, Status.ALREADY_PROCESSED)  # fmt: skip

_unused = iter(PAYERS)


@asynccontextmanager
async def tills(folder: Path, change: Callable[[str], str] = str) -> AsyncIterator[Road]:
    """Broker and services, and a worker that pays."""
    own = {"till": HERE / "payment_domain.py"}
    async with running(folder, change, own, agents_yaml=AGENTS_YAML) as road:
        yield road


async def a_payer(guests: Guests) -> AgentVoice:
    """An agent that paid nothing yet."""
    return await guests.agent(next(_unused))


async def pay(agent: AgentVoice, amount: str, **more: Any) -> Call:
    """Ask to pay."""
    told = {"to": more.pop("to", fresh("shop")), "amount": amount}
    for name in ("currency", "ends"):
        if name in more:
            told[name] = more.pop(name)
    return await agent.propose("pay", told, **more)


async def paid(agent: AgentVoice, amount: str, **more: Any) -> Envelope:
    """How that ended, or that it waits."""
    return await agent.hears(await pay(agent, amount, **more), *TOLD)


async def counters(eyes: StreamEyes) -> dict[str, int]:
    """Every counter, by its subject."""
    stored = await eyes.on(TALLIES, ">")
    return {it.subject: int(msgspec.json.decode(it.data)["val"]) for it in stored}


async def reserved(eyes: StreamEyes, hold_id: str) -> list[tuple[str, int]]:
    """What a hold's last fact says that it reserved."""
    facts = await eyes.facts(hold_id)
    return [(it.subject, it.amount) for it in facts[-1].hold.reserved]


async def comes_to(eyes: StreamEyes, subjects: list[str], value: int) -> None:
    """Wait until all these counters have come to this."""

    async def so() -> bool:
        now = await counters(eyes)
        assert {it: now.get(it) for it in subjects} == dict.fromkeys(subjects, value)
        return True

    await eventually(so, LONG_S)


@contextmanager
def armed(step: str) -> Iterator[None]:
    """Whoever is started meanwhile dies at that step."""
    os.environ[VARIABLE] = step
    try:
        yield
    finally:
        del os.environ[VARIABLE]


@asynccontextmanager
async def another_gate(road: Road) -> AsyncIterator[int]:
    """A second gate beside the first, by its process."""
    log = road.settings.run_dir / "gate-2.log"
    surroundings = road.supervisor.environment("gate") | {"HP_HEALTH_PORT": "0"}
    with log.open("wb") as out:
        gate = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "holdpoint", "serve", "gate"),
            stdout=out, stderr=out, env=surroundings,
        )  # fmt: skip

    async def serves() -> bool:
        return "serving" in log.read_text()

    try:
        await eventually(serves, LONG_S)
        yield gate.pid
    finally:
        gate.kill()
        await gate.wait()
