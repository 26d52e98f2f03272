"""Answers to an agent about its hold: the response envelope, from the last facts alone."""

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from holdpoint.core.card import draw
from holdpoint.core.card_covers import names_run
from holdpoint.core.card_title import pending_of, title_of
from holdpoint.core.catalog import MUST_FIT, SENTENCE_TOOL
from holdpoint.core.host_tools import is_run_by_host
from holdpoint.core.modifying import changed_names
from holdpoint.core.objections import cools_off, resumes_at
from holdpoint.core.quorum import is_vouched_for
from holdpoint.core.redaction.display import cover_credentials, masked
from holdpoint.core.spoken import spoken
from holdpoint.messages.action import Action, Pending
from holdpoint.messages.catalog import DISPATCH, Tool
from holdpoint.messages.envelope import (
    CANCEL_TOOL,
    CONFIRM_PREFIX,
    DID_NOT_HAPPEN,
    FINAL,
    NO_SUCH_CALL,
    NO_SUCH_HOLD,
    UNKNOWN_CALL,
    UNKNOWN_HOLD,
    AvailableAction,
    Changed,
    Confirmation,
    Envelope,
    MethodCall,
    Status,
)
from holdpoint.messages.hold import AnyHoldFact, EndedBy, Hold, Outcome, Refused, Stage
from holdpoint.messages.risk import RiskLevel
from holdpoint.messages.run import (
    AnyRunFact,
    Barred,
    Finished,
    Lapsed,
    Reconciled,
    RunStatus,
    Started,
)

_ENDINGS: Mapping[Outcome, Status] = {
    Outcome.CANCELLED: Status.CANCELLED,
    Outcome.EXPIRED: Status.EXPIRED,
    Outcome.WITHDRAWN: Status.WITHDRAWN,
    Outcome.SUPERSEDED: Status.SUPERSEDED,
}
_RUN_ENDINGS: Mapping[RunStatus, Status] = {
    RunStatus.DONE: Status.DONE,
    RunStatus.FAILED: Status.FAILED,
    RunStatus.PRECONDITION_FAILED: Status.PRECONDITION_FAILED,
    RunStatus.IN_DOUBT: Status.IN_DOUBT,
}
_RETRY_ALLOWED: Mapping[Status, bool] = {
    Status.DENIED: False,
    Status.CANCELLED: False,
    Status.EXPIRED: True,
    Status.WITHDRAWN: True,
    Status.SUPERSEDED: False,
    Status.FAILED: True,
    Status.PRECONDITION_FAILED: True,
    Status.BARRED: False,
    Status.LAPSED: True,
    Status.IN_DOUBT: False,
}
"""Endings after which the same makes sense as a new call, which is judged and asked about again."""

_WORDS: Mapping[Status, str] = {
    Status.WAITING: "It has not been judged yet.",
    Status.APPROVED: "It may run; it has not finished yet.",
    Status.CONFIRMED: "Go on.",
    Status.CANCELLED: "A person said no. Do not try it again in other words.",
    Status.EXPIRED: "Nobody answered in time. That is not a no: ask again if it still matters.",
    Status.WITHDRAWN: "It was withdrawn; nothing ran.",
    Status.SUPERSEDED: "People are asked about the call that it announced: follow that one.",
    Status.IN_DOUBT: "It was started, and nobody knows whether it took effect. Do not repeat it.",
    Status.LAPSED: "It was approved, but not executed in time. Propose it again.",
    Status.BARRED: "It was stopped before it started; nothing ran.",
}


BEFORE = "This was processed before. "
"""Begins what is said of a call that repeats another one."""

CANNOT_RUN = "This cannot run, so nobody is asked: "
"""Begins what is said of a call that its dry run found impossible; the reason follows."""

_STOPPED = (
    "The kill switch stopped it, and nothing ran. Nobody said no to it. Propose nothing more until "
    "an admin lets you go on."
)

_ONLY_RECORDED = "It is a trace: it was recorded, and it is never judged."

_REPLACED = (
    "A person changed the arguments of this call, and the changed call took its place. Do not make "
    "it again: follow that one."
)
_NEWS = frozenset({Status.DONE, Status.FAILED, Status.PRECONDITION_FAILED, Status.IN_DOUBT})
"""Endings of a run, where it counts that the agent's own call is not what ran."""
LET_GO = frozenset({Stage.PASSED, Stage.WITNESSED, Stage.RESUMED})

_QUEUED = (
    "As many of your actions wait for people as may at a time. This one comes up in its turn, and "
    "nothing has run. Go on with something else."
)
_PARKED = (
    "Nobody answered in time. It is parked: people may still answer it, and nothing has run. Go on "
    "with something else, and ask later how it stands."
)


def waiting(hold_id: str, *, is_trace: bool = False) -> Envelope:
    """Not judged yet; a trace never is."""
    words = _ONLY_RECORDED if is_trace else _WORDS[Status.WAITING]
    return _in_every_form(Envelope(status=Status.WAITING, hold_id=hold_id, message_for_user=words))


def unknown_hold(hold_id: str) -> Envelope:
    """There is none of this id, or it is another agent's."""
    return _refused(hold_id, UNKNOWN_HOLD, NO_SUCH_HOLD)


def unknown_call(hold_id: str) -> Envelope:
    """Reply for a sequence that holds no call of this agent."""
    return _refused(hold_id, UNKNOWN_CALL, NO_SUCH_CALL)


def refusal(refused: Refused) -> Envelope:
    """It did not count, and why."""
    told = _refused(refused.hold_id, refused.code, refused.text)
    return replace(told, retry_after_s=refused.retry_after_s)


def carried_out() -> Envelope:
    """A person's order was carried out."""
    told = Envelope(status=Status.DONE, message_for_user="It was carried out.")
    return _in_every_form(told)


def report(fact: AnyHoldFact, run: AnyRunFact | None, tool: Tool | None, repeat: str) -> Envelope:
    """Report a hold's state; `repeat` is the id of a call that repeats its key, or empty."""
    hold = fact.hold
    told = _in_every_form(_told(hold, run, tool))
    told = replace(
        told,
        hold_id=hold.hold_id,
        call_digest=hold.call_digest,
        cause=hold.causes[0],
        domain=_domain(hold, told.status),
        asked=hold.requirement is not None,
        available_actions=told.available_actions or _after(hold, told.status, tool),
        changed=_changed(hold, tool),
    )
    if hold.modified is not None and told.status in _NEWS:
        told = _in_every_form(
            replace(told, message_for_user=_with_change(hold, told), formatted_spoken="")
        )
    if told.status is Status.DONE and repeat:
        again = f"{BEFORE}{told.message_for_user}".strip()
        return replace(told, status=Status.ALREADY_PROCESSED, message_for_user=again)
    return told


def _changed(hold: Hold, tool: Tool | None) -> Changed | None:
    """Return what a person changed of the agent's call before this one replaced it."""
    if (by := hold.modified) is None or hold.action is None:
        return None
    arguments = masked(hold.action.arguments, tool.secret if tool else (), names_run(hold))
    return Changed(
        hold_id=by.hold_id,
        arguments={name: arguments[name] for name in changed_names(by, arguments)},
        removed=tuple(name for name in by.before if name not in arguments),
    )


def _with_change(hold: Hold, told: Envelope) -> str:
    by = hold.modified.by if hold.modified else ""
    return f"{by} changed the arguments before this ran. {told.message_for_user}".strip()


def _domain(hold: Hold, status: Status) -> str:
    """The domain of its tool; where the program that asked runs it, `approved` names it only once
    it was let go.
    """
    if hold.action is None:
        return ""
    too_early = status is Status.APPROVED and hold.stage not in LET_GO
    return "" if too_early and is_run_by_host(hold) else hold.action.domain


def result(run: Finished, domain: str) -> Envelope:
    """Report a call that was not repeated, from its run's last fact alone."""
    return replace(
        _in_every_form(_finished(run)),
        hold_id=run.hold_id,
        call_digest=run.call_digest,
        cause=run.call,
        domain=domain,
        asked=run.held,
    )


def is_final(status: Status) -> bool:
    """Return whether nothing more will come of it."""
    return status in FINAL


def _refused(hold_id: str, code: str, text: str) -> Envelope:
    told = Envelope(
        status=Status.REFUSED,
        hold_id=hold_id,
        code=code,
        reason=text,
        message_for_user=_without_pattern(text),
    )
    return _in_every_form(told)


def _in_every_form(told: Envelope) -> Envelope:
    """The envelope with its text for chats and for voices, also where a tool gave none."""
    message = told.message_for_user or told.formatted
    heard = (told.formatted_spoken or message).replace(ASKS, " Please")
    return replace(
        told,
        message_for_user=message,
        formatted=told.formatted or message,
        formatted_spoken=spoken(heard),
        available_actions=tuple(map(described, told.available_actions)),
    )


def _without_pattern(message: str) -> str:
    """Return what people are told: that a value has the wrong form, without the pattern itself."""
    told, broken, _ = message.partition(f"{MUST_FIT} `")
    return f"{told}it does not have the right form." if broken else message


def described(action: AvailableAction) -> AvailableAction:
    """The action with a description, also where a tool gave none."""
    return action if action.description else replace(action, description=f"{action.label}.")


def _told(hold: Hold, run: AnyRunFact | None, tool: Tool | None) -> Envelope:
    if hold.stage is Stage.DENIED:
        return _ended(Status.DENIED, hold.reason)
    if hold.outcome is not None and hold.outcome in _ENDINGS:
        told = _ended(_ENDINGS[hold.outcome], hold.reason)
        if hold.outcome is Outcome.SUPERSEDED and hold.ended_by is EndedBy.PERSON:
            told = replace(told, message_for_user=_REPLACED)
        if hold.ended_by is EndedBy.KILL_SWITCH:
            told = replace(told, message_for_user=_STOPPED)
        return replace(told, superseded_by=hold.superseded_by)
    if hold.stage is Stage.HALTED and is_vouched_for(hold):
        return Envelope(status=Status.APPROVED, message_for_user=_WORDS[Status.APPROVED])
    if hold.stage in {Stage.HALTED, Stage.RENDERED, Stage.ANSWERED}:
        return _pending(hold, tool)
    if cools_off(hold):
        return _cooling_off(hold)
    return _sentence(hold) if hold.action is None else _acted(hold.action, run)


def _acted(action: Action, run: AnyRunFact | None) -> Envelope:
    """Report what was let go; of a dispatch nothing runs: the agent that it is to answers it."""
    told = _ran(run)
    if action.tool != DISPATCH:
        return told
    open_words = f"{action.arguments.get('target_agent')} has not answered yet."
    words = {Status.APPROVED: open_words, Status.LAPSED: told.reason}
    return replace(told, message_for_user=words.get(told.status, told.message_for_user))


def _cooling_off(hold: Hold) -> Envelope:
    until = resumes_at(hold).strftime("%Y-%m-%d %H:%M:%S UTC")
    words = f"People confirmed it, and it waits until {until}. Nothing has run; it can be stopped."
    return Envelope(
        status=Status.APPROVED,
        message_for_user=words,
        available_actions=(
            AvailableAction(
                tool=CANCEL_TOOL,
                params={"operation_id": hold.hold_id},
                label="Take it back",
                description="Withdraw it before it runs; nothing runs then.",
            ),
        ),
    )


def _sentence(hold: Hold) -> Envelope:
    if hold.stage is Stage.RESOLVED:
        return Envelope(status=Status.APPROVED, message_for_user=_WORDS[Status.APPROVED])
    return Envelope(status=Status.CONFIRMED, message_for_user=_WORDS[Status.CONFIRMED])


def _ran(run: AnyRunFact | None) -> Envelope:
    match run:
        case None | Started():
            return Envelope(status=Status.APPROVED, message_for_user=_WORDS[Status.APPROVED])
        case Finished():
            return _finished(run)
        case Barred(reason=why):
            return _ended(Status.BARRED, why)
        case Lapsed(reason=why):
            return _ended(Status.LAPSED, why)
        case Reconciled():
            return _reconciled(run)
        case _:
            assert_never(run)


def _finished(run: Finished) -> Envelope:
    status = _RUN_ENDINGS[run.status]
    return Envelope(
        status=status,
        data=run.data,
        formatted=run.formatted,
        formatted_spoken=run.formatted_spoken,
        message_for_user=run.message_for_user or _WORDS.get(status, run.error),
        available_actions=run.available_actions,
        reason=run.error,
        code="" if status is Status.DONE else status.value,
        retry_allowed=_RETRY_ALLOWED.get(status),
    )


def _reconciled(run: Reconciled) -> Envelope:
    """Report what a person found; an agent may ask again only for what did not happen."""
    if run.happened:
        words = f"{run.by} looked: it happened. {run.note}"
        return Envelope(status=Status.DONE, message_for_user=words, reason=run.note)
    words = (
        f"{run.by} looked: it did not happen. {run.note} "
        "Propose it again with a new idempotency key if it still matters."
    )
    return Envelope(
        status=Status.FAILED, code=DID_NOT_HAPPEN, message_for_user=words, reason=run.note
    )


def _ended(status: Status, why: str) -> Envelope:
    words = _WORDS.get(status, why)
    return Envelope(
        status=status,
        reason=why,
        code=status.value,
        message_for_user=words,
        retry_allowed=_RETRY_ALLOWED.get(status),
    )


def _after(hold: Hold, status: Status, tool: Tool | None) -> tuple[AvailableAction, ...]:
    """Offer what makes sense after an ending: the same call again, or the one that replaced it."""
    operation = hold.action.tool if hold.action else SENTENCE_TOOL
    if status is Status.SUPERSEDED:
        params = {"hold_id": hold.superseded_by}
        follow = f"{CONFIRM_PREFIX}{operation}"
        return (
            AvailableAction(
                tool=follow,
                params=params,
                label="See how the other one stands",
                description="Ask how the call stands that took the place of this one.",
            ),
        )
    if status not in {Status.EXPIRED, Status.WITHDRAWN, Status.LAPSED} or hold.action is None:
        return ()
    arguments = hold.action.arguments
    if masked(arguments, tool.secret if tool else (), names_run(hold)) != arguments:
        return ()  # what is covered cannot be called as it stands
    return (
        AvailableAction(
            tool=operation,
            params=arguments,
            label="Propose it again",
            description="Propose the same call once more, with a new key; it is judged again.",
        ),
    )


def _pending(hold: Hold, tool: Tool | None) -> Envelope:
    title = hold.title or title_of(hold, tool)
    if (own := pending_of(hold)) is not None:
        return _pending_as(own, hold, title)
    params = {"hold_id": hold.hold_id}
    cancel = MethodCall(tool=CANCEL_TOOL, params=params)
    operation = hold.action.tool if hold.action else SENTENCE_TOOL
    ask = MethodCall(tool=f"{CONFIRM_PREFIX}{operation}", params=params)
    return Envelope(
        status=Status.PENDING_CONFIRMATION,
        message_for_user=_waiting(hold) or _request(title, operation),
        parked=hold.parked_at is not None or hold.queued,
        confirmation=Confirmation(
            operation=operation,
            summary=title,
            details=_details(hold, tool),
            confirmation_method=ask,
            cancel_method=cancel,
            expires_at=hold.expires_at,
        ),
        available_actions=_next_steps(ask, cancel),
    )


def _waiting(hold: Hold) -> str:
    """Return what the agent is told of a hold that it need not wait for; empty for any other."""
    if hold.queued:
        return _QUEUED
    return _PARKED if hold.parked_at else ""


def _next_steps(ask: MethodCall, cancel: MethodCall) -> tuple[AvailableAction, ...]:
    return (
        AvailableAction(
            tool=ask.tool,
            params=ask.params,
            label="See how it stands",
            description="Ask whether people have answered; this confirms nothing.",
        ),
        AvailableAction(
            tool=cancel.tool,
            params=cancel.params,
            label="Take it back",
            description="Withdraw the request before anybody answers; nothing runs then.",
        ),
    )


def _pending_as(own: Pending, hold: Hold, title: str) -> Envelope:
    """Pending in the tool's own words."""
    params = {own.id_name: hold.hold_id, "idempotency_key": hold.idempotency_key}
    ask = MethodCall(tool=own.confirmation_tool, params=params)
    cancel = MethodCall(tool=CANCEL_TOOL, params={"operation_id": hold.hold_id})
    return Envelope(
        status=Status.PENDING_CONFIRMATION,
        message_for_user=own.message_for_user,
        confirmation=Confirmation(
            operation=own.operation,
            summary=title,
            details=own.details,
            confirmation_method=ask,
            cancel_method=cancel,
            expires_at=hold.expires_at,
        ),
        available_actions=(*_next_steps(ask, cancel), *own.available_actions),
        idempotency_key=hold.idempotency_key,
    )


ASKS = " Shall I proceed? Please"
"""A question before an order, which a voice leaves out: it has no question mark."""


def _request(title: str, operation: str) -> str:
    """Return what the agent may say to its user; a yes in words does not count."""
    if title.startswith("“"):
        return f"I said {title}.{ASKS} answer on the card: Proceed or Cancel."
    goes_on = title[1:2].islower() or not title[1:2].isalpha()
    began = title[:1].lower() + title[1:] if goes_on else title  # not DELETE
    does = f"call {title}" if title == operation else began
    does = does.rstrip(".")
    return f"I'd like to {does}.{ASKS} answer on the card: Proceed or Cancel."


def _details(hold: Hold, tool: Tool | None) -> dict[str, object]:
    detail = (hold.ui or draw(hold, tool)).action
    shown: dict[str, object] = {"risk_level": hold.metadata.risk_level.value}
    if hold.requirement:
        shown["asked"] = [each.group for each in hold.requirement.all_of]
    if detail.arguments:
        shown["arguments"] = detail.arguments
    if detail.affected is not None:
        shown["affected"] = detail.affected
    if hold.metadata.risk_level >= RiskLevel.HIGH:
        found = hold.assessment.signals
        shown["reasons"] = [cover_credentials(one.reason, names_run(hold)) for one in found]
    return shown
