"""Passwords are set on a terminal; where there is none, a program makes one and tells it once."""

import errno
import os
import re
import sys
from pathlib import Path

import msgspec
import pytest
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.running_system import CHEAP, CONFIG, PASSWORD

from holdpoint.cli import passwords
from holdpoint.cli.events import to_people
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security import credentials

NEW = "battery staple"
FIRST_RUN = """\
import os, sys
os.close(os.open(sys.argv[1], os.O_RDWR))
from holdpoint.cli.events import to_people
from holdpoint.cli.commands.people import first_password
from holdpoint.runtime.config.settings import Settings
print(first_password(Settings(), "ann", to_people))
"""
FIRST = (sys.executable, "-c", FIRST_RUN)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(state_dir=tmp_path / "var", config_dir=CONFIG)


@pytest.mark.slow
def test_the_first_run_asks_twice_on_the_terminal(settings: Settings) -> None:
    with at_a_terminal(settings, starter=FIRST) as screen:
        screen.answers("New password of ann", NEW)
        screen.answers("Repeat the new password: ", "something else")
        screen.answers("New password of ann", NEW)
        screen.answers("Repeat the new password: ", NEW)
        ended = screen.ended()

    assert ended.out == "True\n", ended
    assert NEW not in screen.everything
    assert credentials.unlock_person_key(settings.people_dir, "ann", NEW)
    assert key_of(settings).must_change is False


def test_without_a_terminal_a_password_is_made_and_told_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("holdpoint.cli.terminal.TTY", "/nowhere")
    monkeypatch.setattr(credentials, "INTERACTIVE", CHEAP)

    assert passwords.first_password(settings, "ann", to_people)
    (made,) = re.findall(r"[a-z2-9]{5}(?:-[a-z2-9]{5}){2}", capsys.readouterr().out)
    assert credentials.unlock_person_key(settings.people_dir, "ann", made)
    assert key_of(settings).must_change
    assert not passwords.first_password(settings, "ann", to_people)
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_a_password_is_changed_only_by_who_knows_it(settings: Settings) -> None:
    credentials.create_person_key(settings.people_dir, "ann", PASSWORD, CHEAP, must_change=False)

    with at_a_terminal(settings, "people", "set-password", "ann") as screen:
        screen.answers("Password of ann until now: ", "wrong horse")
        assert screen.ended().code is ExitCode.PASSWORD.value

    with at_a_terminal(settings, "people", "set-password", "ann") as screen:
        screen.answers("Password of ann until now: ", PASSWORD)
        screen.answers("New password of ann", NEW)
        screen.answers("Repeat the new password: ", NEW)
        assert screen.ended().code is ExitCode.OK.value

    assert credentials.unlock_person_key(settings.people_dir, "ann", NEW)
    with pytest.raises(SetupError):
        credentials.unlock_person_key(settings.people_dir, "ann", PASSWORD)


def test_an_admin_agrees_to_a_first_password_of_another(settings: Settings) -> None:
    enrolled(settings, "ann")

    with at_a_terminal(settings, "people", "set-password", "ben") as screen:
        screen.answers("Password of ann: ", "wrong horse")
        assert screen.ended().code is ExitCode.PASSWORD.value
    assert credentials.read_person_key(settings.people_dir, "ben") is None

    with at_a_terminal(settings, "people", "set-password", "ben", "--json") as screen:
        screen.answers("Password of ann: ", PASSWORD)
        screen.answers("New password of ben", NEW)
        screen.answers("Repeat the new password: ", NEW)
        done = msgspec.json.decode(screen.ended().out)

    assert done == {"person": "ben", "is_new": True, "vouched_by": "ann"}
    assert credentials.unlock_person_key(settings.people_dir, "ben", NEW)


@pytest.mark.slow
def test_an_admin_agrees_to_a_new_key_for_who_forgot(settings: Settings) -> None:
    enrolled(settings, "ann")
    before = enrolled(settings, "ben")

    with at_a_terminal(settings, "people", "set-password", "ben", "--forgotten") as screen:
        screen.answers("Password of ann: ", PASSWORD)
        screen.answers("New password of ben", NEW)
        screen.answers("Repeat the new password: ", NEW)
        ended = screen.ended()

    assert "holdpoint provision" in ended.out
    assert credentials.unlock_person_key(settings.people_dir, "ben", NEW)
    after = credentials.read_person_key(settings.people_dir, "ben")
    assert after is not None
    assert after.public_key != before.public_key


def test_a_full_disk_says_that_the_old_password_stands(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    enrolled(settings, "ann")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        patched.setattr(credentials, "INTERACTIVE", CHEAP)
        with pytest.raises(CommandError, match="The old one stands, and nothing was answered"):
            passwords.reseal(settings, "ann", PASSWORD, NEW)

    assert credentials.unlock_person_key(settings.people_dir, "ann", PASSWORD)


def test_nobody_vouches_for_themselves(settings: Settings) -> None:
    enrolled(settings, "ann")

    ended = alone(settings, "people", "set-password", "ann", "--forgotten", "--json")

    assert ended.code is ExitCode.SETUP.value
    assert '"code":"no_voucher"' in ended.err


def test_who_has_a_password_vouches_where_no_admin_has_one(settings: Settings) -> None:
    enrolled(settings, "ben")

    assert passwords.voucher_for(settings, "ann", "") == "ben"
    enrolled(settings, "ann")
    with pytest.raises(CommandError, match="ann"):
        passwords.voucher_for(settings, "cem", "ben")


def test_a_first_password_reminds_of_the_broker(settings: Settings) -> None:
    with at_a_terminal(settings, "people", "set-password", "ben") as screen:
        screen.answers("New password of ben", NEW)
        screen.answers("Repeat the new password: ", NEW)
        ended = screen.ended()

    assert "holdpoint provision" in ended.out
    assert '"password":"set"' in alone(settings, "people", "list", "--json").out


def test_a_program_reads_that_a_password_is_new(settings: Settings) -> None:
    with at_a_terminal(settings, "people", "set-password", "ben", "--json") as screen:
        screen.answers("New password of ben", NEW)
        screen.answers("Repeat the new password: ", NEW)
        ended = screen.ended()

    done = msgspec.json.decode(ended.out)
    assert done == {"person": "ben", "is_new": True, "vouched_by": ""}


def test_who_never_agrees_with_themselves_gets_no_password(settings: Settings) -> None:
    with at_a_terminal(settings, "people", "set-password", "ben") as screen:
        for _ in range(passwords.TRIES):
            screen.answers("New password of ben", "short")
        ended = screen.ended()

    assert ended.code is ExitCode.PASSWORD.value
    assert credentials.read_person_key(settings.people_dir, "ben") is None


def test_no_terminal_sets_no_password(settings: Settings) -> None:
    ended = alone(settings, "people", "set-password", "ben", said=f"{NEW}\n{NEW}\n")

    assert ended.code is ExitCode.NO_TERMINAL.value
    assert credentials.read_person_key(settings.people_dir, "ben") is None


def test_a_made_up_password_is_beyond_guessing() -> None:
    bits = passwords.GROUPS * passwords.GROUP_LETTERS * (len(passwords.LETTERS) - 1).bit_length()

    assert len(set(passwords.LETTERS)) == len(passwords.LETTERS) == 31
    assert bits - 1 >= 60
    assert passwords._made_up() != passwords._made_up()


def enrolled(settings: Settings, person: str) -> credentials.PersonKey:
    return credentials.create_person_key(
        settings.people_dir, person, PASSWORD, CHEAP, must_change=False
    )


def key_of(settings: Settings) -> credentials.PersonKey:
    key = credentials.read_person_key(settings.people_dir, "ann")
    assert key is not None
    return key
