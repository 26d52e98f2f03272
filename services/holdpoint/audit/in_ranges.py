"""Checks of every event, range by range: on all cores where there is more than one range."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from os import sched_getaffinity
from typing import TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, func, select, true

from holdpoint.audit.tree_checks import Finding
from holdpoint.ledger import engines
from holdpoint.ledger.tables import events


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """Events of the ledger, from the first to before the end."""

    first: int
    end: int | None
    """None of the last range, which has whatever comes behind it as well."""

    @property
    def within(self) -> ColumnElement[bool]:
        """The condition of these events; a number before 1 belongs to the first range."""
        here = [events.c.seq >= self.first] if self.first > 1 else []
        return and_(true(), *here, *([events.c.seq < self.end] if self.end else []))


Check: TypeAlias = Callable[[Connection, Range], Iterator[Finding]]
"""A function of a module, or a `partial` of one: only these can be handed to another process."""

Tell: TypeAlias = Callable[[int, int], None]
"""Hears how many events were looked at, and of how many."""


def findings(
    url: str, connection: Connection, check: Check, tell: Tell, size: int
) -> Iterator[Finding]:
    """Yield what the check finds in each range of this size, in the ledger's order.

    A range has to take longer than the start of the process that looks at it.
    """
    count = connection.scalar(select(func.count()).select_from(events)) or 0
    ends = range(1 + size, count + 1, size)  # however high somebody numbered an event
    ranges = [
        Range(first=first, end=end) for first, end in zip([1, *ends], [*ends, None], strict=True)
    ]
    if len(ranges) == 1:
        yield from check(connection, ranges[0])
        return
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    pool = ProcessPoolExecutor(min(len(ranges), len(sched_getaffinity(0))), mp_context=context)
    looked_at = pool.map(partial(_found, url, check), ranges)
    try:
        for each, found in zip(ranges, looked_at, strict=True):
            yield from found
            tell((each.end or count + 1) - 1, count)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _found(url: str, check: Check, looked_at: Range) -> list[Finding]:
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            return list(check(connection, looked_at))
    finally:
        engine.dispose()
