"""STATE: what holds for every gate, and who put it there."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Generic, TypeAlias, TypeVar

from msgspec.structs import replace

from holdpoint.messages.hold import Refused
from holdpoint.messages.policy import Policy
from holdpoint.messages.state import (
    CURRENT,
    AnyState,
    AttentionState,
    DelegationState,
    Denial,
    DenialState,
    Flag,
    FlagState,
    KillState,
    PermissionState,
    PolicyBody,
    PolicyState,
    StepUpState,
    flags_off,
)
from holdpoint.messages.subjects import STATE, at_state, command_id, state_subject, stream
from holdpoint.runtime.errors import SignatureError, UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import GATE
from holdpoint.runtime.store.history import Holds
from holdpoint.runtime.store.journal import Journal, Reader, Revision, Stored

LEASE_S = 0.25
"""How old what a verdict rests on may be, counted from before the leader was asked: an order of the
kill switch is carried out, and grants are barred, so much later than it was stored."""

RENEW_S = 0.03
"""A lease this old is renewed when it is used."""

KILL = "kill"
POLICY = "policy"
POLICY_BODY = "policy_body"
STEP_UP = "step_up"
DELEGATION = "delegation"
DENIAL = "denial"
ATTENTION = "attention"
PERMISSION = "permission"
FLAG = "flag"
ANY = "*"
OFF = KillState(stopped={}, by="", cause="")
"""State of the kill switch before it was ever thrown."""


S = TypeVar("S", bound=AnyState)

Tell: TypeAlias = Callable[[Stored, str], Awaitable[None]]
"""Told of each message that does not count, and why."""


@dataclass(frozen=True, kw_only=True)
class Stands(Generic[S]):
    """A piece of state, if there is one, and the revision to write after."""

    state: S | None
    revision: Revision


class Standing(Generic[S]):
    """One piece of STATE: the last fact on its subject that a gate wrote there is what holds.

    What a gate did not sign, or signed for another place or moment, has no effect: what stood
    before it stands. Read from the leader, or not at all: what cannot be read is not off. As long
    as nothing new was put there, nothing is verified again.
    """

    def __init__(self, reader: Reader, subject: str, kind: type[S], tell: Tell) -> None:
        self._reader = reader
        self._subject = subject
        self._kind = kind
        self._tell = tell
        self._known: Stands[S] = Stands(state=None, revision=0)
        self._for: tuple[object, ...] = ()
        self._one_at_a_time = asyncio.Lock()

    async def now(self) -> Stands[S]:
        """As it stands; UnavailableError when nobody can tell."""
        last = await self._reader.last(STATE, self._subject)
        if last is None:
            return Stands(state=None, revision=0)
        async with self._one_at_a_time:
            looked_at = (self._reader.edition, last.seen)
            if looked_at != self._for:
                state = await self._newest(last, self._floor(last))
                self._known = Stands(state=state, revision=last.seq)
                self._for = looked_at
            return self._known

    def _floor(self, last: Stored) -> Stands[S]:
        """Up to where everything was looked at, by the keys that count now."""
        is_newer = self._for[:1] == (self._reader.edition,) and last.seq > self._known.revision
        return self._known if is_newer else Stands(state=None, revision=0)

    async def _newest(self, last: Stored, floor: Stands[S]) -> S | None:
        """The last one that counts, from this one backwards."""
        it = last
        while it.seq > floor.revision:
            if it.subject == self._subject:
                try:
                    return await self._counted(it)
                except SignatureError as why:
                    await self._tell(it, str(why))
            if it.seq == 1:
                break
            before = await self._reader.at(STATE, it.seq - 1)
            if before is None:
                raise UnavailableError(f"{STATE} has a gap before {it.seq}: holdpoint doctor")
            it = before
        return floor.state

    async def _counted(self, it: Stored) -> S:
        """Return what it says; a copy of an older fact stands where it was not written."""
        self._reader.check(it)
        state = it.message
        if not isinstance(state, self._kind):
            raise SignatureError(f"{it.subject} carries a {type(state).__name__}.")
        first = await self._reader.next(STATE, it.subject, state.after + 1)
        if first is None or first.seq != it.seq:
            raise SignatureError(f"{it.subject} carries a copy of what stood there before.")
        return state


@dataclass(frozen=True, kw_only=True)
class Kills:
    """The kill switch as it stands, and the revision to write after."""

    state: KillState
    revision: Revision


@dataclass(frozen=True, kw_only=True)
class InForce:
    """State that every verdict depends on, as the leader had it when it was asked."""

    kills: KillState
    policy: Stands[PolicyState]
    denials: tuple[Denial, ...] = ()
    """What people cancelled lately."""

    flags_off: tuple[Flag, ...] = ()
    revision: Revision
    """Of the newest of them, whether it counts or not."""

    since: float
    """When the leader was asked, by the monotonic clock."""


class States:
    """The pieces of state that gates share."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._refusals = Holds(journal)
        self._kills = self._standing(KILL, CURRENT, KillState)
        self._policy = self._standing(POLICY, CURRENT, PolicyState)
        self._denials = self._standing(DENIAL, CURRENT, DenialState)
        self._flags = self._standing(FLAG, CURRENT, FlagState)
        self._step_ups: dict[str, Standing[StepUpState]] = {}
        self._delegations: dict[str, Standing[DelegationState]] = {}
        self._permissions: dict[str, Standing[PermissionState]] = {}
        self._attention: dict[str, Standing[AttentionState]] = {}
        self._bodies: dict[str, Policy] = {}
        nothing = Stands[PolicyState](state=None, revision=0)
        never = float("-inf")
        self._known = InForce(kills=OFF, policy=nothing, revision=0, since=never)
        self._edition = journal.reader.edition
        self._reading_since = never
        self._reading: asyncio.Task[InForce] | None = None
        self._next: asyncio.Task[InForce] | None = None

    def begin_reading(self) -> "asyncio.Task[InForce]":
        """Have it read in advance, for callers that ask soon with a `since` from before."""
        if self._next is None:
            self._next = asyncio.create_task(self._after(self._reading))
            self._next.add_done_callback(_heard)
        return self._next

    def leased(self) -> InForce | None:
        """Kill switch and policy as the leader had them within LEASE_S; None: ask the leader."""
        now = clock.monotonic()
        is_read = self._reading is not None and not self._reading.done()
        if now - self._known.since > RENEW_S and not is_read:
            self.begin_reading()
        return self._known if self._is_known(now - LEASE_S) else None

    async def in_force(self, since: float | None = None) -> InForce:
        """Kill switch and policy as the leader had them: never older than `since`, or than now.

        `since` is of the monotonic clock. Who asks while a read is on its way that began too early
        shares the one that begins after it.
        """
        if since is not None and self._is_known(since):
            return self._known
        if since is not None and self._reading is not None and self._reading_since >= since:
            return await asyncio.shield(self._reading)
        return await asyncio.shield(self.begin_reading())

    def _is_known(self, since: float) -> bool:
        """Return whether it was read since then, by the keys that count now."""
        return self._known.since >= since and self._journal.reader.edition == self._edition

    async def kills(self) -> Kills:
        """Return how the kill switch stands; it is off before it was ever thrown."""
        found = await self._kills.now()
        return Kills(state=found.state or OFF, revision=found.revision)

    async def set_kills(self, state: KillState, after: Revision) -> None:
        """Throw it or take it back."""
        await self._write(KILL, CURRENT, replace(state, after=after))

    async def adopted(self) -> Stands[PolicyState]:
        """Return which policy is in force, if one was ever adopted."""
        return await self._policy.now()

    async def adopt(self, state: PolicyState, after: Revision) -> None:
        """Put a policy in force; its body is kept already."""
        await self._write(POLICY, CURRENT, replace(state, after=after))

    async def policy(self, digest: str) -> Policy | None:
        """The policy of this digest, if it was ever kept; it never changes."""
        if digest not in self._bodies:
            found = (await self._standing(POLICY_BODY, digest, PolicyBody).now()).state
            if found is None:
                return None
            self._bodies = {digest: found.policy}
        return self._bodies[digest]

    async def keep(self, policy: Policy, digest: str, cause: str) -> None:
        """Put a policy where every gate finds it by its digest; once is enough."""
        found = await self._standing(POLICY_BODY, digest, PolicyBody).now()
        if found.state is None:
            body = PolicyBody(policy=policy, cause=cause, after=found.revision)
            await self._write(POLICY_BODY, digest, body)

    async def step_up(self, person: str) -> Stands[StepUpState]:
        """Read the person's proofs beyond their password."""
        if person not in self._step_ups:
            self._step_ups[person] = self._standing(STEP_UP, person, StepUpState)
        return await self._step_ups[person].now()

    async def newest_step_up(self) -> Revision:
        """The revision of whatever was put last into anybody's."""
        subject = state_subject(self._journal.tenant, STEP_UP, ANY)
        last = await self._journal.reader.last(STATE, subject)
        return last.seq if last else 0

    async def set_step_up(self, person: str, state: StepUpState, after: Revision) -> None:
        """Put another state in its place, unless somebody else was first."""
        await self._write(STEP_UP, person, replace(state, after=after))

    async def denials(self) -> Stands[DenialState]:
        """Return what people cancelled lately."""
        return await self._denials.now()

    async def set_denials(self, state: DenialState, after: Revision) -> None:
        """Remember another one, unless somebody else was first."""
        await self._write(DENIAL, CURRENT, replace(state, after=after))

    async def flags(self) -> Stands[FlagState]:
        """Return which flags are switched off."""
        return await self._flags.now()

    async def set_flags(self, state: FlagState, after: Revision) -> None:
        """Put others in their place, unless somebody else was first."""
        await self._write(FLAG, CURRENT, replace(state, after=after))

    async def delegations(self, person: str) -> Stands[DelegationState]:
        """Return who answers in this person's place, and when, by their own word."""
        if person not in self._delegations:
            self._delegations[person] = self._standing(DELEGATION, person, DelegationState)
        return await self._delegations[person].now()

    async def set_delegations(self, person: str, state: DelegationState, after: Revision) -> None:
        """Put others in their place, unless somebody else was first."""
        await self._write(DELEGATION, person, replace(state, after=after))

    async def newest_delegation(self) -> Revision:
        """The revision of whatever anybody delegated last."""
        subject = state_subject(self._journal.tenant, DELEGATION, ANY)
        last = await self._journal.reader.last(STATE, subject)
        return last.seq if last else 0

    async def permissions(self, agent: str) -> Stands[PermissionState]:
        """Read what this agent may do without asking again."""
        if agent not in self._permissions:
            self._permissions[agent] = self._standing(PERMISSION, agent, PermissionState)
        return await self._permissions[agent].now()

    async def set_permissions(self, agent: str, state: PermissionState, after: Revision) -> None:
        """Put another state in its place, unless somebody else was first."""
        await self._write(PERMISSION, agent, replace(state, after=after))

    async def attention(self, agent: str) -> Stands[AttentionState]:
        """Return which holds of this agent take people's attention."""
        if agent not in self._attention:
            self._attention[agent] = self._standing(ATTENTION, agent, AttentionState)
        return await self._attention[agent].now()

    async def set_attention(self, agent: str, state: AttentionState, after: Revision) -> None:
        """Put another list in its place, unless somebody else was first."""
        await self._write(ATTENTION, agent, replace(state, after=after))

    async def _after(self, before: asyncio.Task[InForce] | None) -> InForce:
        if before is not None:
            await asyncio.wait({before})
        self._reading, self._next = self._next, None
        since = self._reading_since = clock.monotonic()
        reader = self._journal.reader
        newest = await reader.last(STATE, state_subject(reader.tenant, ANY, CURRENT))
        is_new = newest is not None and newest.seq != self._known.revision
        if is_new or reader.edition != self._edition:
            self._edition = reader.edition
            kills, policy = await self.kills(), await self.adopted()
            denials, flags = await self.denials(), await self.flags()
            self._known = InForce(
                kills=kills.state,
                policy=policy,
                denials=denials.state.denials if denials.state else (),
                flags_off=flags_off(flags.state),
                revision=max(it.revision for it in (kills, policy, denials, flags)),
                since=since,
            )
        else:
            self._known = dataclasses.replace(self._known, since=since)
        return self._known

    async def _write(self, word: str, key: str, state: AnyState) -> None:
        await self._journal.append(state, at_state(self._journal.tenant, word, key), state.after)

    def _standing(self, word: str, key: str, kind: type[S]) -> Standing[S]:
        subject = state_subject(self._journal.tenant, word, key)
        return Standing(self._journal.reader, subject, kind, self._refuse)

    async def _refuse(self, forged: Stored, why: str) -> None:
        """Keep it where the auditor finds it: in the name of the gate, whose word it was not."""
        refused = Refused(
            principal=GATE,
            cause=command_id(stream(self._journal.tenant, STATE), forged.seq),
            code="not_signed",
            text=why,
            body_sha256=sha256(forged.data).hexdigest(),
        )
        await self._refusals.refuse(refused)


def _heard(reading: asyncio.Task[InForce]) -> None:
    """Take a failure of a read that was begun in advance and may have no reader."""
    if not reading.cancelled():
        reading.exception()
