"""Credentials: made once, private, and a person's opens only with their password."""

from pathlib import Path

import msgspec
import pytest

from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security import credentials
from holdpoint.runtime.security.credentials import PersonKey, WorkFactor

CHEAP = WorkFactor(passes=1, memory_bytes=64 * 1024)
PASSWORD = "correct horse"  # noqa: S105  # of a person who exists only here
OTHER = "battery staple"


@pytest.fixture
def key(tmp_path: Path) -> PersonKey:
    return credentials.create_person_key(tmp_path, "ann", PASSWORD, CHEAP, must_change=True)


def test_a_credential_is_made_once(tmp_path: Path) -> None:
    folder = tmp_path / "credentials"
    public = credentials.make_credential(folder, "gate")

    assert credentials.make_credential(folder, "gate") == public
    assert public.startswith("U")
    assert credentials.public_key(credentials.read_seed(folder, "gate")) == public
    assert (folder / "gate.nk").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_credential_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    credentials.make_credential(tmp_path, "gate")
    (tmp_path / "gate.nk").chmod(0o644)

    with pytest.raises(SetupError, match="chmod 600"):
        credentials.read_seed(tmp_path, "gate")


def test_a_missing_or_damaged_credential_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="holdpoint provision"):
        credentials.read_seed(tmp_path, "gate")
    with pytest.raises(SetupError, match="not an nkey seed"):
        credentials.public_key("SUABC")


def test_the_password_opens_the_key(tmp_path: Path, key: PersonKey) -> None:
    seed = credentials.unlock_person_key(tmp_path, "ann", PASSWORD)

    assert credentials.public_key(seed) == key.public_key
    assert key.must_change
    assert seed.encode() not in (tmp_path / "ann.key").read_bytes()
    assert (tmp_path / "ann.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("wrong", ["", OTHER, PASSWORD + " ", PASSWORD.upper()])
def test_another_password_does_not(wrong: str, tmp_path: Path, key: PersonKey) -> None:
    assert key
    with pytest.raises(SetupError, match="does not open the key of ann"):
        credentials.unlock_person_key(tmp_path, "ann", wrong)


@pytest.mark.parametrize(
    "change",
    [
        {"sealed_seed": b"short"},
        {"salt": b"0" * 16},
        {"salt": b""},
        {"passes": 2},
        {"memory_bytes": 128 * 1024},
        {"memory_bytes": 2**50},
        {"passes": 2**40},
        {"public_key": "UAAAA"},
    ],
    ids=str,
)
def test_a_changed_file_opens_nothing(
    change: dict[str, object], tmp_path: Path, key: PersonKey
) -> None:
    changed = msgspec.structs.replace(key, **change)
    (tmp_path / "ann.key").write_bytes(msgspec.json.encode(changed))

    with pytest.raises(SetupError, match="ann"):
        credentials.unlock_person_key(tmp_path, "ann", PASSWORD)


def test_a_changed_byte_of_the_sealed_seed_opens_nothing(tmp_path: Path, key: PersonKey) -> None:
    for position in range(0, len(key.sealed_seed), 7):
        sealed = bytearray(key.sealed_seed)
        sealed[position] ^= 1
        changed = msgspec.structs.replace(key, sealed_seed=bytes(sealed))
        (tmp_path / "ann.key").write_bytes(msgspec.json.encode(changed))
        with pytest.raises(SetupError, match="does not open"):
            credentials.unlock_person_key(tmp_path, "ann", PASSWORD)


def test_a_file_that_is_no_key_says_so(tmp_path: Path, key: PersonKey) -> None:
    assert key
    (tmp_path / "ann.key").write_text("{")

    with pytest.raises(SetupError, match="damaged"):
        credentials.unlock_person_key(tmp_path, "ann", PASSWORD)


def test_a_key_is_never_replaced(tmp_path: Path, key: PersonKey) -> None:
    with pytest.raises(SetupError, match="has a key already"):
        credentials.create_person_key(tmp_path, "ann", OTHER, CHEAP, must_change=False)
    assert credentials.read_person_key(tmp_path, "ann") == key


def test_another_password_keeps_the_person(tmp_path: Path, key: PersonKey) -> None:
    changed = credentials.change_password(tmp_path, "ann", PASSWORD, OTHER, CHEAP)

    assert changed.public_key == key.public_key
    assert not changed.must_change
    assert credentials.unlock_person_key(tmp_path, "ann", OTHER)
    with pytest.raises(SetupError, match="does not open"):
        credentials.unlock_person_key(tmp_path, "ann", PASSWORD)


def test_a_short_password_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="at least 8"):
        credentials.create_person_key(tmp_path, "ann", "1234567", CHEAP, must_change=False)
    assert credentials.read_person_key(tmp_path, "ann") is None


def test_a_person_without_a_key_is_told_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="has no key yet"):
        credentials.unlock_person_key(tmp_path, "ann", PASSWORD)
