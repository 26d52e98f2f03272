"""The board shows the newest card of each hold, to the groups that were asked and nobody else."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import TOOL, a_hold

from holdpoint.console import card_store as boards
from holdpoint.console.card_store import Board
from holdpoint.console.card_view import face_of
from holdpoint.console.status_labels import Tone, standing
from holdpoint.console.view_tracking import ARMED_AFTER_S, Shown, is_armed
from holdpoint.core import card as cards
from holdpoint.core.card_reasons import NO_TAKING_BACK, PLACE
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal


def a_card(**fields: Any) -> Card:
    shown = cards.Shown(group="finance", state="rendered", seal_key="", revision=2)
    return replace(cards.card_of(a_hold(), TOOL, shown), **fields)


def on(*shown: Card) -> Board:
    board = Board()
    for card in shown:
        board.put(card)
    return board


def test_a_newer_card_takes_the_place_of_an_older_one_and_never_the_other_way() -> None:
    old, new = a_card(revision=2), a_card(revision=5, state="answered")

    assert on(old, new).cards_for(("finance",)) == (new,)
    assert on(new, old).cards_for(("finance",)) == (new,)


def test_nobody_sees_what_none_of_their_groups_was_asked() -> None:
    board = on(a_card())

    assert board.cards_for(("operators",)) == ()
    assert board.cards_for(()) == ()
    assert board.card_for(("operators",), "h1") is None


def test_who_is_in_two_groups_sees_one_card_the_newest() -> None:
    board = on(a_card(revision=7), a_card(group="operators", revision=8))

    (card,) = board.cards_for(("finance", "operators"))

    assert card.revision == 8


def test_what_was_handed_out_once_is_read_anew_after_a_change() -> None:
    board = on(a_card())
    assert len(board.cards_for(("finance",))) == 1

    board.put(a_card(hold_id="h2"))

    assert {card.hold_id for card in board.cards_for(("finance",))} == {"h1", "h2"}


def test_who_watches_hears_what_changed_once() -> None:
    board = on()
    with board.watched() as watch:
        board.put(a_card())
        assert watch.bell.is_set()
        assert watch.taken() == {"h1"}
        assert watch.taken() == set()
    board.put(a_card())
    assert watch.taken() == set()


def test_only_ended_cards_are_taken_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "ENDED_KEPT", 1)
    ended = [a_card(hold_id=f"e{at}", outcome="cancelled", state="resumed") for at in range(3)]
    board = on(a_card(), *ended)

    board.tidy()

    assert {card.hold_id for card in board.cards_for(("finance",))} == {"h1", "e2"}


def test_a_card_is_armed_a_second_after_it_was_first_sent() -> None:
    shown, card = Shown(), a_card()
    shown.note(card, at=10.0)
    shown.note(card, at=12.0)

    seen = shown.seen(card.hold_id, card.render_digest)

    assert seen is not None
    assert not is_armed(seen, 10.0 + ARMED_AFTER_S - 0.001)
    assert is_armed(seen, 10.0 + ARMED_AFTER_S)
    assert shown.seen(card.hold_id, "another") is None


def test_a_face_says_what_would_happen() -> None:
    face = face_of(a_card(title="Delete them"), Person(name="ann"))

    facts = {fact.name: fact.text for fact in face.facts}
    assert facts["Where"] == "production"
    assert facts["Target"] == "prod.users"
    assert face.risk == "High risk"
    assert face.is_open
    assert not face.has_voice
    assert face_of(a_card(voices=("ann",), voices_needed=2), Person(name="ann")).has_voice


def test_a_fact_repeats_no_reason() -> None:
    def signal(rule: str, reason: str) -> Signal:
        level, heuristic = RiskLevel.HIGH, Heuristic.CRITICALITY
        return Signal(rule=rule, heuristic=heuristic, level=level, reason=reason)

    def names(card: Card) -> set[str]:
        return {fact.name for fact in face_of(card, Person(name="ann")).facts}

    place = a_card(signals=(signal(PLACE, "It counts as production."),))
    pays = a_card(signals=(signal(PLACE, f"It moves money, {NO_TAKING_BACK}."),))
    action = replace(pays.ui.action, amount={"value": "1.00", "currency": "USD"})

    assert {"Where", "Undo"} <= names(a_card(signals=()))
    assert "Where" not in names(place)
    assert "Undo" in names(place)
    paying = names(replace(pays, ui=replace(pays.ui, action=action)))
    assert "Undo" not in paying
    assert "Where" in paying


def test_a_text_that_fired_is_quoted_once() -> None:
    def signal(reason: str, evidence: str) -> Signal:
        heuristic = Heuristic.IRREVERSIBILITY
        return Signal(
            rule="r", heuristic=heuristic, level=RiskLevel.HIGH, reason=reason, evidence=evidence
        )

    signals = (signal("it removes", "rm -r a"), signal("`rm -r a` deletes", "rm -r a"))
    quoted = (signal("“DROP b” drops", "DROP b"), signal("it starts anew", "reset"))
    face = face_of(a_card(signals=(*signals, *quoted)), Person(name="ann"))
    (why,) = face.whys

    assert face.danger
    assert [it.evidence for it in (face.danger, *why.signals)] == ["rm -r a", "", "", "reset"]


@pytest.mark.parametrize(
    ("fields", "word", "tone"),
    [
        ({}, "Waiting", Tone.OPEN),
        ({"state": "resolved", "outcome": "confirmed"}, "Approved", Tone.GOOD),
        ({"state": "running", "outcome": "confirmed"}, "Running", Tone.BUSY),
        ({"state": "done", "outcome": "confirmed"}, "Done", Tone.GOOD),
        ({"state": "in_doubt", "outcome": "confirmed"}, "In doubt", Tone.BAD),
        ({"state": "resumed", "outcome": "cancelled"}, "Cancelled", Tone.QUIET),
        ({"state": "resumed", "outcome": "expired"}, "Expired", Tone.QUIET),
        ({"state": "barred", "outcome": "confirmed"}, "Barred", Tone.BAD),
        ({"state": "something new", "outcome": "new too"}, "Ended", Tone.QUIET),
    ],
)
def test_each_ending_has_its_word(fields: dict[str, str], word: str, tone: Tone) -> None:
    found = standing(a_card(**fields))

    assert (found.word, found.tone) == (word, tone)
