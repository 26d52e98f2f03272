"""What is the same in every seed, or is not tried here: kept, or done in a cheaper way.

Signatures are a keyed hash in worlds without a ledger: they verify for exactly the bytes that were
signed, by exactly that key, and hold no forger off. Forgeries are tried in `tests/integration`,
and worlds with a ledger sign as the services do.
"""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from nacl import bindings
from nacl.exceptions import BadSignatureError
from sqlalchemy import Engine

from holdpoint.core.risk import Context, assess
from holdpoint.gate import proposals
from holdpoint.ledger import engines
from holdpoint.messages.action import Action
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Assessment
from holdpoint.runtime.security import keys
from holdpoint.runtime.security.keyset_files import read_keyset

SIGNATURE_BYTES = 64
MOST_KEPT = 10_000

Replacement = tuple[Any, str, Any]
"""A module, a name in it, and what stands there meanwhile."""


def sign(message: bytes, secret: bytes) -> bytes:
    """Take the place of Ed25519: a secret key ends with its public one."""
    return _hash(message, secret[-32:]) + message


def open_signed(signed: bytes, public: bytes) -> bytes:
    """Return what was signed, or raise as libsodium does."""
    message = signed[SIGNATURE_BYTES:]
    if signed[:SIGNATURE_BYTES] != _hash(message, public):
        raise BadSignatureError("Signature was forged or corrupt")
    return message


def _hash(message: bytes, key: bytes) -> bytes:
    return blake2b(message, key=key, digest_size=SIGNATURE_BYTES).digest()


def judged_once(judge: Callable[..., Assessment]) -> Callable[..., Assessment]:
    """Keep what was found: the same action in the same context is judged the same."""
    kept: dict[bytes, Assessment] = {}

    def assessed(action: Action, context: Context, policy: Policy) -> Assessment:
        key = msgspec.json.encode((action, context, id(policy)))
        if key not in kept:
            if len(kept) > MOST_KEPT:
                kept.clear()
            kept[key] = judge(action, context, policy)
        return kept[key]

    return assessed


@cache
def kept_open(file: Path, mode: str) -> Engine:
    """Open a ledger for every seed: its statements are compiled once, and connections stay."""
    engine = _IN_FILE(file, mode)
    engine.dispose = bool  # type: ignore[assignment]  # until `let_go`
    return engine


def let_go(file: Path) -> None:
    """Close what is open on this ledger, before another takes its place."""
    for mode in ("ro", "rw"):
        Engine.dispose(kept_open(file, mode))


_IN_FILE = engines._in_file

ALWAYS: tuple[Replacement, ...] = (
    (keys, "_state_of", cache(keys._state_of)),
    (keys, "read_keyset", cache(read_keyset)),
    (proposals, "assess", judged_once(assess)),
    (engines, "_in_file", kept_open),
)
"""In any world: the files of the keys never change, and one folder's ledgers take turns."""

WITHOUT_LEDGER: tuple[Replacement, ...] = (
    (bindings, "crypto_sign", sign),
    (bindings, "crypto_sign_open", open_signed),
)
"""In worlds that do not try signatures."""
