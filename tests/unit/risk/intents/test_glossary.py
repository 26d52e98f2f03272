"""Sentences in other languages are read word by word in English."""

from importlib.resources import files

import pytest

from holdpoint.core.risk.intents.glossary import (
    ENGLISH,
    in_english,
    is_foreign,
    is_surely_english,
    is_unknown,
)
from holdpoint.core.risk.intents.plain_text import plain
from holdpoint.core.text import fold

FOLDER = files("holdpoint.core.risk") / "data" / "reader" / "glossary"


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("ich lösche jetzt die tabelle", "i delete now the table"),
        ("je n'efface pas la table", "i not' erase not the table"),
        ("voy a cerrar la cuenta", "i'm going to close the account"),
    ],
)
def test_a_sentence_is_read_word_by_word(said: str, read: str) -> None:
    assert in_english(said).lower() == read.lower()


@pytest.mark.parametrize(
    "said",
    [
        "i am deleting the table now",
        "no, die is a word here, and so is table",
        "运行中",
        "xqz wvut",
        "",
    ],
)
def test_english_and_what_no_glossary_knows_stays_as_it_is(said: str) -> None:
    assert in_english(said) == ""


@pytest.mark.parametrize(
    ("said", "unknown"),
    [
        ("我现在清空生产数据库", True),
        ("я сейчас удаляю таблицу клиентов", False),
        ("i am done", False),
    ],
)
def test_a_language_that_nobody_here_reads_is_known_as_such(said: str, unknown: bool) -> None:
    assert is_unknown(said) is unknown


def test_a_sentence_in_english_beside_it_takes_no_reading_away() -> None:
    said = "ich lösche jetzt die tabelle."

    assert in_english(f"{said} thanks, and have a nice day") == (
        f"{in_english(said)} thanks, and have a nice day"
    )


def test_words_that_no_glossary_knows_stay_in_their_place() -> None:
    assert "terraform" in in_english("ich lösche das mit terraform")


@pytest.mark.parametrize(
    "name", [it.name for it in FOLDER.iterdir() if it.name != f"{ENGLISH}.tsv"]
)
def test_each_line_is_one_word_and_its_english(name: str) -> None:
    lines = (FOLDER / name).read_text("utf-8").splitlines()

    assert all(line.count("\t") == 1 and all(line.split("\t")) for line in lines)
    assert not [line for line in lines if " " in line.split("\t")[0]]
    assert len({line.split("\t")[0] for line in lines}) == len(lines)


@pytest.mark.parametrize(
    "said",
    [
        "I looked at the report and found it in the archive. Thanks for the hint!",
        "Ich lösche jetzt die Tabelle.",
        "ich mache jetzt alles leer",
        "the list is done. je vide la table",
        "Plan: xqz wvut",
        "<i>xqz wvut</i>",
        "the xqz the wvut the rst the mno the klm",
        "fine fine fine fine fine xqz wvut klm rst",
        "",
    ],
)
def test_what_is_surely_english_is_not_foreign_once_it_is_made_plain(said: str) -> None:
    assert not (is_surely_english(fold(said).folded) and is_foreign(plain(said)))


def test_an_english_text_is_known_as_such_before_it_is_made_plain() -> None:
    assert is_surely_english("i have read the report, and there was nothing in it.")
    assert not is_surely_english("ich mache jetzt alles leer")
