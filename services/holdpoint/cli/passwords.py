"""Passwords of people: asked on their terminal, used at once, kept nowhere."""

import secrets

from rich.text import Text

from holdpoint.cli import terminal
from holdpoint.cli.events import PasswordMade, Tell
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.terminal import NoTerminalError, Terminal
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security import credentials

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""No two of them look alike."""

GROUPS, GROUP_LETTERS = 3, 5
"""15 letters of 31: 74 bits."""

TRIES = 3
"""To type the same new password twice."""


def unlocked(tty: Terminal, settings: Settings, person: str) -> str:
    """Ask for the person's password and return what they log in with.

    A password that a program made is changed first.
    """
    key = credentials.read_person_key(settings.people_dir, person)
    if key is None:
        raise no_key(person)
    password = tty.secret(f"Password of {person}: ")
    seed = _opened(settings, person, password)
    if key.must_change:
        tty.show([Text("A program made this password, so others may know it. Choose your own.")])
        _change(tty, settings, person, password)
    return seed


def enrol(tty: Terminal, settings: Settings, person: str, voucher: str) -> None:
    """Give a person a new key and its first password, once the voucher has typed theirs.

    Only on a fresh system, where nobody has a password, is there no voucher.
    """
    if voucher:
        tty.show([Text(f"{voucher} vouches for a new password of {person}.")])
        unlocked(tty, settings, voucher)
    password = _chosen(tty, person, other_than="")
    credentials.renew_person_key(settings.people_dir, person, password, credentials.INTERACTIVE)


def change(tty: Terminal, settings: Settings, person: str) -> None:
    """Let a person who knows their password choose another one."""
    old = tty.secret(f"Password of {person} until now: ")
    _opened(settings, person, old)
    _change(tty, settings, person, old)


def voucher_for(settings: Settings, person: str, said: str) -> str:
    """Return who has to agree to a new password of this person; empty only when nobody has any.

    An admin; as long as no admin has a password, anybody who has one.
    """
    able = _able(settings, person)
    if not able:
        return ""
    if said in able:
        return said
    if said or len(able) > 1:
        text = f"Say with --as whose password vouches for {person}: {', '.join(able)}."
        raise CommandError(ExitCode.USAGE, "which_voucher", text)
    return able[0]


def _able(settings: Settings, person: str) -> list[str]:
    """Return who may vouch for this person: nobody vouches for themselves."""
    holders = [
        one
        for one in load_registry(settings.config_dir).people
        if credentials.read_person_key(settings.people_dir, one.name) is not None
    ]
    others = [one for one in holders if one.name != person]
    if holders and not others:
        path = settings.people_dir / f"{person}.key"
        text = f"Nobody else has a password to vouch with. The owner of {path} may remove it."
        raise CommandError(ExitCode.SETUP, "no_voucher", text)
    return [one.name for one in others if one.admin] or [one.name for one in others]


def first_password(settings: Settings, person: str, tell: Tell) -> bool:
    """Give the sample person a password at the very first run; whether a new key was made.

    On a terminal they choose it. Without one a program does, and tells it exactly once.
    """
    if credentials.read_person_key(settings.people_dir, person) is not None:
        return False
    try:
        with terminal.opened() as tty:
            tty.show(
                [Text(f"{person} answers what agents ask, with a password that no agent has.")]
            )
            _create(settings, person, _chosen(tty, person, other_than=""))
    except NoTerminalError:
        made = _made_up()
        credentials.create_person_key(
            settings.people_dir, person, made, credentials.INTERACTIVE, must_change=True
        )
        tell(PasswordMade(person=person, password=made))
    return True


def no_key(person: str) -> CommandError:
    """Nobody gave this person a password yet."""
    text = f"{person} has no password yet. Set one: holdpoint people set-password {person}"
    return CommandError(ExitCode.SETUP, "no_key", text)


def _opened(settings: Settings, person: str, password: str) -> str:
    try:
        return credentials.unlock_person_key(settings.people_dir, person, password)
    except SetupError as error:
        text = f"{error} Nothing was done."
        raise CommandError(ExitCode.PASSWORD, "wrong_password", text) from None


def _create(settings: Settings, person: str, password: str) -> None:
    credentials.create_person_key(
        settings.people_dir, person, password, credentials.INTERACTIVE, must_change=False
    )


def _change(tty: Terminal, settings: Settings, person: str, old: str) -> None:
    reseal(settings, person, old, _chosen(tty, person, other_than=old))


def reseal(settings: Settings, person: str, old: str, new: str) -> None:
    """Write the person's key with a new password; where that fails, the old one stands."""
    try:
        credentials.change_password(settings.people_dir, person, old, new, credentials.INTERACTIVE)
    except OSError as error:
        text = (
            f"The new password cannot be written: {error.strerror}. The old one stands, and "
            "nothing was answered or changed. Make room, then try again."
        )
        raise CommandError(ExitCode.FAILED, "unwritable_file", text) from None


def _chosen(tty: Terminal, person: str, other_than: str) -> str:
    """A new password, typed twice."""
    shortest = credentials.SHORTEST_PASSWORD
    for _ in range(TRIES):
        new = tty.secret(f"New password of {person} (at least {shortest} characters): ")
        if len(new) < shortest:
            tty.show([Text(f"That is too short: at least {shortest} characters.")])
        elif new == other_than:
            tty.show([Text("That is the old one. Choose another.")])
        elif tty.secret("Repeat the new password: ") != new:
            tty.show([Text("The two passwords differ.")])
        else:
            return new
    raise CommandError(ExitCode.PASSWORD, "no_password", "No password was set. Nothing was done.")


def _made_up() -> str:
    """Readable, and beyond guessing."""
    groups = ("".join(secrets.choice(LETTERS) for _ in range(GROUP_LETTERS)) for _ in range(GROUPS))
    return "-".join(groups)
