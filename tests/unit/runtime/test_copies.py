"""Copies on three servers: who leads, who is behind, and when a message has ended a stream."""

import pytest

from holdpoint.runtime.broker.copies import Copy, Ended, ServerLine, ended_streams, server_lines
from holdpoint.runtime.broker.storage import ENDED, cannot_store

NAMES = ("nats-1", "nats-2", "nats-3")


def copy(at: int, last_seq: int = 7, *, leads: bool = False, has_ended: bool = False) -> Copy:
    return Copy(
        stream="HP_ANSWERS_acme",
        server=f"holdpoint-acme-nats-{at}",
        group="S-R3F-x",
        last_seq=last_seq,
        leads=leads,
        has_ended=has_ended,
    )


def test_each_server_tells_what_it_leads_and_how_far_it_is_behind() -> None:
    lines = server_lines([copy(1, leads=True), copy(2, 4)], NAMES)

    assert lines == (
        ServerLine(name="nats-1", answers=True, leads=("ANSWERS",)),
        ServerLine(name="nats-2", answers=True, behind=3),
        ServerLine(name="nats-3", answers=False),
    )
    assert [it.text for it in lines] == [
        "answers, has everything, leads ANSWERS",
        "answers, behind by 3, leads nothing",
        "does not answer",
    ]


def test_a_stream_has_ended_once_two_copies_that_have_everything_say_so() -> None:
    found = [copy(1, has_ended=True), copy(2, has_ended=True), copy(3, 4)]

    servers = ("holdpoint-acme-nats-1", "holdpoint-acme-nats-2")
    assert ended_streams(found) == (
        Ended(stream="HP_ANSWERS_acme", group="S-R3F-x", servers=servers),
    )


@pytest.mark.parametrize(
    "found",
    [
        [copy(1), copy(2), copy(3)],
        [copy(1, has_ended=True), copy(2), copy(3)],
        [copy(1, has_ended=True), copy(2, has_ended=True), copy(3, 8)],
        [copy(1, 6, has_ended=True), copy(2, has_ended=True), copy(3)],
    ],
    ids=["none says so", "one says so", "another has more", "they differ"],
)
def test_nothing_is_done_about_a_stream_that_may_lose_something(found: list[Copy]) -> None:
    assert ended_streams(found) == ()


def test_what_the_message_said_is_not_repeated() -> None:
    told = cannot_store({"HP_ANSWERS_acme": f'not current: {ENDED}: "click: here" vs ""'})

    assert "click" not in told
    assert told.startswith("the broker cannot store HP_ANSWERS_acme: a message ended it")
