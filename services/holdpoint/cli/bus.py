"""An operator's view of the broker, as the provisioner; it writes nothing."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError

from holdpoint.audit.room_watch import Room
from holdpoint.cli import output
from holdpoint.cli.session import ANSWER_S, ask_api, connected, reach
from holdpoint.messages.policy import Policy
from holdpoint.messages.state import (
    CURRENT,
    FlagState,
    KillState,
    PermissionState,
    PolicyBody,
    PolicyState,
)
from holdpoint.messages.subject_parts import hold_place
from holdpoint.messages.subjects import (
    AUDITED,
    CALLS,
    HOLDS,
    call_subject,
    hold_filter,
    source_of,
    state_subject,
    stream,
)
from holdpoint.runtime.broker.connection import Login, login
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.provisioning import limits, load_tenant
from holdpoint.runtime.broker.streams import ANY, plan
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.security.credentials import PROVISIONER
from holdpoint.runtime.security.keys import Keyset
from holdpoint.runtime.store.journal import Reader, Stored
from holdpoint.runtime.store.state import FLAG, KILL, PERMISSION, POLICY, POLICY_BODY, S, Standing


@dataclass(frozen=True, kw_only=True)
class Bus:
    """The JetStream API, for questions only."""

    client: Client
    who: Login
    tenant: str
    reader: Reader

    async def open_holds(self) -> int:
        """Return how many holds wait for people: halted, and not resolved."""
        return len(await self._holds("halted") - await self._holds("resolved"))

    async def _holds(self, word: str) -> set[str]:
        """The ids of the holds that have this fact."""
        verb = f"STREAM.INFO.{stream(self.tenant, HOLDS)}"
        facts, found = hold_filter(self.tenant, word, ANY), set[str]()
        while True:
            asked = {"subjects_filter": facts, "offset": len(found)}
            told = await ask_api(self.client, self.who, verb, asked)
            page = told["state"].get("subjects") or {}
            found.update(hold_place(subject).hold_id for subject in page)
            if not page or len(found) >= int(told.get("total") or 0):
                return found

    async def audit_lag(self, ledger_ends: Mapping[str, int]) -> dict[str, int]:
        """Return how many messages of each stream lie behind the last one that the ledger holds."""
        ends = {source: await self._last_seq(source) for source in await self.audited()}
        return {source: max(0, last - ledger_ends.get(source, 0)) for source, last in ends.items()}

    async def audited(self) -> tuple[str, ...]:
        """Every audited stream there is, as `HOLDS` or `CALLS@robot`."""
        calls = {"subject": call_subject(self.tenant, ANY, ANY)}
        found = await ask_api(self.client, self.who, "STREAM.NAMES", calls)
        names = (source_of(name) for name in sorted(found["streams"] or ()))
        return (*names, *(kind for kind in AUDITED if kind != CALLS))

    async def policy(self) -> PolicyState | None:
        """Return which policy gates judge by; None before the first gate ran."""
        return await self._state(POLICY, PolicyState)

    async def policy_of(self, digest: str) -> Policy | None:
        """The policy itself that has this digest; None when it was never in force."""
        found = await self._state(POLICY_BODY, PolicyBody, digest)
        return found.policy if found else None

    async def kills(self) -> KillState | None:
        """Return how the kill switch stands; None before it was ever thrown."""
        return await self._state(KILL, KillState)

    async def flags(self) -> FlagState | None:
        """Return which flags are switched off; None before one ever was."""
        return await self._state(FLAG, FlagState)

    async def permissions(self, agent: str) -> PermissionState | None:
        """Return what an agent may do without asking again; None before it was ever allowed."""
        return await self._state(PERMISSION, PermissionState, agent)

    async def differences(self, settings: Settings, domains: tuple[str, ...]) -> list[str]:
        """Every stream and consumer that is missing or not as declared."""
        wanted = plan(load_tenant(settings, domains), limits(settings))
        places = [(f"STREAM.INFO.{it.name}", it.name, it.config()) for it in wanted.streams]
        places += [
            (f"CONSUMER.INFO.{it.stream}.{it.durable}", f"{it.stream}/{it.durable}", it.config())
            for it in wanted.consumers
        ]
        return [
            problem for verb, name, config in places
            if (problem := await self._difference(verb, name, config))
        ]  # fmt: skip

    async def _difference(self, verb: str, name: str, wanted: dict[str, Any]) -> str:
        try:
            found = (await ask_api(self.client, self.who, verb, {}))["config"]
        except UnavailableError:
            return f"{name} is missing"
        fields = [
            key for key, value in wanted.items() if (value or None) != (found.get(key) or None)
        ]
        return f"{name} differs in {', '.join(fields)}" if fields else ""

    async def rooms(self) -> tuple[Room, ...]:
        """Return how full each audited stream is."""
        return tuple([await self._room(source) for source in await self.audited()])

    async def _room(self, source: str) -> Room:
        verb = f"STREAM.INFO.{stream(self.tenant, source)}"
        found = await ask_api(self.client, self.who, verb, {})
        most = int(found["config"]["max_bytes"])
        return Room(name=source, used=int(found["state"]["bytes"]), most=most)

    async def _last_seq(self, kind: str) -> int:
        verb = f"STREAM.INFO.{stream(self.tenant, kind)}"
        return int((await ask_api(self.client, self.who, verb, {}))["state"]["last_seq"])

    async def _state(self, name: str, kind: type[S], key: str = CURRENT) -> S | None:
        subject = state_subject(self.tenant, name, key)
        return (await Standing(self.reader, subject, kind, _warned).now()).state


@asynccontextmanager
async def operator(settings: Settings) -> AsyncIterator[Bus]:
    """Connect as the provisioner of this machine."""
    await reach(settings)
    who = login(settings, PROVISIONER)
    async with connected(settings, who) as client:
        reader = Reader(client, who, settings.tenant, Keyset(settings.keys_dir))
        yield Bus(client=client, who=who, tenant=settings.tenant, reader=reader)


async def _warned(forged: Stored, why: str) -> None:
    output.warn(f"STATE:{forged.seq} was not written by a gate and has no effect: {why}")


async def broker_time(client: Client) -> datetime:
    """Return what time it is on the server; the client is the system user's."""
    try:
        reply = await client.request("$SYS.REQ.SERVER.PING.VARZ", b"", timeout=ANSWER_S)
    except NatsError as error:
        raise UnavailableError(f"The broker does not tell its time: {in_words(error)}") from error
    answer = msgspec.json.decode(reply.data)
    return datetime.fromisoformat(answer["data"]["now"])
