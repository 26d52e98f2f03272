"""Where a line ends inside of a sentence lowers nothing; lists of other things stay quiet."""

from collections.abc import Iterator
from textwrap import wrap

import pytest
from tests.unit.risk.builders import said
from tests.unit.risk.dialogue.every_grave import PATTERNS_ALONE, grave

from holdpoint.core.risk.dialogue.layout import unbroken
from holdpoint.core.text import fold
from holdpoint.messages.risk import RiskLevel

BREAKS = ("\n", "\n\n", " \n", "\n- ", "\n* ", "\n1. ", "  ", "\t", "\r\n", "\r", "\u2028", "\x0b")
WIDTHS = (20, 12, 40)
SHOUTED = (
    "I'm withdrawing 3 BTC to the address they sent.",
    "I will drop the SQL server of Kim.",
)
"""What has words in capitals that begin no sentence."""


def broken(text: str, at: int) -> Iterator[str]:
    """With each kind of break before this word, between all words, and wrapped."""
    words = text.split(" ")
    for gap in BREAKS:
        yield f"{' '.join(words[:at])}{gap}{' '.join(words[at:])}"
        yield gap.join(words)
    yield from ("\n".join(wrap(text, width, break_long_words=False)) for width in WIDTHS)


def lowered(text: str, at: int) -> Iterator[str]:
    yield from (one for one in broken(text, at) if said(one).level < grave()[text])


def places(text: str) -> range:
    return range(1, len(text.split(" ")))


def test_no_break_lowers_what_only_patterns_know() -> None:
    found = [one for text in PATTERNS_ALONE for at in places(text) for one in lowered(text, at)]

    assert found == []


def test_no_break_lowers_what_has_words_in_capitals() -> None:
    every = [one for text in SHOUTED for at in places(text) for one in broken(text, at)]

    assert [one for one in every if said(one).level < RiskLevel.HIGH] == []


@pytest.mark.slow
def test_a_break_lowers_no_listed_sentence() -> None:
    found = [
        one
        for turn, text in enumerate(grave())
        if " " in text
        for one in lowered(text, 1 + turn % len(places(text)))
    ]

    assert found == []


@pytest.mark.slow
def test_no_break_at_every_fifth_place_lowers_a_listed_sentence() -> None:
    found = [
        one
        for turn, text in enumerate(grave())
        for at in places(text)[turn % 5 :: 5]
        for one in lowered(text, at)
    ]

    assert found == []


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("I'll wipe\nMFA", "i'll wipe mfa"),
        ("I'll wipe \n\n  - MFA", "i'll wipe mfa"),
        ("turn off two-\nfactor", "turn off two-factor"),
        ("I'm delet-\n ing it", "i'm deleting it"),
        ("It is done.\nAll is well", None),
        ('He said "no."\nAll is well', None),
        ("one line", None),
    ],
)
def test_a_sentence_runs_on(text: str, plain: str | None) -> None:
    found = unbroken(fold(text))

    assert (found and found.folded) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Steps:\n1. Read the docs\n2. List all accounts\n3. Write a summary",
        "Shopping\n\nApples\nPears\nAll kinds of bread",
        "Dear Kim\n\nThanks for the notes\nSee you on Monday\n\nBest\nAna",
    ],
)
def test_lists_and_letters_ask_nobody(text: str) -> None:
    assert said(text).level < RiskLevel.HIGH


def test_it_is_quoted_where_it_stands() -> None:
    found = said("Hello  there.  I'll\n  - delete 500\n\nusers now.")

    quoted = {one.rule: one.evidence for one in found.signals}
    assert quoted["magnitude.records"] == "delete 500\n\nusers"
