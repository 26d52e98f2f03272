"""Canonical forms (RFC 8785) and their SHA-256: what was seen is what will run."""

import base64
import hashlib
from decimal import Decimal
from typing import Any

import msgspec
import re2
import rfc8785

from holdpoint.messages.action import Action
from holdpoint.messages.answer import Answer
from holdpoint.messages.base import JsonObject
from holdpoint.messages.card import ConfirmationUI
from holdpoint.messages.policy import Policy

HOLD_ID_LENGTH = 26
_BASE32 = frozenset("abcdefghijklmnopqrstuvwxyz234567")
"""130 bits of base32: no two calls share one by chance."""


def canonical(value: Any) -> bytes:
    """RFC 8785, so that any language can recompute it.

    msgspec sorts and escapes the same way, twenty times faster, unless there are characters
    beyond ASCII or numbers that are no plain integers.
    """
    quick = _sorted.encode(value)
    if quick.isascii() and not _differs.search(quick):
        return quick
    return rfc8785.dumps(msgspec.to_builtins(value))


_sorted = msgspec.json.Encoder(order="sorted")
_differs = re2.compile(rb"(?:^|[:\[,])-?(?:[0-9]+[.eE]|[0-9]{16})")
"""May be a fraction, an exponent, an integer beyond 2^53; inside a text it does no harm."""


def action_digest(action: Action) -> str:
    """Return what people say yes to, and what the worker checks against the object it executes."""
    return _digest("action", action)


def sentence_digest(tenant: str, agent: str, on_behalf_of: str, says: JsonObject) -> str:
    """The digest of a hold on a sentence: there is no action behind it."""
    return _digest("sentence", [tenant, agent, on_behalf_of, says])


def render_digest(ui: ConfirmationUI, title: str) -> str:
    """Return what was on the screen: the UI and the line above it."""
    return _digest("render", {"ui": ui, "title": title})


def policy_digest(policy: Policy) -> str:
    """Return which rules a verdict was given by."""
    return _digest("policy", msgspec.to_builtins(policy, str_keys=True))


def passkey_challenge(answer: Answer, nonce: str) -> bytes:
    """Return the challenge for a yes: this hold, this action, this card, this button."""
    said = {
        "answer": answer.answer.value,
        "digest": answer.digest,
        "hold_id": answer.hold_id,
        "nonce": nonce,
        "render_digest": answer.render_digest,
    }
    return bytes.fromhex(_digest("passkey", said))


def enrolment_challenge(tenant: str, person: str, nonce: str) -> bytes:
    """Return the challenge that a new passkey signs."""
    return bytes.fromhex(_digest("passkey-of", [tenant, person, nonce]))


def hold_id(tenant: str, agent: str, on_behalf_of: str, tool: str, idempotency_key: str) -> str:
    """Derive the hold's id from the idempotency key and the tool's canonical name."""
    raw = hashlib.sha256(canonical([tenant, agent, on_behalf_of, tool, idempotency_key])).digest()
    return base64.b32encode(raw).decode().lower()[:HOLD_ID_LENGTH]


def may_be_hold_id(text: str) -> bool:
    """Return whether some hold could have this id."""
    return len(text) == HOLD_ID_LENGTH and _BASE32.issuperset(text)


def money_as_text(value: Any) -> Any:
    """Arguments with each `{value, currency}` amount as a decimal string, two places at least."""
    match value:
        case {"value": int() | float() as number, "currency": str()} if not isinstance(
            number, bool
        ):
            others = {key: money_as_text(part) for key, part in value.items() if key != "value"}
            return {**others, "value": _decimal(number)}
        case dict():
            return {key: money_as_text(part) for key, part in value.items()}
        case list():
            return [money_as_text(part) for part in value]
        case _:
            return value


def _decimal(number: float) -> str:
    exact = Decimal(str(number))
    exponent = exact.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) else 0
    return f"{exact:.{max(places, 2)}f}"


def _digest(kind: str, value: Any) -> str:
    return hashlib.sha256(f"holdpoint/{kind}/v1\n".encode() + canonical(value)).hexdigest()
