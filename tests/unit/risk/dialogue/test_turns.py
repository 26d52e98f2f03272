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
