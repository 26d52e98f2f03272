"""One answer, from the card on the screen to what came of it.

The terminal is opened first: where nobody can type a password, nothing is read or published.
"""

import asyncio
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

import msgspec
from rich.text import Text

from holdpoint.cli import passwords, terminal
from holdpoint.cli.cards import named, read_cards
from holdpoint.cli.changes import change_of, difference
from holdpoint.cli.limits import described
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import logged_in, person_of
from holdpoint.cli.terminal import Terminal
from holdpoint.cli.views import card_view
from holdpoint.console.status_labels import cools_off, is_in_doubt, is_open
from holdpoint.core.card_facts import takes_code, takes_passkey
from holdpoint.core.enrolment import to_set_up
from holdpoint.messages import catalog
from holdpoint.messages.answer import RECONCILING, Change, Choice, Proof, Remember
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import Outcome, Reason, Stage
from holdpoint.messages.policy import Method
from holdpoint.messages.run import RunStatus
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials

LOOK_AGAIN_S = 0.2
ENDINGS: Mapping[str, ExitCode] = {
    RunStatus.DONE.value: ExitCode.OK,
    RunStatus.FAILED.value: ExitCode.FAILED,
    RunStatus.PRECONDITION_FAILED.value: ExitCode.FAILED,
    RunStatus.IN_DOUBT.value: ExitCode.UNDECIDED,
    Status.BARRED.value: ExitCode.FAILED,
    Status.LAPSED.value: ExitCode.FAILED,
}
"""How a run can end, and what the command then exits with."""


@dataclass(frozen=True, kw_only=True)
class Wish:
    """An answer that a person intends, before they have seen the card."""

    choice: Choice
    prefix: str
    reason: str
    wait_s: float
    remember: Remember | None = None
    extend_s: int = 0
    sets: tuple[str, ...] = ()
    """With `modify`: `name=value` of each argument that is changed."""

    unset: tuple[str, ...] = ()
    change: Change | None = None
    """The same, once the card is read."""


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an answer, for people (`text`) and programs."""

    hold_id: str
    person: str
    answer: Choice
    counted: bool
    status: str
    state: str
    text: str
    exit_code: ExitCode


def answer(settings: Settings, said: str, wish: Wish) -> Answered:
    """Show the card, ask for the password, publish, and say what came of it."""
    person = person_of(settings, said)
    if not catalog.may_answer(person):
        text = f"people.yaml does not make {person.name} an approver: cards are shown only."
        raise CommandError(ExitCode.FAILED, "not_an_approver", text)
    with terminal.opened() as tty:
        if credentials.read_person_key(settings.people_dir, person.name) is None:
            raise passwords.no_key(person.name)
        card = _open_card(settings, person, wish)
        if wish.choice is Choice.MODIFY:
            wish = replace(wish, change=change_of(card, wish.sets, wish.unset))
        since = clock.monotonic()
        _show(tty, card, wish)
        seed = passwords.unlocked(tty, settings, person.name)
        code = tty.code(f"One-time code of {person.name}: ") if _needs_code(card, wish) else ""
    proven = _Proven(person=person.name, seed=seed, code=code)
    seconds = clock.monotonic() - since
    return asyncio.run(_answered(settings, proven, card, wish, seconds))


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A card on the screen of a person who is logged in, and how long it has been there."""

    card: Card
    person: catalog.Person
    seed: str = field(repr=False)
    since: float
    """When it was shown, on the monotonic clock."""


def answer_shown(tty: Terminal, settings: Settings, shown: Shown, wish: Wish) -> Answered:
    """Answer a card that is on the screen, with the login of the session and any code it takes.

    CommandError where it can no longer be answered, or no longer says what was shown.
    """
    card = _open_card(settings, shown.person, wish)
    check_unchanged(card, shown.card, wish.choice)
    name = shown.person.name
    code = tty.code(f"One-time code of {name}: ") if _needs_code(card, wish) else ""
    proven = _Proven(person=name, seed=shown.seed, code=code)
    seconds = clock.monotonic() - shown.since
    return asyncio.run(_answered(settings, proven, card, wish, seconds))


def check_unchanged(card: Card, shown: Card, choice: Choice) -> None:
    """Refuse a yes to a card that no longer says what was on the screen."""
    if choice is Choice.PROCEED and card.render_digest != shown.render_digest:
        text = "The card has changed since it was shown. Read it again."
        raise CommandError(ExitCode.FAILED, "card_changed", text)


@dataclass(frozen=True, kw_only=True)
class _Proven:
    """The person who answers, and their proofs."""

    person: str
    seed: str = field(repr=False)
    code: str = field(repr=False)


def _needs_code(card: Card, wish: Wish) -> bool:
    """A no needs no proof."""
    return wish.choice is Choice.PROCEED and takes_code(card)


def _open_card(settings: Settings, person: catalog.Person, wish: Wish) -> Card:
    card = named(asyncio.run(read_cards(settings, person)), wish.prefix)
    if wish.choice in RECONCILING and not is_in_doubt(card):
        text = f"{card.hold_id} is not in doubt: {card_view.standing(card, clock.now())}."
        raise CommandError(ExitCode.FAILED, "not_in_doubt", text)
    may_stop = wish.choice is Choice.CANCEL and cools_off(card)
    if not (is_open(card) or may_stop or is_in_doubt(card)):
        how = card_view.standing(card, clock.now())
        text = f"{card.hold_id} is closed already ({how}). Your answer would change nothing."
        raise CommandError(ExitCode.FAILED, "already_closed", text)
    if wish.choice is Choice.EXTEND and wish.extend_s > card.extendable_s:
        most = card.extendable_s
        text = f"The deadline of {card.hold_id} can be moved by {most} s at most: see the policy."
        raise CommandError(ExitCode.FAILED, Reason.NOT_EXTENDABLE.value, text)
    if wish.choice is Choice.PROCEED and (lacks := to_set_up(card, person.name)):
        raise CommandError(ExitCode.FAILED, "step_up_missing", lacks)
    if wish.choice is Choice.PROCEED and takes_passkey(card):
        where = f": {settings.console_url}" if settings.console_url else ""
        text = f"A yes to {card.hold_id} takes a passkey. Answer it in the console{where}"
        raise CommandError(ExitCode.FAILED, "passkey_needed", text)
    return card


def _show(tty: Terminal, card: Card, wish: Wish) -> None:
    """A yes reads page by page what it lets run; a no needs no patience."""
    lines = [*card_view.question(card, clock.now(), tty.width), *_wanted(card, wish)]
    match wish.choice:
        case Choice.PROCEED:
            tty.show_pages(lines)
        case (
            Choice.CANCEL | Choice.EXTEND | Choice.MODIFY | Choice.HAPPENED | Choice.DID_NOT_HAPPEN
        ):
            tty.show(lines)
        case _:
            assert_never(wish.choice)


def _wanted(card: Card, wish: Wish) -> Iterator[Text]:
    """Yield lines on what the person is going to do."""
    yield Text(_intention(card, wish), style="bold")
    if wish.change is not None:
        yield from map(Text, difference(card, wish.change))
    if wish.remember is not None:
        yield Text(f"{card.agent} may then do without asking: {described(wish.remember)}.")


def _intention(card: Card, wish: Wish) -> str:
    match wish.choice:
        case Choice.HAPPENED:
            return "You are about to say that IT HAPPENED."
        case Choice.DID_NOT_HAPPEN:
            return "You are about to say that IT DID NOT HAPPEN."
        case Choice.EXTEND:
            return f"You are about to move its deadline by {wish.extend_s} s."
        case Choice.MODIFY:
            return "You are about to CHANGE it. Nothing runs by this; it is judged again with:"
        case Choice.PROCEED | Choice.CANCEL:
            does = "stop" if cools_off(card) else wish.choice.value
            return f"You are about to {does.upper()}."
        case _:
            assert_never(wish.choice)


async def _answered(
    settings: Settings, who: _Proven, card: Card, wish: Wish, seconds: float
) -> Answered:
    async with logged_in(settings, who.person, who.seed) as person:
        shown_s = round(seconds, 3)
        proof = Proof(method=Method.TOTP, hold_id=card.hold_id, code=who.code) if who.code else None
        if wish.choice is Choice.EXTEND:
            told = await person.extend(card, wish.extend_s, wish.reason)
            return _made(person.name, card, wish, told, _extended(told))
        told = await person.answer(
            card, wish.choice, wish.reason, shown_s, proof, wish.remember or wish.change
        )
        counted = told.status not in {Status.REFUSED, Status.WAITING}
        if counted and wish.choice is Choice.PROCEED and told.status is Status.APPROVED:
            return await _followed(person, card, wish)
    if counted and wish.choice in RECONCILING:
        found = ExitCode.OK, "It is written down, and the agent is told."
        return _made(person.name, card, wish, told, found)
    return _made(person.name, card, wish, told, _before_a_run(wish, told))


async def _followed(person: Person, card: Card, wish: Wish) -> Answered:
    """Wait a while for the card to say how it ended; the yes counts whatever dies meanwhile."""
    deadline = clock.monotonic() + wish.wait_s
    while True:
        with contextlib.suppress(UnavailableError):  # the broker may be on its way back
            card = await person.card(card.group, card.hold_id) or card
        if _has_ended(card) or clock.monotonic() >= deadline:
            status = Envelope(status=Status.APPROVED, hold_id=card.hold_id)
            return _made(person.name, card, wish, status, _after_a_run(card))
        await asyncio.sleep(LOOK_AGAIN_S)


def _has_ended(card: Card) -> bool:
    is_sentence = not card.ui.action.tool
    has_resumed = is_sentence and card.state == Stage.RESUMED.value
    return card.state in ENDINGS or has_resumed or cools_off(card)


def _extended(told: Envelope) -> tuple[ExitCode, str]:
    if told.status is Status.REFUSED:
        return ExitCode.FAILED, f"The deadline stands ({told.code}): {told.reason}"
    if told.status is Status.WAITING:
        return ExitCode.UNDECIDED, "It is stored, and no gate has moved the deadline yet."
    return ExitCode.OK, "The deadline is moved. Your name and your reason stand on the card."


def _before_a_run(wish: Wish, told: Envelope) -> tuple[ExitCode, str]:
    """Return what to say of an answer after which nothing runs, or not yet."""
    match told.status:
        case Status.REFUSED:
            return ExitCode.FAILED, f"It did not count ({told.code}): {told.reason}"
        case Status.WAITING:
            text = (
                "Your answer is stored, and no gate has counted it yet: the gate is away or busy. "
                "It counts when a gate is back. Look again: holdpoint show"
            )
            return ExitCode.UNDECIDED, f"{text} {told.hold_id}"
        case Status.PENDING_CONFIRMATION:
            return ExitCode.OK, "Your yes counts. It still waits for other people."
        case _:
            return ExitCode.OK, _counted(wish, told)


def _counted(wish: Wish, told: Envelope) -> str:
    match told.status:
        case Status.CANCELLED if wish.choice is Choice.CANCEL:
            return "Cancelled. Nothing runs, and the agent is told that you cancelled it."
        case Status.SUPERSEDED if wish.choice is Choice.MODIFY:
            new = told.superseded_by
            return f"Changed. {new} took its place: holdpoint show {new}"
        case Status.CONFIRMED:
            return "Confirmed. The agent may go on."
        case _:
            return f"Your answer counts. It now stands as: {told.status.value.replace('_', ' ')}."


def _after_a_run(card: Card) -> tuple[ExitCode, str]:
    """Return what to say once it was let go."""
    result = f" {card.result}" if card.result else ""
    if card.state == RunStatus.DONE.value:
        return ExitCode.OK, f"Your yes counted, and it ran: {card.title.rstrip('.')}.{result}"
    if card.state in ENDINGS:
        ended = card.state.replace("_", " ")
        return ENDINGS[card.state], f"Confirmed, but it ended as {ended}.{result}"
    if cools_off(card):
        how = f"Your yes counts. It {card_view.standing(card, clock.now())}"
        return ExitCode.OK, f"{how}; until then it can be stopped: holdpoint cancel {card.hold_id}"
    if card.outcome == Outcome.CONFIRMED and not card.ui.action.tool:
        return ExitCode.OK, "Confirmed. The agent may go on."
    by_agent = card.enforcement is catalog.Enforcement.COOPERATIVE
    how = "The agent runs it itself, when it calls again" if by_agent else "It has not ended yet"
    text = f"Confirmed. {how}. Look again: holdpoint show"
    return ExitCode.OK, f"{text} {card.hold_id}"


def _made(
    name: str, card: Card, wish: Wish, told: Envelope, said: tuple[ExitCode, str]
) -> Answered:
    exit_code, text = said
    return Answered(
        hold_id=card.hold_id,
        person=name,
        answer=wish.choice,
        counted=told.status not in {Status.REFUSED, Status.WAITING},
        status=told.status.value,
        state=card.state,
        text=text,
        exit_code=exit_code,
    )
