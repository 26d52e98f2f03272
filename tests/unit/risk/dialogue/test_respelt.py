"""A text in plain spelling keeps its places; one that is spelt plainly is read once."""

from tests.unit.risk.builders import said

from holdpoint.core.risk.dialogue.spelling import respelt
from holdpoint.core.risk.dialogue.words import sentences
from holdpoint.core.text import fold


def _plain(text: str) -> str | None:
    folded = fold(text)
    found = respelt(folded, sentences(folded.folded))
    return found.folded if found else None


def test_a_text_is_respelt_where_its_words_are_hidden() -> None:
    told = {
        "I'll wípe ít": "i'll wipe it",
        "I w1ll d3l3te it": "i will delete it",
        "I wil delte it": "i will delete it",
        "I wíl dëlte all acounts": "i will delete all accounts",
        "I w1l d3lte it": "i will delete it",
        "Nothing is hidden here": None,
        "Es läuft über Nacht": None,
        "the mp4 in bucket x5y": None,
        "a1b1c1d1e1f1 of 5th": None,
    }

    assert {text: _plain(text) for text in told} == told


def test_what_is_found_is_quoted_as_it_is_spelt() -> None:
    told = {
        "So I wil now delte 500 custmer acounts": "delte 500 custmer acounts",
        "So I will d3l3te 500 user acc0unts": "d3l3te 500 user acc0unts",
        "So I'll dëlete 500 user áccounts": "dëlete 500 user áccounts",
    }

    assert {
        text: [one.evidence for one in said(text).signals if one.rule == "magnitude.records"]
        for text in told
    } == {text: [part] for text, part in told.items()}
