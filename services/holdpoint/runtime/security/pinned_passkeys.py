"""The passkeys that workers believe: a file beside the keyset, written as people add and lose them.

It is outside of what the gate signs, so that a stolen gate key brings in no passkey of its own.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from holdpoint.runtime.config import files
from holdpoint.runtime.errors import SetupError

PASSKEYS_FILE = "passkeys.json"
_LOCK_FILE = "passkeys.lock"

Pins = dict[str, tuple[str, ...]]
"""Public keys of each person, COSE in base64url."""


def pinned(folder: Path) -> Pins:
    """Return each person's passkeys; nobody has any before the first was added."""
    try:
        return msgspec.json.decode((folder / PASSKEYS_FILE).read_bytes(), type=Pins)
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as error:
        raise SetupError(f"{folder / PASSKEYS_FILE} cannot be read: {error}") from error


def pin(folder: Path, person: str, public_key: str) -> None:
    """Believe this passkey of a person from now on."""
    with _alone(folder):
        known = pinned(folder)
        keys = known.get(person, ())
        if public_key not in keys:
            _write(folder, known | {person: (*keys, public_key)})


def unpin(folder: Path, person: str) -> None:
    """Believe no passkey of this person any more."""
    with _alone(folder):
        known = pinned(folder)
        if person in known:
            _write(folder, {name: keys for name, keys in known.items() if name != person})


def _write(folder: Path, pins: Pins) -> None:
    content = msgspec.json.format(msgspec.json.encode(pins, order="sorted"))
    files.replace(folder / PASSKEYS_FILE, content, files.PUBLIC)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / _LOCK_FILE).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
