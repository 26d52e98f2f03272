"""A text's words as the learned reader's vocabulary has them."""

import string

import pytest

from holdpoint.core.risk.intents.wordpiece import words_in


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I'll wipe user_id 7!", ["i", "'", "ll", "wipe", "user", "_", "id", "7", "!"]),
        ("Ich lösche «alles» 清空", ["ich", "losche", "«", "alles", "»", "清", "空"]),
        ("a\x00b\x1fc\td\x7fe\nf", ["abc", "de", "f"]),
        ("", []),
    ],
)
def test_words_are_in_lower_case_and_signs_stand_by_themselves(text: str, words: list[str]) -> None:
    assert list(words_in(text)) == words


@pytest.mark.parametrize("text", [*map(chr, range(128)), string.printable, "A-b_c 9\x0b\x0c\r\x1c"])
def test_plain_ascii_is_cut_as_it_is_beside_other_letters(text: str) -> None:
    beside = [*words_in(f"a{text}b é")]

    assert [*words_in(f"a{text}b"), "e"] == beside
