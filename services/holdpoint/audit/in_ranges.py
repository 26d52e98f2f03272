"""Checks of every event, range by range: on all cores where there is more than one range."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from multiprocessing import get_context
from os import sched_getaffinity
from typing import TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, func, select

from holdpoint.audit.tree_checks import Finding
from holdpoint.ledger import engines
from holdpoint.ledger.tables import events


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """Events of the ledger, from the first to the last."""

    first: int
    last: int

    @property
    def within(self) -> ColumnElement[bool]:
        """The condition of these events; a number before 1 belongs to the first range."""
        here = events.c.seq <= self.last
        return here if self.first == 1 else here & (events.c.seq >= self.first)


Check: TypeAlias = Callable[[Connection, Range], Iterator[Finding]]
"""What can be handed to another process: a function of a module, or a `partial` of one."""

Tell: TypeAlias = Callable[[int, int], None]
"""Hears how many events were looked at, and of how many."""


def findings(
    url: str, connection: Connection, check: Check, tell: Tell, size: int
) -> Iterator[Finding]:
    """Yield what the check finds in each range of this size, in the ledger's order.

    A range has to take longer than the start of the process that looks at it.
    """
    last = connection.scalar(select(func.max(events.c.seq))) or 0
    ranges = [
        Range(first=first, last=min(first + size - 1, last)) for first in range(1, last + 1, size)
    ]
    if len(ranges) <= 1:
        yield from chain.from_iterable(check(connection, it) for it in ranges)
        return
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    pool = ProcessPoolExecutor(min(len(ranges), len(sched_getaffinity(0))), mp_context=context)
    looked_at = pool.map(partial(_found, url, check), ranges)
    try:
        for each, found in zip(ranges, looked_at, strict=True):
            yield from found
            tell(each.last, last)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _found(url: str, check: Check, looked_at: Range) -> list[Finding]:
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            return list(check(connection, looked_at))
    finally:
        engine.dispose()
