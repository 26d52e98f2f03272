"""Rotation with an overlap, keys that are denied, and a keyset that only its offline root signs."""

from datetime import timedelta
from pathlib import Path

import pytest

from holdpoint.runtime.errors import SetupError, SignatureError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys, keyset_files
from holdpoint.runtime.security.keys import Keyset, Signer

BODY = b'{"subject":"hp.acme.hold.robot.h1.passed.shell"}'
NOW = clock.now()
HOUR = timedelta(hours=1)


class Clockwork:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        self.seconds += keys.RECHECK_S
        return self.seconds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    keys.make_signing_key(folder, keys.GATE, NOW - HOUR)
    return folder


@pytest.fixture
def root(folder: Path, tmp_path: Path) -> Path:
    """A pinned root; its secret half."""
    keyset_files.new_root(folder, tmp_path / "root.key")
    return tmp_path / "root.key"


def test_after_a_rotation_the_old_key_counts_until_the_overlap_is_over(folder: Path) -> None:
    keyset = Keyset(folder, Clockwork())
    old = Signer(folder, keys.GATE, keyset).sign(BODY)
    keys.rotate(folder, keys.GATE, NOW, HOUR)

    new = Signer(folder, keys.GATE, keyset).sign(BODY)

    assert new.split()[0] != old.split()[0]
    almost, over = NOW + HOUR - timedelta(seconds=1), NOW + HOUR
    assert keyset.verify(BODY, old, keys.GATE, almost)
    with pytest.raises(SignatureError, match="does not count"):
        keyset.verify(BODY, old, keys.GATE, over)
    assert keyset.verify(BODY, new, keys.GATE, over)


def test_by_a_denied_key_nothing_new_runs_whatever_a_clock_says(folder: Path) -> None:
    keyset = Keyset(folder, Clockwork())
    signed = Signer(folder, keys.GATE, keyset).sign(BODY)
    key_id = keyset.verify(BODY, signed, keys.GATE, NOW)
    keyset.check_not_denied(key_id)
    keys.revoke(folder, key_id, NOW)

    with pytest.raises(SignatureError, match="denied"):
        keyset.check_not_denied(key_id)
    with pytest.raises(SignatureError, match="does not count"):
        keyset.verify(BODY, signed, keys.GATE, NOW)
    assert keyset.verify(BODY, signed, keys.GATE, NOW - timedelta(seconds=1))  # what it said before


def test_with_a_root_a_keyset_that_it_did_not_sign_counts_for_nothing(
    folder: Path, root: Path
) -> None:
    keyset = Keyset(folder, Clockwork())
    signed = Signer(folder, keys.GATE, keyset).sign(BODY)
    file = folder / keyset_files.KEYSET_FILE
    good = file.read_text()
    bad = (
        good[: good.index('"root_signature"')].rstrip().rstrip(",") + "}",
        good.replace('"gate"', '"worker:shell"'),
        good.replace('"root_signature": "', '"root_signature": "AAAA'),
    )
    for content in bad:
        assert content != good
        file.write_text(content)
        with pytest.raises(SetupError, match="not signed by the root"):
            keyset.verify(BODY, signed, keys.GATE, NOW)
    file.write_text(good)
    assert keyset.verify(BODY, signed, keys.GATE, NOW)
    assert root.stat().st_mode & 0o077 == 0


def test_a_rotation_waits_for_the_root_and_a_denial_does_not(folder: Path, root: Path) -> None:
    keyset = Keyset(folder, Clockwork())
    signer = Signer(folder, keys.GATE, keyset)
    old = signer.key_id
    made = keys.rotate(folder, keys.GATE, NOW, HOUR)
    signer.sign(BODY)
    assert signer.key_id == old

    keyset_files.sign_with_root(folder, root)
    signer.sign(BODY)
    assert signer.key_id == made.key_id
    assert not (folder / keyset_files.UNSIGNED_FILE).exists()

    keys.revoke(folder, old, NOW)
    with pytest.raises(SignatureError, match="denied"):
        keyset.check_not_denied(old)


def test_only_the_pinned_root_signs(folder: Path, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    keys.make_signing_key(other, keys.GATE, NOW)
    keyset_files.new_root(other, tmp_path / "other.key")

    with pytest.raises(SetupError, match="is not the root"):
        keyset_files.sign_with_root(folder, tmp_path / "other.key")
    with pytest.raises(SetupError, match="pinned already"):
        keyset_files.new_root(folder, tmp_path / "third.key")
    assert keyset_files.sign_with_root(folder, root)
