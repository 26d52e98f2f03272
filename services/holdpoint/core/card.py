"""Cards: rendered from the real action, never from what an agent says of it."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from holdpoint.core.claims import call_title
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
from holdpoint.core.plans import shown_steps, title_of_plan
from holdpoint.core.quorum import needed
from holdpoint.core.redaction.credential_names import run_in
from holdpoint.core.redaction.display import (
    MASK,
    Cover,
    cover,
    cover_all,
    cover_credentials,
    cover_lines,
    cover_piece,
    credentials_of,
    hides,
    is_sensitive,
    masked,
    one_line,
    pointers_of,
    secrets_in,
    texts_in,
    visible,
)
from holdpoint.core.sentences import as_sentence, title_of_words
from holdpoint.messages.action import Pending
from holdpoint.messages.base import JsonObject
from holdpoint.messages.card import ActionDetail, Card, ConfirmationUI
from holdpoint.messages.catalog import Tool
from holdpoint.messages.hold import Extension, Hold, Stage
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import IntentMetadata, Scope, Signal

SILENCE = (
    "If nobody answers in time it expires: nothing runs, and the agent hears that nobody answered."
)
PARKS = "If nobody answers in time it is parked: nothing runs, and it can still be answered later."
PARKED = "Nobody answered in time, so it is parked. It can still be answered until it expires."
COOLING_OFF = "It was confirmed. It goes on when its cooling-off is over, unless somebody stops it."

GENERAL = ("plan.irreversible", "verb.destructive")
"""Rules that say of any action that it cannot be undone: another reason tells more."""

SEED = "seed-002."
"""Begins the ids of seed 002's patterns, which say less than a parse does."""

NOT_GIVEN = "(not given)"
"""What a title says where a call leaves out an argument and the schema has no default for it."""

UNKNOWN_VERB = "change"
"""What a title says where nobody knows what is done."""

UNCOUNTED = "an unknown number of"
"""What a title says where nobody counted."""


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


def counted(card: Card) -> str:
    """Return how much the card's action touches: `500 rows`; empty where nobody counted."""
    affected = card.ui.action.affected
    if affected is None:
        return ""
    scope = card.metadata.scope
    unit = scope.type.replace("_", " ") if isinstance(scope, Scope) else "items"
    number = f"{affected:,} {unit.removesuffix('s') if affected == 1 else unit}"
    return number if affected else f"{number}; nothing is there now"


def in_place_of(person: str, seat: str) -> str:
    """Name a person, and the approver in whose place they answered: `ben (for ann)`."""
    return f"{person} (for {seat})" if seat else person


def changes_of(card: Card) -> tuple[str, ...]:
    """Return what a person changed of the call, as people read it: `path: a -> b`."""
    now = card.ui.action.arguments
    return tuple(
        f"{name}: {_before(card, name)} -> {_word(now[name]) if name in now else '(left out)'}"
        for name in (*card.before, *card.added)
    )


def _before(card: Card, name: str) -> str:
    return _word(card.before[name]) if name in card.before else NOT_GIVEN


def named_voices(card: Card) -> tuple[str, ...]:
    """Those who said yes, as people read it."""
    return tuple(in_place_of(name, card.voices_for.get(name, "")) for name in card.voices)


def told_so_far(card: Card) -> tuple[tuple[str, str], ...]:
    """Return what became of its time, a name and a text each: people see it on every surface."""
    again = f"{card.reminded} time{'' if card.reminded == 1 else 's'}" if card.reminded else ""
    later = card.asked_from is not None and card.asked_from > card.halted_at
    asked = f"{card.asked_from:%Y-%m-%d %H:%M %Z}" if later and card.asked_from else ""
    known = (
        ("Asked from", asked),
        ("Asked too", f"{card.escalated_to}, as nobody had answered" if card.escalated_to else ""),
        ("Told again", again),
        ("More time", "\n".join(card.extensions)),
    )
    return tuple((name, text) for name, text in known if text)


def takes_code(card: Card) -> bool:
    """Return whether a yes to it takes a one-time code, or may take one in place of a passkey."""
    return Method.TOTP in card.proofs and (card.every_proof or Method.CHAT not in card.proofs)


def may_take_passkey(card: Card) -> bool:
    """Return whether a yes to it takes a passkey, or may take one in place of a one-time code."""
    return Method.PASSKEY in card.proofs and (card.every_proof or Method.CHAT not in card.proofs)


def takes_passkey(card: Card) -> bool:
    """Return whether a yes to it takes a passkey, and nothing else will do."""
    others = {Method.CHAT, Method.TOTP}.intersection(card.proofs)
    return Method.PASSKEY in card.proofs and (card.every_proof or not others)


def draw(hold: Hold, tool: Tool | None) -> ConfirmationUI:
    """Seed 002's UI for this hold: masked, visibly sanitised, never cut."""
    hide = _cover(hold, _secrets(hold, tool))
    return ConfirmationUI(
        message=hide(cover(_credentials(hold))(_words(hold))),
        action=_detail(hold, tool, hide),
        risk_level=hold.metadata.risk_level,
        show_details=True,
    )


def card_of(hold: Hold, tool: Tool | None, shown: Shown) -> Card:
    """The card of one group, with the hold as it stands; its UI as it was frozen at RENDER."""
    title = hold.title or title_of(hold, tool)
    secrets = _secrets(hold, tool)
    hide = _cover(hold, secrets)
    run = names_run(hold)
    cut = (*secrets, *_credentials(hold))
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
        signals=tuple(_told(each, cut, hide, run) for each in distinct(hold.assessment.signals)),
        sample=_sample(hold, hide),
        chain=_chain(hold),
        voices_needed=needed(hold.requirement),
        voices=tuple(voice.person for voice in hold.voices),
        voices_for={it.person: it.on_behalf_of for it in hold.voices if it.on_behalf_of},
        proofs=hold.requirement.proofs if hold.requirement else (),
        every_proof=hold.requirement is not None and hold.requirement.every_proof,
        missing=lacking(hold.requirement, shown.enrolled) if hold.stage in OPEN else {},
        halted_at=hold.proposed_at,
        expires_at=hold.expires_at,
        asked_from=hold.asked_from,
        escalated_to=_backup(hold),
        reminded=hold.reminded,
        called_at=_called_at(hold),
        extendable_s=extendable_s(hold) if hold.ui else 0,
        extensions=tuple(hide(_extension(it)) for it in hold.extensions),
        cools_off_until=resumes_at(hold) if cools_off(hold) else None,
        form=form_of(hold, tool),
        **_changed(hold, tool),
        superseded_by=hold.superseded_by,
        on_silence=_on_silence(hold),
        outcome=hold.outcome.value if hold.outcome else "",
        ended_by=hold.ended_by.value if hold.ended_by else "",
        closed_by=hold.closed_by,
        closed_for=hold.closed_for,
        reason=hide(hold.reason),
        result=hide(shown.result),
        enforcement=hold.enforcement,
        warnings=(*_warnings(hold), *map(hide, shown.warnings)),
        seal_key=shown.seal_key,
        revision=shown.revision,
    )


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


def _on_silence(hold: Hold) -> str:
    if hold.stage is Stage.WITNESSED:
        return ""
    if hold.parked_at is not None:
        return PARKED
    if is_to_be_parked(hold):
        return PARKS
    return COOLING_OFF if cools_off(hold) else SILENCE


def title_of(hold: Hold, tool: Tool | None) -> str:
    """One line in the tool's own words: `Delete 412 rows in prod.users`."""
    hide = _cover(hold, _secrets(hold, tool))
    if hold.steps:
        return one_line(hide(title_of_plan(hold)))
    if hold.action is None:
        return one_line(_sentence(hold, hide))
    if tool is None:
        return hold.action.tool
    if own := _own_summary(hold):
        return one_line(hide(own[:1].upper() + own[1:]))
    known: dict[str, Any] = {
        **{
            name: _word(part)
            for name, part in masked(*_arguments(hold, tool), names_run(hold)).items()
        },
        "affected": _count(hold.assessment.affected),
        "target": hold.assessment.target or hold.action.domain,
        "verb": hold.assessment.verb or UNKNOWN_VERB,
    }
    return one_line(hide(_filled(tool, known)))


def pending_of(hold: Hold) -> Pending | None:
    """The confirmation in the tool's own words, frozen into the action with its dry run."""
    raw = hold.action.preconditions.get("pending") if hold.action else None
    return None if raw is None else msgspec.convert(raw, Pending)


def _own_summary(hold: Hold) -> str:
    """Return the tool's own words for what it does; empty where its template says it."""
    if (own := pending_of(hold)) is not None:
        return own.summary
    return str(hold.action.preconditions.get("summary", "")) if hold.action else ""


_ROWS = "{affected} rows"

_ROW_VERBS = frozenset({"delete", "update", "insert", "replace", "merge", UNKNOWN_VERB})
"""What is done to rows: any other verb, such as `drop`, concerns the target as a whole."""


def _filled(tool: Tool, known: dict[str, Any]) -> str:
    """The template with its words; one that does not fit the arguments gives way to the name."""
    template = _template(tool.template, known)
    try:
        title = template.format_map(_Known(known, tool))
        ours = template[:1].isalpha() or template.startswith("{verb}")
        return title[:1].upper() + title[1:] if ours else title
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return tool.name


def _template(template: str, known: dict[str, Any]) -> str:
    """The template for one row, for several, or for the whole table: `Drop crm.leads`."""
    is_whole = known["affected"] == UNCOUNTED or template.startswith("{verb}")
    if is_whole and known["verb"] not in _ROW_VERBS:
        return template.replace(f"{_ROWS} in ", "")
    if known["affected"] == "1":
        return template.replace(_ROWS, _ROWS.removesuffix("s"))
    return template


def _word(value: Any) -> str:
    """An argument as a title says it: `150.00 USD`, `a, b`."""
    match value:
        case {"value": amount, "currency": currency}:
            return f"{amount} {currency}"
        case list():
            return ", ".join(_word(part) for part in value)
        case str():
            return value
        case _:
            return msgspec.json.encode(value).decode()


def _detail(hold: Hold, tool: Tool | None, hide: Cover) -> ActionDetail:
    found = hold.assessment
    detail = ActionDetail(
        type=hide(found.action_type or hold.metadata.action_type),
        verb="" if _own_summary(hold) else hide(found.verb),
        target=hide(found.target),
        arguments=masked(*_arguments(hold, tool), names_run(hold)),
        affected=found.affected,
        amount=_amount(found.amount, hide),
        environment=found.environment,
        reversible=found.reversible,
    )
    if hold.action is None:
        return detail
    return replace(detail, tool=hold.action.tool, undo=tool.undo if tool else "")


def _amount(amount: JsonObject | None, hide: Cover) -> JsonObject | None:
    return amount and {name: hide(str(part)) for name, part in amount.items()}


def _metadata(said: IntentMetadata, hide: Cover) -> IntentMetadata:
    """The action type and what it is about may be the agent's words."""
    told = replace(said, action_type=hide(said.action_type))
    if isinstance(said.scope, Scope):
        return replace(told, scope=replace(said.scope, type=hide(said.scope.type)))
    return told


def _told(signal: Signal, secrets: tuple[str, ...], hide: Cover, run: frozenset[str]) -> Signal:
    """Its evidence was cut out of the text that was assessed: the cut may go through a secret."""
    evidence = visible(cover_credentials(cover_piece(signal.evidence, secrets), run))
    return replace(signal, reason=as_sentence(hide(signal.reason)), evidence=evidence)


def _sample(hold: Hold, hide: Cover) -> tuple[str, ...]:
    return tuple(map(hide, cover_lines(_sampled(hold), names_run(hold))))


def _sampled(hold: Hold) -> tuple[str, ...]:
    if hold.action is None:
        return ()
    return tuple(str(each) for each in hold.action.preconditions.get("sample", []))


def names_run(hold: Hold) -> frozenset[str]:
    """The names whose values the call runs, in its arguments or in scripts that it runs."""
    return run_in("\n".join((*_texts(hold), *_sampled(hold))))


def _texts(hold: Hold) -> list[str]:
    if hold.steps:
        return texts_in([step.action.arguments for step in hold.steps])
    return texts_in(hold.action.arguments if hold.action else hold.claim)


def _words(hold: Hold) -> str:
    """All that the agent says of it: the sentence that announced it, then its reasoning."""
    announced = hold.announced.says if hold.announced else ""
    return "\n\n".join(dict.fromkeys(text for text in (announced, hold.says) if text))


def _cover(hold: Hold, secrets: tuple[str, ...]) -> Cover:
    """Covers secrets and credentials and makes visible what hides: for every text on a card."""
    hide = cover_all(secrets, names_run(hold))
    return lambda text: visible(hide(text))


def _secrets(hold: Hold, tool: Tool | None) -> tuple[str, ...]:
    return secrets_in(*_arguments(hold, tool))


def _credentials(hold: Hold) -> tuple[str, ...]:
    """Credentials that stand alone in what was cut out of a text, and in what the agent says."""
    return credentials_of((*_texts(hold), _words(hold)), names_run(hold))


def _arguments(hold: Hold, tool: Tool | None) -> tuple[JsonObject, tuple[str, ...]]:
    """Return the arguments to show, and where secrets lie; in an unknown tool's, everywhere."""
    if hold.steps:
        return shown_steps(hold)
    if hold.action is None:
        return hold.claim, ()
    arguments = hold.action.arguments
    return arguments, tool.secret if tool else pointers_of(arguments)


def _sentence(hold: Hold, hide: Cover) -> str:
    """`Delete 412 user accounts`, `Wire 25000 USD`; else the agent's own sentence, quoted."""
    said, found = hold.metadata, hold.assessment
    kind = found.verb or said.action_type.replace("_", " ") or "go on"
    does = hide(kind[:1].upper() + kind[1:])
    if isinstance(said.scope, Scope):
        return f"{does} {said.scope.records:,} {hide(said.scope.type.replace('_', ' '))}"
    if found.amount:
        return f"{does} {hide(_word(found.amount))}"
    covered = cover(_credentials(hold))
    words, call = (hide(covered(it)) for it in (hold.says, call_title(hold.claim, _word)))
    return title_of_words(words, found.signals, one_line(call)) or does


def distinct(signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """Reasons without those that only repeat another: the same words, or less of the same kind."""
    kept: list[Signal] = []
    for signal in signals:
        if not any(_repeats(signal, other) for other in kept):
            kept = [other for other in kept if not _repeats(other, signal)]
            kept.append(signal)
    return tuple(kept)


def quoted_once(signals: Iterable[Signal]) -> Iterator[Signal]:
    """The reasons, each without evidence that it or a reason above it quotes already."""
    read = ""
    for signal in signals:
        read += f"{signal.reason}\n"
        evidence = "" if signal.evidence.strip() in read else signal.evidence
        read += f"{evidence}\n"
        yield replace(signal, evidence=evidence)


def _repeats(signal: Signal, other: Signal) -> bool:
    """Return whether another reason of the same kind, as grave at least, says more of the same."""
    if signal.heuristic is not other.heuristic or signal.level > other.level:
        return False
    if signal.rule in GENERAL:
        return other.rule not in GENERAL or GENERAL.index(signal.rule) > GENERAL.index(other.rule)
    seen = signal.evidence.strip()
    same = seen and seen in other.evidence
    return bool(same) and (signal.rule.startswith(SEED) or not other.rule.startswith(SEED))


def _count(affected: int | None) -> str:
    return UNCOUNTED if affected is None else f"{affected:,}"


def _warnings(hold: Hold) -> tuple[str, ...]:
    found = any(hides(text) for text in (_words(hold), *_texts(hold)))
    return ("The agent's text held hidden characters; they are written out.",) if found else ()


class _Known(dict[str, Any]):
    """A template's words; one that the call leaves out is what its worker will take for it."""

    def __init__(self, known: dict[str, Any], tool: Tool) -> None:
        super().__init__(known)
        self._tool = tool

    def __missing__(self, key: str) -> str:
        described = self._tool.schema.get("properties", {}).get(key, {})
        if "default" not in described or described["default"] in (None, ""):
            return NOT_GIVEN
        if is_sensitive(key) or f"/{key}" in self._tool.secret:
            return MASK
        return _word(described["default"])
