"""An invitation is good once, for a day, for somebody who has no key yet."""

from datetime import timedelta
from pathlib import Path

import pytest

from holdpoint.console import invites
from holdpoint.console.invites import Invites
from holdpoint.runtime.security import credentials
from holdpoint.runtime.security.credentials import WorkFactor

CHEAP = WorkFactor(passes=1, memory_bytes=64 * 1024)


@pytest.fixture
def made(tmp_path: Path) -> Invites:
    return Invites(tmp_path / "console", tmp_path / "people")


def test_a_link_names_its_person_and_who_made_it(made: Invites) -> None:
    invite = made.find(made.make("dora", "ann"))

    assert invite is not None
    assert (invite.person, invite.by) == ("dora", "ann")


def test_on_disk_lies_nothing_that_opens_it(made: Invites, tmp_path: Path) -> None:
    token = made.make("dora", "ann")

    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert kept
    assert not [it for it in kept if token in it.name or token in it.read_text()]


def test_a_used_a_newer_and_a_made_up_link_are_good_for_nothing(made: Invites) -> None:
    first = made.make("dora", "ann")
    second = made.make("dora", "ann")
    assert made.find(first) is None
    assert made.find(second) is not None

    made.drop("dora")
    for token in (second, "0" * 64, "", "../../people/ann"):
        assert made.find(token) is None


def test_after_a_day_it_is_too_old(made: Invites, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invites, "LIVES", timedelta(0))

    assert made.find(made.make("dora", "ann")) is None


def test_who_has_a_key_keeps_it(made: Invites, tmp_path: Path) -> None:
    token = made.make("dora", "ann")
    credentials.create_person_key(
        tmp_path / "people", "dora", "correct horse", CHEAP, must_change=False
    )

    assert made.find(token) is None
