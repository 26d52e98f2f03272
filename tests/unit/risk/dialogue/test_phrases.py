"""Looking for many phrases at once finds what looking for each alone finds."""

import re
from functools import lru_cache

import pytest
import re2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdpoint.core.risk.dialogue.hedges import Phrases
from holdpoint.core.risk.knowledge import phrases

PATTERNS = ("some(?:one|body)", r"not (?:\w+ ){0,2}(?:sure|clear)", "don't")
DOUBTS = [phrases(f"words/doubts:{name}") for name in ("outspoken", "general")]
WORDS = sorted({word for known in DOUBTS for one in known for word in re.findall("[a-z]{3,}", one)})


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
def test_a_phrase_is_a_pattern_of_whole_words(text: str, said: list[str]) -> None:
    spans = sorted(Phrases(PATTERNS).spans(text))

    assert [text[start:end] for start, end in spans] == said


@pytest.mark.parametrize("known", DOUBTS)
@given(words=st.lists(st.sampled_from(WORDS), max_size=60), times=st.sampled_from([1, 100]))
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_one_pass_finds_what_every_pattern_finds_alone(
    known: tuple[str, ...], words: list[str], times: int
) -> None:
    text = " ".join(words * times)
    lacking = [re.sub(r"'(?=[^?\]])", "'?", one) for one in known]
    alone = [rf"\b(?:{one})\b" for one in lacking]
    expected = {match.span() for one in alone for match in re2.finditer(one, text)}
    filtered, fast = made(known)

    assert set(filtered.spans(text)) == expected
    assert set(fast.spans(text)) == expected


@lru_cache
def made(known: tuple[str, ...]) -> tuple[Phrases, Phrases]:
    """As they are at first, and with an automaton."""
    fast = Phrases(known)
    fast.make_fast()
    return Phrases(known), fast
