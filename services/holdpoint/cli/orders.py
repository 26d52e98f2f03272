"""Orders that a person gives on ADMIN: shown, signed for with a password, and what came of them."""

import asyncio

import msgspec
import typer
from rich.text import Text

from holdpoint.cli import output, passwords, terminal
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import logged_in, person_of
from holdpoint.messages import catalog
from holdpoint.messages.base import Message
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.subjects import ADMIN, command_id, stream
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError


class Ordered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an order, for people (`text`) and programs."""

    order: str
    """`ADMIN:17`: where it stands."""

    person: str
    carried_out: bool
    status: Status
    code: str
    """Of a refusal; empty otherwise."""

    text: str
    exit_code: ExitCode


def give(
    settings: Settings, said: str, order: tuple[Message, str], texts: tuple[str, str],
    *, as_json: bool,
) -> Ordered:  # fmt: skip
    """Show what an admin is about to order, ask for the password, publish, say what came of it."""
    _check_right(settings, person_of(settings, said))
    return give_own(settings, said, order, texts, as_json=as_json)


def give_own(
    settings: Settings, said: str, order: tuple[Message, str], texts: tuple[str, str],
    *, as_json: bool,
) -> Ordered:  # fmt: skip
    """The same for what everybody may order about themselves."""
    person = person_of(settings, said)
    before, done = texts
    with terminal.opened() as tty:
        for line in output.folded(before, tty.width):
            tty.show([Text(line)])
        seed = passwords.unlocked(tty, settings, person.name)
    ordered = send(settings, (person.name, seed), order, done)
    tell(ordered, as_json=as_json)
    return ordered


def tell(ordered: Ordered, *, as_json: bool) -> None:
    """Say what became of it."""
    if as_json:
        output.emit(ordered)
    else:
        output.say(ordered.text)


def send(
    settings: Settings, who: tuple[str, str], order: tuple[Message, str], done: str
) -> Ordered:
    """Publish an order as this person, by their name and seed, and say what came of it."""
    seq, told = asyncio.run(_order(settings, who, *order))
    return _ordered(command_id(stream(settings.tenant, ADMIN), seq), who[0], told, done)


async def _order(
    settings: Settings, who: tuple[str, str], order: Message, lane: str
) -> tuple[int, Envelope]:
    async with logged_in(settings, *who) as person:
        seq = await person.order(order, lane)
        try:
            return seq, await person.heard(seq)
        except UnavailableError:
            return seq, Envelope(status=Status.WAITING)


def _ordered(stored: str, person: str, told: Envelope, done: str) -> Ordered:
    match told.status:
        case Status.DONE:
            text, exit_code = done, ExitCode.OK
        case Status.REFUSED:
            text = f"The order was refused ({told.code}): {told.reason}"
            exit_code = ExitCode.FAILED
        case _:
            text = (
                "The order is stored and not yet carried out: no gate runs, or it is "
                "busy. It is carried out as soon as one can. Look again: holdpoint status"
            )
            exit_code = ExitCode.UNDECIDED
    return Ordered(
        order=stored,
        person=person,
        carried_out=told.status is Status.DONE,
        status=told.status,
        code=told.code,
        text=text,
        exit_code=exit_code,
    )


def end(ordered: Ordered) -> None:
    """End the command as the order ended."""
    if ordered.exit_code is not ExitCode.OK:
        raise typer.Exit(ordered.exit_code)


def _check_right(settings: Settings, person: catalog.Person) -> None:
    if not person.admin:
        text = f"{settings.config_dir / 'people.yaml'} does not make {person.name} an admin."
        raise CommandError(ExitCode.FAILED, "not_an_admin", text)
