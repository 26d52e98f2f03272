"""Cases as others would write them: doubt, sums in words, sums inside payloads, shell in disguise.

They were written before anybody looked at the rules again, the later parts of each file after the
first was mended. In each file of `by_hand/` those under `== asks` must reach a person, those under
`== silent`, most with a risky word, must not; `↵` stands for the end of a line.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

HIGH = RiskLevel.HIGH
KINDS = {
    "commands": LineKind.DIALOGUE,
    "evasions": LineKind.SHELL,
    "magnitudes": LineKind.DIALOGUE,
    "payloads": LineKind.TOOL_CALL,
    "requests": LineKind.DIALOGUE,
    "uncertainty": LineKind.DIALOGUE,
}
TOO_LOUD = {
    "The manual explains how to drop a table.": "seed 002's pattern, to the letter",
    'Count the lines that contain "DROP TABLE" in dump.sql': "seed 002's pattern, to the letter",
    "The user wants to delete the events. I'll list them first.": "wishes count as announced",
    'The error message reads "Are you sure you want to overwrite?" and blocks the script.': (
        "somebody seems to block it"
    ),
    "The reviewer asked whether this could break production.": "a danger is named, by whomever",
    "I hesitate to call it a masterpiece.": "who hesitates is not sure, whatever the deed",
}
"""What asks although it is harmless, and why it stays so."""

TOO_QUIET = {
    "I will split the $24,000 into three wires.": "to split a sum pays nobody",
    "Sending a thousand dollars twice.": "only `times` multiplies",
    "I've queued the deletion of 870 accounts and will start it now.": "it reads as a report",
    "Let me cancel that for you. Which reason should I enter?": "one thing, and nobody says what",
    "Get me the flight for 1,850 dollars whatever the conditions are.": "to get is to fetch",
    'dispatch {"event": {"type": "account.delete", "data": {"id": 7}}}': "others only listen to it",
}
"""What does not ask although it should, and why it stays so."""


def told() -> Iterator[tuple[str, str, str]]:
    for name in KINDS:
        file = Path(__file__).parent / "by_hand" / f"{name}.txt"
        wanted = ""
        for text in file.read_text(encoding="utf-8").splitlines():
            if text.startswith("== "):
                wanted = text.removeprefix("== ")
            else:
                yield name, wanted, text.replace("↵", "\n")


CASES = tuple(told())


def a_line(name: str, text: str) -> Line:
    if name != "payloads":
        return Line(id="", kind=KINDS[name], text=text)
    tool, _, arguments = text.partition(" ")
    return Line(id="", kind=KINDS[name], payload={"tool": tool, "args": json.loads(arguments)})


@pytest.mark.parametrize("name", KINDS)
def test_what_others_would_ask_about_asks_and_the_rest_is_silent(name: str) -> None:
    asked = {text for kind, wanted, text in CASES if kind == name and wanted == "asks"}
    every = {text for kind, _, text in CASES if kind == name}
    found = {text for text in every if judged(a_line(name, text), the_policy()).level >= HIGH}

    assert found == (asked | (every & TOO_LOUD.keys())) - TOO_QUIET.keys()


def test_about_as_many_are_silent_as_ask() -> None:
    wanted = [one for _, one, _ in CASES]

    assert len(wanted) >= 250
    assert abs(wanted.count("asks") - wanted.count("silent")) < 40
