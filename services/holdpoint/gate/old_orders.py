"""Orders that another gate carried out: this one stood still with them, and later ones came since.

Orders are handed out one at a time. So where an order was not acknowledged after a state was read,
no later one is in that state, and the compare-and-set refuses whatever one writes from then on.
"""

from nats.errors import Error as NatsError

from holdpoint.gate.context import Gate
from holdpoint.messages.subjects import ADMIN, stream
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.streams import GATES
from holdpoint.runtime.errors import UnavailableError


class OldOrderError(Exception):
    """It was dealt with before."""


async def check_not_old(gate: Gate, delivery: Delivery) -> None:
    """Raise OldOrderError if the order was dealt with: after reading what it is to change."""
    name = stream(gate.tenant, ADMIN)
    try:
        info = await gate.jetstream.consumer_info(name, GATES)
    except NatsError as error:
        text = f"How far orders have come cannot be read: {in_words(error)}"
        raise UnavailableError(text) from error
    if info.ack_floor is not None and (info.ack_floor.stream_seq or 0) >= delivery.seq:
        raise OldOrderError
