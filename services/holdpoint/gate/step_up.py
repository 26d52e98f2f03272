"""Step-up: the proofs in a person's answer that are stronger than their password.

First the person's own state, by compare-and-set, then the hold's fact: a code is spent before its
yes counts, and a gate that handles the same answer again finds it spent by that very answer.
"""

from collections.abc import Set as AbstractSet
from datetime import datetime
from hashlib import sha256

import structlog
from msgspec.structs import replace

from holdpoint.core import step_up
from holdpoint.core.commands import Proceed
from holdpoint.core.digest import passkey_challenge
from holdpoint.core.objections import objection as objected
from holdpoint.core.step_up import HOUR, Try
from holdpoint.gate.context import Gate, RefusedError, objection
from holdpoint.messages.answer import Answer, Proof
from holdpoint.messages.codec import UnreadableError, decode, encode
from holdpoint.messages.hold import Hold, PasskeyEvidence, Reason
from holdpoint.messages.policy import Method
from holdpoint.messages.state import (
    StepUpState,
    TotpSecret,
)
from holdpoint.runtime.errors import ConflictError, SignatureError
from holdpoint.runtime.security.one_time_codes import step_of
from holdpoint.runtime.security.passkeys import verified

log = structlog.get_logger(__name__)

LONGEST_PROOF_BYTES = 8 * 1024
"""Each later fact of the hold carries what a passkey signed."""

NOTHING = StepUpState(by="", cause="")


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
        state = stands.state or NOTHING
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
    await tried(gate, yes.by, code, spent)


async def tried(gate: Gate, person: str, code: str, it: Try) -> None:
    """Have one try decided on the state as it stands, and write what follows before saying so."""
    while True:
        stands = await gate.states.step_up(person)
        state = stands.state or NOTHING
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
        text = f"The one-time codes of {person} cannot be read any more. Set them up again."
        raise RefusedError("no_codes", text) from None
    return kept.secret
