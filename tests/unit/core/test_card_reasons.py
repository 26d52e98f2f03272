"""Reasons on a card: the danger first, and what the agent said quoted to the end."""

import pytest
from msgspec.structs import replace

from holdpoint.core.card_reasons import clause_of, distinct, in_words, plainly, ranked
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

LOST, PLACE, SIZE = Heuristic.IRREVERSIBILITY, Heuristic.CRITICALITY, Heuristic.MAGNITUDE


def a_signal(rule: str, heuristic: Heuristic, level: RiskLevel, evidence: str = "") -> Signal:
    reason = f"It is {rule}."
    return Signal(rule=rule, heuristic=heuristic, level=level, reason=reason, evidence=evidence)


HERE = a_signal("environment.production", PLACE, RiskLevel.HIGH)
UNREAD = a_signal("plan.missing", SIZE, RiskLevel.MEDIUM)
GONE = a_signal("shell.delete", LOST, RiskLevel.HIGH)
LISTED = a_signal("command.high_risk", LOST, RiskLevel.CRITICAL)
DOUBT = a_signal("doubt.acts", Heuristic.UNCERTAINTY, RiskLevel.HIGH)
SCRIPT = a_signal("shell.unknown-program", Heuristic.UNCERTAINTY, RiskLevel.MEDIUM)
ROWS = a_signal("sql.rows", SIZE, RiskLevel.MEDIUM)
HEARD = a_signal("intents.sounds", LOST, RiskLevel.HIGH)
LARGE = a_signal("magnitude.amount", SIZE, RiskLevel.HIGH)
ASKED = a_signal("agent.asks", Heuristic.AGENT, RiskLevel.LOW)


@pytest.mark.parametrize(
    ("signals", "danger"),
    [
        ((HERE, UNREAD), UNREAD),
        ((HERE, ASKED), HERE),
        ((LISTED, HERE, UNREAD, GONE), GONE),
        ((UNREAD, SCRIPT, HERE), SCRIPT),
        ((ROWS, HERE), HERE),
        ((HEARD, LARGE), LARGE),
        ((DOUBT, HERE), HERE),
        ((DOUBT,), None),
        ((), None),
    ],
)
def test_what_is_lost_comes_first_and_the_place_last(
    signals: tuple[Signal, ...], danger: Signal | None
) -> None:
    first, others = ranked(signals)

    assert first == danger
    assert {*others} == {*signals} - {danger}


def test_a_quote_is_the_whole_clause() -> None:
    words = "Wiring 12,000.50 euros to them, I think the IBAN is right. Is it?"

    assert clause_of(words, "Wiring 12,000") == "Wiring 12,000.50 euros to them"
    assert clause_of(words, "I think the") == "I think the IBAN is right"
    assert clause_of(words, "Is it") == "Is it?"
    assert clause_of(words, "think, the") == "think, the"
    assert clause_of("", "rm -r a") == "rm -r a"
    assert in_words("It goes on.", "I think so") == "It goes on: “I think so”."
    assert in_words("It goes on.", "") == "It goes on."


def test_a_reason_about_all_that_the_card_shows_quotes_none_of_it() -> None:
    reason = "`rm -r a` deletes a directory."
    whole = replace(a_signal("shell.delete", LOST, RiskLevel.HIGH, "rm -r a"), reason=reason)
    part = replace(whole, evidence="rm -r")

    told = plainly(whole, ("rm -r a",))
    assert (told.reason, told.evidence) == ("it deletes a directory.", "")
    assert plainly(part, ("rm -r a",)) == part
    assert plainly(whole, ("ls; rm -r a",)) == whole


def test_that_rows_change_is_not_said_beside_a_graver_reason() -> None:
    assert distinct((HERE, ROWS)) == (HERE,)
    assert distinct((ROWS,)) == (ROWS,)


def test_what_only_sounds_dangerous_gives_way_to_what_is_lost() -> None:
    deletes = a_signal("verb.destructive", LOST, RiskLevel.HIGH)

    assert distinct((HEARD, deletes)) == (deletes,)
    assert distinct((HEARD, LARGE)) == (HEARD, LARGE)
