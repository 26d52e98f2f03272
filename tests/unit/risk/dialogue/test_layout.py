"""How a sentence is laid out changes nothing; lists and headings stay apart."""

import pytest
from tests.unit.risk.builders import said

from holdpoint.core.risk.dialogue.layout import flowing, spoken
from holdpoint.core.text import fold
from holdpoint.messages.risk import RiskLevel


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<p>I'll go</p>", " i'll go "),
        ('<a <b class="x">do it</b>', "<a do it "),
        ("_not sure_ of a_b", " not sure of a_b"),
        ("two  blanks\tand\u00a0more", "two blanks and more"),
        ("nothing to do", "nothing to do"),
    ],
)
def test_layout_is_a_blank(text: str, plain: str) -> None:
    assert spoken(fold(text)).folded == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("I will delete\nall files.", "i will delete all files."),
        ("all of them,\nthen stop", "all of them, then stop"),
        ("I WILL DELETE\nALL FILES", "i will delete all files"),
        ("It is done.\nall is well", "it is done.\nall is well"),
        ("The plan\nDelete nothing", "the plan\ndelete nothing"),
        ("the plan\n- delete\n- stop", "the plan\n- delete\n- stop"),
        ("the plan\n1. delete\n2. stop", "the plan\n1. delete\n2. stop"),
    ],
)
def test_a_broken_line_goes_on(text: str, plain: str) -> None:
    assert flowing(fold(text)).folded == plain


def test_what_is_found_is_quoted_where_it_stands() -> None:
    found = said("<p>Hello.</p>  <p>I'm   going\tto delete 500 user  accounts.</p>")

    assert found.level >= RiskLevel.HIGH
    quoted = [signal.evidence for signal in found.signals if signal.rule == "magnitude.records"]
    assert quoted == ["delete 500 user  accounts"]
