"""What the console itself looks at before it sends a yes; the gate has the last word."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import TOOL, a_confirmed_hold, a_hold, a_voice

from holdpoint.console import answering
from holdpoint.console.answering import Answering, Pressed, told_of
from holdpoint.console.card_store import Board
from holdpoint.console.sessions import Session, Sessions
from holdpoint.console.view_tracking import ARMED_AFTER_S, Seen
from holdpoint.core.card import Shown, card_of
from holdpoint.messages.answer import Choice, Proof
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import EndedBy, Outcome, Reason
from holdpoint.messages.policy import Method
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

SHOWN = Shown(group="finance", state="rendered", seal_key="", revision=2)
CARD = card_of(a_hold(), TOOL, SHOWN)
PRESSED = Pressed(
    hold_id=CARD.hold_id,
    digest=CARD.digest,
    render_digest=CARD.render_digest,
    choice=Choice.PROCEED,
    seconds_shown=2.0,
    reason="",
    proof=Proof(method=Method.CHAT),
    page_half="",
)


def why_not(folder: Path, level: int, pressed: Pressed) -> str:
    answering = Answering(
        settings=Settings(),
        board=Board(is_live=True),
        sessions=Sessions(folder / "console", folder, folder),
    )
    card = replace(CARD, level=level)
    seen = Seen(card=card, at=clock.monotonic() - 2 * ARMED_AFTER_S)
    session = Session(
        id="s",
        person="ann",
        user="person_ann",
        since=clock.now(),
        key_mark="",
        cookie_half="",
        csrf_mark="",
        stored_seed=b"",
    )
    return answering._why_not(session, seen, card, pressed)


def test_a_yes_at_level_5_is_not_sent_before_the_target_is_typed(tmp_path: Path) -> None:
    target = CARD.ui.action.target

    assert why_not(tmp_path, 5, PRESSED) == f"Type {target} first."
    assert why_not(tmp_path, 5, replace(PRESSED, typed=f"{target}s")) == f"Type {target} first."
    assert why_not(tmp_path, 5, replace(PRESSED, typed=target)) == ""
    assert why_not(tmp_path, 5, replace(PRESSED, choice=Choice.CANCEL)) == ""
    assert why_not(tmp_path, 4, PRESSED) == ""


@pytest.mark.parametrize(
    ("code", "sent"), [("123456", True), ("12 34", False), ("1234", False), ("abcdef", False)]
)
def test_what_can_be_no_code_is_not_sent_and_costs_no_try(code: str, sent: bool) -> None:
    card = replace(CARD, proofs=(Method.TOTP,))

    told = answering._unproven(card, Proof(method=Method.TOTP, code=code))

    assert told == ("" if sent else answering.NO_CODE)


def refused(code: str, text: str = "") -> Envelope:
    return Envelope(
        status=Status.REFUSED,
        code=code,
        reason=f"{text} `^[A-Z]+$`.",
        message_for_user=text,
    )


def ended(**fields: Any) -> Card:
    return card_of(a_confirmed_hold(**fields), TOOL, replace(SHOWN, state="resumed", revision=4))


BY_BEN = {"outcome": Outcome.CANCELLED, "ended_by": EndedBy.PERSON, "closed_by": "ben"}


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (CARD, "Somebody else answered first."),
        (ended(), "ann answered first."),
        (ended(voices=(a_voice("ann"), a_voice("ben"))), "ann, ben answered first."),
        (ended(**BY_BEN, voices=(a_voice("ann"),)), "ben answered first."),
        (ended(**BY_BEN, closed_for="ann"), "ben (for ann) answered first."),
        (
            ended(outcome=Outcome.WITHDRAWN, ended_by=EndedBy.AGENT, voices=()),
            "Withdrawn by the agent; nothing ran.",
        ),
    ],
)
def test_whoever_comes_second_hears_who_was_first(now: Card, text: str) -> None:
    told = told_of(refused(Reason.ALREADY_CLOSED.value), CARD, now, Choice.PROCEED)

    assert told.text == told.after
    assert told.sentence == f"Your answer does not count. {text}"


def test_a_refusal_stays_below_a_card_that_has_ended_meanwhile() -> None:
    started = ended()
    for choice in (Choice.CANCEL, Choice.HAPPENED, Choice.MODIFY):
        told = told_of(refused("already_started", "Too late."), started, started, choice)
        assert told.text == told.after == "Your answer does not count. Too late."


def test_nobody_reads_a_pattern_or_that_twice_it_does_not_count() -> None:
    told = told_of(refused("bad_arguments", "name: wrong."), CARD, CARD, Choice.MODIFY)

    assert told.text == "Your answer does not count. name: wrong."
