"""A request that comes again while it is answered gets the same answer, made once."""

import asyncio

import pytest

from holdpoint.coordinator.under_way import UnderWay


async def test_what_is_asked_twice_at_once_is_answered_once() -> None:
    under_way, go_on, made = UnderWay(), asyncio.Event(), 0

    async def make() -> bytes:
        nonlocal made
        made += 1
        await go_on.wait()
        return b"answer"

    first = asyncio.ensure_future(under_way.answer(("ann", b"pay"), make))
    second = asyncio.ensure_future(under_way.answer(("ann", b"pay"), make))
    other = asyncio.ensure_future(under_way.answer(("ben", b"pay"), make))
    await asyncio.wait([first], timeout=0.01)
    first.cancel()  # this asker has gone
    go_on.set()

    assert (await second, await other) == (b"answer", b"answer")
    assert made == 2
    assert await under_way.answer(("ann", b"pay"), make) == b"answer"
    assert made == 3


async def test_an_error_reaches_everybody_and_is_not_kept() -> None:
    under_way = UnderWay()

    async def fail() -> bytes:
        raise ValueError

    for _ in range(2):
        with pytest.raises(ValueError):  # noqa: PT011  # the one that was raised
            await under_way.answer("x", fail)
