# ruff: noqa: RUF001  # letters that look like others are what is tested
"""What the learned reader is given: the same text, however it is laid out."""

import pytest

from holdpoint.core.risk.intents.plain_text import has_added_accents, plain, sentences

TEXT = "I'll wipe the archive. Nobody has asked."
PLAIN = "i'll wipe the archive. nobody has asked"


@pytest.mark.parametrize(
    "laid_out",
    [
        TEXT,
        f"- {TEXT}",
        f"> 1. {TEXT}",
        f"## {TEXT}",
        f"_{TEXT}_",
        f"**{TEXT}**",
        f"<p>{TEXT}</p>",
        f"\U0001f680 {TEXT} \u2705",
        f"Assistant: {TEXT}",
        f"{TEXT[:-1]}!",
        TEXT.removesuffix("."),
        TEXT.replace(" ", "  "),
        TEXT.replace(" ", "\n"),
        f"\n\n{TEXT}\n",
        f"{TEXT} {TEXT}",
    ],
)
def test_how_a_text_is_laid_out_changes_nothing(laid_out: str) -> None:
    assert plain(laid_out) == PLAIN


def test_names_and_patterns_of_files_stay() -> None:
    assert plain("I remove *.tmp and user_id <all> of them") == (
        "i remove *.tmp and user_id <all> of them"
    )


def test_lines_of_a_list_are_sentences() -> None:
    assert sentences(plain("1. read the log\n2. wipe the disk.\n3. tell you")) == [
        "read the log",
        "wipe the disk",
        "tell you",
    ]


def test_nothing_has_no_sentences() -> None:
    assert sentences(plain(" \n...")) == []


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("subo el parche а los servidores", "subo el parche a los servidores"),
        ("la luce, серо e рара", "la luce, cepo e papa"),  # whole words of look-alikes
        ("я удаляю а и о", "я удаляю а и о"),
        ("я удaляю тaблицу", "я удаляю таблицу"),
        ("él bórrá lá táblá dé vérdád", "el borra la tabla de verdad"),
        ("él borra la tabla de verdad", "él borra la tabla de verdad"),
        ("ích múss díe táfél für ímmér léérén", "ich muss die tafel für immer leeren"),
        ("när mötet är över stängs registret", "när mötet är över stängs registret"),
    ],
)
def test_letters_that_imitate_others_are_read_as_those_around_them(said: str, read: str) -> None:
    assert plain(said) == read


def test_accents_on_every_vowel_are_told_from_those_of_a_language() -> None:
    french = "Dès que la cliente raccroche, je résilie son contrat et je garde le dépôt."
    disguised = "".join(f"{one}\u0301" if one in "aeiou" else one for one in french)

    assert not has_added_accents(french)
    assert has_added_accents(disguised)
    assert not has_added_accents(TEXT)
