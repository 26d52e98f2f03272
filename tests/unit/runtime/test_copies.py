"""Copies on three servers: who leads, who is behind."""

from holdpoint.runtime.broker.copies import Copy, ServerLine, server_lines
from holdpoint.runtime.broker.storage import ENDED, cannot_store

NAMES = ("nats-1", "nats-2", "nats-3")


def copy(at: int, last_seq: int = 7, *, leads: bool = False) -> Copy:
    return Copy(
        stream="HP_ANSWERS_acme",
        server=f"holdpoint-acme-nats-{at}",
        last_seq=last_seq,
        leads=leads,
        has_ended=False,
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


def test_what_the_message_said_is_not_repeated() -> None:
    told = cannot_store({"HP_ANSWERS_acme": f'not current: {ENDED}: "click: here" vs ""'})

    assert "click" not in told
    assert told.startswith("the broker cannot store HP_ANSWERS_acme: a message ended it")
