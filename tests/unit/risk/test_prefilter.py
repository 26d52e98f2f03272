import re2
from hypothesis import given
from hypothesis import strategies as st

from holdpoint.core.prefilter import PrefilterSet, prefilter

PATTERNS = (r"\brm\b", r"(?i)a+b|^c$", r"\d{2}[^\n]*x$", r"(?:ab|ba)*c", "é|ß")
SHARED = PrefilterSet()
PREFILTERS = tuple(
    (fires, re2.compile(one)) for one in PATTERNS for fires in (prefilter(one), SHARED.add(one))
)


@given(st.text(alphabet="abcrmABé ß\n12x", max_size=40))
def test_a_prefilter_says_yes_where_a_search_finds_something(text: str) -> None:
    for fires, regex in PREFILTERS:
        assert fires(text) == (regex.search(text) is not None)


def test_a_prefilter_that_is_added_later_is_answered_too() -> None:
    several = PrefilterSet()
    first = several.add("a+")
    assert first("aaa")
    second = several.add("b")
    assert second("aab")
    assert first("aab")
    assert not second("aaa")
