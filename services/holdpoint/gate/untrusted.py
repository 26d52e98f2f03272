"""Untrusted content: whether a tree of agents had some before a call, as its trails tell."""

import asyncio
from datetime import datetime

from holdpoint.core.risk import Brought, Trail, bucket_s, counts_at, covered
from holdpoint.gate.parts import Gate
from holdpoint.gate.tallies import total
from holdpoint.runtime import clock


async def brought_before(
    gate: Gate, trails: tuple[Trail, ...], at: datetime
) -> tuple[Brought, ...]:
    """What came in before a call whose broker's time is `at`; what cannot be read is not zero.

    Whatever the call itself brings was counted before: an agent has it only later.
    """
    return tuple(await asyncio.gather(*(_brought(gate, trail, at) for trail in trails)))


async def _brought(gate: Gate, trail: Trail, at: datetime) -> Brought:
    size, now = bucket_s(trail.own.rule), clock.now()
    found = await total(gate, trail.own, covered(counts_at(at, now, size), now, size))
    times = None if found is None else found - trail.own.amount
    return Brought(source=trail.source, within_s=trail.own.rule.window_s, times=times)
