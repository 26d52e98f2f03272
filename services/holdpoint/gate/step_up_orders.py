"""Orders about step-up: to set up one's own, or as an admin to take another's away."""

import asyncio

import structlog
from msgspec.structs import replace
from nats.errors import Error as NatsError

from holdpoint.core.digest import enrolment_challenge
from holdpoint.core.step_up import HOUR, Try
from holdpoint.gate.context import Gate, RefusedError
from holdpoint.gate.old_orders import check_not_old
from holdpoint.gate.safety_net import redraw_open_later, takes_step_up
from holdpoint.gate.step_up import NOTHING, tried
from holdpoint.messages.codec import UnreadableError, decode, encode
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
from holdpoint.runtime.errors import ConflictError, HoldpointError, SignatureError
from holdpoint.runtime.security.keys import seal
from holdpoint.runtime.security.one_time_codes import is_secret, step_of
from holdpoint.runtime.security.passkeys import registered
from holdpoint.runtime.security.pinned_passkeys import pin, unpin

log = structlog.get_logger(__name__)

LOOK_AGAIN_S = 2.0
MOST_PASSKEYS = 10


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
        news = await _know(gate, person)
    _redraw_later(gate, news=news)
    log.info("totp_enrolled", person=person)


async def _put(
    gate: Gate, delivery: Delivery, person: str, fresh: StepUpState, old_code: str
) -> None:
    """Write the new secret; wrong tries stay counted, and so does the say that they ended."""
    while True:
        stands = await gate.states.step_up(person)
        before = stands.state or NOTHING
        if before.cause == delivery.id:
            return
        await check_not_old(gate, delivery)
        if before.sealed:
            if not old_code:
                text = (
                    f"{person} has one-time codes already. Give one of those too, or have an admin "
                    "take them away: holdpoint people remove-step-up"
                )
                raise RefusedError("old_code_missing", text)
            until = delivery.at + HOUR
            await tried(gate, person, old_code, Try(
                cause=delivery.id, hold_id="", at=delivery.at, until=until, step=None
            ))  # fmt: skip
            stands = await gate.states.step_up(person)
            before = stands.state or NOTHING
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
        await tried(gate, person, wanted.code, Try(
            cause=cause, hold_id="", at=at, until=hour, step=None
        ))  # fmt: skip
        await _keep(gate, person, Passkey(**made._asdict(), at=at))
        await asyncio.to_thread(pin, gate.keys_dir, person, made.public_key)
        news = await _know(gate, person)
    _redraw_later(gate, news=news)
    log.info("passkey_enrolled", person=person)


async def _keep(gate: Gate, person: str, passkey: Passkey) -> None:
    """Add it once: the same passkey again changes nothing."""
    while True:
        stands = await gate.states.step_up(person)
        state = stands.state or NOTHING
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
    await asyncio.to_thread(unpin, gate.keys_dir, order.person)
    while True:
        stands = await gate.states.step_up(order.person)
        before = stands.state or NOTHING
        if before.cause == delivery.id or not before.sealed:
            return
        await check_not_old(gate, delivery)
        state = StepUpState(wrong=before.wrong, by=person, cause=delivery.id)
        try:
            await gate.states.set_step_up(order.person, state, after=stands.revision)
        except ConflictError:
            continue
        _redraw_later(gate, news=await _know(gate, order.person))
        log.info("step_up_removed", person=order.person, by=person)
        return


async def keep_knowing(gate: Gate) -> None:
    """Know who has which step-up, also where another gate or another run of this one set it up."""
    known = -1
    while True:
        try:
            if known != (newest := await gate.states.newest_step_up()):
                news = [await _know(gate, person) for person in gate.people]
                _redraw_later(gate, news=any(news))
                known = newest
        except (HoldpointError, NatsError) as error:
            log.warning("step_up_unread", error=repr(error))
        await asyncio.sleep(LOOK_AGAIN_S)


async def _know(gate: Gate, person: str) -> bool:
    """Read a person's step-up; return whether it is news."""
    state = (await gate.states.step_up(person)).state or NOTHING
    has = (Method.TOTP, state.sealed), (Method.PASSKEY, state.passkeys)
    now = frozenset(method for method, it in has if it)
    before, gate.enrolled[person] = gate.enrolled.get(person), now
    return now != before


def _redraw_later(gate: Gate, *, news: bool) -> None:
    """Have open cards say who can confirm them now."""
    if news:
        redraw_open_later(gate, takes_step_up)
