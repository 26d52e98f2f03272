"""A card as the screen shows it: facts in a person's words. Everything here is plain text."""

import re
from collections.abc import Iterable
from datetime import datetime

import msgspec

from holdpoint.console.status_labels import (
    Standing,
    cools_off,
    is_answerable,
    is_in_doubt,
    is_open,
    standing,
)
from holdpoint.console.text_segments import Piece, pieces_of
from holdpoint.core.batch import MOST_LEVEL, likeness, separately
from holdpoint.core.card_facts import (
    amount_of,
    changes_of,
    counted,
    may_take_passkey,
    on_cancel,
    place_of,
    step_on_proceed,
    takes_code,
    takes_passkey,
    target_apart,
    told_so_far,
    undo_of,
    voices_of,
)
from holdpoint.core.card_reasons import PLACE, READERS, ranked, says_place
from holdpoint.core.denials import RULE as DENIED
from holdpoint.core.enforcement import enforced
from holdpoint.core.enrolment import has_set_up, named_as_lacking, step_up_of
from holdpoint.core.sentences import as_sentence, without_reason
from holdpoint.core.typed_target import to_type
from holdpoint.messages.base import JsonObject, Value
from holdpoint.messages.card import ActionDetail, Card, FormField
from holdpoint.messages.catalog import Enforcement, Person, may_answer
from holdpoint.messages.hold import Outcome
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import Environment, Heuristic, RiskLevel, Signal

SHORT = 700
"""Characters: up to here what was proposed is open from the start, once the card has ended."""

ONE_LINE = 60
"""Bytes: an object or a list up to here stands on one line."""

TITLE_SHOWN = 120
"""Characters: a longer title may be cut by the screen, and is written out in the box too."""

HEURISTICS = {
    Heuristic.IRREVERSIBILITY: "What it does",
    Heuristic.MAGNITUDE: "Its size",
    Heuristic.CRITICALITY: "Where it lands",
    Heuristic.UNCERTAINTY: "The agent is unsure",
    Heuristic.TALLY: "It adds up",
    Heuristic.TAINT: "Untrusted content",
    Heuristic.AGENT: "The agent says so",
}
_UNREAD = re.compile(r"\w+\.(?:disguise|unreadable|addressless)").fullmatch
"""Rules that say that the gate, not the agent, is unsure."""

_CANCELLED_BEFORE = "It was cancelled before"
_CANNOT_BE_READ = "It cannot be read for certain"
_RISKS = {
    RiskLevel.LOW: "Low risk",
    RiskLevel.MEDIUM: "Medium risk",
    RiskLevel.HIGH: "High risk",
    RiskLevel.CRITICAL: "Critical risk",
}


class Fact(Value, frozen=True, kw_only=True):
    """One line about what would happen."""

    name: str
    text: str
    loud: bool = False


class Argument(Value, frozen=True, kw_only=True):
    """One argument as it will be used, secrets covered."""

    name: str
    text: str

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Its text as the screen shows it."""
        return pieces_of(self.text)


class Field(Value, frozen=True, kw_only=True):
    """One argument in the form, with its value as the card shows it."""

    form: FormField
    text: str
    given: bool
    parts: tuple["Field", ...] = ()


class Why(Value, frozen=True, kw_only=True):
    """One kind of reason to worry, with the highest level of its signals."""

    level: str
    name: str
    signals: tuple[Signal, ...]


class Face(Value, frozen=True, kw_only=True):
    """One card for one person."""

    card: Card
    standing: Standing
    is_open: bool
    cools_off: bool
    """True while it can still be stopped."""

    may_answer: bool
    """False for a viewer, who sees no buttons."""

    is_in_doubt: bool
    """True while a person is to look what became of it."""

    has_voice: bool
    """True if this person has said yes already."""

    takes_code: bool
    """True when this person's yes takes a one-time code, which they have set up."""

    passkey: str
    """`needed`, `offered` in place of a code, or empty where this person has none."""

    step_up: str
    """Proof that a yes takes beside the password, in words."""

    to_set_up: str
    """Step-up that this person has to set up before their yes can count, in words."""

    to_type: str
    """What this person types before a yes; empty where nothing is asked for."""

    on_cancel: str
    on_proceed: str
    """The effect of each button; empty where a cooling-off says it."""

    risk: str
    words: tuple[Piece, ...]
    """The agent's own."""

    facts: tuple[Fact, ...]
    danger: Signal | None
    """The gravest reason, which stands in one sentence below the title."""

    whys: tuple[Why, ...]
    """The other reasons."""

    arguments: tuple[Argument, ...]
    sample: tuple[Piece, ...]
    opened: bool
    """True if the details are open from the start: nobody says yes to a closed box."""

    extensions: tuple[tuple[int, str], ...]
    """By how much this person may move the deadline: seconds, and the same in words."""

    full_title: str
    """For the box, when the screen may cut it; empty when it does not."""

    reason: str
    """What the person said; empty when they said nothing."""

    changes: tuple[str, ...]
    """What a person changed of the agent's call."""

    fields: tuple[Field, ...]
    """What this person may change."""

    may_remember: bool
    """True if a yes to it may be remembered; the gate has the last word."""

    alike: str
    """What it shares with holds that are answered together; empty if there can be none."""


def face_of(card: Card, who: Person) -> Face:
    """Return what this person sees."""
    arguments = _arguments(card.ui.action) if card.ui.show_details else ()
    person = who.name
    danger, reasons = ranked(card.signals)
    return Face(
        card=card,
        standing=standing(card),
        is_open=is_open(card),
        cools_off=cools_off(card),
        may_answer=may_answer(who),
        is_in_doubt=is_in_doubt(card),
        has_voice=person in card.voices,
        takes_code=_is_asked(card, person)
        and takes_code(card)
        and has_set_up(card, person, Method.TOTP),
        passkey=_passkey(card, person) if _is_asked(card, person) else "",
        step_up=step_up_of(card),
        to_set_up=named_as_lacking(card, person) if is_open(card) else "",
        to_type=to_type(card) if _is_asked(card, person) else "",
        on_cancel=as_sentence(on_cancel(card)),
        on_proceed="" if card.on_yes else as_sentence(step_on_proceed(card)),
        risk=_RISKS[card.ui.risk_level],
        words=pieces_of(card.ui.message),
        facts=_facts(card),
        danger=danger,
        whys=_whys(reasons),
        arguments=arguments,
        sample=pieces_of("\n".join(card.sample)),
        opened=is_answerable(card) or _size(arguments, card) <= SHORT,
        extensions=_extensions(card) if may_answer(who) and is_open(card) else (),
        full_title=card.title if len(card.title) > TITLE_SHOWN else "",
        reason="" if _is_ours(card) else card.reason,
        changes=changes_of(card),
        fields=_fields(card) if is_open(card) else (),
        may_remember=is_open(card) and _may_remember(card),
        alike=likeness(card) if is_open(card) else "",
    )


_LATER = ((900, "15 minutes"), (3600, "1 hour"), (14_400, "4 hours"), (86_400, "1 day"))


def _extensions(card: Card) -> tuple[tuple[int, str], ...]:
    """Those that fit into what the policy leaves; else all of it."""
    left = card.extendable_s
    fitting = tuple(it for it in _LATER if it[0] <= left)
    return fitting or (((left, f"{left} seconds"),) if left else ())


def _fields(card: Card) -> tuple[Field, ...]:
    return tuple(_field(it, card.ui.action.arguments) for it in card.form)


def _field(form: FormField, given: JsonObject) -> Field:
    is_given = form.name in given
    value = given.get(form.name)
    is_object = isinstance(value, dict) or not is_given
    parts = tuple(_field(it, value or {}) for it in form.parts) if is_object else ()
    return Field(form=form, text=_plain(value) if is_given else "", given=is_given, parts=parts)


def _may_remember(card: Card) -> bool:
    """Return whether it is a call at level 3 to which one password is the whole yes."""
    alone = card.voices_needed == 1 and not card.delegators and not separately([card])
    return alone and card.level == MOST_LEVEL and bool(card.ui.action.tool)


def _is_ours(card: Card) -> bool:
    """Return whether the reason is the gate's own sentence."""
    is_superseded = card.outcome == Outcome.SUPERSEDED.value
    return is_superseded or card.reason == without_reason(card.ended_by, card.closed_by)


def _is_asked(card: Card, person: str) -> bool:
    """Return whether this person's yes may still be sent, once they have what it takes."""
    return is_open(card) and person not in card.voices and not named_as_lacking(card, person)


def _passkey(card: Card, person: str) -> str:
    if not may_take_passkey(card) or not has_set_up(card, person, Method.PASSKEY):
        return ""
    is_only = takes_passkey(card) or not has_set_up(card, person, Method.TOTP)
    return "needed" if is_only else "offered"


def _size(arguments: Iterable[Argument], card: Card) -> int:
    return sum(len(it.text) for it in arguments) + sum(map(len, card.sample))


def local_time(at: datetime) -> str:
    """As it reads until the browser puts it into the person's own zone."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _facts(card: Card) -> tuple[Fact, ...]:
    action = card.ui.action
    found = (
        Fact(name="Affects", text=counted(card), loud=True),
        Fact(name="Amount", text=amount_of(action), loud=True),
        Fact(name="Where", text=place_of(card), loud=_is_production(action)),
        Fact(name="Target", text=target_apart(card)),
        Fact(name="Undo", text=undo_of(card), loud=not action.reversible),
        Fact(name="Enforced", text=enforced(card) if _is_cooperative(card) else "", loud=True),
        Fact(name="Called by", text=" → ".join(card.chain)),
        Fact(name="Approvals", text=voices_of(card) if card.voices_needed > 1 else ""),
        *(Fact(name=name, text=text) for name, text in told_so_far(card)),
        Fact(name="You answer for", text=", ".join(card.delegators), loud=True),
    )
    return tuple(fact for fact in found if fact.text)


def _is_cooperative(card: Card) -> bool:
    return card.enforcement is Enforcement.COOPERATIVE and bool(card.ui.action.tool)


def _is_production(action: ActionDetail) -> bool:
    return action.environment is Environment.PRODUCTION


def _whys(reasons: Iterable[Signal]) -> tuple[Why, ...]:
    kinds: dict[str, list[Signal]] = {}
    for signal in reasons:
        kinds.setdefault(_heading(signal), []).append(signal)
    return tuple(
        Why(level=found[0].level.value, name=name, signals=tuple(found))
        for name, found in kinds.items()
    )


def _heading(signal: Signal) -> str:
    if signal.rule == DENIED:
        return _CANCELLED_BEFORE
    if signal.rule == PLACE and not says_place(signal):
        return HEURISTICS[Heuristic.IRREVERSIBILITY]
    is_doubt = signal.heuristic is Heuristic.UNCERTAINTY
    is_ours = is_doubt and signal.rule.startswith(READERS)
    return _CANNOT_BE_READ if is_ours or _UNREAD(signal.rule) else HEURISTICS[signal.heuristic]


def _arguments(action: ActionDetail) -> tuple[Argument, ...]:
    return tuple(
        Argument(name=name, text=_plain(value)) for name, value in action.arguments.items()
    )


def _plain(value: object) -> str:
    if isinstance(value, str):
        return value
    raw = msgspec.json.encode(value)
    line = msgspec.json.format(raw, indent=0)
    return (line if len(line) <= ONE_LINE else msgspec.json.format(raw, indent=2)).decode()
