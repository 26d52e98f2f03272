"""Looking for many phrases at once finds what looking for each alone finds."""

import re
from functools import lru_cache

import pytest
import re2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdpoint.core.risk.dialogue.doubtful import OUTSPOKEN
from holdpoint.core.risk.dialogue.hedges import Phrases
from holdpoint.core.risk.dialogue.presumed import PRESUMED
from holdpoint.core.risk.dialogue.unsure import GENERAL

LINES = "some(?:one|body)\n# a remark\nnot (?:\\w+ ){0,2}(?:sure|\n    clear)\ndon't"
WORDS = sorted(set(re.findall(r"[a-z]{3,}", OUTSPOKEN + GENERAL + PRESUMED)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("somebody is not at all clear", ["somebody", "not at all clear"]),
        ("someone else", ["someone"]),
        ("a remark: someones", []),
        ("they don't and dont and donut", ["don't", "dont"]),
        ("", []),
    ],
)
def test_a_line_is_a_pattern_of_whole_words(text: str, said: list[str]) -> None:
    spans = sorted(Phrases(LINES).spans(text))

    assert [text[start:end] for start, end in spans] == said


@pytest.mark.parametrize("lines", [OUTSPOKEN, GENERAL, PRESUMED])
@given(words=st.lists(st.sampled_from(WORDS), max_size=60), times=st.sampled_from([1, 100]))
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_one_pass_finds_what_every_pattern_finds_alone(
    lines: str, words: list[str], times: int
) -> None:
    text = " ".join(words * times)
    alone = re2.sub(r"\n    ", "", lines).split("\n")
    alone = [re.sub("'(?=[^?\\]])", "'?", line) for line in alone]
    patterns = [rf"\b(?:{line})\b" for line in alone if line and not line.startswith("#")]
    expected = {match.span() for one in patterns for match in re2.finditer(one, text)}
    filtered, fast = made(lines)

    assert set(filtered.spans(text)) == expected
    assert set(fast.spans(text)) == expected


@lru_cache
def made(lines: str) -> tuple[Phrases, Phrases]:
    """As they are at first, and with an automaton."""
    fast = Phrases(lines)
    fast.make_fast()
    return Phrases(lines), fast
