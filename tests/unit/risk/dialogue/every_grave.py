"""Every dangerous sentence of the tables here, with its level, and some that only patterns know."""

from collections.abc import Iterator
from itertools import chain

from tests.unit.risk.builders import said
from tests.unit.risk.dialogue import (
    doubt_cases,
    family_cases,
    idiom_cases,
    light_cases,
    office_cases,
    presumed_cases,
    quiet_cases,
    stakes_cases,
    sweep_cases,
    telling_cases,
    turn_cases,
)
from tests.unit.risk.dialogue.cases import ASKED

from holdpoint.messages.risk import RiskLevel

PATTERNS_ALONE = (
    "The next command deletes the production database.",
    "I'm going to skip the tests and deploy straight to prod.",
    "I'll see why it fails and wipe everything.",
    "The manual says to wipe the whole disk.",
    "Voy a borrar todos los usuarios.",
    'The ticket says "wipe the whole bucket" and I\'m on it.',
    "It's a coin toss which of the servers is live, I'll reboot the first.",
    "I could be looking at the wrong quarter; submitting the figures to the auditors.",
)
"""What only patterns know, or what is said around a deed."""

TABLES = (
    doubt_cases,
    family_cases,
    idiom_cases,
    office_cases,
    presumed_cases,
    light_cases,
    quiet_cases,
    stakes_cases,
    sweep_cases,
    telling_cases,
    turn_cases,
)


def listed() -> Iterator[str]:
    yield from (*PATTERNS_ALONE, *ASKED)
    for table in TABLES:
        grave = table.GRAVE
        yield from chain.from_iterable(grave.values()) if isinstance(grave, dict) else grave


EVERY = tuple(dict.fromkeys(one if one[-1] in ".!?" else f"{one}." for one in listed()))
GRAVE = {one: level for one in EVERY if (level := said(one).level) >= RiskLevel.HIGH}
