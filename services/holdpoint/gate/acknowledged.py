"""How far the gates have come with what people say: everything up to there was dealt with."""

from nats.errors import Error as NatsError
from nats.js.api import ConsumerInfo

from holdpoint.gate.context import Gate
from holdpoint.messages.subjects import ANSWERS, calls_of, stream
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.streams import GATE, GATES
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.store.journal import Revision


async def acknowledged(gate: Gate, kind: str) -> Revision:
    """Return the sequence up to which some gate acknowledged every message of ADMIN or ANSWERS."""
    info = await _info(gate, kind, GATES)
    return (info.ack_floor.stream_seq or 0) if info.ack_floor else 0


async def is_all_dealt_with(gate: Gate, agent: str) -> bool:
    """Return whether nothing is underway that could still open a hold of this agent.

    Its calls open holds, and so do answers that change one. False where the broker does not say.
    """
    try:
        calls = await _info(gate, calls_of(agent), GATE)
        answers = await _info(gate, ANSWERS, GATES)
    except UnavailableError:
        return False
    return not any(it.num_pending or it.num_ack_pending for it in (calls, answers))


async def _info(gate: Gate, kind: str, durable: str) -> ConsumerInfo:
    try:
        info: ConsumerInfo = await gate.jetstream.consumer_info(stream(gate.tenant, kind), durable)
    except NatsError as error:
        text = f"How far {kind} was handled cannot be read: {in_words(error)}"
        raise UnavailableError(text) from error
    return info
