"""A grant arrives: verify, claim, act, finish, acknowledge. In this order, always.

A grant that was claimed before and has no result is settled by what its tool allows: run again,
look up what happened, or say that nobody knows.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import structlog

from holdpoint.core.grant import (
    Claimed,
    Flaw,
    Leave,
    is_over,
    needs_passkey,
    open_grant,
    stored_early,
    stored_late,
)
from holdpoint.core.tool import Result
from holdpoint.core.verdict import level_of, repeat_of
from holdpoint.messages.ask import AskGrant, GrantAnswer
from holdpoint.messages.catalog import READ_LEVEL, Repeat
from holdpoint.messages.codec import UnreadableError, decode_data, decode_event
from holdpoint.messages.hold import Passed, Resumed, Witnessed
from holdpoint.messages.run import RunStatus, Started
from holdpoint.messages.subjects import ask_grant_subject
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.broker.pulls import Drawing
from holdpoint.runtime.broker.request_reply import ask
from holdpoint.runtime.errors import ConflictError, HoldpointError, SignatureError
from holdpoint.runtime.security.keys import GATE, SIGNATURE_HEADER
from holdpoint.runtime.security.pinned_passkeys import pinned
from holdpoint.runtime.store.history import LoadedRun
from holdpoint.runtime.store.journal import Append
from holdpoint.workers.effects import (
    TOO_LATE,
    Lease,
    Worker,
    act,
    finished,
    in_doubt,
    not_begun,
    settle,
)
from holdpoint.workers.long_runs import wait_s
from holdpoint.workers.passkey_proofs import is_signed_by_passkeys

log = structlog.get_logger(__name__)

ASK_WAIT_S = 5.0
WAIT_S = 1.0
"""Before looking again: a claim that the nearest replica does not know, a clock that is behind."""


async def on_grant(worker: Worker, delivery: Delivery) -> None:
    """Run what the grant allows, at most once."""
    try:
        leave = _verified(worker, delivery)
    except SignatureError as error:
        log.warning("grant_not_signed", id=delivery.id, why=str(error))
        await delivery.ack()
        return
    opened = _examined(worker, delivery, leave)
    if opened is Flaw.NOT_YET and _begins_later(worker, leave):
        await delivery.nack(WAIT_S)
    elif opened is Flaw.TOO_OLD:
        await _too_old(worker, delivery, leave)
    elif isinstance(opened, Flaw):
        await _refuse(worker, delivery, leave, opened)
    elif worker.long.is_full(opened.hold.agent):
        await delivery.nack(wait_s(delivery.deliveries))
    else:
        await _run(worker, delivery, opened)


def run_together(worker: Worker, deliveries: Sequence[Delivery], drawing: Drawing) -> None:
    """Verify, open and claim what came together, step by step; what is not plain goes alone."""
    leaves = [(it, _first_leave(worker, it)) for it in deliveries]
    opened = [(it, _opened(worker, it, leave)) for it, leave in leaves]
    claims = []
    for it, claimed in opened:
        if claimed is None or worker.long.is_full(claimed.hold.agent):
            drawing.alone(it)
        elif _needs_no_claim(worker, claimed):
            drawing.begin(it, partial(_act, worker, claimed, None))
        else:
            claims.append(_prepared(worker, it, claimed, drawing))
    worker.runs.begin(claims)


def _first_leave(worker: Worker, delivery: Delivery) -> Leave | None:
    try:
        return _verified(worker, delivery) if delivery.deliveries == 1 else None
    except (SignatureError, UnreadableError):
        return None


def _opened(worker: Worker, delivery: Delivery, leave: Leave | None) -> Claimed | None:
    opened = _examined(worker, delivery, leave) if leave else None
    return opened if isinstance(opened, Claimed) else None


def _examined(worker: Worker, delivery: Delivery, leave: Leave) -> Claimed | Flaw:
    """The grant, if every check lets it through; whatever the clocks of gate and worker say, the
    broker's time of the leave is after the cooling-off.
    """
    opened = open_grant(leave, worker.door, worker.time.now())
    if isinstance(opened, Flaw):
        return opened
    if stored_early(opened.hold, delivery.at):
        return Flaw.NOT_YET
    if needs_passkey(opened, worker.door, worker.passkey_from_level):
        pins = pinned(worker.keys_dir)
        if not is_signed_by_passkeys(opened.hold, pins, worker.console_origin):
            return Flaw.NO_PASSKEY
    return Flaw.TOO_OLD if stored_late(leave, delivery.at) else opened


def _prepared(worker: Worker, delivery: Delivery, claimed: Claimed, drawing: Drawing) -> Append:
    started = _claim(worker, delivery, claimed)

    def on_stored(result: int | HoldpointError) -> None:
        """Act only once the claim is stored."""
        if isinstance(result, HoldpointError):
            drawing.alone(delivery)
        else:
            lease = Lease(seq=result, started=started)
            drawing.begin(delivery, partial(_act, worker, claimed, lease))

    return worker.runs.prepare_claim(started, claimed.hold, on_stored)


async def _act(worker: Worker, claimed: Claimed, lease: Lease | None, delivery: Delivery) -> None:
    await act(worker, delivery, claimed, lease)


def _begins_later(worker: Worker, leave: Leave) -> bool:
    """Waiting helps against a clock that is slow, not against a grant from before its time."""
    return leave.grant is not None and worker.time.now() < leave.grant.nbf


def _verified(worker: Worker, delivery: Delivery) -> Leave:
    """The fact, once its signature holds and it stands where it was signed for."""
    worker.time.hear(delivery.at)
    header = delivery.headers.get(SIGNATURE_HEADER, "")
    key_id = worker.keyset.verify(delivery.data, header, GATE, worker.time.now())
    worker.keyset.check_not_denied(key_id)
    event = decode_event(delivery.data)
    if event.subject != delivery.subject:
        raise SignatureError("It was signed for another subject.")
    fact = decode_data(event)
    if not isinstance(fact, Passed | Witnessed | Resumed):
        raise SignatureError(f"A {event.type} is no leave to run anything.")
    return fact


async def _too_old(worker: Worker, delivery: Delivery, leave: Leave) -> None:
    """A grant that was claimed in time is settled however old it is; another is asked for again."""
    if leave.grant is not None and leave.hold.action is not None:
        claimed = Claimed(hold=leave.hold, grant=leave.grant, action=leave.hold.action)
        run = await _own_run(worker, claimed)
        if run is not None and isinstance(run.fact, Started):
            await _after_lease(worker, delivery, claimed, (run, run.fact), None)
            return
    asked = worker.asked_afresh.get(leave.hold.hold_id) or 0
    if asked and delivery.deliveries == 1:  # the fresh one is too old as well: a clock is wrong
        await delivery.nack(wait_s(asked))
        return
    await _ask_afresh(worker, leave)
    worker.asked_afresh.put(leave.hold.hold_id, asked + 1)
    await delivery.ack()


async def _ask_afresh(worker: Worker, leave: Leave) -> None:
    """It is good but for its age: the gate mints a fresh one, or lets it lapse."""
    question = AskGrant(agent=leave.hold.agent, hold_id=leave.hold.hold_id)
    subject = ask_grant_subject(worker.tenant, worker.domain)
    answer = await ask(worker.client, subject, question, GrantAnswer, ASK_WAIT_S)
    log.info("grant_was_too_old", hold_id=leave.hold.hold_id, reply=answer.reply.value)


async def _refuse(worker: Worker, delivery: Delivery, leave: Leave, flaw: Flaw) -> None:
    """A grant of the gate's that this worker does not accept ends as a failed run: it is told.

    About another domain's action it may not say anything: the grant itself stays as the trace.
    What was begun before its tool, say, changed is in doubt.
    """
    hold, grant = leave.hold, leave.grant
    log.warning("grant_refused", hold_id=hold.hold_id, flaw=flaw.value)
    if hold.action is None or hold.action.domain != worker.domain:
        await delivery.ack()
        return
    error = f"The worker refused the grant: {flaw.value}. Nothing ran."
    nonce = grant.nonce if grant else ""
    fact = finished(delivery.id, hold, nonce, Result(status=RunStatus.FAILED, error=error))
    try:
        await worker.runs.append(fact, hold, after=0)
    except ConflictError:
        if grant is not None:
            claimed = Claimed(hold=hold, grant=grant, action=hold.action)
            await _claimed_before(worker, delivery, claimed, flaw)
            return
    await delivery.ack()


async def _run(worker: Worker, delivery: Delivery, claimed: Claimed) -> None:
    if _needs_no_claim(worker, claimed):
        await act(worker, delivery, claimed, None)
        return
    started = _claim(worker, delivery, claimed)
    try:
        seq = await worker.runs.append(started, claimed.hold, after=0)
    except ConflictError:
        await _claimed_before(worker, delivery, claimed, None)
        return
    await act(worker, delivery, claimed, Lease(seq=seq, started=started))


def _needs_no_claim(worker: Worker, claimed: Claimed) -> bool:
    """A read may run twice; what people were asked about is claimed, so that it can be barred."""
    if claimed.hold.requirement is not None:
        return False
    tool = worker.specs[claimed.action.tool].tool
    found = claimed.hold.assessment
    is_read = level_of(tool, found) == READ_LEVEL
    return is_read and repeat_of(tool, found) is Repeat.IDEMPOTENT


def _claim(worker: Worker, delivery: Delivery, claimed: Claimed) -> Started:
    return Started(
        hold_id=claimed.hold.hold_id,
        digest=claimed.hold.digest,
        cause=delivery.id,
        held=claimed.hold.requirement is not None,
        nonce=claimed.grant.nonce,
        owner=worker.owner,
        lease_until=worker.time.now() + timedelta(seconds=worker.lease_s),
    )


async def _claimed_before(
    worker: Worker, delivery: Delivery, claimed: Claimed, flaw: Flaw | None
) -> None:
    """Handle a grant that somebody claimed before: possibly this worker, before it died."""
    run = await _own_run(worker, claimed)
    if run is None:
        await delivery.nack(WAIT_S)
    elif isinstance(run.fact, Started):
        await _after_lease(worker, delivery, claimed, (run, run.fact), flaw)
    else:
        await delivery.ack()


async def _after_lease(
    worker: Worker,
    delivery: Delivery,
    claimed: Claimed,
    claim: tuple[LoadedRun, Started],
    flaw: Flaw | None,
) -> None:
    """Begin what is this worker's own, or end what is nobody's any more, as far as that is known.

    What was begun under a grant that has a flaw by now, as after its tool changed, is in doubt.
    """
    run, started = claim
    lease = Lease(seq=run.seq, started=started)
    mine = started.owner == worker.owner and started.nonce == claimed.grant.nonce
    begun = not mine or claimed.hold.hold_id in worker.acted
    left = (started.lease_until - worker.time.now()).total_seconds()
    if left > 0 and not begun and flaw is None:
        await act(worker, delivery, claimed, lease)
    elif left > 0:
        await delivery.nack(left)
    elif _was_late(claimed, run, started) or (not begun and not _may_repeat(worker, claimed)):
        await not_begun(worker, delivery, claimed, lease, TOO_LATE)
    elif flaw is not None:
        await in_doubt(worker, delivery, claimed, lease)
    else:
        await settle(worker, delivery, claimed, lease)


def _may_repeat(worker: Worker, claimed: Claimed) -> bool:
    """Return whether another worker may have run it after this one claimed it."""
    spec = worker.specs.get(claimed.action.tool)
    return not spec or repeat_of(spec.tool, claimed.hold.assessment) is not Repeat.MANUAL


def _was_late(claimed: Claimed, run: LoadedRun, started: Started) -> bool:
    """Return whether a claim was stored when its grant had ended: its worker began nothing."""
    mine = started.nonce == claimed.grant.nonce and not started.extended
    return mine and is_over(claimed.grant, run.at)


async def _own_run(worker: Worker, claimed: Claimed) -> LoadedRun | None:
    hold = claimed.hold
    return await worker.runs.load_direct(worker.domain, hold.agent, hold.hold_id)
