"""Orders that another gate carried out: this one stood still with them, and later ones came since.

Orders are handed out one at a time. So where an order was not acknowledged after a state was read,
no later one is in that state, and the compare-and-set refuses whatever one writes from then on.
"""

from holdpoint.gate.acknowledged import acknowledged
from holdpoint.gate.context import Gate
from holdpoint.messages.subjects import ADMIN
from holdpoint.runtime.broker.lanes import Delivery


class OldOrderError(Exception):
    """It was dealt with before."""


async def check_not_old(gate: Gate, delivery: Delivery) -> None:
    """Raise OldOrderError if the order was dealt with: after reading what it is to change."""
    if await acknowledged(gate, ADMIN) >= delivery.seq:
        raise OldOrderError
