"""Checkpoints of the ledger: size and root as a signed note (C2SP tlog-checkpoint).

    holdpoint/acme
    1000
    jQGOGV/j+y11w3duJu1wwMgI56cnWoSIjY9qFGkR3AA=

    — holdpoint/acme iS3BcWhK…

A signature's first four bytes name the key: the start of SHA-256(name || 0x0A || 0x01 || key).
"""

import base64
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import TypeAlias

import msgspec

from holdpoint.core.merkle import HASH_BYTES

Sign: TypeAlias = Callable[[bytes], tuple[bytes, bytes]]
"""The Ed25519 key that signs, its public half, and its signature over exactly these bytes."""

MAX_NOTE_BYTES = 64 * 1024
_ED25519 = b"\x01"
_KEY_ID_BYTES = 4
_SIGNATURE = r"— [^\s+]+ [A-Za-z0-9+/]+={0,2}\n"
_NOTE = re.compile(rf"(?P<text>(?:[^\n]+\n){{3,}})\n(?P<signatures>(?:{_SIGNATURE})+)")


class NoteError(ValueError):
    """Text that is no signed checkpoint."""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Size and root of a ledger's tree."""

    origin: str
    """The ledger's name, which no other ledger has."""

    size: int
    root: bytes

    def text(self) -> bytes:
        """Return the text that is signed."""
        root = base64.b64encode(self.root).decode()
        return f"{self.origin}\n{self.size}\n{root}\n".encode()


class NoteSignature(msgspec.Struct, frozen=True, kw_only=True):
    """One signature line of a note."""

    name: str
    key_id: bytes
    """Four bytes."""

    signature: bytes


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A checkpoint as it was read, before anybody looked at its signatures."""

    checkpoint: Checkpoint
    text: bytes
    """Exactly what was signed."""

    signatures: tuple[NoteSignature, ...]


def key_id(name: str, public_key: bytes) -> bytes:
    """Return the four bytes by which a signature names its key."""
    return sha256(name.encode() + b"\n" + _ED25519 + public_key).digest()[:_KEY_ID_BYTES]


def verifier_key(name: str, public_key: bytes) -> str:
    """Return the public key in the form of C2SP: `<name>+<key id>+<key>`."""
    key = base64.b64encode(_ED25519 + public_key).decode()
    return f"{name}+{key_id(name, public_key).hex()}+{key}"


def signed_note(checkpoint: Checkpoint, sign: Sign) -> str:
    """Return the checkpoint as a note that its own origin signs."""
    text, name = checkpoint.text(), checkpoint.origin
    public_key, signature = sign(text)
    value = base64.b64encode(key_id(name, public_key) + signature).decode()
    return f"{text.decode()}\n— {name} {value}\n"


def read_note(note: str) -> Note:
    """Read one note, or raise NoteError."""
    match = _NOTE.fullmatch(note)
    if match is None or len(note) > MAX_NOTE_BYTES:
        raise NoteError("This is no signed checkpoint.")
    origin, size, root, *_ = match["text"].split("\n")
    try:
        raw = base64.b64decode(root, validate=True)
    except ValueError:
        raw = b""
    if not re.fullmatch(r"0|[1-9][0-9]{0,15}", size, re.ASCII) or len(raw) != HASH_BYTES:
        raise NoteError("This checkpoint has no size or no root.")
    return Note(
        checkpoint=Checkpoint(origin=origin, size=int(size), root=raw),
        text=match["text"].encode(),
        signatures=tuple(map(_signature, match["signatures"].splitlines())),
    )


def notes_in(text: str) -> Iterator[str]:
    """Yield each whole note of a file to which notes were appended, also behind a torn one."""
    for match in re.finditer(rf"(?:[^\n]+\n){{3}}\n(?:{_SIGNATURE})+", text):
        yield match[0]


def _signature(line: str) -> NoteSignature:
    _, name, value = line.split(" ")
    try:
        raw = base64.b64decode(value, validate=True)
    except ValueError:
        raise NoteError("A signature of this checkpoint is not base64.") from None
    return NoteSignature(name=name, key_id=raw[:_KEY_ID_BYTES], signature=raw[_KEY_ID_BYTES:])
