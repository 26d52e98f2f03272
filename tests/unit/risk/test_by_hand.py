"""Cases as others would write them: doubt, sums in words, sums inside payloads, shell in disguise.

They were written before anybody looked at the rules again, the later parts of each file after the
first was mended. In each file of `by_hand/` those under `== asks` must reach a person, those under
`== silent`, most with a risky word, must not; `↵` stands for the end of a line.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

HIGH = RiskLevel.HIGH
KINDS = {"evasions": LineKind.SHELL, "payloads": LineKind.TOOL_CALL}
SPOKEN = ("commands", "magnitudes", "requests", "uncertainty")
"""Sentences: `intents/test_spoken.py` says how many of them are heard."""

TOO_QUIET = {
    'dispatch {"event": {"type": "account.delete", "data": {"id": 7}}}': "others only listen to it",
}
"""What does not ask although it should, and why it stays so."""


def told(names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the name of its file, what it is to do, and the text of each row."""
    for name in names:
        file = Path(__file__).parent / "by_hand" / f"{name}.txt"
        wanted = ""
        for text in file.read_text(encoding="utf-8").splitlines():
            if text.startswith("== "):
                wanted = text.removeprefix("== ")
            else:
                yield name, wanted, text.replace("↵", "\n")


CASES = tuple(told(KINDS))


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

    assert found == asked - TOO_QUIET.keys()


def test_about_as_many_are_silent_as_ask() -> None:
    wanted = [one for _, one, _ in told((*KINDS, *SPOKEN))]

    assert len(wanted) >= 250
    assert abs(wanted.count("asks") - wanted.count("silent")) < 40
