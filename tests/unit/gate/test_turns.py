"""Agents take turns to be judged, whoever has how many calls in hand."""

import asyncio
from collections import Counter

from holdpoint.gate.budgets import TURN_BYTES, Turns

SMALL = TURN_BYTES // 16


async def judged(turns: Turns, order: list[str], agent: str, size: int) -> None:
    """One call of the agent, which waits for something while it is judged."""
    async with turns.of(agent, size):
        order.append(agent)
        await asyncio.sleep(0)


async def test_one_call_waits_for_no_more_than_a_turn_of_another_agents_many() -> None:
    turns, order = Turns(), list[str]()
    many = [judged(turns, order, "noisy", TURN_BYTES) for _ in range(100)]

    await asyncio.gather(*many, judged(turns, order, "quiet", SMALL))

    assert order.index("quiet") <= 2
    assert Counter(order) == {"noisy": 100, "quiet": 1}


async def test_a_turn_takes_as_many_small_calls_as_fit() -> None:
    turns, order = Turns(), list[str]()
    calls = [
        judged(turns, order, agent, SMALL) for agent in ("first", *["noisy"] * 40, *["other"] * 40)
    ]

    await asyncio.gather(*calls)

    assert order[1:33] == ["noisy"] * 16 + ["other"] * 16
    assert Counter(order) == {"first": 1, "noisy": 40, "other": 40}


async def test_a_call_alone_has_its_turn_at_once_and_who_is_gone_keeps_nobody() -> None:
    turns, order = Turns(), list[str]()
    async with turns.of("noisy", SMALL):
        gone = asyncio.create_task(judged(turns, order, "noisy", SMALL))
        stays = asyncio.create_task(judged(turns, order, "quiet", SMALL))
        await asyncio.sleep(0)
        gone.cancel()

    await stays
    await judged(turns, order, "noisy", SMALL)

    assert order == ["quiet", "noisy"]
