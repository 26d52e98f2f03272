"""The policy in force: gates judge by what a person adopted, whatever lies on their disks."""

import asyncio
from dataclasses import dataclass
from threading import Thread

import structlog

from holdpoint.core.policy_faults import policy_faults
from holdpoint.core.risk import is_ready, make_fast, make_ready
from holdpoint.gate import sentence_reader
from holdpoint.gate.context import Gate
from holdpoint.messages.policy import Policy, PolicyRef
from holdpoint.messages.state import Denial, Flag, KillState, PolicyState
from holdpoint.runtime.config.policy import POLICY_FOLDER, load_policy, located, policy_files
from holdpoint.runtime.config.registry import Registry, groups_of
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import (
    ConflictError,
    SetupError,
    UnavailableError,
    UnknownOutcomeError,
)
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.journal import Revision
from holdpoint.runtime.store.state import LEASE_S, InForce

log = structlog.get_logger(__name__)

SETUP = "setup"
"""Who adopted the first policy: the one that the system was set up with."""


@dataclass(frozen=True, kw_only=True)
class Basis:
    """Policy and state that one call is judged by, from its assessment to its grant."""

    policy: Policy
    ref: PolicyRef
    kills: KillState
    denials: tuple[Denial, ...] = ()
    flags_off: tuple[Flag, ...] = ()
    since: float
    """By the monotonic clock: as the leader had it then, or later."""


async def current_basis(gate: Gate) -> Basis:
    """Policy and kill switch as they stood within the lease; the leader is asked past it."""
    return await basis_since(gate, clock.monotonic() - LEASE_S)


async def basis_since(gate: Gate, since: float) -> Basis:
    """Policy and kill switch as they stood at that monotonic time, or later.

    UnavailableError when nobody can tell: calls wait. They also wait while a policy that is new to
    this gate is made ready, and are judged by what stands then; all else that it does goes on.
    """
    while True:
        basis = await _basis(gate, since)
        if is_ready(basis.policy.patterns):
            return basis
        async with gate.turn(basis.ref.digest):
            await _make_ready(gate, basis.policy)
        since = clock.monotonic()


def leased_basis(gate: Gate) -> Basis | None:
    """Return the basis from what the leader said within the lease; None: ask the leader."""
    found = gate.states.leased()
    if found is None or found.policy.state is None or gate.policy is None:
        return None
    ref = PolicyRef(version=found.policy.state.version, digest=found.policy.state.digest)
    if ref != gate.policy_ref or not is_ready(gate.policy.patterns):
        return None
    return _based(gate.policy, ref, found)


async def check_lease(gate: Gate, basis: Basis) -> None:
    """Look again where it is older than the lease, right before a fact that rests on it is sent.

    UnavailableError where something else stands by now: the call comes again, and is judged again.
    """
    since = basis.since
    while (now := clock.monotonic()) - since > LEASE_S:
        since, found = now, await _basis(gate, now)
        before = basis.ref, basis.kills, basis.denials
        if (found.ref, found.kills, found.denials) != before:
            text = "The kill switch, the policy or what people cancelled changed meanwhile."
            raise UnavailableError(text)


async def check_in_force(gate: Gate, fault: str) -> None:
    """Of a gate whose disk has no policy: it may go on only by the one that was adopted.

    SetupError with the fault where none was, or where nobody has it any more.
    """
    state = (await gate.states.adopted()).state
    if state is None:
        raise SetupError(f"No policy is in force yet, and this one cannot be.\n{fault}")
    if await gate.states.policy(state.digest) is None:
        raise SetupError(f"Nobody has the policy in force, {state.version}.\n{fault}")
    log.error("policy_on_disk_unusable", judged_by=state.version, digest=state.digest, why=fault)


async def prepare(gate: Gate) -> None:
    """Make the policy in force ready before the first call, and adopt the first one.

    What hinders either waits for a call.
    """
    try:
        basis = await basis_since(gate, clock.monotonic())
        if basis.policy.intents.reader:
            await asyncio.to_thread(sentence_reader.check)
    except (UnavailableError, UnknownOutcomeError) as error:
        log.warning("policy_not_yet_ready", why=str(error))


async def _make_ready(gate: Gate, policy: Policy) -> None:
    """Its rules run at once, and fast as soon as an automaton is made, which may take seconds.

    One that an earlier gate compiled is loaded in milliseconds.
    """
    if not is_ready(policy.patterns):
        await asyncio.to_thread(make_ready, policy.patterns)
        Thread(target=make_fast, args=(policy, gate.compiled), daemon=True).start()


async def _basis(gate: Gate, since: float) -> Basis:
    found = await gate.states.in_force(since)
    state = found.policy.state or await _adopt_first(gate, found.policy.revision)
    ref = PolicyRef(version=state.version, digest=state.digest)
    policy = gate.policy if ref == gate.policy_ref else await gate.states.policy(ref.digest)
    if policy is None:
        text = f"Policy {ref.version} is in force, and nobody has it. A person adopts it again."
        raise UnavailableError(text)
    return _based(policy, ref, found)


def _based(policy: Policy, ref: PolicyRef, found: InForce) -> Basis:
    return Basis(
        policy=policy,
        ref=ref,
        kills=found.kills,
        denials=found.denials,
        flags_off=found.flags_off,
        since=found.since,
    )


async def _adopt_first(gate: Gate, after: Revision) -> PolicyState:
    """Claim it for the first caller; UnavailableError for everybody else."""
    ref = gate.policy_ref
    if gate.policy is None or ref is None:
        raise UnavailableError("No policy is in force, and the one on disk cannot be.")
    first = PolicyState(version=ref.version, digest=ref.digest, by=SETUP, cause="")
    try:
        await gate.states.keep(gate.policy, ref.digest, cause="")
        await gate.states.adopt(first, after)
    except ConflictError as error:
        raise UnavailableError("Another gate adopted a policy just now.") from error
    return first


@dataclass(frozen=True, kw_only=True)
class OnDisk:
    """Policy on a gate's disk at its start: a policy, or what is wrong with it."""

    policy: Policy | None
    fault: str = ""


def on_disk(settings: Settings, registry: Registry) -> OnDisk:
    """The files are only a draft of what is adopted next: a fault there need not end a gate."""
    try:
        return OnDisk(policy=checked_policy(settings, registry))
    except SetupError as error:
        return OnDisk(policy=None, fault=str(error))


def checked_policy(settings: Settings, registry: Registry) -> Policy:
    """The policy on disk, if it is one that this gate can keep to."""
    policy = load_policy(settings.config_dir, groups_of(registry))
    if problems := policy_faults(policy, registry.agents, settings.passkey_from_level):
        told = located(problems, policy_files(settings.config_dir / POLICY_FOLDER))
        raise SetupError("The policy cannot be used:\n" + "\n".join(told))
    return policy
