"""The learned reader in a gate: checked at its start, loaded with the first sentence."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import structlog

from holdpoint.core.risk import (
    heard,
    is_loaded,
    stand_down,
    why_incomplete,
    why_unusable,
    with_wording,
)
from holdpoint.messages.risk import Assessment
from holdpoint.runtime.process import clock

log = structlog.get_logger(__name__)

SLOWEST_S = 0.05
"""CPU time of a short sentence above which sentences are judged without it."""

_TRIES = 3
_SENTENCE = "I have read the report and will now send it to the three people who asked for it."


def check() -> None:
    """Say at once where its files are not as they should be; nothing is loaded."""
    if why := why_incomplete():
        _without_it(why)


_reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sentence-reader")


async def read(text: str) -> None:
    """Score a sentence before it is judged, in a thread: calls of others are judged meanwhile.

    The first one loads the reader, which stands down where it is slow.
    """
    await asyncio.get_running_loop().run_in_executor(_reader, _read, text)


async def worded(found: Assessment, text: str) -> Assessment:
    """Quote the words that raised a sentence, in the same thread."""
    return await asyncio.get_running_loop().run_in_executor(_reader, with_wording, found, text)


def _read(text: str) -> None:
    if not is_loaded():
        _load()
    heard(text)


def _load() -> None:
    if why := why_unusable() or too_slow():
        _without_it(why)


def too_slow() -> str:
    """Return how slow the loaded reader is here, if it is too slow; the best of some tries."""
    best = min(_time_of_one(number) for number in range(_TRIES))
    if best <= SLOWEST_S:
        return ""
    return f"a sentence takes {best * 1000:.0f} ms, more than {SLOWEST_S * 1000:.0f}"


def _time_of_one(number: int) -> float:
    before = clock.worked_s()
    heard(f"{_SENTENCE} It has {number} pages.")  # each is new: scores are remembered
    return clock.worked_s() - before


def _without_it(why: str) -> None:
    stand_down(why)
    log.error("sentences_judged_by_rules_alone", why=why)
