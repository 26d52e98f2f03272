"""Step-up: the proofs in a person's answer that are stronger than their password.

First the person's own state, by compare-and-set, then the hold's fact: a code is spent before its
yes counts, and whoever handles the same answer again finds it spent by that very answer.
"""

from collections.abc import Set as AbstractSet
from datetime import datetime
from hashlib import sha256

import structlog
from msgspec.structs import replace

from holdpoint.core import step_up
from holdpoint.core.commands import Proceed
from holdpoint.core.digest import enrolment_challenge, passkey_challenge
from holdpoint.core.objections import objection as objected
from holdpoint.core.step_up import HOUR, Try
from holdpoint.gate.context import Gate, RefusedError, objection
from holdpoint.messages.answer import Answer, Proof
from holdpoint.messages.codec import UnreadableError, decode, encode
from holdpoint.messages.hold import Hold, PasskeyEvidence, Reason
from holdpoint.messages.policy import Method
from holdpoint.messages.state import (
    EnrolPasskey,
    EnrolTotp,
    NewPasskey,
    Passkey,
    RemoveStepUp,
    StepUpState,
    TotpSecret,
    UsedCode,
)
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError, SignatureError
from holdpoint.runtime.security.keys import seal
from holdpoint.runtime.security.one_time_codes import is_secret, step_of
from holdpoint.runtime.security.passkeys import registered, verified

log = structlog.get_logger(__name__)

MOST_PASSKEYS = 10
LONGEST_PROOF_BYTES = 8 * 1024
"""Each later fact of the hold carries what a passkey signed."""

_NOTHING = StepUpState(by="", cause="")


async def with_proof(gate: Gate, answer: Answer, yes: Proceed, agent: str, at: datetime) -> Proceed:
    """The yes with the proofs that were verified: only those that its hold asks for are looked at.

    RefusedError where the yes would not count anyhow, before a code is spent on it.
    """
    proof = _opened(gate, answer)
    carried = _carried(proof) if proof else frozenset()
    loaded = await gate.holds.load(agent, answer.hold_id) if carried else None
    if proof is None or loaded is None or yes.cause in loaded.hold.causes:
        return yes
    methods = _strongest_first(loaded.hold, carried)
    if not methods:
        return yes
    proven = replace(
        yes,
        method=methods[0],
        methods=(*methods, Method.CHAT),
        linked=Method.PASSKEY in methods,
        evidence_digest=sha256(answer.proof.encode()).hexdigest(),
    )
    if reason := objected(loaded.hold, proven, at):
        raise objection(reason, answer.hold_id)
    if proof.hold_id != answer.hold_id:
        text = "The proof was given for another hold. Look at the card again."
        raise RefusedError("bad_proof", text, answer.hold_id)
    async with gate.turn(f"step_up:{yes.by}"):
        if Method.PASSKEY in methods:
            proven = replace(proven, passkey=await _signed(gate, answer, proof, yes, at))
        if Method.TOTP in methods:
            await _spend(gate, yes, proof.code, loaded.hold, at)
    return proven


def _carried(proof: Proof) -> frozenset[Method]:
    """The step-up that is in it, verified or not."""
    if len(encode(proof)) > LONGEST_PROOF_BYTES:
        text = "A proof has at most 8 KiB."
        raise RefusedError("bad_proof", text, proof.hold_id)
    code, passkey = (Method.TOTP, proof.code), (Method.PASSKEY, proof.assertion)
    return frozenset(method for method, it in (code, passkey) if it)


def _strongest_first(hold: Hold, carried: AbstractSet[Method]) -> tuple[Method, ...]:
    asked = hold.requirement.proofs if hold.requirement else ()
    return tuple(it for it in (Method.PASSKEY, Method.TOTP) if it in carried and it in asked)


async def _signed(
    gate: Gate, answer: Answer, proof: Proof, yes: Proceed, at: datetime
) -> PasskeyEvidence:
    """Verify that a passkey of this person signed just this answer, and keep its count."""
    origin, challenge = gate.console_url(), passkey_challenge(answer, proof.nonce)
    while True:
        stands = await gate.states.step_up(yes.by)
        state = stands.state or _NOTHING
        if step_up.closed(state, answer.hold_id, at) is Reason.LOCKED:
            raise objection(Reason.LOCKED, answer.hold_id)
        known = next((it for it in state.passkeys if it.credential_id == _named(proof)), None)
        if known is None:
            raise objection(Reason.PASSKEY_WRONG, answer.hold_id)
        evidence = PasskeyEvidence(
            assertion=proof.assertion,
            nonce=proof.nonce,
            public_key=known.public_key,
            origin=origin,
        )
        if known.used == yes.cause:
            return evidence
        try:
            count = verified(proof.assertion, challenge, origin, known.public_key, known.sign_count)
        except SignatureError as why:
            log.warning("passkey_refused", person=yes.by, hold_id=answer.hold_id, why=str(why))
            raise objection(Reason.PASSKEY_WRONG, answer.hold_id) from None
        used = replace(known, sign_count=count, used=yes.cause)
        passkeys = tuple(used if it is known else it for it in state.passkeys)
        try:
            after = stands.revision
            await gate.states.set_step_up(yes.by, replace(state, passkeys=passkeys), after)
        except ConflictError:
            continue
        return evidence


def _named(proof: Proof) -> str:
    """The passkey that an assertion says it is of."""
    return str(proof.assertion.get("id", ""))


def _opened(gate: Gate, answer: Answer) -> Proof | None:
    """The proof that only this gate can read; None where there is none."""
    if not answer.proof:
        return None
    try:
        return decode(gate.unsealer.open(answer.proof), Proof)
    except (SignatureError, UnreadableError):
        text = "The proof was not sealed to this gate's key. Look at the card again."
        raise RefusedError("bad_proof", text, answer.hold_id) from None


async def _spend(gate: Gate, yes: Proceed, code: str, hold: Hold, at: datetime) -> None:
    """Spend a code, or raise RefusedError; a wrong one was counted then."""
    until = hold.expires_at or at + HOUR
    spent = Try(cause=yes.cause, hold_id=hold.hold_id, at=at, until=until, step=None)
    await _tried(gate, yes.by, code, spent)


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
            state = replace(fresh, wrong=before.wrong, passkeys=before.passkeys)
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


async def add_passkey(gate: Gate, delivery: Delivery, person: str, order: EnrolPasskey) -> None:
    """Let a person add a passkey of their own, with one of their one-time codes."""
    wanted = _new_passkey(gate, person, order)
    challenge = enrolment_challenge(gate.tenant, person, wanted.nonce)
    try:
        made = registered(wanted.registration, challenge, gate.console_url())
    except SignatureError as why:
        raise RefusedError("bad_passkey", str(why)) from None
    async with gate.turn(f"step_up:{person}"):
        hour = delivery.at + HOUR
        cause, at = delivery.id, delivery.at
        await _tried(gate, person, wanted.code, Try(
            cause=cause, hold_id="", at=at, until=hour, step=None
        ))  # fmt: skip
        await _keep(gate, person, Passkey(**made._asdict(), at=at))
    log.info("passkey_enrolled", person=person)


async def _keep(gate: Gate, person: str, passkey: Passkey) -> None:
    """Add it once: the same passkey again changes nothing."""
    while True:
        stands = await gate.states.step_up(person)
        state = stands.state or _NOTHING
        if passkey.credential_id in {it.credential_id for it in state.passkeys}:
            return
        if len(state.passkeys) >= MOST_PASSKEYS:
            text = f"A person has at most {MOST_PASSKEYS} passkeys. An admin takes them away."
            raise RefusedError("too_many_passkeys", text)
        try:
            added = replace(state, passkeys=(*state.passkeys, passkey))
            await gate.states.set_step_up(person, added, after=stands.revision)
        except ConflictError:
            continue
        return


def _new_passkey(gate: Gate, person: str, order: EnrolPasskey) -> NewPasskey:
    try:
        wanted = decode(gate.unsealer.open(order.sealed), NewPasskey)
    except (SignatureError, UnreadableError):
        text = "The passkey was not sealed to this gate's key. Try again."
        raise RefusedError("bad_passkey", text) from None
    if wanted.person != person:
        raise RefusedError("bad_passkey", "This passkey was made for somebody else.")
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
