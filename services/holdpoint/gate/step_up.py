"""Step-up: the proofs in a person's answer that are stronger than their password.

First the person's own state, by compare-and-set, then the hold's fact: a code is spent before its
yes counts, and whoever handles the same answer again finds it spent by that very answer.
"""

from datetime import datetime
from hashlib import sha256

import structlog
from msgspec.structs import replace

from holdpoint.core import step_up
from holdpoint.core.commands import Proceed
from holdpoint.core.objections import objection as objected
from holdpoint.core.step_up import HOUR, Try
from holdpoint.gate.context import Gate, RefusedError, objection
from holdpoint.messages.answer import Answer, Proof
from holdpoint.messages.codec import UnreadableError, decode, encode
from holdpoint.messages.hold import Hold
from holdpoint.messages.policy import Method
from holdpoint.messages.state import EnrolTotp, RemoveStepUp, StepUpState, TotpSecret, UsedCode
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError, SignatureError
from holdpoint.runtime.security.keys import seal
from holdpoint.runtime.security.one_time_codes import is_secret, step_of

log = structlog.get_logger(__name__)

_NOTHING = StepUpState(by="", cause="")


async def with_proof(gate: Gate, answer: Answer, yes: Proceed, agent: str, at: datetime) -> Proceed:
    """The yes with the proofs that were verified: only those that its hold asks for are looked at.

    RefusedError where the yes would not count anyhow, before a code is spent on it.
    """
    proof = _opened(gate, answer)
    loaded = await gate.holds.load(agent, answer.hold_id) if proof and proof.code else None
    if proof is None or loaded is None or yes.cause in loaded.hold.causes:
        return yes
    if not _asks_for(loaded.hold, Method.TOTP):
        return yes
    digest = sha256(answer.proof.encode()).hexdigest()
    methods = (Method.TOTP, Method.CHAT)
    proven = replace(yes, method=methods[0], methods=methods, evidence_digest=digest)
    if reason := objected(loaded.hold, proven, at):
        raise objection(reason, answer.hold_id)
    if proof.hold_id != answer.hold_id:
        text = "The one-time code was given for another hold. Look at the card again."
        raise RefusedError("bad_proof", text, answer.hold_id)
    await _spend(gate, yes, proof.code, loaded.hold, at)
    return proven


def _opened(gate: Gate, answer: Answer) -> Proof | None:
    """The proof that only this gate can read; None where there is none."""
    if not answer.proof:
        return None
    try:
        return decode(gate.unsealer.open(answer.proof), Proof)
    except (SignatureError, UnreadableError):
        text = "The proof was not sealed to this gate's key. Look at the card again."
        raise RefusedError("bad_proof", text, answer.hold_id) from None


def _asks_for(hold: Hold, method: Method) -> bool:
    return hold.requirement is not None and method in hold.requirement.proofs


async def _spend(gate: Gate, yes: Proceed, code: str, hold: Hold, at: datetime) -> None:
    """Spend a code, or raise RefusedError; a wrong one was counted then."""
    until = hold.expires_at or at + HOUR
    async with gate.turn(f"step_up:{yes.by}"):
        await _tried(gate, yes.by, code, Try(
            cause=yes.cause, hold_id=hold.hold_id, at=at, until=until, step=None
        ))  # fmt: skip


async def _tried(gate: Gate, person: str, code: str, it: Try) -> None:
    """Have one try decided on the state as it stands, and write what follows before saying so."""
    while True:
        stands = await gate.states.step_up(person)
        state = stands.state or _NOTHING
        secret = _secret(gate, person, state) if state.sealed else ""
        step = step_of(secret, code, it.at) if secret else None
        judged = step_up.judge(state, replace(it, step=step))
        try:
            if judged.state != state:
                await gate.states.set_step_up(person, judged.state, after=stands.revision)
        except ConflictError:
            continue
        if judged.reason is not None:
            raise objection(judged.reason, it.hold_id)
        return


def _secret(gate: Gate, person: str, state: StepUpState) -> str:
    """Read a person's secret, which nobody but a gate can."""
    try:
        kept = decode(gate.unsealer.open(state.sealed), TotpSecret)
    except (SignatureError, UnreadableError):
        text = f"The one-time codes of {person} cannot be read any more. Set them up anew."
        raise RefusedError("no_codes", text) from None
    return kept.secret


async def enrol(gate: Gate, delivery: Delivery, person: str, order: EnrolTotp) -> None:
    """Let a person set up their own codes; in place of older ones only with one of those."""
    wanted = _wanted(gate, person, order)
    step = step_of(wanted.secret, wanted.code, delivery.at)
    if step is None:
        text = "That is not the code which the app shows for this secret. Try the next one."
        raise RefusedError("code_wrong", text)
    kept = TotpSecret(person=person, secret=wanted.secret)
    fresh = StepUpState(
        sealed=seal(gate.unsealer.public, encode(kept)),
        used=(UsedCode(step=step, cause=delivery.id),),
        by=person,
        cause=delivery.id,
    )
    async with gate.turn(f"step_up:{person}"):
        await _put(gate, delivery, person, fresh, wanted.old_code)
    log.info("totp_enrolled", person=person)


async def _put(
    gate: Gate, delivery: Delivery, person: str, fresh: StepUpState, old_code: str
) -> None:
    """Write the new secret; wrong tries stay counted, and so does the say that they ended."""
    while True:
        stands = await gate.states.step_up(person)
        before = stands.state or _NOTHING
        if before.cause == delivery.id:
            return
        if before.sealed:
            if not old_code:
                text = (
                    f"{person} has one-time codes already. Give one of those too, or have an admin "
                    "take them away: holdpoint people remove-step-up"
                )
                raise RefusedError("old_code_missing", text)
            until = delivery.at + HOUR
            await _tried(gate, person, old_code, Try(
                cause=delivery.id, hold_id="", at=delivery.at, until=until, step=None
            ))  # fmt: skip
            stands = await gate.states.step_up(person)
            before = stands.state or _NOTHING
        try:
            state = replace(fresh, wrong=before.wrong)
            await gate.states.set_step_up(person, state, after=stands.revision)
        except ConflictError:
            continue
        return


def _wanted(gate: Gate, person: str, order: EnrolTotp) -> TotpSecret:
    try:
        wanted = decode(gate.unsealer.open(order.sealed), TotpSecret)
    except (SignatureError, UnreadableError):
        text = "The secret was not sealed to this gate's key. Try again."
        raise RefusedError("bad_secret", text) from None
    if wanted.person != person or not is_secret(wanted.secret):
        text = "This is no secret for one-time codes of this person: 160 bits in base32."
        raise RefusedError("bad_secret", text)
    return wanted


async def remove(gate: Gate, delivery: Delivery, person: str, order: RemoveStepUp) -> None:
    """Take a person's codes away; nobody does that for themselves, and wrong tries stay counted."""
    if order.person == person:
        text = "Another admin takes your one-time codes away; with one of them you set up others."
        raise RefusedError("own_step_up", text)
    if order.person not in gate.people:
        raise RefusedError("unknown_person", f"people.yaml does not know {order.person!r}.")
    while True:
        stands = await gate.states.step_up(order.person)
        before = stands.state or _NOTHING
        if before.cause == delivery.id or not before.sealed:
            return
        state = StepUpState(wrong=before.wrong, by=person, cause=delivery.id)
        try:
            await gate.states.set_step_up(order.person, state, after=stands.revision)
        except ConflictError:
            continue
        log.info("step_up_removed", person=order.person, by=person)
        return
