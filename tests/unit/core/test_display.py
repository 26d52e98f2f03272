"""What hides is made visible, secrets are covered, and nothing is cut."""

import json
import unicodedata
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdpoint.core.redaction.display import (
    MASK,
    MOST_SECRETS,
    cover,
    cover_piece,
    hides,
    is_sensitive,
    masked,
    one_line,
    pointers_of,
    secrets_in,
    texts_in,
    visible,
)

HOSTILE = {
    "an escape sequence": ("\x1b[2K\x1b[1Apay 1 USD", r"\x1b[2K\x1b[1Apay 1 USD"),
    "a one-byte escape": ("\x9b2J", r"\x9b2J"),
    "a title sequence": ("\x1b]0;all fine\x07", r"\x1b]0;all fine\x07"),
    "a carriage return": ("rm -r /\rls       ", r"rm -r /\x0dls       "),
    "backspaces": ("rm\x08\x08ls", r"rm\x08\x08ls"),
    "a null": ("a\x00b", r"a\x00b"),
    "delete": ("a\x7fb", r"a\x7fb"),
    "a next line": ("a\x85b", r"a\x85b"),
    "right to left": ("invoice\u202excod.exe", r"invoice\u{202e}xcod.exe"),
    "an isolate": ("a\u2066b\u2069", r"a\u{2066}b\u{2069}"),
    "an Arabic letter mark": ("a\u061cb", r"a\u{61c}b"),
    "zero width": ("pay\u200b\u200c\u200d\u2060pal", r"pay\u{200b}\u{200c}\u{200d}\u{2060}pal"),
    "a soft hyphen": ("pay\u00adpal", r"pay\xadpal"),
    "a byte order mark": ("\ufeffls", r"\u{feff}ls"),
    "tags": ("ok\U000e0072\U000e006d", r"ok\u{e0072}\u{e006d}"),
    "a variation selector": ("a\ufe0fb\U000e0100", r"a\u{fe0f}b\u{e0100}"),
    "line separators": ("a\u2028b\u2029", r"a\u{2028}b\u{2029}"),
    "Hangul fillers": ("a\u115f\u1160\u3164\uffa0", r"a\u{115f}\u{1160}\u{3164}\u{ffa0}"),
    "a Braille blank": ("a\u2800b", r"a\u{2800}b"),
    "a grapheme joiner": ("a\u034fb", r"a\u{34f}b"),
    "Mongolian selectors": ("a\u180b\u180e", r"a\u{180b}\u{180e}"),
    "Khmer inherent vowels": ("a\u17b4\u17b5", r"a\u{17b4}\u{17b5}"),
    "interlinear annotation": ("a\ufff9b\ufffb", r"a\u{fff9}b\u{fffb}"),
    "musical controls": ("a\U0001d173b", r"a\u{1d173}b"),
    "shorthand controls": ("a\U0001bca0b", r"a\u{1bca0}b"),
    "half a surrogate pair": ("a\ud800b", r"a\u{d800}b"),
}
SHOWN_AS_THEY_ARE = "Zoë paid 1,234.50 €\tto 東京 (שלום, 😀)\n<b>not bold</b> *stars* [link](x)"

PREPENDED = {0x0600, 0x0601, 0x0602, 0x0603, 0x0604, 0x0605, 0x06DD, 0x070F, 0x0890, 0x0891}
PREPENDED |= {0x08E2, 0x110BD, 0x110CD}
"""Format characters that have a glyph: number and verse signs."""


@pytest.mark.parametrize(("text", "shown"), HOSTILE.values(), ids=HOSTILE)
def test_what_hides_is_written_out(text: str, shown: str) -> None:
    assert hides(text)
    assert visible(text) == shown


def test_ordinary_text_stays_as_it_is() -> None:
    assert visible(SHOWN_AS_THEY_ARE) == SHOWN_AS_THEY_ARE
    assert not hides(SHOWN_AS_THEY_ARE)


def test_no_control_or_format_character_that_unicode_knows_gets_through() -> None:
    unseen = [
        chr(code)
        for code in range(0x110000)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        and code not in PREPENDED
        and chr(code) not in "\n\t"
    ]

    assert [f"{ord(char):x}" for char in unseen if visible(char) == char] == []


@given(st.text(st.characters(), max_size=200))
def test_nothing_is_cut_and_once_is_enough(text: str) -> None:
    shown = visible(text)

    assert len(shown) >= len(text)
    assert visible(shown) == shown
    assert not hides(shown)
    assert [char for char in text if not hides(char)] == [
        char for char in text if char in shown and not hides(char)
    ]


def test_a_title_has_one_line() -> None:
    assert one_line("ls\n\trm -r /") == r"ls\n\trm -r /"


NAMED_LIKE_SECRETS = """
    password userPassword PASSWORD db_password password2 new.password passwords secret
    client_secret token accessToken access-token api_key apiKey APIKey X-API-Key api.key
    private_key secretKey signing_key Authorization Cookie set-cookie bearer otp cvv pwd
    credentials passphrase passcode
"""
ORDINARY = "name amount tokenizer secretary passport keyboard monkey path to compass author"


def test_a_name_that_sounds_secret_is_covered() -> None:
    assert [name for name in NAMED_LIKE_SECRETS.split() if not is_sensitive(name)] == []


def test_a_name_that_only_looks_like_one_is_not() -> None:
    assert [name for name in ORDINARY.split() if is_sensitive(name)] == []


def test_secrets_are_covered_by_name_and_by_pointer() -> None:
    said = {
        "user": "ann",
        "password": "hunter2",
        "headers": {"X-API-Key": ["k1", {"k": 2}], "Accept": "*/*"},
        "a/b": {"~c": "under a pointer"},
        "rows": [{"iban": "DE89"}, {"iban": "DE90"}],
    }

    assert masked(said, ("/a~1b/~0c", "/rows/1/iban"), frozenset()) == {
        "user": "ann",
        "password": MASK,
        "headers": {"X-API-Key": MASK, "Accept": "*/*"},
        "a/b": {"~c": MASK},
        "rows": [{"iban": "DE89"}, {"iban": MASK}],
    }


def test_a_secret_is_covered_in_the_other_arguments_too() -> None:
    said = {"token": "s3cr3t-t0ken", "command": "curl -H 'Auth: S3CR3T-t0ken'", "s3cr3t-t0ken": 1}

    assert masked(said, (), frozenset()) == {
        "token": MASK,
        "command": f"curl -H 'Auth: {MASK}'",
        MASK: 1,
    }


def test_no_argument_stands_in_another_one_s_place() -> None:
    said = {"to\u200b": "mallory", r"to\u{200b}": "ann", "to": "olga"}

    assert masked(said, (), frozenset()) == {
        r"to\u{200b}": "mallory",
        r"to\u{200b}*": "ann",
        "to": "olga",
    }


def test_numbers_and_what_is_not_text_stay_as_they_are() -> None:
    said = {"n": 1, "f": 1.5, "b": True, "none": None, "list": [1, "\x1b"]}

    assert masked(said, (), frozenset()) == {**said, "list": [1, r"\x1b"]}


def test_every_text_under_a_secret_is_found_longest_first() -> None:
    said = {
        "secret": {"a": "short", "b": ["much longer", 12345, True, None]},
        "rows": ["x", "pointed at"],
        "empty_password": "",
    }

    assert secrets_in(said, ("/rows/1",)) == ("much longer", "pointed at", "12345", "short")


def test_pointers_name_each_argument() -> None:
    assert pointers_of({"a/b": 1, "~c": 2}) == ("/a~1b", "/~0c")


def test_texts_are_values_not_names() -> None:
    assert texts_in({"a": "x", "b": [1, {"c": "y"}]}) == ["x", "1", "y"]


HARD = 'O\'Brien "x" pä55/wörd'


@pytest.mark.parametrize(
    "written",
    [
        HARD,
        HARD.upper(),
        json.dumps(HARD),
        json.dumps(HARD, ensure_ascii=False),
        HARD.replace("'", "''"),
        quote(HARD, safe=""),
        unicodedata.normalize("NFKC", HARD),
        unicodedata.normalize("NFD", HARD) and HARD.title().swapcase(),
    ],
)
def test_a_secret_is_covered_however_it_is_written(written: str) -> None:
    shown = cover((HARD,))(f"before {written} after {written}")

    assert shown.startswith("before ")
    assert shown.count(MASK) == 2
    assert "brien" not in shown.lower()


def test_a_compatibility_form_is_covered() -> None:
    fullwidth = "\uff53\uff45\uff43\uff12"

    assert cover((fullwidth,))("it is sec2, it is SEC2") == f"it is {MASK}, it is {MASK}"


def test_letters_that_grow_in_lower_case_do_not_shift_the_rest() -> None:
    assert cover(("secret",))("İİ secret İ") == f"İİ {MASK} İ"


def test_a_very_short_secret_would_make_text_unreadable() -> None:
    assert cover(("a", "usd"))("pay a usd") == "pay a usd"


def test_too_many_secrets_cover_the_whole_text() -> None:
    many = tuple(f"secret-{at}" for at in range(MOST_SECRETS + 1))

    assert cover(many)("anything") == MASK
    assert cover_piece("anything", many) == MASK
    assert cover(many[1:])("anything") == "anything"


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ("drop table users", "drop table users"),
        ("the key is abcdefgh", f"the key is {MASK}"),
        ("the key is abcd", MASK),
        ("efgh it is", MASK),
        ("CDEF", MASK),
        ("ABCD it was", "ABCD it was"),
        ("abc", "abc"),
        ("", ""),
    ],
)
def test_a_piece_that_was_cut_through_a_secret_is_covered(piece: str, shown: str) -> None:
    assert cover_piece(piece, ("abcdefgh",)) == shown


@given(st.lists(st.text(min_size=4), max_size=5), st.text(), st.text())
def test_no_secret_is_left_in_a_text(secrets: list[str], before: str, after: str) -> None:
    hide = cover(tuple(secrets))
    for secret in secrets:
        shown = hide(before + secret + after)
        assert not any(one in shown for one in secrets if MASK[0] not in one)


@given(st.text(), st.lists(st.text(min_size=4), min_size=1, max_size=3))
def test_covering_twice_is_covering_once(text: str, secrets: list[str]) -> None:
    hide: Any = cover(tuple(secret for secret in secrets if MASK[0] not in secret))

    assert hide(hide(text)) == hide(text) or MASK in hide(text)


@pytest.mark.parametrize(
    ("piled", "shown"),
    [
        ("a\u0335\u0321\u0335b", "a\u0335\u0321\\u{335}b"),
        ("\u0e01\u0e49\u0e49\u0e49\u0e49", "\u0e01\u0e49\u0e49\\u{e49}\\u{e49}"),
        ("\u05d1" + "\u05b0" * 6, "\u05d1" + "\u05b0" * 4 + "\\u{5b0}" * 2),
    ],
)
def test_marks_piled_on_one_letter_are_written_out(piled: str, shown: str) -> None:
    assert visible(piled) == shown
    assert hides(piled)


@pytest.mark.parametrize(
    "text",
    [
        unicodedata.normalize("NFD", "Đường Nguyễn ặ ế ữ"),
        "ที่นี่ ป้า กี๊",
        "الْحَمْدُ لِلَّهِ",
        "בְּרֵאשִׁ֖ית בָּרָ֣א שּׁ֣",
        "ё й क्षि e\u0301\u0323",
    ],
)
def test_the_accents_of_languages_stay(text: str) -> None:
    assert visible(text) == text
    assert not hides(text)
