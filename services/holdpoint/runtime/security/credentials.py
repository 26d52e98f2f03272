"""Credentials of the broker's users: one nkey each, in a file only its owner can read.

A person's key is sealed with their password, because a person who answers must have something that
an agent on the same machine does not have. A password never stands in arguments or environment.
"""

import secrets
from pathlib import Path

import msgspec
import nkeys
from nacl.exceptions import CryptoError
from nacl.pwhash import argon2id
from nacl.secret import SecretBox

from holdpoint.messages.base import Value
from holdpoint.runtime.config import files
from holdpoint.runtime.errors import SetupError

GATE = "gate"
AUDIT = "audit"
CONSOLE = "console"
API = "api"
COORDINATOR = "coordinator"
"""Both the service that hears requests and the agent that it calls tools as."""

READER = "reader"
"""Notes what commands read of the ledger, and can do nothing else."""

ERASER = "eraser"
"""Stores what the daily run erases from the ledger by its age, and can do nothing else."""

SLACK = "slack"
NOTICES = "notices"
PROVISIONER = "provisioner"
SYSTEM = "system"
CORE_USERS = (GATE, PROVISIONER)
"""Who lives in the account that holds the streams."""

SHORTEST_PASSWORD = 8
"""Characters."""

_SEED_BYTES = 32


def agent_user(agent: str) -> str:
    """The user that an agent logs in as."""
    return f"agent_{agent}"


def worker_user(domain: str) -> str:
    """The user that a domain's workers log in as."""
    return f"worker_{domain}"


def view_user(person: str) -> str:
    """The user that reads a person's cards and can do nothing else."""
    return f"view_{person}"


def person_user(person: str) -> str:
    """The user that answers as a person."""
    return f"person_{person}"


def sso_user(person: str) -> str:
    """The user that answers as a person whom an identity provider let into the console."""
    return f"sso_{person}"


def slack_user(person: str) -> str:
    """The user that answers as a person whom Slack has named, at the lower levels only."""
    return f"slack_{person}"


def client_user(person: str) -> str:
    """The user that answers as the person at an MCP client, for its agents' holds only."""
    return f"mcp_{person}"


def http_user(person: str) -> str:
    """The user that asks the coordinator as a person whose token the HTTP API verified."""
    return f"http_{person}"


class WorkFactor(Value, frozen=True, kw_only=True):
    """Cost of one guess of a password: argon2id's passes and its bytes of memory."""

    passes: int
    memory_bytes: int


INTERACTIVE = WorkFactor(passes=3, memory_bytes=argon2id.MEMLIMIT_MODERATE)
"""A quarter of a GiB and about half a second for each guess."""


class PersonKey(Value, frozen=True, kw_only=True):
    """A person's key as it lies on disk."""

    public_key: str
    """The nkey's public half, as the broker's configuration names it."""

    salt: bytes
    passes: int
    memory_bytes: int
    sealed_seed: bytes
    must_change: bool = False
    """The password was chosen by somebody else: to be changed before the first answer."""


def make_credential(folder: Path, user: str) -> str:
    """Make the user's nkey if it is missing, and return its public half."""
    path = _path(files.private_folder(folder), user)
    if not path.exists():
        files.create(path, _new_seed().encode(), files.PRIVATE)
    return public_key(read_seed(folder, user))


def read_seed(folder: Path, user: str) -> str:
    """Read what the user logs in with."""
    return files.read_secret(_path(folder, user)).decode().strip()


def public_key(seed: str) -> str:
    """Return the public half of an nkey."""
    try:
        return str(nkeys.from_seed(bytearray(seed.encode())).public_key.decode())
    except (nkeys.NkeysError, ValueError) as error:
        raise SetupError("A credential is damaged: it is not an nkey seed.") from error


def create_person_key(
    folder: Path, person: str, password: str, work: WorkFactor, *, must_change: bool
) -> PersonKey:
    """Make a person's key, sealed with their password; an existing one is never replaced."""
    key = _seal(_new_seed(), password, work, must_change=must_change)
    files.private_folder(folder)
    try:
        files.create(_person_path(folder, person), _encode(key), files.PRIVATE)
    except FileExistsError:
        raise SetupError(
            f"{person} has a key already. A new one in its place: "
            f"holdpoint people set-password {person} --forgotten"
        ) from None
    return key


def read_person_key(folder: Path, person: str) -> PersonKey | None:
    """Return a person's sealed key; None before their first password."""
    path = _person_path(folder, person)
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(files.read_secret(path), type=PersonKey)
    except msgspec.DecodeError as error:
        raise SetupError(f"{path} is damaged: {error}") from error


def unlock_person_key(folder: Path, person: str, password: str) -> str:
    """Return the seed that the person logs in with, or raise SetupError for a wrong password."""
    key = read_person_key(folder, person)
    if key is None:
        raise SetupError(f"{person} has no key yet. Set a password: holdpoint people set-password")
    return _open(key, person, password)


def waste(work: WorkFactor) -> None:
    """Take as long as a wrong password does, so that nobody learns who has a key."""
    _box("", bytes(argon2id.SALTBYTES), work)


def change_password(folder: Path, person: str, old: str, new: str, work: WorkFactor) -> PersonKey:
    """Seal the person's key with another password; who they are to the broker stays."""
    seed = unlock_person_key(folder, person, old)
    key = _seal(seed, new, work, must_change=False)
    files.replace(_person_path(folder, person), _encode(key), files.PRIVATE)
    return key


def renew_person_key(folder: Path, person: str, password: str, work: WorkFactor) -> PersonKey:
    """Give a person a new key in place of one whose password nobody knows any more.

    The broker takes them for somebody else until `holdpoint provision` tells it.
    """
    key = _seal(_new_seed(), password, work, must_change=False)
    files.private_folder(folder)
    files.replace(_person_path(folder, person), _encode(key), files.PRIVATE)
    return key


def _seal(seed: str, password: str, work: WorkFactor, *, must_change: bool) -> PersonKey:
    if len(password) < SHORTEST_PASSWORD:
        raise SetupError(f"A password has at least {SHORTEST_PASSWORD} characters.")
    salt = secrets.token_bytes(argon2id.SALTBYTES)
    return PersonKey(
        public_key=public_key(seed),
        salt=salt,
        passes=work.passes,
        memory_bytes=work.memory_bytes,
        sealed_seed=bytes(_box(password, salt, work).encrypt(seed.encode())),
        must_change=must_change,
    )


def _open(key: PersonKey, person: str, password: str) -> str:
    work = WorkFactor(passes=key.passes, memory_bytes=key.memory_bytes)
    try:
        seed = _box(password, key.salt, work).decrypt(key.sealed_seed).decode()
    except (CryptoError, ValueError, TypeError):
        raise SetupError(
            f"This password does not open the key of {person} (or the file was changed)."
        ) from None
    if public_key(seed) != key.public_key:
        raise SetupError(f"The key file of {person} was changed: its public half is another's.")
    return seed


def _box(password: str, salt: bytes, work: WorkFactor) -> SecretBox:
    if work.memory_bytes > argon2id.MEMLIMIT_SENSITIVE or work.passes > argon2id.OPSLIMIT_SENSITIVE:
        raise ValueError("work factor out of bounds")
    return SecretBox(
        argon2id.kdf(
            SecretBox.KEY_SIZE,
            password.encode(),
            salt,
            opslimit=work.passes,
            memlimit=work.memory_bytes,
        )
    )


def _new_seed() -> str:
    seed = nkeys.encode_seed(secrets.token_bytes(_SEED_BYTES), nkeys.PREFIX_BYTE_USER)
    return str(seed.decode())


def _encode(key: PersonKey) -> bytes:
    return msgspec.json.format(msgspec.json.encode(key))


def _path(folder: Path, user: str) -> Path:
    return folder / f"{user}.nk"


def _person_path(folder: Path, person: str) -> Path:
    return folder / f"{person}.key"
