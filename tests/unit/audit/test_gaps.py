"""Messages that are missing in what was read: passed over only where the broker has none."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from tests.builders import T0

from holdpoint.audit import follower
from holdpoint.audit.follower import Follower, _Stream
from holdpoint.audit.stream_reader import BATCH, About
from holdpoint.ledger.entries import Entry

NAME = "HP_HOLDS_acme"


@dataclass(kw_only=True)
class Broker:
    """Has these messages, and tells of all of them when it is asked for one."""

    seqs: Sequence[int]
    asked: list[int] = field(default_factory=list)

    async def about(self, _: str) -> About:
        return About(created="then", last_seq=self.seqs[-1])

    async def read(self, _: str, first: int, most: int = BATCH) -> list[Entry]:
        self.asked.append(first)
        return [_entry(it) for it in self.seqs if it >= first][:most]


def _entry(seq: int) -> Entry:
    return Entry(stream=NAME, seq=seq, subject="hp.x", at=T0, body=b"{}", signature=None)


def _follower(broker: Broker) -> Follower:
    return Follower(reader=cast("Any", broker), ledger=cast("Any", None), streams=(NAME,))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "GAP_STAYS_S", 0.0)


async def test_what_was_lost_on_its_way_again_and_again_is_not_passed_over() -> None:
    """A gap was there for long, and then others of its messages are lost on the way."""
    broker = Broker(seqs=range(1, 9))
    audit, stream = _follower(broker), _Stream(name=NAME, agent="", longest_rest_s=1, read_to=2)

    first = await audit._without_gap(stream, [_entry(4), _entry(5)])
    second = await audit._without_gap(stream, [_entry(8)])
    third = await audit._without_gap(stream, [_entry(it) for it in range(3, 9)])

    assert (first, second) == ([], [])
    assert [it.seq for it in third] == list(range(3, 9))


async def test_what_the_broker_has_no_more_is_passed_over() -> None:
    broker = Broker(seqs=(1, 2, 5, 6, 9))
    audit, stream = _follower(broker), _Stream(name=NAME, agent="", longest_rest_s=1, read_to=2)
    read = [_entry(it) for it in (5, 6, 9)]

    waits = await audit._without_gap(stream, read)
    joined = await audit._without_gap(stream, read)

    assert waits == []
    assert [it.seq for it in joined] == [5, 6, 9]
    assert broker.asked == [3, 7]
