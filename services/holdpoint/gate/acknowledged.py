"""How far the gates have come with what people say: everything up to there was dealt with."""

from nats.errors import Error as NatsError

from holdpoint.gate.context import Gate
from holdpoint.messages.subjects import stream
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.streams import GATES
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.store.journal import Revision


async def acknowledged(gate: Gate, kind: str) -> Revision:
    """Return the sequence up to which some gate acknowledged every message of ADMIN or ANSWERS."""
    try:
        info = await gate.jetstream.consumer_info(stream(gate.tenant, kind), GATES)
    except NatsError as error:
        text = f"How far {kind} was handled cannot be read: {in_words(error)}"
        raise UnavailableError(text) from error
    return (info.ack_floor.stream_seq or 0) if info.ack_floor else 0
