"""Signing and sealing keys: Ed25519 over a DSSE encoding, X25519 for what only the gate may read.

They are never the keys with which a process logs in to the broker, because there the server
chooses what is signed. `verify` looks at bytes only: nothing of a body is parsed before it counts.
"""

import base64
import binascii
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

import msgspec
import structlog
from nacl.exceptions import BadSignatureError, CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox
from nacl.signing import SigningKey, VerifyKey

from holdpoint.messages.base import is_id
from holdpoint.runtime.config import files
from holdpoint.runtime.errors import SetupError, SignatureError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import signature_trees
from holdpoint.runtime.security.keyset_files import (
    DENIED_FILE,
    KEYSET_FILE,
    ROOT_FILE,
    PublicSigningKey,
    denied,
    deny,
    next_keys,
    publish,
    read_keyset,
)
from holdpoint.runtime.security.signature_trees import Proof
from holdpoint.runtime.store.lru_cache import Recent

log = structlog.get_logger(__name__)

SIGNATURE_HEADER = "Holdpoint-Signature"
PAYLOAD_TYPE = b"application/cloudevents+json"
"""Constant, so that nothing needs to be parsed to know what was signed."""

GATE = "gate"
AUDIT = "audit"
"""Whose signature stands under the ledger's checkpoints."""

LIFETIME = timedelta(days=365)
RECHECK_S = 1.0
"""How old a reader's view of the keyset may be: a revoked key counts no longer than this."""

SECRET_BYTES = 32
"""Length of a secret key, for signing and for opening what is sealed."""

REMEMBERED_TREES = 1_024
"""Signatures of trees that verified: the other bodies of a tree cost a few hashes each."""

SEAL_KEY_FILE = "seal.key"
SEAL_PUBLIC_FILE = "seal.pub"
"""What anybody may read, to seal something to the gate before they have seen a card."""

SET_UP_AGAIN = "Everybody then sets up new one-time codes and passkeys."

NO_RUNS = "Nothing runs in its domain"
_STOPS = {GATE: "No call is judged and nothing runs", AUDIT: "The ledger gets no checkpoints"}
"""Consequence of a lost signing key, by role; of a domain's workers, `NO_RUNS`."""


def worker_role(domain: str) -> str:
    """The role that a domain's workers sign in."""
    return f"worker:{domain}"


class Keyset:
    """Keys whose signatures count; it follows its file, so that a revocation needs no restart."""

    def __init__(self, folder: Path, monotonic: Callable[[], float] = clock.monotonic) -> None:
        self._folder = folder
        self._file = folder / KEYSET_FILE
        self._monotonic = monotonic
        self._checked_at = float("-inf")
        self._seen: tuple[int, ...] = ()
        self._keys: dict[str, tuple[PublicSigningKey, VerifyKey]] = {}
        self._newest: dict[str, PublicSigningKey] = {}
        self._denied: Mapping[str, datetime] = {}
        self._trees: Recent[None] = Recent(REMEMBERED_TREES)

    def verify(self, body: bytes, header: str, role: str, now: datetime) -> str:
        """Return the id of the key that signed exactly these bytes in this role, or raise."""
        key_id, signature, proof = _split(header)
        line, key = self._known(key_id)
        _check_leave(line, role, now)
        encoded = _pre_authentication_encoding(body)
        if proof is None:
            _check_signature(line, key, encoded, signature)
        else:
            self._check_tree(line, key, proof.message(encoded), signature)
        return key_id

    def check_not_denied(self, key_id: str) -> None:
        """Raise SignatureError for a denied key, whatever it signed and whenever: nothing new runs
        by it.
        """
        self._refresh()
        if key_id in self._denied:
            raise SignatureError(f"The key {key_id} is denied.")

    def _check_tree(
        self, line: PublicSigningKey, key: VerifyKey, message: bytes, signature: bytes
    ) -> None:
        tree = (line.key_id, signature, message)
        if tree not in self._trees:
            _check_signature(line, key, message, signature)
        self._trees.put(tree, None)

    @property
    def is_readable(self) -> bool:
        """Return whether this process can read the keyset: an agent elsewhere may not."""
        return os.access(self._file, os.R_OK)

    @property
    def edition(self) -> tuple[int, ...]:
        """Another one whenever the file has changed."""
        self._refresh()
        return self._seen

    def keys(self) -> tuple[PublicSigningKey, ...]:
        """Every key, in the order of the file."""
        self._refresh()
        return tuple(line for line, _ in self._keys.values())

    def newest(self, role: str, now: datetime) -> PublicSigningKey:
        """Return the key that this role signs with at the moment."""
        self._refresh()
        if (chosen := self._newest.get(role)) and now < chosen.not_after:
            return chosen
        fitting = [key for key in self.keys() if key.role == role and _is_valid(key, now)]
        if not fitting:
            raise SetupError(
                f"No key is valid for {role} at {now:%Y-%m-%d %H:%M:%S} UTC, by this machine's "
                "clock. Set the clock if it is wrong; else make one with: holdpoint keys rotate"
            )
        chosen = max(fitting, key=lambda key: key.not_before)
        self._newest[role] = chosen
        return chosen

    def _known(self, key_id: str) -> tuple[PublicSigningKey, VerifyKey]:
        self._refresh()
        try:
            return self._keys[key_id]
        except KeyError:
            raise SignatureError(f"The key {key_id!r} is not in the keyset.") from None

    def _refresh(self) -> None:
        if self._monotonic() - self._checked_at < RECHECK_S:
            return
        state = _state_of(self._folder)
        if state != self._seen:
            lines = read_keyset(self._folder)
            self._denied = denied(self._folder)
            self._keys = {line.key_id: (line, VerifyKey(_bytes_of(line))) for line in lines}
            self._seen = state
            self._trees.clear()
        self._newest.clear()
        self._checked_at = self._monotonic()


class Signer:
    """Signs in one role, always with the newest valid key of which it has the secret half."""

    def __init__(self, folder: Path, role: str, keyset: Keyset) -> None:
        self._folder = folder
        self._role = role
        self.keyset = keyset
        self._key_id = ""
        self._key = SigningKey.generate()
        self._choose(clock.now())

    @property
    def key_id(self) -> str:
        """The key that signs at the moment."""
        return self._key_id

    def sign(self, body: bytes) -> str:
        """Return the header's value: the key's id and its signature over the body."""
        self._choose(clock.now())
        return self._signed(_pre_authentication_encoding(body))

    def sign_all(self, bodies: Sequence[bytes]) -> list[str]:
        """Return each body's header: bodies signed together share one signature over a tree.

        One body alone is signed as `sign` does.
        """
        most = signature_trees.MAX_LEAVES
        chunks = (bodies[start : start + most] for start in range(0, len(bodies), most))
        return [header for chunk in chunks for header in self._sign_together(chunk)]

    def sign_text(self, text: bytes) -> tuple[bytes, bytes]:
        """Return the public key and its signature over exactly this text, as a signed note has it.

        Only a role that signs nothing else may do so: no text can then pass for a message.
        """
        self._choose(clock.now())
        return bytes(self._key.verify_key), self._key.sign(text).signature

    def _sign_together(self, bodies: Sequence[bytes]) -> list[str]:
        if len(bodies) == 1:
            return [self.sign(bodies[0])]
        self._choose(clock.now())
        message, proofs = signature_trees.grow([_pre_authentication_encoding(it) for it in bodies])
        signed = self._signed(message)
        return [f"{signed} {proof.words()}" for proof in proofs]

    def _signed(self, message: bytes) -> str:
        signature = self._key.sign(message).signature
        return f"{self._key_id} {base64.b64encode(signature).decode()}"

    def _choose(self, now: datetime) -> None:
        key_id = self.keyset.newest(self._role, now).key_id
        if key_id != self._key_id:
            self._key = SigningKey(_secret_bytes(self._folder / f"{key_id}.key"))
            self._key_id = key_id


@dataclass(frozen=True, kw_only=True)
class Unsealer:
    """Opens what was sealed to the gate."""

    public: str
    """The public half, base64: what a card shows as its `seal_key`."""

    _box: SealedBox[PrivateKey]

    def open(self, sealed: str) -> bytes:
        """Return what was sealed, or raise SignatureError when it was not sealed to this key."""
        try:
            return self._box.decrypt(base64.b64decode(sealed, validate=True))
        except (binascii.Error, ValueError, TypeError, CryptoError):
            raise SignatureError("This was not sealed to the gate's key.") from None


def seal(public: str, content: bytes) -> str:
    """Close the content so that only the holder of the key can read it; base64."""
    box = SealedBox(PublicKey(base64.b64decode(public, validate=True)))
    return base64.b64encode(box.encrypt(content)).decode()


def load_unsealer(folder: Path) -> Unsealer:
    """Read the gate's sealing key."""
    key = PrivateKey(_secret_bytes(folder / SEAL_KEY_FILE))
    return Unsealer(public=_text(bytes(key.public_key)), _box=SealedBox(key))


def load_seal_key(folder: Path) -> str:
    """Read the public half of the gate's sealing key."""
    try:
        return (folder / SEAL_PUBLIC_FILE).read_text().strip()
    except OSError as error:
        raise SetupError(
            f"The gate's public sealing key cannot be read: {error}. Write it with: "
            "holdpoint provision"
        ) from error


def make_sealing_key(folder: Path) -> None:
    """Make the gate's sealing key if there is none, and publish its public half."""
    files.private_folder(folder)
    if not (folder / SEAL_KEY_FILE).exists():
        if (folder / SEAL_PUBLIC_FILE).exists():
            log.warning("sealing_key_was_lost", file=SEAL_KEY_FILE, then=SET_UP_AGAIN)
        key = PrivateKey.generate()
        files.create(folder / SEAL_KEY_FILE, _text(bytes(key)).encode(), files.PRIVATE)
    public = load_unsealer(folder).public
    files.replace(folder / SEAL_PUBLIC_FILE, public.encode(), files.PUBLIC)


def make_signing_key(folder: Path, role: str, now: datetime) -> PublicSigningKey:
    """Make this role's first key; one that has a valid key keeps it."""
    lines = read_keyset(folder)
    valid = [line for line in lines if line.role == role and _is_valid(line, now)]
    return valid[0] if valid else rotate(folder, role, now)


def rotate(
    folder: Path, role: str, now: datetime, overlap: timedelta = LIFETIME
) -> PublicSigningKey:
    """Make a new key that counts from now on; older ones count until the overlap is over.

    Where a root is pinned, nothing of it counts before the root has signed the keyset.
    """
    files.private_folder(folder)
    secret = SigningKey.generate()
    line = PublicSigningKey(
        key_id=f"{role.replace(':', '-')[:32]}-{now:%Y%m%dT%H%M%S}-{clock.new_nonce()[:6]}",
        role=role,
        public_key=_text(bytes(secret.verify_key)),
        not_before=now,
        not_after=now + LIFETIME,
    )
    files.create(folder / f"{line.key_id}.key", _text(bytes(secret)).encode(), files.PRIVATE)
    until = now + overlap
    older = (_ended(it, until) if it.role == role else it for it in next_keys(folder))
    publish(folder, (*older, line))
    return line


def revoke(folder: Path, key_id: str, now: datetime) -> None:
    """Deny a key: what it signs from here on counts for nothing, and nothing more runs by it."""
    if key_id not in {line.key_id for line in read_keyset(folder)}:
        raise SetupError(f"There is no key {key_id} in {folder / KEYSET_FILE}.")
    deny(folder, key_id, now)


def _ended(line: PublicSigningKey, at: datetime) -> PublicSigningKey:
    return msgspec.structs.replace(line, not_after=min(line.not_after, at))


def _is_valid(line: PublicSigningKey, now: datetime) -> bool:
    return line.not_before <= now < line.not_after


def _check_leave(line: PublicSigningKey, role: str, now: datetime) -> None:
    if line.role != role:
        raise SignatureError(f"The key {line.key_id} signs as {line.role}, not as {role}.")
    if not _is_valid(line, now):
        raise SignatureError(f"The key {line.key_id} does not count at {now.isoformat()}.")


def _check_signature(
    line: PublicSigningKey, key: VerifyKey, message: bytes, signature: bytes
) -> None:
    try:
        key.verify(message, signature)
    except BadSignatureError:
        raise SignatureError(f"The signature by {line.key_id} does not fit the body.") from None


def _split(header: str) -> tuple[str, bytes, Proof | None]:
    """Key, signature and, where many bodies share it, this one's place among them."""
    if not header:
        raise SignatureError(f"There is no {SIGNATURE_HEADER} header.")
    key_id, signature, *rest = header.split(" ") if " " in header else (header, "")
    try:
        raw = base64.b64decode(signature, validate=True)
    except ValueError:
        raise SignatureError(f"The {SIGNATURE_HEADER} header is not base64.") from None
    is_canonical = base64.b64encode(raw).decode() == signature
    if not is_id(key_id) or len(raw) != 64 or not is_canonical:  # noqa: PLR2004  # Ed25519's length
        raise SignatureError(f"The {SIGNATURE_HEADER} header is not `<key id> <signature>`.")
    return key_id, raw, _proof(rest) if rest else None


def _proof(words: Sequence[str]) -> Proof:
    try:
        place, path = words
        return signature_trees.read(place, path)
    except ValueError:
        raise SignatureError(
            f"The {SIGNATURE_HEADER} header's path is not `<index>/<size> <path>`."
        ) from None


def _pre_authentication_encoding(body: bytes) -> bytes:
    return b"DSSEv1 %d %s %d %s" % (len(PAYLOAD_TYPE), PAYLOAD_TYPE, len(body), body)


def _state_of(folder: Path) -> tuple[int, ...]:
    try:
        stat = (folder / KEYSET_FILE).stat()
    except OSError as error:
        raise SetupError(
            f"The keyset {folder / KEYSET_FILE} is missing. Restore it from a backup; for a new "
            "system, make it with: holdpoint provision"
        ) from error
    others = (_seen(folder / name) for name in (DENIED_FILE, ROOT_FILE))
    return stat.st_ino, stat.st_mtime_ns, stat.st_size, *chain.from_iterable(others)


def _seen(file: Path) -> tuple[int, int, int]:
    """Another one whenever the file has changed; zeros where there is none."""
    try:
        stat = file.stat()
    except FileNotFoundError:
        return 0, 0, 0
    except OSError as error:
        raise SetupError(f"{file} cannot be read: {error}") from error
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _bytes_of(line: PublicSigningKey) -> bytes:
    return base64.b64decode(line.public_key, validate=True)


def _secret_bytes(path: Path) -> bytes:
    if not path.exists() and (role := _role_of(path)):
        raise SetupError(
            f"The signing key of {role} is lost: {path} is missing. {_STOPS.get(role, NO_RUNS)} "
            f"until there is another one; what was signed before still counts. {_remedy(path)}"
        )
    try:
        secret = base64.b64decode(files.read_secret(path), validate=True)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise SetupError(f"{path} is damaged: it holds no key. {_remedy(path)}")
    return secret


def _remedy(path: Path) -> str:
    restore = f"Restore it from a backup of {path.parent}."
    if path.name == SEAL_KEY_FILE:
        return f"{restore} Without one, remove it and run: holdpoint provision. {SET_UP_AGAIN}"
    return f"{restore} Or make a new one: holdpoint keys rotate {_role_of(path) or 'ROLE'}"


def _role_of(path: Path) -> str:
    """Return the role that the key in this file signs in; empty of one that signs nothing."""
    return next((it.role for it in read_keyset(path.parent) if it.key_id == path.stem), "")


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
