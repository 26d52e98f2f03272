"""Readers that a word opens find what they find when all of them are open."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.shares import in_shares
from tests.unit.risk.corpus import rows

from holdpoint.core.risk.dialogue import announcement
from holdpoint.core.risk.dialogue.announcement import Announcement, read_dialogue
from holdpoint.core.risk.dialogue.cues import ANY, CUES, cues_of
from holdpoint.core.risk.dialogue.words import Sentence, sentences

BY_HAND = Path(__file__).parents[1] / "by_hand"
TOLD = sorted(CUES)
UNTOLD = ("glooped", "glooping", "the", "500", "$40", "twenty-five", "x-ray", "(so", "'it'", "5%")
SIGNS = st.sampled_from(["", "", "", "", ",", ".", "?", ":", "!"])
WORDS = st.one_of(st.sampled_from(TOLD), st.sampled_from(UNTOLD))
TEXTS = st.lists(st.builds("".join, st.tuples(WORDS, SIGNS)), min_size=1, max_size=40)


def texts() -> Iterable[str]:
    """Every text that the tests of dialogue are about."""
    known = [row.text for name in ("spoken", "dialogue") for row in rows(name)]
    files = (file.read_text("utf-8").splitlines() for file in sorted(BY_HAND.glob("*.txt")))
    known += [line.replace("↵", "\n") for lines in files for line in lines]
    return (text.lower() for text in known)


def with_every_cue(text: str) -> list[Sentence]:
    return [msgspec.structs.replace(one, cues=ANY) for one in sentences(text)]


def found(told: Announcement) -> tuple[object, ...]:
    """What was read, without the cues that it was read with."""
    return msgspec.structs.astuple(msgspec.structs.replace(told, sentences=()))


def both(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[object, object]:
    """What is found in a text by its cues, and with all of them."""
    by_cues = found(read_dialogue(text))
    with monkeypatch.context() as opened:
        opened.setattr(announcement, "sentences", with_every_cue)
        return by_cues, found(read_dialogue(text))


@in_shares
def test_a_cue_only_saves_time(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    for text in islice(texts(), 0, None, step):
        by_cues, with_all = both(text, monkeypatch)
        assert by_cues == with_all, text


@given(words=TEXTS)
@example(words=["the", "fine"])
@settings(deadline=None, max_examples=300)
def test_a_cue_only_saves_time_in_any_row_of_words(words: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        by_cues, with_all = both(" ".join(words), monkeypatch)
        assert by_cues == with_all


def test_the_cues_of_a_sentence_are_those_of_its_words() -> None:
    for text in texts():
        for sentence in sentences(text):
            assert sentence.cues == cues_of(sentence.words), text


def test_a_word_with_a_cue_is_one_word_wherever_it_stands() -> None:
    for word in TOLD:
        for sign in ("", ",", ".") if word != "&" else ("",):
            (sentence,) = sentences(f"so {word}{sign}")
            assert sentence.words == ["so", word], word
            assert sentence.commas == ({2} if sign == "," else set()), word
            assert sentence.end == (sign if sign == "." else ""), word
