"""However a deed is turned in speech, a person is asked; what only looks like it asks nobody."""

from tests.unit.risk.builders import said
from tests.unit.risk.dialogue import (
    announced_cases,
    doubt_cases,
    family_cases,
    idiom_cases,
    office_cases,
    presumed_cases,
    quiet_cases,
    spelling_cases,
    stakes_cases,
    step_cases,
    sweep_cases,
    telling_cases,
    turn_cases,
)

from holdpoint.messages.risk import RiskLevel

TABLES = (
    announced_cases,
    family_cases,
    turn_cases,
    idiom_cases,
    office_cases,
    presumed_cases,
    quiet_cases,
    telling_cases,
    stakes_cases,
    step_cases,
    sweep_cases,
    doubt_cases,
    spelling_cases,
)
GRAVE = {family: texts for table in TABLES for family, texts in table.GRAVE.items()}
MILD = {family: texts for table in TABLES for family, texts in table.MILD.items()}


def test_every_turn_asks_a_person() -> None:
    missed = [
        (family, text)
        for family, texts in GRAVE.items()
        for text in texts
        if said(text).level < RiskLevel.HIGH
    ]

    assert missed == []


def test_what_only_looks_like_a_turn_asks_nobody() -> None:
    alarms = [
        (family, text, [signal.rule for signal in said(text).signals])
        for family, texts in MILD.items()
        for text in texts
        if said(text).level >= RiskLevel.HIGH
    ]

    assert alarms == []


def test_a_reason_names_what_goes() -> None:
    told = {
        "I will remove half of the user base.": "removing half of the user base",
        "I'll delete most of the customer list.": "deleting most of the customer list",
        "I'll delete the user.": "deleting the user",
    }

    assert {text: said(text).signals[0].reason for text in told} == {
        text: f"{reason} cannot be undone" for text, reason in told.items()
    }


def test_a_sum_is_not_all_of_something() -> None:
    told = ("Wiring half a million dollars.", "Paying half a billion yen to the fund.")

    assert [one.rule for text in told for one in said(text).signals if one.rule == "deed.all"] == []


def test_a_large_step_is_told_by_the_words_that_make_it_large() -> None:
    told = {
        "I'll push the firmware to the entire fleet tonight.": "“the firmware to the entire fleet”",
        "I will archive all mailboxes of former staff.": "“all mailboxes of former staff”",
        "I'm resetting the password for every account in the directory.": "“the password for every",
    }
    for text, part in told.items():
        reasons = [one.reason for one in said(text).signals if one.rule == "deed.all"]
        assert reasons, text
        assert all(part in one and len(one) <= 90 for one in reasons), (text, reasons)
