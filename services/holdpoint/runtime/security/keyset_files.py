"""The files behind the keyset: published keys, keys that are denied, and the offline root.

Once a root is pinned, a keyset that it did not sign counts for nothing, and a change waits in a
file of its own until it is signed. Denying a key needs no signature: it only ever takes away.
"""

import base64
import binascii
from datetime import datetime
from pathlib import Path

import msgspec
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from holdpoint.runtime.config import files
from holdpoint.runtime.errors import SetupError

KEYSET_FILE = "keyset.json"
UNSIGNED_FILE = "keyset.unsigned.json"
"""A changed keyset that waits for the root's signature."""

DENIED_FILE = "denied.json"
ROOT_FILE = "root.pub"
_SIGNED_AS = b"holdpoint/keyset/v1\n"


class PublicSigningKey(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the keyset: whose signatures count, and when."""

    key_id: str
    role: str
    public_key: str
    """Ed25519, base64."""

    not_before: datetime
    not_after: datetime


Keys = tuple[PublicSigningKey, ...]


class _Published(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    keys: Keys = ()
    root_signature: str = ""
    """Over the keys, base64."""


def read_keyset(folder: Path) -> Keys:
    """Return every key that counts, a denied one until it was denied; none before the first."""
    if not (folder / KEYSET_FILE).exists():
        return ()
    return effective(published(folder), denied(folder))


def published(folder: Path) -> Keys:
    """Return the published keys, or raise SetupError where the pinned root did not sign them."""
    file = folder / KEYSET_FILE
    found = _read(file)
    root = pinned_root(folder)
    if root is not None and not _is_signed(found, root):
        raise SetupError(
            f"The keyset {file} is not signed by the root that is pinned in {ROOT_FILE}. Sign it "
            "with: holdpoint keys root sign"
        )
    return found.keys


def waits_for_root(folder: Path) -> bool:
    """Return whether a change of the keyset waits for the root's signature."""
    return (folder / UNSIGNED_FILE).exists()


def next_keys(folder: Path) -> Keys:
    """Return the keys that a change starts from: those that wait for the root, else all."""
    if waits_for_root(folder):
        return _read(folder / UNSIGNED_FILE).keys
    return published(folder) if (folder / KEYSET_FILE).exists() else ()


def publish(folder: Path, keys: Keys) -> None:
    """Publish these keys; where a root is pinned, they wait for its signature."""
    name = KEYSET_FILE if pinned_root(folder) is None else UNSIGNED_FILE
    _write(folder / name, _Published(keys=keys))


def effective(keys: Keys, no_more: dict[str, datetime]) -> Keys:
    """Return the keys with their windows ended where they were denied."""
    return tuple(
        msgspec.structs.replace(key, not_after=min(key.not_after, no_more[key.key_id]))
        if key.key_id in no_more
        else key
        for key in keys
    )


def denied(folder: Path) -> dict[str, datetime]:
    """Return the keys that count no more, by id, and since when."""
    file = folder / DENIED_FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, datetime])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as error:
        raise SetupError(f"{file} cannot be read: {error}") from error


def deny(folder: Path, key_id: str, now: datetime) -> None:
    """Deny a key from now on; anyone who reads the folder follows within a second."""
    known = denied(folder)
    if key_id not in known:
        content = msgspec.json.format(msgspec.json.encode(known | {key_id: now}))
        files.replace(folder / DENIED_FILE, content, files.PUBLIC)


def pinned_root(folder: Path) -> VerifyKey | None:
    """Return the root whose signature a keyset needs; None where none is pinned."""
    file = folder / ROOT_FILE
    try:
        return VerifyKey(base64.b64decode(file.read_text().strip(), validate=True))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise SetupError(f"The root's public key {file} cannot be read: {error}") from error


def new_root(folder: Path, secret_file: Path) -> str:
    """Make a root, sign the keyset with it and pin it; return its public half."""
    if pinned_root(folder) is not None:
        raise SetupError(f"A root is pinned already in {folder / ROOT_FILE}.")
    key = SigningKey.generate()
    files.create(secret_file, _text(bytes(key)).encode(), files.PRIVATE)
    _write(folder / KEYSET_FILE, _signed(next_keys(folder), key))
    files.replace(folder / ROOT_FILE, _text(bytes(key.verify_key)).encode(), files.PUBLIC)
    return _text(bytes(key.verify_key))


def sign_with_root(folder: Path, secret_file: Path) -> Keys:
    """Sign the keyset, with what waits for it, and publish it; return its keys."""
    root = pinned_root(folder)
    try:
        key = SigningKey(base64.b64decode(files.read_secret(secret_file), validate=True))
    except (binascii.Error, ValueError) as error:
        raise SetupError(f"{secret_file} is no root key: {error}") from error
    if root is None or bytes(key.verify_key) != bytes(root):
        raise SetupError(f"{secret_file} is not the root that is pinned in {folder / ROOT_FILE}.")
    waiting = folder / UNSIGNED_FILE
    keys = _read(waiting if waiting.exists() else folder / KEYSET_FILE).keys
    _write(folder / KEYSET_FILE, _signed(keys, key))
    waiting.unlink(missing_ok=True)
    return keys


def _signed(keys: Keys, key: SigningKey) -> _Published:
    return _Published(keys=keys, root_signature=_text(key.sign(_message(keys)).signature))


def _is_signed(found: _Published, root: VerifyKey) -> bool:
    try:
        root.verify(_message(found.keys), base64.b64decode(found.root_signature, validate=True))
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True


def _message(keys: Keys) -> bytes:
    return _SIGNED_AS + msgspec.json.encode(keys, order="sorted")


def _read(file: Path) -> _Published:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Published)
    except (OSError, msgspec.DecodeError) as error:
        raise SetupError(f"The keyset {file} cannot be read: {error}") from error


def _write(file: Path, content: _Published) -> None:
    files.replace(file, msgspec.json.format(msgspec.json.encode(content)), files.PUBLIC)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
