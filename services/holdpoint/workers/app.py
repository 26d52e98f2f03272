"""A worker as a process: its domains, each with a lane of grants and its dry runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from faststream.nats import NatsBroker
from nats.aio.client import Client

from holdpoint.core.grant import Door
from holdpoint.core.tool import ToolSpec
from holdpoint.messages.catalog import Tool
from holdpoint.messages.subjects import HOLDS, ask_plan_subject, stream
from holdpoint.runtime.broker.connection import Login, login
from holdpoint.runtime.broker.lanes import Lane
from holdpoint.runtime.broker.pulls import pull
from holdpoint.runtime.broker.request_reply import Pool, Responder
from holdpoint.runtime.broker.streams import worker_durable
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.service import Job, Service, connected
from holdpoint.runtime.security.credentials import worker_user
from holdpoint.runtime.security.keys import Keyset, Signer, worker_role
from holdpoint.runtime.store.history import Runs
from holdpoint.runtime.store.journal import Journal
from holdpoint.workers.effects import Worker, on_plan
from holdpoint.workers.grants import on_grant, run_together

SIDE_BY_SIDE = 32
DRY_RUNS = 2_000
"""The gate may have asked for at once: it alone asks."""


@dataclass(frozen=True, kw_only=True)
class Hands:
    """A domain as its worker needs it: tools, settings, and what it opened."""

    domain: str
    specs: Mapping[str, ToolSpec]
    """By name; those of MCP servers come and go."""

    settings: Any
    resource: Any = None


@dataclass(frozen=True)
class _Tools(Mapping[str, Tool]):
    """The catalog's entries of a domain's tools, as they are now."""

    specs: Mapping[str, ToolSpec]

    def __getitem__(self, name: str) -> Tool:
        return self.specs[name].tool

    def __iter__(self) -> Iterator[str]:
        return iter(self.specs)

    def __len__(self) -> int:
        return len(self.specs)


async def build(settings: Settings, name: str, hands: Sequence[Hands]) -> Service:
    """Wire a worker to the broker: each of its domains has a user, a key and a lane of its own."""
    wired = [await _wired(settings, it) for it in hands]
    return Service(
        name=f"worker-{name}",
        broker=wired[0].broker,
        client=wired[0].client,
        others=tuple(it.client for it in wired[1:]),
        jobs=tuple(it.job for it in wired),
        at_end=(
            *(it.questions.close for it in wired),
            *(it.client.close for it in wired[1:]),
        ),
    )


@dataclass(frozen=True, kw_only=True)
class _Wired:
    """One domain on the broker."""

    broker: NatsBroker
    client: Client
    questions: Responder
    job: Job


async def _wired(settings: Settings, hands: Hands) -> _Wired:
    who = login(settings, worker_user(hands.domain))
    broker, client = await connected(who)
    durable = worker_durable(hands.domain)
    worker = _worker(settings, hands, client, who)
    lane = Lane(stream=stream(settings.tenant, HOLDS), durable=durable, batch=SIDE_BY_SIDE)
    questions = Responder(client=client)
    subject = ask_plan_subject(settings.tenant, hands.domain)
    pool = Pool(most=DRY_RUNS, each=DRY_RUNS)
    await questions.serve(subject, durable, partial(on_plan, worker), pool)
    handler, together = partial(on_grant, worker), partial(run_together, worker)
    job = partial(pull, client, who, lane, handler, together, worker.long)
    return _Wired(broker=broker, client=client, questions=questions, job=job)


def _worker(settings: Settings, hands: Hands, client: Client, who: Login) -> Worker:
    role = worker_role(hands.domain)
    keyset = Keyset(settings.keys_dir)
    signer = Signer(settings.keys_dir, role, keyset)
    return Worker(
        tenant=settings.tenant,
        domain=hands.domain,
        owner=f"{role}/{clock.new_id()}",
        lease_s=settings.lease_s,
        longest_s=settings.longest_run_s,
        specs=hands.specs,
        door=Door(tenant=settings.tenant, domain=hands.domain, tools=_Tools(hands.specs)),
        client=client,
        runs=Runs(Journal(client, who, settings.tenant, f"holdpoint/{role}", signer)),
        keyset=keyset,
        keys_dir=settings.keys_dir,
        passkey_from_level=settings.passkey_from_level,
        console_origin=settings.console_origin,
        settings=hands.settings,
        resource=hands.resource,
    )
