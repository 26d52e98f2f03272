"""The whole system for tests: a broker and every service as real processes, and their traces.

Every test makes its own keys, tables and files, so that one running road serves them all.
"""

import asyncio
import os
import re
import shutil
import signal
import sqlite3
import subprocess
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from sqlalchemy import Connection
from tests.forking import Birth, born
from tests.waiting import WITHIN_S, eventually

from holdpoint.domains.settings import BANK, BANK_DOMAINS, TASKS
from holdpoint.ledger import engines
from holdpoint.ledger.exceptions import Finding, every_exception
from holdpoint.ledger.queries import (
    ConfirmationEvent,
    Found,
    confirmations_found,
    events_found,
)
from holdpoint.ledger.search import Search
from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.config.settings import MEBIBYTE, Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.supervisor import Supervisor, names, with_copies
from holdpoint.runtime.security import credentials

T = TypeVar("T")

TENANT = "acme"
DOMAINS = ("shell", "database", "vault")
HERE = Path(__file__).parent
OWN = {"vault": HERE / "secret_domain.py"}
PASSWORD = "correct horse"  # noqa: S105  # of people who exist only in tests
CHEAP = credentials.WorkFactor(passes=1, memory_bytes=64 * 1024)
CONFIG = Path(__file__).parents[1] / "deploy" / "config"
ALL_TOOLS = "list_directory, read_file, create_file, run_command, query_database, execute_sql"
BY_PASSWORD = ("  critical: 4\n", "  critical: 3\n")
"""People of most tests have set up no step-up; `test_levels.py` tries the levels as shipped."""

AMPLE = "bytes_per_day: 10_000_000_000, holds_per_day: 1_000_000, holds_at_once: 100_000"
"""Of all tests that share an agent, together."""

AGENTS_YAML = f"""\
agents:
  - name: robot
    tools: [{ALL_TOOLS}, insert_row, open_vault]
    acts_for: [ann, ben]
    budget: {{{AMPLE}}}
  - {{name: rival, tools: [{ALL_TOOLS}], acts_for: [ben], budget: {{{AMPLE}}}}}
  - {{name: doomed, tools: [{ALL_TOOLS}], acts_for: [ann], budget: {{{AMPLE}}}}}
  - name: planner
    tools: [{ALL_TOOLS}, dispatch]
    acts_for: [ann]
    may_call: [refund-agent]
  - name: refund-agent
    tools: [{ALL_TOOLS}]
    acts_for: [ann]
    user_facing: false
  - {{name: reader, tools: [read_file], acts_for: [ann]}}
  - name: chatty
    tools: [{ALL_TOOLS}]
    acts_for: [ann]
    budget: {{calls_per_second: 2, calls_at_once: 20}}
  - {{name: hoarder, tools: [{ALL_TOOLS}], budget: {{holds_per_day: 24, holds_at_once: 4}}}}
  - name: needy
    tools: [{ALL_TOOLS}]
    acts_for: [ann]
    budget: {{holds_per_day: 24, holds_at_once: 4}}
  - name: noisy
    tools: [{ALL_TOOLS}]
    acts_for: [ann]
    budget:
      calls_per_second: 100_000
      calls_at_once: 1_000_000
      bytes_per_day: 100_000_000_000
      holds_per_day: 1_000_000
      holds_at_once: 100_000
"""
PEOPLE_YAML = """\
people:
  - {name: ann, groups: [operators], admin: true}
  - {name: ben, groups: [operators]}
  - {name: cem, groups: [finance], roles: [approver, auditor, compliance]}
"""
CONSOLE = "console"
COORDINATOR = "coordinator"
PEOPLE = ("ann", "ben", "cem")
MORE_PEOPLE = tuple(f"person-{number}" for number in range(48))
"""Operators and admins of a shared road: each test takes some who have set up nothing yet."""

STREAM_BYTES = 64 * MEBIBYTE
LONG_S = 30.0
"""Within which everything moves on, whatever happened (L1)."""


_running: list[Supervisor] = []


def fresh(word: str) -> str:
    """A name that no other test uses."""
    return f"{word}_{clock.new_nonce()[:10]}"


class ForkingSupervisor(Supervisor):
    """Forks what it would have started: a second of imports less for each."""

    async def start_services(self) -> None:
        """Start them all, and know from then on whom `signal_all` is about."""
        await super().start_services()
        _running.append(self)

    async def stop(self) -> None:
        """Stop them all, also those that stand still."""
        signal_all(signal.SIGCONT)
        await super().stop()

    def _spawn(self, name: str, log: Path) -> subprocess.Popen[bytes]:
        if "LD_PRELOAD" in os.environ:  # what comes with it is not forked
            return super()._spawn(name, log)
        return born(
            Birth(
                name="", arguments=("serve", name), env=self.environment(name), out=str(log),
                err=str(log), sockets=self._handed_on(name), is_service=True,
            )
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Road:
    """Everything that runs, and where it leaves its traces."""

    settings: Settings
    supervisor: Supervisor
    logins: dict[str, Login] = field(default_factory=dict)

    def login(self, user: str) -> Login:
        """Who `user` is; remembers what the broker forbade them."""
        if user not in self.logins:
            seed = _seed(self.settings, user)
            self.logins[user] = Login(
                user=user,
                seed=seed,
                url=self.supervisor.url,
                ca=self.settings.broker_ca,
                denials=deque(),
            )
        return self.logins[user]

    @property
    def scratch(self) -> Path:
        """The shell's working folder."""
        return self.settings.state_dir / "sample" / "scratch-space"

    def table(self, rows: int, status: str = "stale") -> str:
        """A new table with so many rows."""
        name = fresh("leads")
        with closing(sqlite3.connect(self._crm)) as crm, crm:
            crm.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, status TEXT)")
        self.fill(name, rows, status)
        return name

    def fill(self, table: str, rows: int, status: str = "stale") -> None:
        """So many rows more."""
        with closing(sqlite3.connect(self._crm)) as crm, crm:
            crm.executemany(f"INSERT INTO {table} (status) VALUES (?)", [(status,)] * rows)

    def rows(self, table: str) -> int:
        """How many rows it has."""
        with closing(sqlite3.connect(self._crm)) as crm:
            return int(crm.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def runs_of(self, mark: str) -> int:
        """How often a command that appends a line to this file ran."""
        path = self.scratch / mark
        return len(path.read_text().splitlines()) if path.exists() else 0

    def logs(self) -> dict[str, str]:
        """What every process wrote."""
        return {path.name: path.read_text() for path in self.settings.run_dir.glob("*.log")}

    @contextmanager
    def paused(self, service: str) -> Iterator[None]:
        """The service stands still meanwhile, as on a machine that swaps."""
        pid = self.supervisor.pid(service)
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def ledger(self, question: Callable[[Connection], T]) -> T:
        """Ask the ledger."""
        engine = engines.reader(self.settings.ledger_url)
        try:
            with engine.begin() as connection:
                return question(connection)
        finally:
            engine.dispose()

    def confirmation(self, hold_id: str) -> ConfirmationEvent | None:
        """The ledger's row about this hold, once it is there."""
        search = Search(hold=hold_id, limit=2)
        return next(iter(self.ledger(lambda it: confirmations_found(it, search))), None)

    async def ended(self, hold_id: str, within_s: float = WITHIN_S) -> ConfirmationEvent:
        """The same, once it says how the hold went on after its end."""

        async def complete() -> ConfirmationEvent | None:
            row = self.confirmation(hold_id)
            return row if row and (row.outcome == "denied" or row.resumed is not None) else None

        row = await eventually(complete, within_s)
        assert row is not None
        return row

    def events(self, hold_id: str) -> list[Found]:
        """The ledger's events about this hold."""
        return self.ledger(lambda it: events_found(it, Search(hold=hold_id, limit=1000)))

    def exceptions(self) -> list[Finding]:
        """What the ledger would have explained."""
        return self.ledger(lambda it: every_exception(it, clock.now()))

    @property
    def _crm(self) -> Path:
        return self.settings.state_dir / "sample" / "crm.db"


def cooling_for(seconds: int) -> Callable[[str], str]:
    """The shipped policy, but each yes cools off for so long."""
    return lambda policy: policy.replace(
        "proofs: [chat]", f"proofs: [chat]\n    cooling_off_s: {seconds}"
    )


def config_in(
    folder: Path,
    change: Callable[[str], str] = str,
    agents_yaml: str = AGENTS_YAML,
    people_yaml: str = PEOPLE_YAML,
    catalog_yaml: str = "",
) -> Path:
    """The shipped configuration with the tests' agents and people; `change` edits the policy."""
    shutil.copytree(CONFIG, folder)
    (folder / "agents.yaml").write_text(agents_yaml)
    (folder / "people.yaml").write_text(people_yaml)
    if catalog_yaml:
        (folder / "catalog" / "of_the_test.yaml").write_text(catalog_yaml)
    policy = folder / "policy" / "default.yaml"
    policy.write_text(change(policy.read_text().replace(*BY_PASSWORD)))
    return folder


@asynccontextmanager
async def running(  # noqa: PLR0913  # each is one option
    folder: Path,
    change: Callable[[str], str] = str,
    own: Mapping[str, Path] = OWN,
    *,
    console: bool = False,
    lease_s: float = 90.0,
    stream_bytes: int = STREAM_BYTES,
    agents_yaml: str = AGENTS_YAML,
    people_yaml: str = PEOPLE_YAML,
    catalog_yaml: str = "",
    later: frozenset[str] = frozenset(),
    bank: bool = False,
    passkey_from_level: int = 5,
    more_people: tuple[str, ...] = (),
    others: tuple[str, ...] = (),
    configure: Callable[[Path], object] = str,
    nodes: Literal[1, 3] = 1,
    twice: tuple[str, ...] = (),
    ledger_url: str = "",
) -> AsyncIterator[Road]:
    """Broker and services on a state directory of their own; all of them end with the block.

    Those of `later` are started by the test. `others` run beside the usual ones, and `configure`
    writes what they need into the folder of the configuration. The broker has so many `nodes`, and
    the services of `twice` have two processes. The ledger is a file unless `ledger_url` says where.
    """
    settings = Settings(
        tenant=TENANT,
        state_dir=folder / "var",
        config_dir=config_in(
            folder / "config",
            change,
            agents_yaml,
            people_yaml + _rows(more_people),
            catalog_yaml,
        ),
        nats_port=0,
        monitor_port_base=0,
        console_port=0,
        api_port=0,
        slack_port=0,
        lease_s=lease_s,
        passkey_from_level=passkey_from_level,
        domains=dict(own),
        stream_max_bytes=stream_bytes,
        broker_nodes=nodes,
        ledger_url=ledger_url or f"sqlite+aiosqlite:///{folder / 'var' / 'ledger.db'}",
    )
    tasks = _hurry(settings, bank=bank, tasks=COORDINATOR in others)
    configure(settings.config_dir)
    _make_samples(settings)
    for person in (*PEOPLE, *more_people):
        credentials.create_person_key(
            settings.people_dir, person, PASSWORD, CHEAP, must_change=False
        )
    domains = (*(name for name in DOMAINS if name not in OWN), *own, *tasks)
    workers = (*domains, BANK) if bank else domains
    domains = (*domains, *(BANK_DOMAINS if bank else ()), MCP_DOMAIN)
    services = tuple(name for name in names(workers, *others) if console or name != CONSOLE)
    services = with_copies([name for name in services if name not in later], twice, copies=2)
    supervisor = ForkingSupervisor(settings=settings, domains=domains, services=services)
    try:
        await supervisor.start_broker()
        assert supervisor.server
        supervisor.prepare(supervisor.server.port)  # so that it comes back where it was
        await supervisor.start_services()
        yield Road(settings=settings, supervisor=supervisor)
    finally:
        for name in tuple(supervisor._children):
            supervisor.kill(name)
        await asyncio.shield(supervisor.stop())


def _rows(people: tuple[str, ...]) -> str:
    return "".join(f"  - {{name: {it}, groups: [operators], admin: true}}\n" for it in people)


def signal_all(number: signal.Signals) -> None:
    """Send a signal to each service of every road of this process."""
    for supervisor in _running:
        for child in supervisor._children.values():
            if child.poll() is None:
                child.send_signal(number)


def _make_samples(settings: Settings) -> None:
    (settings.state_dir / "sample" / "scratch-space").mkdir(parents=True)
    sqlite3.connect(settings.state_dir / "sample" / "crm.db").close()


def _hurry(settings: Settings, *, bank: bool, tasks: bool) -> tuple[str, ...]:
    """No action may outlast its lease, and only what has a worker is offered; the tasks, if so."""
    domains = settings.config_dir / "domains.yaml"
    longest = f"timeout_s: {min(5.0, settings.lease_s / 2)}"
    domains.write_text(re.sub(r"timeout_s: \d+", longest, domains.read_text()))
    if not bank:
        take_out(domains, BANK)
    if not tasks:
        take_out(domains, TASKS)
    return (TASKS,) if tasks else ()


def take_out(domains: Path, part: str) -> None:
    """Take a part out of a domains.yaml: nobody provisions it there."""
    text = domains.read_text()
    domains.write_text(re.sub(rf"(?m)^{part}:.*\n(?:[ #].*\n)*", "", text))


def _seed(settings: Settings, user: str) -> str:
    if user.startswith("person_"):
        person = user.removeprefix("person_")
        return credentials.unlock_person_key(settings.people_dir, person, PASSWORD)
    return credentials.read_seed(settings.credentials_dir, user)
