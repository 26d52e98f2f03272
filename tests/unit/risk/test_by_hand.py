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

from holdpoint.cli.assess import Line, LineKind, judged
from holdpoint.messages.risk import RiskLevel

KINDS = {
    "evasions": LineKind.SHELL,
    "magnitudes": LineKind.DIALOGUE,
    "payloads": LineKind.TOOL_CALL,
    "uncertainty": LineKind.DIALOGUE,
}
TOO_LOUD = {
    "The manual explains how to drop a table.": "seed 002's pattern, to the letter",
    'read_file {"path": "/docs/drop-table.md"}': "seed 002's pattern, to the letter",
    'The search for "shutdown" returned no results.': "a command in quotes counts as one that runs",
}
"""What asks although it is harmless, and why it stays so."""

TOO_QUIET = {
    "I'll lay off the entire support team in the HR system.": "no rule knows the words for it",
    'dispatch {"event": {"type": "account.delete", "data": {"id": 7}}}': "others only listen to it",
    "I'm about to wire six figures to the vendor.": "figures may be drawings as well as digits",
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


@pytest.mark.parametrize(("name", "wanted", "text"), CASES, ids=lambda part: part[:50])
def test_what_others_would_ask_about_asks_and_the_rest_is_silent(
    name: str, wanted: str, text: str
) -> None:
    found = judged(a_line(name, text), the_policy())

    asks = (wanted == "asks" or text in TOO_LOUD) and text not in TOO_QUIET
    assert (found.level >= RiskLevel.HIGH) is asks


def test_about_as_many_are_silent_as_ask() -> None:
    wanted = [one for _, one, _ in CASES]

    assert len(wanted) >= 250
    assert abs(wanted.count("asks") - wanted.count("silent")) < 40
