"""Checkpoints are C2SP signed notes: written exactly so, and read no other way."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from holdpoint.audit.checkpoint_keys import checked_note, read_verifier_key
from holdpoint.core.checkpoint import (
    Checkpoint,
    NoteError,
    key_id,
    notes_in,
    read_note,
    signed_note,
    verifier_key,
)
from holdpoint.runtime.errors import SignatureError

KEY, OTHER_KEY = SigningKey(bytes(32)), SigningKey(b"\1" * 32)
NAME = "holdpoint/acme"
PUBLIC = bytes(KEY.verify_key)
CHECKPOINT = Checkpoint(origin=NAME, size=1000, root=bytes(range(32)))


def signed(checkpoint: Checkpoint = CHECKPOINT, key: SigningKey = KEY) -> str:
    return signed_note(checkpoint, lambda text: (bytes(key.verify_key), key.sign(text).signature))


def test_a_note_is_written_as_c2sp_says() -> None:
    *text, signature = signed().splitlines(keepends=True)
    raw = base64.b64decode(signature.split(" ")[2])

    assert "".join(text) == (
        "holdpoint/acme\n1000\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n\n"
    )
    assert signature.startswith("— holdpoint/acme ")
    assert raw[:4] == key_id(NAME, bytes(KEY.verify_key))
    KEY.verify_key.verify("".join(text[:3]).encode(), raw[4:])


def test_a_verifier_key_is_the_one_of_gos_note_package() -> None:
    """The example of golang.org/x/mod/sumdb/note."""
    public = base64.b64decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")[1:]

    assert verifier_key("PeterNeumann", public) == (
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    )


def test_what_was_signed_is_read_again() -> None:
    assert checked_note(signed(), [PUBLIC]) == CHECKPOINT
    assert read_note(signed()).checkpoint == CHECKPOINT


def test_another_key_another_name_and_no_key_do_not_count() -> None:
    for keys in ([], [bytes(OTHER_KEY.verify_key)]):
        with pytest.raises(SignatureError, match="No known key"):
            checked_note(signed(), keys)
    renamed = signed().replace("holdpoint/acme\n", "holdpoint/other\n")
    with pytest.raises(SignatureError, match="No known key"):
        checked_note(renamed, [PUBLIC])


def test_a_verifier_key_is_read_only_whole() -> None:
    text = verifier_key(NAME, PUBLIC)

    assert read_verifier_key(text) == (NAME, PUBLIC)
    for wrong in ("", "x", text[:-4], text.replace("acme+", "other+"), text.replace("+AT", "+AA")):
        with pytest.raises(SignatureError, match="no verifier key"):
            read_verifier_key(wrong)


def test_a_witness_may_sign_beside_the_log() -> None:
    assert checked_note(f"{signed()}— witness.example/w AAAAAAAA\n", [PUBLIC]) == CHECKPOINT


@given(st.integers(0, len(signed()) - 1), st.characters(codec="utf-8"))
def test_a_changed_note_does_not_count(place: int, other: str) -> None:
    note = signed()
    changed = note[:place] + other + note[place + 1 :]
    if changed == note:
        return

    try:
        found = checked_note(changed, [PUBLIC])
    except SignatureError:
        return
    assert found == CHECKPOINT, "only the base64 of the signature may have another last character"


@pytest.mark.parametrize(
    "note",
    [
        "",
        signed().replace("1000", "01000"),
        signed().replace("1000", "-1"),
        signed().replace("1000", "1" * 17),
        signed().replace("AAEC", ""),
        signed().replace("\n\n", "\n"),
        signed()[:-1],
        signed() + "— x\n",
        "x\n" * 40_000 + "\n" + signed().splitlines(keepends=True)[-1],
    ],
)
def test_what_is_no_checkpoint_is_not_read(note: str) -> None:
    with pytest.raises(NoteError):
        read_note(note)


def test_notes_of_a_file_are_found_also_behind_a_torn_one() -> None:
    torn = signed()[:30]

    assert list(notes_in(f"{signed()}{torn}\n{signed()}{signed()}")) == [signed()] * 3
