"""Cards: rendered from the real action, never from what an agent says of it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from holdpoint.core.card_covers import (
    arguments_of,
    cover_of,
    credentials_alone,
    names_run,
    sampled,
    secrets_of,
    texts_of,
    words_of,
)
from holdpoint.core.card_facts import in_place_of
from holdpoint.core.card_reasons import clause_of, distinct, plainly
from holdpoint.core.card_title import own_summary, title_of
from holdpoint.core.dispatch import USER
from holdpoint.core.enrolment import lacking
from holdpoint.core.modifying import form_of
from holdpoint.core.objections import (
    OPEN,
    begins_at,
    cools_off,
    extendable_s,
    is_to_be_parked,
    resumes_at,
)
from holdpoint.core.quorum import needed
from holdpoint.core.redaction.display import (
    Cover,
    cover,
    cover_credentials,
    cover_lines,
    cover_piece,
    hides,
    masked,
    pointers_of,
    visible,
)
from holdpoint.core.sentences import as_sentence, time_in_words
from holdpoint.messages.base import JsonObject
from holdpoint.messages.card import ActionDetail, Card, ConfirmationUI
from holdpoint.messages.catalog import Enforcement, Tool
from holdpoint.messages.hold import Extension, Hold, Stage
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import IntentMetadata, Scope, Signal

SILENCE = "If nobody answers in time, nothing runs and the agent is told so."
UNHEARD = "If nobody answers in time, the agent is told so and must not go on."
PARKS = "If nobody answers in time it is parked: nothing runs, and it can still be answered later."
PARKED = "Nobody answered in time, so it is parked. It can still be answered until it expires."
WAITS_AFTER_YES = (
    "A yes starts a cooling-off of {}, in which anybody who was asked can stop it; then it runs."
)
COOLING_OFF = "It was approved. It goes on when its cooling-off is over, unless somebody stops it."


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """Context that a card shows beside the hold itself."""

    group: str
    state: str
    seal_key: str
    revision: int
    result: str = ""
    warnings: tuple[str, ...] = ()
    enrolled: Mapping[str, frozenset[Method]] = {}
    """The step-up of each person, as far as it is known."""


def draw(hold: Hold, tool: Tool | None) -> ConfirmationUI:
    """Seed 002's UI for this hold: masked, visibly sanitised, never cut."""
    hide = cover_of(hold, secrets_of(hold, tool))
    return ConfirmationUI(
        message=hide(cover(credentials_alone(hold))(words_of(hold))),
        action=_detail(hold, tool, hide),
        risk_level=hold.metadata.risk_level,
        show_details=True,
    )


def card_of(hold: Hold, tool: Tool | None, shown: Shown) -> Card:
    """The card of one group, with the hold as it stands; its UI as it was frozen at RENDER."""
    title = hold.title or title_of(hold, tool)
    secrets = secrets_of(hold, tool)
    hide = cover_of(hold, secrets)
    return Card(
        hold_id=hold.hold_id,
        group=shown.group,
        tenant=hold.tenant,
        agent=hold.agent,
        on_behalf_of=hold.on_behalf_of,
        ui=hold.ui or draw(hold, tool),
        title=title,
        labels=_labels(hold, title),
        state=shown.state,
        digest=hold.digest,
        render_digest=hold.render_digest,
        metadata=_metadata(hold.metadata, hide),
        level=hold.level,
        signals=signals_of(hold, tool),
        sample=_sample(hold, hide),
        chain=_chain(hold),
        form=form_of(hold, tool),
        enforcement=hold.enforcement,
        warnings=(*_warnings(hold), *map(hide, shown.warnings)),
        seal_key=shown.seal_key,
        revision=shown.revision,
        **_changed(hold, tool),
        **_asked(hold, shown),
        **_times(hold, hide),
        **_ended(hold, shown, hide),
    )


def _asked(hold: Hold, shown: Shown) -> dict[str, Any]:
    """Return the card's fields about who is asked, what a yes takes, and who gave one."""
    asked = hold.requirement
    return {
        "voices_needed": needed(asked),
        "voices": tuple(voice.person for voice in hold.voices),
        "voices_for": {it.person: it.on_behalf_of for it in hold.voices if it.on_behalf_of},
        "proofs": asked.proofs if asked else (),
        "every_proof": asked is not None and asked.every_proof,
        "client_may_answer": asked is not None and asked.client_may_answer,
        "missing": lacking(asked, shown.enrolled) if hold.stage in OPEN else {},
        "escalated_to": _backup(hold),
    }


def _times(hold: Hold, hide: Cover) -> dict[str, Any]:
    """Return the card's fields about its time."""
    return {
        "halted_at": hold.proposed_at,
        "expires_at": hold.expires_at,
        "asked_from": hold.asked_from,
        "reminded": hold.reminded,
        "called_at": _called_at(hold),
        "extendable_s": extendable_s(hold) if hold.ui else 0,
        "extensions": tuple(hide(_extension(it)) for it in hold.extensions),
        "cools_off_until": resumes_at(hold) if cools_off(hold) else None,
        "on_yes": _on_yes(hold),
        "on_silence": _on_silence(hold),
    }


def _ended(hold: Hold, shown: Shown, hide: Cover) -> dict[str, Any]:
    """Return the card's fields about its end, and what came of it."""
    return {
        "outcome": hold.outcome.value if hold.outcome else "",
        "ended_by": hold.ended_by.value if hold.ended_by else "",
        "closed_by": hold.closed_by,
        "closed_for": hold.closed_for,
        "superseded_by": hold.superseded_by,
        "reason": hide(hold.reason),
        "result": hide(shown.result),
    }


def _changed(hold: Hold, tool: Tool | None) -> dict[str, Any]:
    """Return the card's fields about the call that this one replaced."""
    if (changed := hold.modified) is None:
        return {}
    pointers = tool.secret if tool else pointers_of(changed.before)
    return {
        "modified_from": changed.hold_id,
        "modified_by": changed.by,
        "before": masked(changed.before, pointers, names_run(hold)),
        "added": changed.added,
    }


def _chain(hold: Hold) -> tuple[str, ...]:
    tool = (hold.action.tool,) if hold.action else ()
    return (USER, *hold.chain, *tool) if hold.chain else ()


def _backup(hold: Hold) -> str:
    asked = hold.requirement
    return asked.escalate.group if hold.escalated_at and asked and asked.escalate else ""


def _called_at(hold: Hold) -> datetime:
    confirmed_at = hold.resolved_at if cools_off(hold) else None
    times = (begins_at(hold), hold.escalated_at, hold.reminded_at, confirmed_at)
    return max(at for at in times if at is not None)


def _extension(made: Extension) -> str:
    who = in_place_of(made.by, made.on_behalf_of)
    return f"{who} moved the deadline to {made.until:%Y-%m-%d %H:%M} UTC: {made.reason}"


def _labels(hold: Hold, title: str) -> dict[str, str]:
    if hold.stage is Stage.WITNESSED:
        return {}
    is_cancel = title.lower().lstrip("“").startswith("cancel")
    proceed = "Proceed" if is_cancel else f"Proceed: {title}"
    return {"proceed": proceed, "cancel": "Stop" if cools_off(hold) else "Cancel"}


def _on_yes(hold: Hold) -> str:
    asked = hold.requirement
    if asked is None or not asked.cooling_off_s or hold.stage not in OPEN:
        return ""
    return WAITS_AFTER_YES.format(time_in_words(asked.cooling_off_s))


def _on_silence(hold: Hold) -> str:
    if hold.stage is Stage.WITNESSED:
        return ""
    if hold.parked_at is not None:
        return PARKED
    if is_to_be_parked(hold):
        return PARKS
    if cools_off(hold):
        return COOLING_OFF
    return UNHEARD if hold.enforcement is Enforcement.COOPERATIVE else SILENCE


def _detail(hold: Hold, tool: Tool | None, hide: Cover) -> ActionDetail:
    found = hold.assessment
    detail = ActionDetail(
        type=hide(found.action_type or hold.metadata.action_type),
        verb="" if own_summary(hold) else hide(found.verb),
        target=hide(found.target),
        arguments=masked(*arguments_of(hold, tool), names_run(hold)),
        affected=found.affected,
        amount=_amount(found.amount, hide),
        environment=found.environment,
        reversible=found.reversible,
    )
    if hold.action is None:
        return detail
    planned = str(hold.action.preconditions.get("undo", ""))
    undo = planned or (tool.undo if tool else "")
    return replace(detail, tool=hold.action.tool, undo=hide(undo) if found.reversible else "")


def _amount(amount: JsonObject | None, hide: Cover) -> JsonObject | None:
    return amount and {name: hide(str(part)) for name, part in amount.items()}


def _metadata(said: IntentMetadata, hide: Cover) -> IntentMetadata:
    """The action type and what it is about may be the agent's words."""
    told = replace(said, action_type=hide(said.action_type))
    if isinstance(said.scope, Scope):
        return replace(told, scope=replace(said.scope, type=hide(said.scope.type)))
    return told


def signals_of(hold: Hold, tool: Tool | None) -> tuple[Signal, ...]:
    """Return the reasons as a card shows them: each once, in a sentence, with secrets covered."""
    run, own = names_run(hold), secrets_of(hold, tool)
    hide = cover_of(hold, own)
    secrets = (*own, *credentials_alone(hold))  # evidence may be cut through one
    said = "" if hold.action else hold.says

    def quoted(evidence: str) -> str:
        return clause_of(said, evidence)

    return tuple(
        replace(
            it,
            reason=as_sentence(hide(it.reason)),
            evidence=visible(cover_credentials(cover_piece(quoted(it.evidence), secrets), run)),
        )
        for it in (plainly(it, texts_of(hold)) for it in distinct(hold.assessment.signals))
    )


def _sample(hold: Hold, hide: Cover) -> tuple[str, ...]:
    return tuple(map(hide, cover_lines(sampled(hold), names_run(hold))))


def _warnings(hold: Hold) -> tuple[str, ...]:
    found = any(hides(text) for text in (words_of(hold), *texts_of(hold)))
    return ("The agent's text held hidden characters; they are written out.",) if found else ()
