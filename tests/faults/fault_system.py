"""The stage of a fault run: broker, services as processes of their own, agents and people."""

import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Literal

import msgspec
from tests.actors import Guests, StreamEyes
from tests.faults.actors import Agent, Person, Told, come_back, surely
from tests.faults.bad_network import Network, network
from tests.faults.checker import breaches
from tests.faults.effects_domain import DOMAIN, done_so_far
from tests.faults.evidence import EMPTY, head_of, look
from tests.faults.processes import PLAYERS, Cast, effect_log
from tests.running_system import AMPLE, BY_PASSWORD, CHEAP, CONFIG, PASSWORD, TENANT, Road, take_out
from tests.waiting import eventually

from holdpoint.domains.settings import BANK, TASKS
from holdpoint.ledger.positions import newest_in
from holdpoint.ledger.signatures import last_verified, signed_after
from holdpoint.messages.envelope import Status
from holdpoint.messages.subjects import AUDITED, sources, stream
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.broker.provisioning import load_tenant
from holdpoint.runtime.broker.streams import ACK_WAIT_S, GATE_OPEN, NANOSECONDS, Limits, Plan, plan
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.config.settings import MEBIBYTE, Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.supervisor import Supervisor
from holdpoint.runtime.security import credentials

HERE = Path(__file__).parent
AGENTS = ("alba", "bram", "cleo", "dora")
DOOMED = "egon"
"""The agent that the kill switch is thrown on."""

MODEST = "fran"
"""The agent that may only look."""

PEOPLE = ("ann", "ben", "cem")
TOOLS = "look, note, change, put, book, pay, wipe"
AGENTS_YAML = "agents:\n" + "".join(
    f"  - {{name: {name}, tools: [{'look' if name == MODEST else TOOLS}], acts_for: [olga, ann], "
    f"budget: {{{AMPLE}}}}}\n"
    for name in (*AGENTS, DOOMED, MODEST)
)
PEOPLE_YAML = """\
people:
  - {name: ann, groups: [operators], admin: true}
  - {name: ben, groups: [operators]}
  - {name: cem, groups: [operators, security]}
  - {name: olga, groups: []}
"""
QUORUM = "verdict: hold, all_of: [{group: operators, voices: 2}], proofs: [chat], deadline_s: 20"
TWO_GROUPS = QUORUM.replace(
    "{group: operators, voices: 2}",
    "{group: operators, voices: 1}, {group: security, voices: 1}",
)
"""Two operators are not enough: one who is asked must be of the other group."""

LEVELS = f"""\
  1: {{verdict: pass}}
  2: {{verdict: witness}}
  3: {{verdict: hold, all_of: [{{group: operators, voices: 1}}], proofs: [chat], deadline_s: 20}}
  4: {{{TWO_GROUPS}}}
  5: {{{QUORUM}, four_eyes: true, cooling_off_s: 1}}
"""
GRANT_S, VALID_FOR_S = 4, 14
QUIET_S = 30.0
"""Within which everything moves on (L1)."""

MANY_DEATHS_S = 180.0
"""Longer than one death after the other can keep a world from coming to rest."""


class StandsStillError(Exception):
    """Something did not move on in time after the last fault."""


@dataclass(frozen=True, kw_only=True)
class Timings:
    """What a run does not wait as long for as a user would."""

    ack_wait_s: float = 3.0
    """When what a dead process had in hand comes to the next one."""

    lease_s: float = 6.0


SHIPPED = Timings(ack_wait_s=ACK_WAIT_S, lease_s=20.0)
"""As every installation runs, but for the lease of a claim: a minute and a half there."""


@dataclass(kw_only=True)
class Scene:
    """Everything that runs, everybody who uses it, and the dice."""

    road: Road
    cast: Cast
    guests: Guests
    dice: Random
    seed: int
    eyes: StreamEyes
    agents: dict[str, Agent]
    people: dict[str, Person]
    told: list[Told] = field(default_factory=list)
    hurried: dict[str, Status] = field(default_factory=dict)
    """What the SDK said."""

    heads: list[tuple[int, bytes]] = field(default_factory=list)
    """Sizes and roots of the ledger's tree, as somebody outside wrote them down."""

    network: Network | None = None
    """Between services and broker, where a run has one."""

    slowest_s: float = 0.0
    """The longest that everything took to move on after a fault."""

    @property
    def log(self) -> Path:
        """Where effects leave their lines."""
        return effect_log(self.road)

    def plan(self) -> Plan:
        """Streams and consumers, as they were provisioned."""
        tenant = load_tenant(self.road.settings, self.road.supervisor.domains)
        return plan(tenant, Limits(max_bytes=1, replicas=1))

    async def hand_over_after(self, ack_wait_s: float) -> None:
        """How long what a process had in hand stays with it without a word."""
        for it in self.plan().consumers:
            config = it.config() | {"ack_wait": int(ack_wait_s * NANOSECONDS)}
            update = {"stream_name": it.stream, "config": config, "action": "update"}
            subject = f"$JS.API.CONSUMER.CREATE.{it.stream}.{it.durable}"
            reply = await self.eyes.client.request(subject, msgspec.json.encode(update), timeout=5)
            assert "error" not in msgspec.json.decode(reply.data), reply.data

    async def judged(self) -> list[str]:
        """Every line of INVARIANTS.md that does not hold, by what is left to read."""
        deeds = done_so_far(self.log)
        evidence = await look(self.road, self.eyes, {}, deeds, self.heads)
        agents = {hold: facts[-1][1].hold.agent for hold, facts in evidence.holds.items()}
        told = await come_back(self.road, agents)
        return breaches(replace(evidence, told=told, hurried=self.hurried))

    async def comes_to_rest(self, since: float) -> float:
        """Wait until nothing is in hand or on its way anywhere; how long it took since then.

        Whoever dies meanwhile makes it begin anew.
        """

        async def rests() -> bool:
            late = clock.monotonic() - max(since, self.cast.well_since) > QUIET_S
            try:
                return await self._at_rest()
            except AssertionError as why:
                if late:
                    raise StandsStillError(str(why)) from None
                raise

        await eventually(rests, MANY_DEATHS_S)
        took_s = clock.monotonic() - max(since, self.cast.well_since)
        await eventually(self._is_verified, QUIET_S)
        self._take_head()
        self.slowest_s = max(self.slowest_s, took_s)
        return took_s

    async def _is_verified(self) -> bool:
        """Whether the audit has looked at every signature, which it does after it stored them."""
        return not self.road.ledger(lambda it: signed_after(it, last_verified(it), 1))

    def _take_head(self) -> None:
        """Write down where the ledger's tree ends, while more is still to come."""
        head = self.road.ledger(head_of)
        if head != EMPTY and head not in self.heads:
            self.heads.append(head)

    async def _at_rest(self) -> bool:
        js = jetstream(self.eyes.client, self.eyes.login)
        for it in self.plan().consumers:
            if it.config()["ack_policy"] != "none":
                info = await surely(partial(js.consumer_info, it.stream, it.durable))
                told = f"{it.stream}/{it.durable}: {info.num_pending} {info.num_ack_pending}"
                assert not info.num_pending, told
                assert not info.num_ack_pending or it.durable == GATE_OPEN, told
        agents = (it.name for it in load_registry(self.road.settings.config_dir).agents)
        for kind in sources(AUDITED, agents):
            info = await surely(partial(js.stream_info, stream(TENANT, kind)))
            entered = self.road.ledger(partial(newest_in, stream=stream(TENANT, kind)))
            assert entered == info.state.last_seq, f"the ledger has {kind} up to {entered}"
        assert await self.cast.console_is_ready(), "the console is not ready"
        return self.cast.is_whole()


@asynccontextmanager
async def scene(  # noqa: PLR0913  # each is one option
    folder: Path,
    seed: int,
    timings: Timings | None = None,
    players: Mapping[str, str] = PLAYERS,
    nodes: Literal[1, 3] = 1,
    *,
    through_proxy: bool = False,
    ledger_url: str = "",
    stream_bytes: int = 8 * MEBIBYTE,
) -> AsyncIterator[Scene]:
    """Everything on a state folder of its own; all of it ends with the block.

    Services may reach the broker through a proxy, and keep the ledger elsewhere.
    """
    timings = timings or Timings()
    road = _road(folder, nodes, ledger_url, stream_bytes)
    cast = Cast(road=road, lease_s=timings.lease_s)
    try:
        await road.supervisor.start_broker()
        assert road.supervisor.server
        road.supervisor.prepare(road.supervisor.server.port)  # it comes back where it was
        async with AsyncExitStack() as stack:
            made = await _peopled(Guests(road=road, stack=stack), cast, seed)
            await made.hand_over_after(timings.ack_wait_s)
            if through_proxy:
                port = road.supervisor.server.port
                made.network = await stack.enter_async_context(network(port, seed))
                cast.broker_url = made.network.url
            await cast.begin(players)
            yield made
    finally:
        await cast.end()
        await road.supervisor.stop()


async def _peopled(guests: Guests, cast: Cast, seed: int) -> Scene:
    agents = {name: Agent(voice=await guests.agent(name)) for name in (*AGENTS, DOOMED, MODEST)}
    people = {name: Person(voice=await guests.person(name)) for name in PEOPLE}
    return Scene(
        road=guests.road,
        cast=cast,
        guests=guests,
        dice=Random(seed),  # noqa: S311  # the seed is printed, so that a run can be repeated
        seed=seed,
        eyes=await guests.eyes(),
        agents=agents,
        people=people,
    )


def _road(folder: Path, nodes: Literal[1, 3], ledger_url: str, stream_bytes: int) -> Road:
    settings = Settings(
        tenant=TENANT,
        state_dir=folder / "var",
        config_dir=_config(folder / "config"),
        nats_port=0,
        monitor_port_base=0,
        console_port=0,
        domains={DOMAIN: HERE / "effects_domain.py"},
        passkey_from_level=6,
        stream_max_bytes=stream_bytes,
        log_level="warning",
        broker_nodes=nodes,
    )
    if ledger_url:
        settings = settings.model_copy(update={"ledger_url": ledger_url})
    for person in (*PEOPLE, "olga"):
        credentials.create_person_key(
            settings.people_dir, person, PASSWORD, CHEAP, must_change=False
        )
    supervisor = Supervisor(settings=settings, domains=("shell", "database", DOMAIN), services=())
    return Road(settings=settings, supervisor=supervisor)


def _config(folder: Path) -> Path:
    shutil.copytree(CONFIG, folder)
    for part in (BANK, TASKS):
        take_out(folder / "domains.yaml", part)
    (folder / "agents.yaml").write_text(AGENTS_YAML)
    (folder / "people.yaml").write_text(PEOPLE_YAML)
    policy = folder / "policy" / "default.yaml"
    policy.write_text(_changed(policy.read_text().replace(*BY_PASSWORD)))
    return folder


def _changed(text: str) -> str:
    """The shipped policy with levels that ask for more, and a yes that is soon too old."""
    before, _, rest = text.partition("levels:\n")
    _, _, after = rest.partition("\n\n")
    text = f"{before}levels:\n{LEVELS}\n{after}"
    for old, new in (
        ("grant_s: 300", f"grant_s: {GRANT_S}"),
        ("valid_for_s: 900", f"valid_for_s: {VALID_FOR_S}"),
    ):
        assert text.count(f"\n{old} ") == 1
        text = text.replace(f"\n{old} ", f"\n{new} ")
    return text
