import re2
from hypothesis import given
from hypothesis import strategies as st

from holdpoint.core.risk.glance import glance

PATTERNS = (r"\brm\b", r"(?i)a+b|^c$", r"\d{2}[^\n]*x$", r"(?:ab|ba)*c", "é|ß")
GLANCES = tuple((glance(one), re2.compile(one)) for one in PATTERNS)


@given(st.text(alphabet="abcrmABé ß\n12x", max_size=40))
def test_a_glance_says_yes_where_a_search_finds_something(text: str) -> None:
    for fires, regex in GLANCES:
        assert fires(text) == (regex.search(text) is not None)
