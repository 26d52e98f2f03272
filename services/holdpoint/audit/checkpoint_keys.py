"""Signatures of checkpoints: made with the audit's key, and checked where they come back."""

import base64
from collections.abc import Iterable
from pathlib import Path

import structlog
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from holdpoint.core.checkpoint import (
    Checkpoint,
    Note,
    NoteError,
    key_id,
    read_note,
    signed_note,
)
from holdpoint.runtime.errors import SetupError, SignatureError
from holdpoint.runtime.security.keys import AUDIT, Keyset, Signer

KEY_BYTES = 32
log = structlog.get_logger(__name__)


def origin_of(tenant: str) -> str:
    """Return the name of a tenant's ledger, under which its checkpoints are signed."""
    return f"holdpoint/{tenant}"


class Attester:
    """Signs checkpoints of one ledger; without a key it says so once, and signs none."""

    def __init__(self, folder: Path, keyset: Keyset, origin: str) -> None:
        self._folder = folder
        self._keyset = keyset
        self._origin = origin
        self._signer: Signer | None = None
        self.problem = ""

    def __call__(self, size: int, root: bytes) -> str:
        """Sign this size and root; empty while there is no key to sign with."""
        try:
            if self._signer is None:
                self._signer = Signer(self._folder, AUDIT, self._keyset)
            ends = Checkpoint(origin=self._origin, size=size, root=root)
            note = signed_note(ends, self._signer.sign_text)
        except SetupError as error:
            if not self.problem:
                log.warning("checkpoint_not_signed", why=str(error))
            self.problem = f"The ledger's checkpoints are not signed: {error}"
            return ""
        self.problem = ""
        return note


def public_keys(keyset: Keyset) -> list[bytes]:
    """Return every key that may have signed a checkpoint, also one that was replaced."""
    keys = keyset.keys()
    return [base64.b64decode(it.public_key) for it in keys if it.role == AUDIT]


def checked_note(note: str, keys: Iterable[bytes]) -> Checkpoint:
    """Return the checkpoint, or raise SignatureError unless one of these keys signed it."""
    try:
        found = read_note(note)
    except NoteError as error:
        raise SignatureError(str(error)) from None
    if not any(_is_signed(found, key) for key in keys):
        raise SignatureError("No known key of the audit signed this checkpoint.")
    return found.checkpoint


def _is_signed(note: Note, key: bytes) -> bool:
    name = note.checkpoint.origin
    wanted = name, key_id(name, key)
    return any(
        _fits(key, note.text, line.signature)
        for line in note.signatures
        if (line.name, line.key_id) == wanted
    )


def _fits(key: bytes, text: bytes, signature: bytes) -> bool:
    try:
        VerifyKey(key).verify(text, signature)
    except (BadSignatureError, ValueError):
        return False
    return True


def read_verifier_key(text: str) -> tuple[str, bytes]:
    """Take `<name>+<key id>+<key>` apart, or raise SignatureError."""
    name, _, rest = text.strip().partition("+")
    named, _, key = rest.partition("+")
    try:
        raw = base64.b64decode(key, validate=True)
    except ValueError:
        raw = b""
    if raw[:1] != b"\x01" or len(raw) != 1 + KEY_BYTES or key_id(name, raw[1:]).hex() != named:
        raise SignatureError(f"{text!r} is no verifier key: <name>+<key id>+<key>.")
    return name, raw[1:]
