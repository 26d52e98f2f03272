import re2
from hypothesis import given
from hypothesis import strategies as st

from holdpoint.core.risk.glance import Glances, glance

PATTERNS = (r"\brm\b", r"(?i)a+b|^c$", r"\d{2}[^\n]*x$", r"(?:ab|ba)*c", "é|ß")
SHARED = Glances()
GLANCES = tuple(
    (fires, re2.compile(one)) for one in PATTERNS for fires in (glance(one), SHARED.glance(one))
)


@given(st.text(alphabet="abcrmABé ß\n12x", max_size=40))
def test_a_glance_says_yes_where_a_search_finds_something(text: str) -> None:
    for fires, regex in GLANCES:
        assert fires(text) == (regex.search(text) is not None)


def test_a_glance_that_is_added_later_is_answered_too() -> None:
    several = Glances()
    first = several.glance("a+")
    assert first("aaa")
    second = several.glance("b")
    assert second("aab")
    assert first("aab")
    assert not second("aaa")
