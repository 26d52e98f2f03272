"""A text cut into sentences: each word where it says it is, whatever shape its line has."""

from hypothesis import given, settings
from hypothesis import strategies as st

from holdpoint.core.risk.dialogue.words import Sentence, sentences

WORDS = st.sampled_from(
    [
        *("i'll", "don't", "tool-call", "wipe", "all", "500", "12", "the", "o'clock-ish", "über"),
        *("no.", "etc.", "½", "ill", "it,", "so;", "then:", "now?", "done.", "stop!", "x-2"),
        *("(maybe)", "'quoted'", "--", "3.5", "$40", "a_b", "e.g."),
    ]
)
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=4).map("\n".join)


def told(text: str) -> list[tuple[list[str], set[int], set[int], str]]:
    return [(one.words, one.commas, one.quoted, one.end) for one in sentences(text)]


@given(TEXTS)
@settings(deadline=None, max_examples=300)
def test_wider_blanks_change_no_sentence(text: str) -> None:
    """A line that is not plain is cut as the same words in a plain one."""
    assert told(text.replace(" ", "  ")) == told(text)


@given(TEXTS)
@settings(deadline=None, max_examples=300)
def test_every_word_stands_where_it_says(text: str) -> None:
    for sentence in sentences(text):
        for place, word in enumerate(sentence.words):
            start, end = sentence.span(place)
            assert text[start:end] == word or is_mended(sentence, place)


def is_mended(sentence: Sentence, place: int) -> bool:
    """Only an apostrophe that somebody left out is put back."""
    return "'" in sentence.words[place]


def test_signs_end_and_part_sentences() -> None:
    assert told("first, wipe it. then 12 more") == [
        (["first", "wipe", "it"], {1}, set(), "."),
        (["then", "12", "more"], set(), set(), ""),
    ]


def test_an_ampersand_is_a_word_only_by_itself() -> None:
    assert told("a & b") == [(["a", "&", "b"], set(), set(), "")]
    assert told("a &, b") == [(["a", "b"], {1}, set(), "")]


def test_a_title_ends_no_sentence_where_a_name_follows() -> None:
    cut = {
        "shall i send it to mr. baptiste?": 1,
        "see dr. chen. ask her.": 2,
        "ask the dr. deleting all of it.": 2,
        "ask the dr. wipe it.": 2,
        "it is from mr.": 1,
    }

    assert {text: len(sentences(text)) for text in cut} == cut
