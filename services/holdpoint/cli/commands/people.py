"""What people do at a terminal: see what waits, read a card, answer it, keep their password."""

import asyncio
from enum import StrEnum
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from holdpoint.cli import answering, batch, limits, output, passwords, step_up, terminal
from holdpoint.cli.answering import Answered
from holdpoint.cli.cards import named, read_cards
from holdpoint.cli.commands import api_keys
from holdpoint.cli.commands.delegations import away, back, delegate
from holdpoint.cli.limits import AmountOption, LastsOption, LimitOption, RememberOption
from holdpoint.cli.orders import end, give, tell
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import AsOption, JsonOption, begun, person_of
from holdpoint.cli.views import card_view
from holdpoint.console.status_labels import is_answerable, is_open, is_witnessed, place
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Role
from holdpoint.messages.state import RemoveStepUp
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials

LONGEST_WAIT_S = 3600.0
MOST_WITNESSED = 10
"""The newest of what ran without asking, beside what waits."""

STEP_UP = "step_up"
"""The order that takes a person's step-up away."""

first_password = passwords.first_password
"""For the very first `holdpoint up`."""

answers = typer.Typer()
"""`pending`, `show`, `proceed`, `cancel`, `extend`, `reconcile`: mounted at the top."""

people = typer.Typer(help="Who may answer, and their passwords.", no_args_is_help=True)

IdArgument = Annotated[
    str, typer.Argument(metavar="ID", help="The hold's id, or its beginning if only one fits.")
]


VoucherOption = Annotated[
    str, typer.Option("--as", help="The admin who vouches, if there is more than one.")
]


class Password(StrEnum):
    """State of a person's password."""

    SET = "set"
    MADE_BY_A_PROGRAM = "to be changed at first use"
    MISSING = "missing"


class PersonLine(msgspec.Struct, frozen=True, kw_only=True):
    """One person, as `holdpoint people list` tells it."""

    name: str
    groups: tuple[str, ...]
    roles: tuple[Role, ...]
    admin: bool
    password: Password


class PasswordSet(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `holdpoint people set-password`."""

    person: str
    is_new: bool
    """The broker learns of a new one with `holdpoint provision`."""

    vouched_by: str = ""
    """Whose password agreed to a new one; empty for one's own change, and on a fresh system."""


@answers.command()
def pending(
    *,
    everything: Annotated[bool, typer.Option("--all", help="Closed ones too.")] = False,
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show what waits for your groups, cools off or is in doubt. With --json: a card per line."""
    settings = begun()
    person = person_of(settings, as_person)
    every = asyncio.run(read_cards(settings, person))
    cards = sorted((card for card in every if everything or is_answerable(card)), key=_order)
    if as_json:
        output.emit(*cards)
        return
    now, columns = clock.now(), output.width()
    asked = [card for card in cards if not is_witnessed(card)]
    for card in asked:
        output.show(card_view.row(card, now, columns))
    if not asked:
        output.say(f"Nothing waits for {person.name}.")
    ran = [card for card in reversed(every) if is_witnessed(card)]
    if ran:
        output.say("\nRan without asking:")
    for card in ran if everything else ran[:MOST_WITNESSED]:
        output.show(card_view.row(card, now, columns))


@answers.command()
def show(hold_id: IdArgument, *, as_person: AsOption = "", as_json: JsonOption = False) -> None:
    """Show the whole card of one hold."""
    settings = begun()
    person = person_of(settings, as_person)
    card = named(asyncio.run(read_cards(settings, person)), hold_id)
    if as_json:
        output.emit(card)
    else:
        output.show(card_view.whole(card, clock.now(), output.width()))


@answers.command()
def proceed(  # noqa: PLR0913  # each is one option
    hold_id: IdArgument,
    *,
    as_person: AsOption = "",
    wait: Annotated[
        float,
        typer.Option(min=0, max=LONGEST_WAIT_S, help="Seconds to wait for how it ended."),
    ] = 10.0,
    remember: RememberOption = 0,
    limit: LimitOption = None,
    amount: AmountOption = "",
    lasts: LastsOption = "8h",
    as_json: JsonOption = False,
) -> None:
    """Say yes to exactly what the card shows. Asks for your password on the terminal."""
    wanted = limits.remembered(remember, limit or [], amount, lasts)
    wish = answering.Wish(
        choice=Choice.PROCEED, prefix=hold_id, reason="", wait_s=wait, remember=wanted
    )
    _tell(answering.answer(begun(), as_person, wish), as_json=as_json)


@answers.command()
def confirm(
    hold_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="The holds, or their beginnings.")
    ] = None,
    *,
    same_as: Annotated[
        str, typer.Option(help="Every open hold on the same action as this one.")
    ] = "",
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say yes to several holds on the same action at once, one answer each."""
    done = batch.confirm(begun(), as_person, hold_ids or [], same_as)
    if as_json:
        output.emit(*done)
    for it in done if not as_json else ():
        output.say(it.text)
    if not all(it.counted for it in done):
        raise typer.Exit(ExitCode.FAILED)


@answers.command()
def cancel(
    hold_id: IdArgument,
    *,
    reason: Annotated[str, typer.Option(help="Why; the agent is told.")] = "",
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say no, or stop what cools off: nothing runs. Asks for your password on the terminal."""
    wish = answering.Wish(choice=Choice.CANCEL, prefix=hold_id, reason=reason, wait_s=0.0)
    _tell(answering.answer(begun(), as_person, wish), as_json=as_json)


@answers.command()
def extend(
    hold_id: IdArgument,
    *,
    by: Annotated[str, typer.Option(help="By how much: 15m, 2h, 1d.")],
    why: Annotated[str, typer.Option(help="Why; it stands on the card and in the ledger.")],
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Move the deadline of what waits, as far as the policy allows. Asks for your password."""
    if not why.strip():
        raise CommandError(ExitCode.USAGE, "bad_option", "Say why, with --why.")
    seconds = limits.seconds_of(by, "--by")
    wish = answering.Wish(
        choice=Choice.EXTEND, prefix=hold_id, reason=why.strip(), wait_s=0.0, extend_s=seconds
    )
    _tell(answering.answer(begun(), as_person, wish), as_json=as_json)


@answers.command()
def modify(  # each is one option
    hold_id: IdArgument,
    *,
    why: Annotated[str, typer.Option(help="Why; the agent is told.")],
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="name=value of an argument: a text without quotes (name=Rainy day), or JSON.",
        ),
    ] = None,
    unset: Annotated[list[str] | None, typer.Option(help="An argument to leave out.")] = None,
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Change the arguments of an open call. It is judged again, and people are asked again."""
    wish = answering.Wish(
        choice=Choice.MODIFY,
        prefix=hold_id,
        reason=why,
        wait_s=0.0,
        sets=tuple(sets or ()),
        unset=tuple(unset or ()),
    )
    _tell(answering.answer(begun(), as_person, wish), as_json=as_json)


@answers.command()
def reconcile(
    hold_id: IdArgument,
    *,
    happened: Annotated[
        bool | None, typer.Option("--happened/--did-not-happen", help="What you found. Required.")
    ] = None,
    note: Annotated[
        str, typer.Option(help="What you looked at; the agent is told. Required.")
    ] = "",
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say what became of a run in doubt. Nothing runs again. Asks for your password."""
    if happened is None:
        raise typer.BadParameter("Say what you found: --happened or --did-not-happen.")
    if not note.strip():
        raise typer.BadParameter("Say what you looked at: --note TEXT; the agent is told.")
    choice = Choice.HAPPENED if happened else Choice.DID_NOT_HAPPEN
    wish = answering.Wish(choice=choice, prefix=hold_id, reason=note, wait_s=0.0)
    _tell(answering.answer(begun(), as_person, wish), as_json=as_json)


@people.command(name="list")
def list_people(*, as_json: JsonOption = False) -> None:
    """List who may answer. With --json: one person per line."""
    settings = begun()
    lines = [
        PersonLine(
            name=person.name,
            groups=person.groups,
            roles=person.roles,
            admin=person.admin,
            password=_password(credentials.read_person_key(settings.people_dir, person.name)),
        )
        for person in load_registry(settings.config_dir).people
    ]
    if as_json:
        output.emit(*lines)
        return
    for line in lines:
        roles = ", ".join([*line.roles, *(["admin"] if line.admin else [])]) or "no role"
        groups = ", ".join(line.groups) or "no group"
        output.show(Text(f"{line.name:<20} {groups}; {roles}; password: {line.password}"))


@people.command(name="set-password")
def set_password(
    name: Annotated[str, typer.Argument(metavar="PERSON", help="Whose password it is.")],
    *,
    forgotten: Annotated[
        bool,
        typer.Option(
            "--forgotten",
            help="Nobody knows it any more, or somebody else does: make a new key.",
        ),
    ] = False,
    as_voucher: VoucherOption = "",
    as_json: JsonOption = False,
) -> None:
    """Set a person's first password, or change it. Asks on the terminal only."""
    settings = begun()
    person = person_of(settings, name)
    known = credentials.read_person_key(settings.people_dir, person.name)
    is_new = forgotten or known is None
    voucher = passwords.voucher_for(settings, person.name, as_voucher) if is_new else ""
    with terminal.opened() as tty:
        if is_new:
            passwords.enrol(tty, settings, person.name, voucher)
        else:
            passwords.change(tty, settings, person.name)
    _tell_set(PasswordSet(person=person.name, is_new=is_new, vouched_by=voucher), as_json=as_json)


@people.command()
def totp(
    name: Annotated[str, typer.Argument(metavar="PERSON", help="Who sets up one-time codes.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Set up one-time codes for an authenticator app. Shows a QR code on the terminal only."""
    settings = begun()
    ordered = step_up.set_up(settings, person_of(settings, name).name)
    tell(ordered, as_json=as_json)
    end(ordered)


@people.command(name="remove-step-up")
def remove_step_up(
    name: Annotated[
        str, typer.Argument(metavar="PERSON", help="Whose codes and passkeys they are.")
    ],
    *,
    reason: Annotated[str, typer.Option(help="Why; it stands in the ledger.")],
    as_person: Annotated[
        str, typer.Option("--as", help="The admin who takes them away, if not HP_PERSON.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Take a person's one-time codes and passkeys away, as an admin: they lost their telephone."""
    settings = begun()
    person = person_of(settings, name).name
    order = RemoveStepUp(person=person, reason=reason)
    said = (
        f"Taking away the one-time codes and passkeys of {person}.",
        f"{person} has no step-up any more. New codes: holdpoint people totp {person}",
    )
    end(give(settings, as_person, (order, STEP_UP), said, as_json=as_json))


people.command()(delegate)
people.command()(away)
people.command()(back)
api_keys.mount_people(people)


def _tell_set(done: PasswordSet, *, as_json: bool) -> None:
    if as_json:
        output.emit(done)
        return
    output.say(f"The password of {done.person} is set.")
    if done.is_new:
        output.say("The broker learns of it with: holdpoint provision")


def _tell(answered: Answered, *, as_json: bool) -> None:
    if as_json:
        output.emit(answered)
    else:
        output.say(answered.text)
    if answered.exit_code is not ExitCode.OK:
        raise typer.Exit(answered.exit_code)


def _order(card: Card) -> tuple[bool, bool, str]:
    """As in the console, but what waits first, then what cools off, then what is closed."""
    return not is_answerable(card), not is_open(card), place(card)


def _password(key: credentials.PersonKey | None) -> Password:
    if key is None:
        return Password.MISSING
    return Password.MADE_BY_A_PROGRAM if key.must_change else Password.SET


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(answers)
    app.add_typer(people, name="people")
