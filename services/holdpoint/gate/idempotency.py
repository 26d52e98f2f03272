"""Idempotency: one hold for each key; repeats and reuses of a key are told to their sender."""

from holdpoint.gate.context import Gate, RefusedError
from holdpoint.gate.lifecycle import go_on_unasked
from holdpoint.messages.base import BAD_KEY, is_key
from holdpoint.messages.envelope import REPEATED
from holdpoint.runtime.broker.lanes import Delivery


def key_of(given: str, event_id: str) -> str:
    """The idempotency key: the one given, else the event's id."""
    key = given or event_id
    if not is_key(key):
        raise RefusedError("bad_key", BAD_KEY)
    return key


async def check_first(
    gate: Gate, delivery: Delivery, agent: str, hold_id: str, digest: str
) -> bool:
    """Return whether this very call is yet to be judged, before any work is put into it.

    One that is delivered for the first time is taken to be: writing its first fact tells.
    """
    again = delivery.deliveries > 1
    return not again or await is_first(gate, delivery, agent, hold_id, digest)


async def is_first(gate: Gate, delivery: Delivery, agent: str, hold_id: str, digest: str) -> bool:
    """Return whether no call with this key was judged.

    Another call with the same key is a repeat, or with another content a reuse of the key: both
    are told to their sender as refusals. False when this call was judged before a crash.
    """
    known = await gate.holds.load(agent, hold_id)
    if known is None:
        return True
    if delivery.id in known.hold.causes:
        await go_on_unasked(gate, known, delivery.at)
        return False
    if known.hold.call_digest == digest:
        text = "This key opened a hold before: nothing new was started."
        raise RefusedError(REPEATED, text, hold_id)
    text = "This idempotency key was used for another call. A new try needs a new key."
    raise RefusedError("idempotency_key_reused", text, hold_id)
