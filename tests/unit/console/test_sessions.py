"""A session opens with both halves that the browser keeps, and with nothing that lies on disk."""

import stat
from datetime import timedelta
from pathlib import Path

import pytest

from holdpoint.console import sessions
from holdpoint.console.sessions import LoggedIn, Sessions
from holdpoint.runtime.errors import SetupError

SEED = "SUAEXAMPLEEXAMPLEEXAMPLE"


@pytest.fixture
def kept(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "console")


@pytest.fixture
def given(kept: Sessions) -> LoggedIn:
    return kept.begin("ann", SEED)


def test_both_halves_open_what_the_person_answers_with(kept: Sessions, given: LoggedIn) -> None:
    session = kept.find(given.cookie)

    assert session is not None
    assert session.person == "ann"
    assert session.seed(given.page_half) == SEED


@pytest.mark.parametrize("half", ["", "0" * 64, "zz", "0" * 63])
def test_the_cookie_alone_opens_no_seed(kept: Sessions, given: LoggedIn, half: str) -> None:
    session = kept.find(given.cookie)

    assert session is not None
    with pytest.raises(SetupError):
        session.seed(half)


def test_a_restarted_console_knows_who_is_logged_in(
    kept: Sessions, given: LoggedIn, tmp_path: Path
) -> None:
    before, after = kept.find(given.cookie), Sessions(tmp_path / "console").find(given.cookie)

    assert before is not None
    assert after is not None
    assert (after.person, after.since, after.csrf) == ("ann", before.since, before.csrf)
    assert after.seed(given.page_half) == SEED


@pytest.mark.parametrize("cookie", ["", ".", "a.b", "../x." + "0" * 64])
def test_what_is_no_cookie_finds_nobody(kept: Sessions, cookie: str) -> None:
    assert kept.find(cookie) is None


def test_an_id_with_another_half_finds_nobody(
    kept: Sessions, given: LoggedIn, tmp_path: Path
) -> None:
    forged = given.cookie.partition(".")[0] + "." + "0" * 64

    assert kept.find(given.cookie) is not None
    assert kept.find(forged) is None
    assert Sessions(tmp_path / "console").find(forged) is None
    assert kept.find(given.cookie) is not None


def test_a_changed_file_finds_nobody(kept: Sessions, given: LoggedIn, tmp_path: Path) -> None:
    (path,) = (tmp_path / "console").iterdir()
    path.write_bytes(path.read_bytes().replace(b'"who":"', b'"who":"AAAA'))

    assert kept.find(given.cookie) is None


def test_nothing_on_disk_is_of_use_to_a_thief(given: LoggedIn, tmp_path: Path) -> None:
    folder = tmp_path / "console"
    (path,) = folder.iterdir()

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for word in (SEED, "ann", given.page_half, given.cookie.partition(".")[2]):
        assert word.encode() not in path.read_bytes()


def test_logging_out_leaves_nothing(kept: Sessions, given: LoggedIn, tmp_path: Path) -> None:
    session = kept.find(given.cookie)
    assert session is not None

    kept.end(session)

    assert kept.find(given.cookie) is None
    assert list((tmp_path / "console").iterdir()) == []


def test_it_ends_after_its_time_whatever_happens(
    kept: Sessions, given: LoggedIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kept.find(given.cookie) is not None
    monkeypatch.setattr(sessions, "LIVES", timedelta(0))

    assert kept.find(given.cookie) is None
    assert list((tmp_path / "console").iterdir()) == []
