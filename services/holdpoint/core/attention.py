"""Attention: so many open holds of one agent at a time, the others in turn, each action once."""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from holdpoint.messages.state import OpenHold

MOST = 500
"""Open holds of one agent, those that wait for their turn included."""


def in_turn(holds: Iterable[OpenHold], most: int) -> tuple[OpenHold, ...]:
    """Return the holds, oldest first, where as many as may be asked about are."""
    listed = tuple(holds)
    asked = Counter(group for it in listed if it.asked for group in it.groups)
    turn: list[OpenHold] = []
    for it in listed:
        comes_up = not it.asked and all(asked[group] < most for group in it.groups)
        if comes_up:
            asked.update(it.groups)
        turn.append(replace(it, asked=True) if comes_up else it)
    return tuple(turn)


def same_action(holds: Iterable[OpenHold], call_digest: str) -> OpenHold | None:
    """Return the open hold on the very same call, if there is one."""
    return next((it for it in holds if it.call_digest == call_digest), None)
