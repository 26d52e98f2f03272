"""A session opens with both halves that the browser keeps, and with nothing that lies on disk."""

import hmac
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from holdpoint.console import sessions
from holdpoint.console.sessions import LoggedIn, Sessions
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security import credentials
from holdpoint.runtime.security.credentials import PersonKey, WorkFactor

SEED = "SUAEXAMPLEEXAMPLEEXAMPLE"


CHEAP = WorkFactor(passes=1, memory_bytes=64 * 1024)


def sessions_in(folder: Path) -> Sessions:
    return Sessions(folder / "console", folder / "people", folder / "credentials")


@pytest.fixture
def key(tmp_path: Path) -> PersonKey:
    people = tmp_path / "people"
    return credentials.create_person_key(
        people, "annabelle", "correct horse", CHEAP, must_change=False
    )


@pytest.fixture
def kept(tmp_path: Path) -> Sessions:
    return sessions_in(tmp_path)


@pytest.fixture
def given(kept: Sessions, key: PersonKey) -> LoggedIn:
    return kept.begin("annabelle", SEED, key)


def test_both_halves_open_what_the_person_answers_with(kept: Sessions, given: LoggedIn) -> None:
    session = kept.find(given.cookie)

    assert session is not None
    assert session.person == "annabelle"
    assert session.seed(given.page_half) == SEED


def test_the_cookie_alone_forges_no_form(kept: Sessions, given: LoggedIn) -> None:
    session = kept.find(given.cookie)
    half = given.cookie.partition(".")[2]

    assert session is not None
    assert session.is_own_form(given.csrf)
    for csrf in ("", half, hmac.digest(half.encode(), b"csrf", "sha256").hex()):
        assert not session.is_own_form(csrf)


@pytest.mark.parametrize("half", ["", "0" * 64, "zz", "0" * 63])
def test_the_cookie_alone_opens_no_seed(kept: Sessions, given: LoggedIn, half: str) -> None:
    session = kept.find(given.cookie)

    assert session is not None
    with pytest.raises(SetupError):
        session.seed(half)


def test_a_restarted_console_knows_who_is_logged_in(
    kept: Sessions, given: LoggedIn, tmp_path: Path
) -> None:
    before, after = kept.find(given.cookie), sessions_in(tmp_path).find(given.cookie)

    assert before is not None
    assert after is not None
    assert (after.person, after.since) == ("annabelle", before.since)
    assert after.is_own_form(given.csrf)
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
    assert sessions_in(tmp_path).find(forged) is None
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
    for word in (SEED, "annabelle", given.page_half, given.cookie.partition(".")[2]):
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


def test_a_changed_password_ends_every_session_but_the_one_begun_with_it(
    kept: Sessions, given: LoggedIn, tmp_path: Path
) -> None:
    session = kept.find(given.cookie)
    assert session is not None

    new = credentials.change_password(
        tmp_path / "people", "annabelle", "correct horse", "another horse", CHEAP
    )
    fresh = kept.begin("annabelle", SEED, new)

    assert not kept.is_good(session)
    assert kept.find(given.cookie) is None
    assert kept.find(fresh.cookie) is not None
    assert sessions_in(tmp_path).find(fresh.cookie) is not None


def test_a_new_key_ends_a_session_that_a_restarted_console_never_saw(
    given: LoggedIn, tmp_path: Path
) -> None:
    credentials.renew_person_key(tmp_path / "people", "annabelle", "another horse", CHEAP)

    assert sessions_in(tmp_path).find(given.cookie) is None
    assert list((tmp_path / "console").iterdir()) == []


@pytest.mark.parametrize("left", [None, b"{", b"{}"])
def test_without_a_key_that_can_be_read_nobody_is_logged_in(
    kept: Sessions, given: LoggedIn, tmp_path: Path, left: bytes | None
) -> None:
    path = tmp_path / "people" / "annabelle.key"
    path.unlink() if left is None else path.write_bytes(left)

    assert kept.find(given.cookie) is None
