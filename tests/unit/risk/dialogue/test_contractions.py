"""An apostrophe that somebody left out is put back where it can only be missing."""

import pytest

from holdpoint.core.risk.dialogue.words import add_apostrophes


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("ill set it", "i'll set it"),
        ("so ill pay", "so i'll pay"),
        ("dont know and cant tell", "don't know and can't tell"),
        ("im gonna wipe it", "i'm gonna wipe it"),
        ("im deleting it", "i'm deleting it"),
        ("id guess so", "i'd guess so"),
        ("id like to pay", "i'd like to pay"),
        ("imma pay it", "i'll pay it"),
        ("the patient is ill today", "the patient is ill today"),
        ("the ill child", "the ill child"),
        ("ill patients are here", "ill patients are here"),
        ("the id of it", "the id of it"),
        ("where id like this", "where id like this"),
        ("im haus", "im haus"),
        ("he cant", "he cant"),
    ],
)
def test_what_was_meant(text: str, meant: str) -> None:
    words = text.split()
    add_apostrophes(words)

    assert words == meant.split()
