"""People's answers to cards: counted, or refused where their sender sees it.

Who answered is in the subject, which the server enforces.
"""

from datetime import datetime
from functools import partial

from holdpoint.core.commands import Cancel, Extend, Proceed
from holdpoint.core.objections import MOST_LEVELS, OPEN
from holdpoint.gate import modifying, permissions, step_up
from holdpoint.gate.context import Gate, RefusedError, check_reason, refuse
from holdpoint.gate.delegations import check_place
from holdpoint.gate.denials import remember
from holdpoint.gate.heard_answers import WAIT_S, is_unheard, was_all_heard
from holdpoint.gate.lifecycle import advance_soon, go_on
from holdpoint.gate.reconciling import reconcile
from holdpoint.messages.answer import RECONCILING, Answer, Choice
from holdpoint.messages.catalog import may_answer
from holdpoint.messages.codec import UnreadableError, check_strict, message_in
from holdpoint.messages.envelope import UNKNOWN_HOLD
from holdpoint.messages.hold import Hold, Reason
from holdpoint.messages.policy import Method
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.store.journal import Stored


class _TooEarlyError(Exception):
    """An answer that came before this yes is to be heard first: it may be a no."""


async def on_answer(gate: Gate, delivery: Delivery) -> None:
    """Count one answer, or refuse it where its sender sees it."""
    _, _, _, channel, person, agent, hold_id = delivery.subject.split(".")
    try:
        check_strict(delivery.data)
        answer = message_in(delivery.data, Answer)
        _check_channel(channel, answer)
        await _count(gate, delivery, answer, (person, agent, hold_id))
    except RefusedError as why:
        await refuse(gate, delivery, person, why)
    except UnreadableError as why:
        await refuse(gate, delivery, person, RefusedError(why.code, why.text, hold_id))
    except _TooEarlyError:
        await delivery.nack(WAIT_S)
        return
    gate.answers.settle(delivery.id, delivery.seq)
    await delivery.ack()


async def _count(
    gate: Gate, delivery: Delivery, answer: Answer, place: tuple[str, str, str]
) -> None:
    person, agent, hold_id = place
    if answer.hold_id != hold_id:
        raise RefusedError("wrong_subject", "The answer names another hold.", hold_id)
    await _check_right(gate, person, answer, delivery.at)
    check_reason(answer.reason, hold_id)
    if answer.answer in RECONCILING:
        await reconcile(gate, delivery, answer, person, agent)
        return
    if answer.answer is Choice.MODIFY:
        async with gate.turn(hold_id):
            await modifying.modify(gate, delivery, answer, person, agent)
        return
    command = _command(delivery, answer, person)
    async with gate.turn(hold_id):
        await permissions.check_remembered(gate, delivery, answer, agent, person)
        if isinstance(command, Cancel):
            await remember(gate, agent, hold_id, command, delivery.at)
        elif isinstance(command, Proceed):
            command = await _in_its_turn(gate, delivery, answer, command, agent)
        stands = await advance_soon(gate, agent, hold_id, command, delivery.at)
        if stands is None:
            raise RefusedError(UNKNOWN_HOLD, "There is no hold of this id.", hold_id)
        await go_on(gate, stands, delivery.at)
        if answer.remember is not None:
            await permissions.remember(gate, delivery, stands.hold, person, answer.remember)


async def _in_its_turn(
    gate: Gate, delivery: Delivery, answer: Answer, yes: Proceed, agent: str
) -> Proceed:
    """The yes with its proofs, once every answer that came before it was heard.

    What can count no more, or is of another card, need not wait.
    """
    if not await was_all_heard(gate, delivery.seq - 1):
        is_before, may_count = partial(_is_before, delivery), partial(_may_count, answer)
        if await is_unheard(gate, agent, answer.hold_id, is_before, may_count):
            raise _TooEarlyError
    return await step_up.with_proof(gate, answer, yes, agent, delivery.at)


def _may_count(answer: Answer, hold: Hold) -> bool:
    return hold.stage in OPEN and hold.digest == answer.digest


def _is_before(delivery: Delivery, other: Stored) -> bool:
    return other.seq < delivery.seq


def _check_channel(channel: str, answer: Answer) -> None:
    """Some channels take a plain yes or no, and nothing else."""
    plain = answer.answer in {Choice.PROCEED, Choice.CANCEL} and answer.remember is None
    if channel in MOST_LEVELS and not plain:
        text = f"{channel} takes a yes or a no only. Everything else is done in the console."
        raise RefusedError("wrong_channel", text, answer.hold_id)


async def _check_right(gate: Gate, person: str, answer: Answer, at: datetime) -> None:
    """Refuse a person who may not answer, or not in the place of whom they say."""
    known = gate.people.get(person)
    if known is None:
        raise RefusedError("unknown_person", f"people.yaml does not know {person}.", answer.hold_id)
    if not may_answer(known):
        text = f"people.yaml does not make {person} an approver: cards are shown, not answered."
        raise RefusedError(Reason.NOT_AN_APPROVER.value, text, answer.hold_id)
    if answer.on_behalf_of:
        await check_place(gate, person, answer.on_behalf_of, at, answer.hold_id)


def _command(delivery: Delivery, answer: Answer, person: str) -> Proceed | Cancel | Extend:
    if answer.answer is Choice.EXTEND:
        return Extend(
            cause=delivery.id,
            by=person,
            on_behalf_of=answer.on_behalf_of,
            digest=answer.digest,
            render_digest=answer.render_digest,
            seconds=answer.extend_s,
            reason=answer.reason,
        )
    if answer.answer is Choice.CANCEL:
        return Cancel(
            cause=delivery.id,
            by=person,
            on_behalf_of=answer.on_behalf_of,
            digest=answer.digest,
            render_digest=answer.render_digest,
            reason=answer.reason,
        )
    return Proceed(
        cause=delivery.id,
        by=person,
        on_behalf_of=answer.on_behalf_of,
        method=Method.CHAT,
        digest=answer.digest,
        render_digest=answer.render_digest,
        reason=answer.reason,
        channel=delivery.subject.split(".")[3],
    )
