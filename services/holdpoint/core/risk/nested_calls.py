"""Calls inside a call, each judged as one that stands alone."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec.structs import replace

from holdpoint.core.risk.context import Context
from holdpoint.core.risk.extract.payload import MAX_VALUES
from holdpoint.core.risk.heuristics import (
    destructive_verb,
    large_amount,
    large_share,
    many_records,
    production_touched,
    readers_found,
)
from holdpoint.core.risk.programs import SENDING_LEVEL, SENDS
from holdpoint.core.risk.reading import Case, read
from holdpoint.core.risk.tools.nested import Inner
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_CALLS = 40
"""Calls inside one that are read: a person would not check more, and more of them go up."""

MAX_HELD = MAX_VALUES // 2
"""Values that they may hold together, each with those inside it."""

_JUDGED = (readers_found, many_records, large_amount, large_share)
"""What is asked of them; their words and their verb are those of the whole, and their place as well
unless they say one."""


def judged_within(case: Case, outer: Action, context: Context, policy: Policy) -> Iterator[Signal]:
    """What is grave about each."""
    left = MAX_HELD
    for place, inner in enumerate(case.calls):
        left -= _size(inner.arguments, left)
        if place == MAX_CALLS or left < 0 or inner.unread:
            reason = "more calls stand in it than are read"
            yield Signal(
                rule="call.unread",
                heuristic=Heuristic.UNCERTAINTY,
                level=RiskLevel.HIGH,
                reason=reason,
            )
            return
        yield from _judged(inner, outer, context, policy)


def _size(held: JsonObject, most: int) -> int:
    """How many values it holds, one more at most than are asked for; nesting costs no stack."""
    waiting: list[Any] = [held]
    size = 0
    while waiting and size <= most:
        one = waiting.pop()
        size += 1
        if isinstance(one, Mapping):
            waiting.extend(islice(one.values(), MAX_VALUES))
        elif isinstance(one, list | tuple):
            waiting.extend(one[:MAX_VALUES])
        elif isinstance(one, str):
            size += len(one) // MAX_PLAIN
    return size


MAX_PLAIN = 100
"""Characters of a text that count as a value: it may hold a payload."""


def _judged(inner: Inner, outer: Action, context: Context, policy: Policy) -> Iterator[Signal]:
    """Nothing that is known of the call around it is known of this one."""
    sends = inner.tool == SENDS
    acts = sends or inner.ordered
    level = max(context.tool.level, SENDING_LEVEL) if context.tool and acts else None
    tool = context.tool and replace(
        context.tool, name=inner.tool, schema={}, plans=False, level=level or context.tool.level
    )
    known = replace(context, tool=tool, plan=None, reasoning="", tallies=())
    domain = "http" if sends else outer.domain
    action = replace(outer, tool=inner.tool, arguments=inner.arguments, domain=domain)
    found = read(action, known, policy)
    placed = (production_touched,) if found.place.stated else ()
    lost = (destructive_verb,) if inner.ordered else ()
    for worry in (*_JUDGED, *placed, *lost):
        yield from (replace(one, span=None) for one in worry(found, policy))
