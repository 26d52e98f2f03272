"""What the screen says of a card: whose doubt it is, who stopped it, and nothing pushed aside."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import (
    T0,
    TOOL,
    a_confirmed_hold,
    a_hold,
    accepted,
    cancel,
    kill,
    resume,
    withdraw,
)

from holdpoint.console.card_view import face_of
from holdpoint.console.status_labels import standing
from holdpoint.console.text_segments import Piece, pieces_of
from holdpoint.console.timeline import lines_of
from holdpoint.core import card as cards
from holdpoint.core.card_reasons import PLACE
from holdpoint.core.commands import Command
from holdpoint.ledger.entries import Entry, record_of
from holdpoint.ledger.pages import Told
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person
from holdpoint.messages.codec import encode_event
from holdpoint.messages.hold import AnyHoldFact
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import Heuristic, RiskLevel, Scope, Signal
from holdpoint.messages.subjects import hold_subject

_, TOTP, PASSKEY = Method
MAGNITUDE, LOST = Heuristic.MAGNITUDE, Heuristic.IRREVERSIBILITY


def a_card(**fields: Any) -> Card:
    shown = cards.Shown(group="finance", state="rendered", seal_key="", revision=2)
    return replace(cards.card_of(a_hold(), TOOL, shown), **fields)


def ended_by(command: Command) -> Card:
    resumed = accepted(accepted(a_hold(), command).hold, resume())
    shown = cards.Shown(group="finance", state="resumed", seal_key="", revision=3)
    return cards.card_of(resumed.hold, TOOL, shown)


def told(fact: AnyHoldFact) -> str:
    subject = hold_subject(fact)
    body = encode_event(fact, event_id="e1", source="test", subject=subject, at=T0, salt="")
    entry = Entry(stream="HP_HOLDS_acme", seq=1, subject=subject, at=T0, body=body)
    (line,) = lines_of([Told(record=record_of(1, entry), verified=None)])
    return line.text


def a_signal(rule: str) -> Signal:
    return Signal(
        rule=rule, heuristic=Heuristic.UNCERTAINTY, level=RiskLevel.HIGH, reason="nobody can tell"
    )


def test_an_effect_stands_under_what_it_does_and_the_place_under_where_it_lands() -> None:
    def place(reason: str) -> Signal:
        return Signal(
            rule=PLACE, heuristic=Heuristic.CRITICALITY, level=RiskLevel.HIGH, reason=reason
        )

    lost = Signal(rule="r", heuristic=LOST, level=RiskLevel.CRITICAL, reason="It is irreversible.")
    for reason, name in (
        ("It disputes a charge.", "What it does"),
        ("It changes crm, which is production.", "Where it lands"),
    ):
        (why,) = face_of(a_card(signals=(lost, place(reason))), Person(name="ann")).whys
        assert why.name == name


@pytest.mark.parametrize(
    ("lacks", "every", "takes_code", "passkey", "to_set_up"),
    [
        ((), False, True, "offered", ""),
        ((PASSKEY,), False, True, "", ""),
        ((TOTP,), False, False, "needed", ""),
        ((TOTP, PASSKEY), False, False, "", "a one-time code or a passkey"),
        ((), True, True, "needed", ""),
        ((PASSKEY,), True, False, "", "a passkey"),
    ],
)
def test_a_yes_offers_only_the_step_up_that_the_person_has(
    lacks: tuple[Method, ...], *, every: bool, takes_code: bool, passkey: str, to_set_up: str
) -> None:
    card = a_card(proofs=(TOTP, PASSKEY), every_proof=every, missing={"ann": lacks})
    face = face_of(card, Person(name="ann"))

    assert (face.takes_code, face.passkey, face.to_set_up) == (takes_code, passkey, to_set_up)


@pytest.mark.parametrize(
    "rule",
    [
        "shell.disguise",
        "shell.unreadable",
        "shell.unknown-program",
        "sql.unknown-statement",
        "file.unread",
        "text.unreadable",
        "sql.unreadable",
        "http.addressless",
    ],
)
def test_what_the_gate_cannot_read_is_no_doubt_of_the_agents(rule: str) -> None:
    lost = replace(a_signal("shell.delete"), heuristic=Heuristic.IRREVERSIBILITY)
    signals = (lost, a_signal(rule), a_signal("doubt.acts"))
    whys = face_of(a_card(signals=signals), Person(name="ann")).whys

    assert [why.name for why in whys] == ["It cannot be read for certain", "The agent is unsure"]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("ls\n" + "\n" * 40 + "sed -i d a", ["… 40 blank lines"]),
        ("a\n \t\n\u3000\n\nb", ["… 3 blank lines"]),
        ("\n\n\n\na" + "\n" * 1500, ["… 4 blank lines", "… 1,500 blank lines"]),
        ("def a(): ...\n\n\ndef b(): ...", []),
        ("… 40 blank lines", []),
    ],
)
def test_blank_lines_are_folded_and_counted(text: str, marks: list[str]) -> None:
    pieces = pieces_of(text)

    assert [it.blank for it in pieces if it.blank] == marks
    assert "".join(it.text for it in pieces).split() == text.split()


def test_look_alikes_are_named_where_they_pass_for_latin_letters() -> None:
    assert pieces_of("r\u043c -r naïve \u0441\u043e\u0440\u0443 \u0444") == (
        Piece(text="r"),
        Piece(text="\u043c", alike="U+043C"),
        Piece(text=" -r naïve \u0441\u043e\u0440\u0443 \u0444"),
    )


def test_what_the_kill_switch_stopped_is_no_persons_no() -> None:
    assert standing(ended_by(cancel("ann"))).text == "Cancelled by ann; nothing ran."
    assert standing(ended_by(kill())).text == "Stopped by the kill switch; nothing ran."


def test_a_reason_that_names_the_kill_switch_is_still_a_persons() -> None:
    card = ended_by(cancel("ann", reason="Kill switch: this is what it is for."))

    assert standing(card).text == "Cancelled by ann; nothing ran."
    assert face_of(card, Person(name="ann")).reason == "Kill switch: this is what it is for."


@pytest.mark.parametrize("command", [cancel("ann"), withdraw()])
def test_the_gates_own_sentence_is_not_shown_as_a_reason(command: Command) -> None:
    assert face_of(ended_by(command), Person(name="ann")).reason == ""


def test_who_approved_it_is_named() -> None:
    shown = cards.Shown(group="finance", state="done", seal_key="", revision=9)
    card = cards.card_of(a_confirmed_hold(), TOOL, shown)

    assert standing(card).text == f"Approved by {' and '.join(card.voices)}, and it ran."


@pytest.mark.parametrize(
    ("records", "kind", "text"),
    [
        (500, "rows", "500 rows"),
        (1, "rows", "1 row"),
        (2500, "user_logins", "2,500 user logins"),
    ],
)
def test_what_is_counted_is_named(records: int, kind: str, text: str) -> None:
    card = a_card()
    action = replace(card.ui.action, affected=records)
    metadata = replace(card.metadata, scope=Scope(records=records, type=kind))
    face = face_of(
        replace(card, ui=replace(card.ui, action=action), metadata=metadata), Person(name="ann")
    )

    assert [fact.text for fact in face.facts if fact.name == "Affects"] == [text]


@pytest.mark.parametrize(
    ("signals", "danger"),
    [
        (
            (("magnitude.records", MAGNITUDE, "critical"), ("sql.delete", LOST, "high")),
            "sql.delete",
        ),
        ((("sql.delete", LOST, "high"), ("plan.irreversible", LOST, "high")), "plan.irreversible"),
        ((("command.high_risk", LOST, "critical"), ("shell.kube", LOST, "high")), "shell.kube"),
        ((("magnitude.amount", MAGNITUDE, "high"), ("verb", LOST, "medium")), "magnitude.amount"),
        ((("doubt.acts", Heuristic.UNCERTAINTY, "high"),), ""),
    ],
)
def test_the_danger_is_one_sentence_and_is_said_once(
    signals: tuple[tuple[str, Heuristic, str], ...], danger: str
) -> None:
    found = tuple(
        Signal(rule=rule, heuristic=kind, level=RiskLevel(level), reason=rule)
        for rule, kind, level in signals
    )
    face = face_of(a_card(signals=found), Person(name="ann"))

    others = [it.rule for why in face.whys for it in why.signals]
    assert (face.danger.rule if face.danger else "") == danger
    assert sorted([*others, *([danger] if danger else [])]) == sorted(it.rule for it in found)


def test_what_no_dry_run_found_is_no_target() -> None:
    missing = Signal(
        rule="plan.missing", heuristic=MAGNITUDE, level=RiskLevel.MEDIUM, reason="none"
    )
    known, unknown = a_card(title="Run it"), a_card(title="Run it", signals=(missing,))
    told = [
        {it.name for it in face_of(card, Person(name="ann")).facts} for card in (known, unknown)
    ]

    assert "Target" in told[0]
    assert "Target" not in told[1]


def test_of_money_only_the_amount_is_told() -> None:
    card = a_card()
    action = replace(card.ui.action, affected=None, amount={"value": "1150.00", "currency": "USD"})
    face = face_of(replace(card, ui=replace(card.ui, action=action)), Person(name="ann"))

    told = {fact.name: fact.text for fact in face.facts}
    assert "Affects" not in told
    assert told["Amount"] == "1,150.00 USD"


def test_the_story_says_who_threw_the_kill_switch() -> None:
    asked = a_hold()
    late = accepted(a_confirmed_hold(), kill())

    assert told(accepted(asked, kill())) == "settled: stopped by the kill switch, which ada threw"
    assert told(accepted(asked, cancel("ann"))) == "settled: cancelled by ann"
    assert told(late) == "told the agent no: the kill switch was thrown"
