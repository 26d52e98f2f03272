"""A hold's story: how long it took, in words, who was asked, and what was granted."""

import re
from datetime import timedelta

import pytest
from tests.builders import METADATA, T0, a_confirmed_hold, a_halted_hold, a_leave

from holdpoint.console.context import local_path
from holdpoint.console.languages import load_catalogue, phrased
from holdpoint.console.rendering import STATIC
from holdpoint.console.timeline import account_of, lasting, lines_of
from holdpoint.ledger.entries import Entry, record_of
from holdpoint.ledger.pages import Told
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.codec import encode_event
from holdpoint.messages.hold import AnyHoldFact, Halted, Outcome, Refused, Resolved
from holdpoint.messages.subjects import answer_subject, hold_subject, refusal_subject


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (timedelta(0), "0 s"),
        (timedelta(seconds=2.4), "2 s"),
        (timedelta(minutes=8, seconds=31), "8 min 31 s"),
        (timedelta(hours=2, seconds=5), "2 h 5 s"),
        (timedelta(days=1, hours=3, minutes=2, seconds=1), "1 d 3 h"),
    ],
)
def test_a_time_has_its_two_largest_units(time: timedelta, text: str) -> None:
    assert lasting(time) == text


@pytest.mark.parametrize(
    "path",
    ["/", "/?agent=robot&group=tool", "/ledger", "/holds/robot/h1", "/policy", "/people", "/health",
     "/figures?days=7",
     "/ledger?outcome=cancelled&agent=robot&since=2026-11-24",
     "/ledger?before=2026-11-21T21%3A00%3A00%2B00%3A00~h1&text=a+b"],
)  # fmt: skip
def test_a_page_of_ours_is_kept_through_the_login(path: str) -> None:
    assert local_path(path) == path


@pytest.mark.parametrize(
    "path", ["//evil.example", "/ledger?x=\r\nSet-Cookie: a", "/ledger?<script>", "https://x", "/x"]
)
def test_anything_else_leads_to_the_inbox(path: str) -> None:
    assert local_path(path) == "/"


@pytest.mark.parametrize(("code", "lines"), [("repeated", 0), ("too_late", 1)])
def test_a_plain_repeat_is_no_refusal_in_a_story(code: str, lines: int) -> None:
    """A program that resumes makes its call again, with the same key, to learn the result."""
    again = Refused(
        principal="robot", cause="CALLS@robot:5", code=code, text="Why.", hold_id="h1",
        body_sha256="0" * 64,
    )  # fmt: skip

    assert len(lines_of([told(1, 0, again)])) == lines


def test_a_story_tells_the_time_between_steps_who_was_asked_and_the_grant() -> None:
    confirmed = a_confirmed_hold()
    leave = a_leave()
    story = [
        told(1, 0, Halted(hold=a_halted_hold(), cause="CALLS:1", metadata=METADATA)),
        told(2, 65, Resolved(hold=confirmed, cause="ANSWERS:1", outcome=Outcome.CONFIRMED)),
        told(3, 65, leave),
    ]

    assert [line.gap for line in lines_of(story)] == ["", "+1 min 5 s", ""]
    account = account_of(story)
    assert account
    assert account.asked == (("finance", ("ann", "bob", "olga")),)
    assert (account.said_yes, account.needed) == (("ann",), 1)
    assert account.grant == leave.grant
    assert account_of([]) is None


@pytest.mark.parametrize("choice", Choice)
def test_what_a_person_pressed_is_told_in_german_too(choice: Choice) -> None:
    given = Answer(
        hold_id="h1", digest="d", render_digest="r", answer=choice, seconds_shown=4.0, extend_s=900
    )
    (line,) = lines_of([told(1, 0, given)])
    german = phrased(line.text, load_catalogue(STATIC, "de"))

    assert line.has_names_only
    assert "_" not in line.text
    assert not re.search(r"\b(?:pressed|found|that|the|was|asked|more|in)\b", german)


def told(seq: int, seconds: int, fact: AnyHoldFact | Refused | Answer) -> Told:
    at = T0 + timedelta(seconds=seconds)
    if isinstance(fact, Answer):
        subject = answer_subject("acme", "console", "ann", "robot", fact.hold_id)
    elif isinstance(fact, Refused):
        subject = refusal_subject("acme", "robot", fact.cause)
    else:
        subject = hold_subject(fact)
    body = encode_event(fact, event_id="e", source="test", subject=subject, at=at, salt="")
    entry = Entry(stream="HP_HOLDS_acme", seq=seq, subject=subject, at=at, body=body)
    return Told(record=record_of(seq, entry), verified=None)
