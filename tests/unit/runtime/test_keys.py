"""Signatures: what verifies is exactly what was signed, in that role, in that time."""

import base64
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
import structlog
from nacl.signing import SigningKey
from structlog.testing import CapturingLogger

from holdpoint.runtime.errors import SetupError, SignatureError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys, keyset_files
from holdpoint.runtime.security.keys import Keyset, Signer

NOW = clock.now()
BODY = b'{"specversion":"1.0","id":"1"}'
WORKER = keys.worker_role("shell")


class Clockwork:
    """Monotonic seconds that a test moves on."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    keys.make_signing_key(tmp_path, keys.GATE, NOW)
    keys.make_signing_key(tmp_path, WORKER, NOW)
    return tmp_path


@pytest.fixture
def keyset(folder: Path) -> Keyset:
    return Keyset(folder)


@pytest.fixture
def signed(folder: Path, keyset: Keyset) -> str:
    return Signer(folder, keys.GATE, keyset).sign(BODY)


def test_what_was_signed_verifies(keyset: Keyset, signed: str) -> None:
    assert keyset.verify(BODY, signed, keys.GATE, NOW) == _key_id(signed)


@pytest.mark.parametrize("position", range(len(BODY)))
def test_a_body_with_one_bit_changed_does_not(position: int, keyset: Keyset, signed: str) -> None:
    changed = bytearray(BODY)
    changed[position] ^= 1

    with pytest.raises(SignatureError, match="does not fit"):
        keyset.verify(bytes(changed), signed, keys.GATE, NOW)


def test_a_signature_with_one_bit_changed_does_not(keyset: Keyset, signed: str) -> None:
    key_id, text = signed.split(" ")
    for position in range(64):
        changed = bytearray(base64.b64decode(text))
        changed[position] ^= 1
        with pytest.raises(SignatureError):
            keyset.verify(BODY, f"{key_id} {base64.b64encode(changed).decode()}", keys.GATE, NOW)


@pytest.mark.parametrize(
    ("mangle", "why"),
    [
        (lambda _: "", "There is no Holdpoint-Signature"),
        (lambda it: it.split(" ")[0], "is not `<key id> <signature>`"),
        (lambda it: it.split(" ")[1], "is not `<key id> <signature>`"),
        (lambda it: it + "!", "not base64"),
        (lambda it: it.replace(" ", "  "), "is not `<key id> <signature>`"),
        (lambda it: it + " " + it, "path is not `<index>/<size> <path>`"),
        (lambda it: it + " ", "path is not"),
        (lambda it: it + " 0/1 ", "path is not"),
        (lambda it: it + "  ", "path is not"),
        (lambda it: it[:-6], "not base64|is not"),
        (lambda it: "../../etc " + it.split(" ")[1], "is not `<key id> <signature>`"),
        (lambda it: "stranger " + it.split(" ")[1], "not in the keyset"),
    ],
)
def test_a_header_that_is_no_signature_is_refused(
    mangle: Callable[[str], str], why: str, keyset: Keyset, signed: str
) -> None:
    with pytest.raises(SignatureError, match=why):
        keyset.verify(BODY, mangle(signed), keys.GATE, NOW)


def test_a_worker_cannot_sign_as_the_gate(folder: Path, keyset: Keyset) -> None:
    signed = Signer(folder, WORKER, keyset).sign(BODY)

    assert keyset.verify(BODY, signed, WORKER, NOW)
    with pytest.raises(SignatureError, match="not as gate"):
        keyset.verify(BODY, signed, keys.GATE, NOW)
    with pytest.raises(SignatureError, match="not as worker:database"):
        keyset.verify(BODY, signed, keys.worker_role("database"), NOW)


def test_a_signature_outside_its_keys_window_does_not_count(keyset: Keyset, signed: str) -> None:
    for now in (NOW - timedelta(seconds=1), NOW + keys.LIFETIME):
        with pytest.raises(SignatureError, match="does not count at"):
            keyset.verify(BODY, signed, keys.GATE, now)


def test_the_type_is_part_of_what_is_signed(folder: Path, keyset: Keyset) -> None:
    """The encoding is DSSE's, so that any language can verify."""
    secret = next(folder.glob("gate-*.key"))
    key = SigningKey(base64.b64decode(secret.read_bytes()))
    dsse = b"DSSEv1 28 application/cloudevents+json %d " % len(BODY) + BODY

    assert keyset.verify(BODY, _header(secret, key.sign(dsse).signature), keys.GATE, NOW)
    with pytest.raises(SignatureError):
        keyset.verify(BODY, _header(secret, key.sign(BODY).signature), keys.GATE, NOW)


def test_after_a_rotation_the_new_key_signs_and_the_old_one_still_counts(folder: Path) -> None:
    time = Clockwork()
    keyset = Keyset(folder, time)
    signer = Signer(folder, keys.GATE, keyset)
    old = signer.sign(BODY)
    keys.rotate(folder, keys.GATE, clock.now())
    time.seconds += keys.RECHECK_S

    new = signer.sign(BODY)

    assert _key_id(new) == signer.key_id != _key_id(old)
    later = clock.now()
    assert keyset.verify(BODY, new, keys.GATE, later)
    assert keyset.verify(BODY, old, keys.GATE, later)


def test_a_revoked_key_counts_no_longer_than_a_second(folder: Path, signed: str) -> None:
    time = Clockwork()
    keyset = Keyset(folder, time)
    keyset.verify(BODY, signed, keys.GATE, NOW)
    keys.revoke(folder, _key_id(signed), NOW)
    time.seconds += keys.RECHECK_S

    with pytest.raises(SignatureError, match="does not count"):
        keyset.verify(BODY, signed, keys.GATE, NOW)
    with pytest.raises(SetupError, match="No key is valid for gate"):
        Signer(folder, keys.GATE, Keyset(folder))


def test_revoking_a_stranger_says_so(folder: Path) -> None:
    with pytest.raises(SetupError, match="no key stranger"):
        keys.revoke(folder, "stranger", NOW)


def test_a_key_is_made_once(folder: Path) -> None:
    before = keyset_files.read_keyset(folder)

    assert keys.make_signing_key(folder, keys.GATE, NOW) in before
    assert keyset_files.read_keyset(folder) == before


def test_a_keyset_that_is_gone_or_damaged_lets_nothing_through(folder: Path, signed: str) -> None:
    (folder / keyset_files.KEYSET_FILE).write_text('{"keys": [{"key_id"')
    with pytest.raises(SetupError, match="cannot be read"):
        Keyset(folder).verify(BODY, signed, keys.GATE, NOW)
    (folder / keyset_files.KEYSET_FILE).unlink()
    with pytest.raises(SetupError, match="missing"):
        Keyset(folder).verify(BODY, signed, keys.GATE, NOW)


def test_a_secret_that_others_can_read_is_not_used(folder: Path, keyset: Keyset) -> None:
    next(folder.glob("gate-*.key")).chmod(0o640)

    with pytest.raises(SetupError, match="chmod 600"):
        Signer(folder, keys.GATE, keyset)


@pytest.mark.parametrize("content", [b"", b"AAAA", b"\xff\x00"])
def test_a_damaged_secret_is_told_in_a_sentence(
    content: bytes, folder: Path, keyset: Keyset
) -> None:
    path = next(folder.glob("worker-shell-*.key"))
    path.write_bytes(content)

    with pytest.raises(
        SetupError, match=r"holds no key\. Restore .* keys rotate worker:shell$"
    ) as error:
        Signer(folder, WORKER, keyset)

    assert str(error.value).startswith(str(path))


def test_a_lost_signing_key_says_what_is_lost_and_how_to_go_on(
    folder: Path, keyset: Keyset, signed: str
) -> None:
    path = next(folder.glob("gate-*.key"))
    path.unlink()

    with pytest.raises(SetupError) as error:
        Signer(folder, keys.GATE, keyset)

    assert str(error.value) == (
        f"The signing key of gate is lost: {path} is missing. No call is judged and nothing "
        "runs until there is another one; what was signed before still counts. Restore it from a "
        f"backup of {folder}. Or make a new one: holdpoint keys rotate gate"
    )
    keys.rotate(folder, keys.GATE, clock.now())
    assert Signer(folder, keys.GATE, Keyset(folder)).sign(BODY)
    assert Keyset(folder).verify(BODY, signed, keys.GATE, NOW)


def test_a_damaged_sealing_key_is_told_in_a_sentence(tmp_path: Path) -> None:
    keys.make_sealing_key(tmp_path)
    (tmp_path / keys.SEAL_KEY_FILE).write_bytes(b"")

    with pytest.raises(SetupError, match=r"seal\.key is damaged: .* holdpoint provision"):
        keys.make_sealing_key(tmp_path)


def test_a_lost_sealing_key_is_made_anew_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = CapturingLogger()
    log = structlog.wrap_logger(said, processors=(), wrapper_class=structlog.BoundLogger)
    monkeypatch.setattr(keys, "log", log)  # whatever level another test has set
    keys.make_sealing_key(tmp_path)
    assert said.calls == []
    (tmp_path / "seal.key").unlink()

    keys.make_sealing_key(tmp_path)

    (told,) = said.calls
    assert (told.method_name, told.kwargs["event"]) == ("warning", "sealing_key_was_lost")
    assert "one-time codes" in told.kwargs["then"]


def test_only_the_gate_opens_what_was_sealed_to_it(tmp_path: Path) -> None:
    keys.make_sealing_key(tmp_path)
    keys.make_sealing_key(tmp_path)
    keys.make_sealing_key(tmp_path / "other")
    gate = keys.load_unsealer(tmp_path)
    sealed = keys.seal(gate.public, b"123456")

    assert gate.open(sealed) == b"123456"
    assert b"123456" not in base64.b64decode(sealed)
    for other in ("", "no base64!", sealed[:-8], keys.seal(gate.public, b"")[::-1]):
        with pytest.raises(SignatureError, match="not sealed"):
            gate.open(other)
    with pytest.raises(SignatureError, match="not sealed"):
        keys.load_unsealer(tmp_path / "other").open(sealed)


def _key_id(header: str) -> str:
    return header.partition(" ")[0]


def _header(secret: Path, signature: bytes) -> str:
    return f"{secret.stem} {base64.b64encode(signature).decode()}"
