"""Processes that are killed and started again: several of each service, each with a crash point.

The console has none: it writes nothing. Here it dies at random, and must be ready again; what its
pages then show, `tests/console/test_console_breaks.py` sees. The workers of the other domains run
the same code as the one here; `test_first_faults.py` kills the shell's.
"""

import asyncio
import contextlib
import os
import signal
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.effects_domain import DOMAIN, LOG
from tests.forking import Birth, Forked, born
from tests.running_system import Road
from tests.waiting import eventually

from holdpoint.runtime.process import clock
from holdpoint.runtime.process.crash import VARIABLE
from holdpoint.runtime.process.health import health_file, is_ready
from holdpoint.runtime.process.supervisor import BROKER

GATE, WORKER, AUDIT, CONSOLE = "gate", f"worker-{DOMAIN}", "audit", "console"
PLAYERS: Mapping[str, str] = {
    "gate-1": GATE,
    "gate-2": GATE,
    "worker-1": WORKER,
    "worker-2": WORKER,
    "audit-1": AUDIT,
    "console-1": CONSOLE,
}
"""Two of each that may be many."""

READY_S = 120.0
"""A machine may be busy with other things while a world begins."""
AT_RANDOM = "at random"
SERVING = b'"event":"serving"'


@dataclass(frozen=True, kw_only=True)
class Kill:
    """One death: whose, and at which step."""

    service: str
    step: str


@dataclass(kw_only=True)
class Player:
    """One process, as long as it lives, and then the next one of its name."""

    name: str
    service: str
    process: Forked
    armed: str = ""
    is_wanted: bool = True
    """Whether its end would be a fault of its own."""

    watch: asyncio.Task[None] | None = None


@dataclass(kw_only=True)
class Cast:
    """Everybody who may die."""

    road: Road
    lease_s: float
    broker_url: str = ""
    """Where services find the broker, if not where it listens."""

    players: dict[str, Player] = field(default_factory=dict)
    kills: list[Kill] = field(default_factory=list)
    well_since: float = 0.0
    """When the last of them was up again, by the monotonic clock."""

    failures: list[str] = field(default_factory=list)
    """Ends that nobody asked for."""

    async def begin(self, players: Mapping[str, str] = PLAYERS) -> None:
        """Everybody, unarmed."""
        await asyncio.gather(*(self.start(name, of) for name, of in players.items()))

    async def start(self, name: str, service: str, crash: str = "") -> None:
        """One process; whoever dies at a crash point is started again without one."""
        log = self.road.settings.run_dir / f"{name}.log"
        log.touch()
        seen = log.stat().st_size
        process = self._bear(service, log, crash)
        player = Player(name=name, service=service, process=process, armed=crash)
        self.players[name] = player
        player.watch = asyncio.create_task(self._watch(player))

        async def serves() -> bool:
            with log.open("rb") as said:
                said.seek(seen)
                return SERVING in said.read() or process.poll() is not None

        await eventually(serves, READY_S)
        self.well_since = clock.monotonic()

    async def kill(self, name: str, then: str = "") -> None:
        """SIGKILL at whatever it is doing, and start it again with a crash point."""
        player = self.players[name]
        if player.process.poll() is None:
            player.is_wanted = False
            step = AT_RANDOM
            try:
                os.kill(player.process.pid, signal.SIGKILL)
            except ProcessLookupError:  # it was faster
                step = player.armed.partition(":")[0]
            await asyncio.wrap_future(player.process.ended)
            self.kills.append(Kill(service=player.service, step=step))
            await self.start(name, player.service, then)

    async def kill_broker(self, name: str = BROKER) -> None:
        """A power cut of the broker, or of one of its servers; it comes back on the same store."""
        self.road.supervisor.kill(name)
        self.kills.append(Kill(service=BROKER, step=AT_RANDOM))
        await self.road.supervisor.restart_broker(name)
        self.well_since = clock.monotonic()

    def signal(self, name: str, what: signal.Signals) -> None:
        """Stop it, or let it go on."""
        os.kill(self.players[name].process.pid, what)

    async def stands_still(self, name: str) -> None:
        """Wait until a process that was told to stop at a step has come there."""
        pid = self.players[name].process.pid

        async def stopped() -> bool:
            return _state_of(pid) == "T"

        await eventually(stopped, READY_S)

    async def console_is_ready(self) -> bool:
        """Whether it says so, where there is one."""
        if CONSOLE not in {it.service for it in self.players.values()}:
            return True
        return await is_ready(health_file(self.road.settings.run_dir, CONSOLE).read_text())

    def is_whole(self) -> bool:
        """Whether nobody is dead or on the way up."""
        assert not self.failures, self.failures
        return all(it.process.poll() is None for it in self.players.values())

    async def end(self) -> None:
        """Everybody, at once."""
        for player in self.players.values():
            player.is_wanted = False
            if player.watch is not None:
                player.watch.cancel()
            if player.process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(player.process.pid, signal.SIGKILL)
                await asyncio.wrap_future(player.process.ended)

    def steps(self) -> Counter[str]:
        """How often which step of which service was not survived."""
        return Counter(f"{it.service} {it.step}" for it in self.kills)

    def _bear(self, service: str, log: Path, crash: str) -> Forked:
        environment = self.road.supervisor.environment(service)
        more = {VARIABLE: crash, LOG: str(effect_log(self.road)), "HP_LEASE_S": str(self.lease_s)}
        if self.broker_url:
            more["HP_NATS_URL"] = self.broker_url
        return born(
            Birth(
                name="", arguments=("serve", service, "--json"), env=environment | more,
                out=str(log), err=str(log), is_service=True,
            )
        )  # fmt: skip

    async def _watch(self, player: Player) -> None:
        """Whoever dies at its step is started again, as a supervisor does."""
        code = await asyncio.wrap_future(player.process.ended)
        if not player.is_wanted:
            return
        if code == -signal.SIGKILL and player.armed:
            step = player.armed.partition(":")[0]
            self.kills.append(Kill(service=player.service, step=step))
        else:
            words = (self.road.settings.run_dir / f"{player.name}.log").read_text()[-2000:]
            self.failures.append(f"{player.name} ended with {code}:\n{words}")
        await self.start(player.name, player.service)


def effect_log(road: Road) -> Path:
    """Beside the state folder: it does not fill up with it."""
    return road.settings.state_dir.parent / "effects.jsonl"


def _state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
