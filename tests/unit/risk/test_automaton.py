"""Hyperscan and RE2 mark the same patterns; what one cannot take the other runs."""

import importlib.util
from collections.abc import Callable
from functools import cache

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.builders import a_pattern, the_policy

from holdpoint.core import automaton
from holdpoint.core.automaton import (
    AutomatonError,
    Marks,
    by_hyperscan,
    by_re2,
    options,
    set_marks,
)
from holdpoint.core.risk import make_fast as assess_fast
from holdpoint.core.risk.assessment import by_rules
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.patterns import (
    BadPatternError,
    Matcher,
    compiled,
    is_ready,
    make_fast,
    make_ready,
    matcher,
)
from holdpoint.core.text import fold

ENGINES = [by_re2, *([by_hyperscan] if importlib.util.find_spec("hyperscan") else [])]
TEXTS = [
    "delete 12 files",
    "Should I proceed?",
    "rm -rf /srv\nand more",
    "löschen Sie alle Einträge",
    "удали все записи",
    "I don’t know whether it’s used",  # noqa: RUF001  # curly on purpose
    "\u0000 drop the table \x85 \u2028 now",
    "",
]

SAMPLE = (r"a.b", r"[^x]y", r"(?:d|\d)+e", r"\bz\W", r"é+f", r"[^é]g", r"\pLh", r"i{2,40}$")

engines = pytest.mark.parametrize("engine", ENGINES, ids=lambda one: str(one.__name__))
needs_hyperscan = pytest.mark.skipif(len(ENGINES) == 1, reason="hyperscan has no wheel here")


@cache
def sample_marks() -> Marks:
    return by_hyperscan(SAMPLE)


@cache
def marks_of(engine: Callable[[tuple[str, ...]], Marks]) -> Marks:
    return engine(tuple(pattern.pattern for pattern in the_policy().patterns))


def hits(engine: Callable[[tuple[str, ...]], Marks], text: str) -> list[str]:
    known = matcher(the_policy().patterns)
    seen = Matcher(patterns=known.patterns, regexes=known.regexes, marks=marks_of(engine))
    return [hit.pattern.id for hit in seen.hits(fold(text))]


@engines
def test_every_pattern_fires_on_its_own_lines(engine: Callable[[tuple[str, ...]], Marks]) -> None:
    chosen = the_policy().patterns
    marks = marks_of(engine)

    for place, pattern in enumerate(chosen):
        for line in pattern.must_fire:
            assert place in marks(fold(line).folded), (pattern.id, line)


@engines
@pytest.mark.parametrize("text", TEXTS)
def test_all_engines_give_the_same_hits(
    engine: Callable[[tuple[str, ...]], Marks], text: str
) -> None:
    folded = fold(text).folded
    alone = [one.id for one in the_policy().patterns if compiled(one).search(folded)]

    assert hits(engine, text) == alone


@needs_hyperscan
@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.text(max_size=200))
def test_hyperscan_never_misses_what_re2_finds(text: str) -> None:
    folded = fold(text).folded
    marked = set(sample_marks()(folded))
    fired = {one for one, p in enumerate(SAMPLE) if re2.compile(p, options()).search(folded)}

    assert fired <= marked


@needs_hyperscan
def test_what_hyperscan_refuses_is_left_to_re2() -> None:
    marks = by_hyperscan((r"\pLa", "b*", "[{2]c", "(?U)d+", "e"))

    assert list(marks("zzz")) == [0, 1, 2, 3]
    assert list(marks("e")) == [0, 1, 2, 3, 4]
    assert list(by_hyperscan((r"\pL",))("z")) == [0]


@needs_hyperscan
def test_a_scan_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def scan(self, *_args: object, **_named: object) -> None:
            raise automaton.hyperscan.error("broken")

    monkeypatch.setattr(automaton, "_database", lambda *_: Broken())
    monkeypatch.setattr(automaton.hyperscan, "Scratch", lambda _: None)

    with pytest.raises(AutomatonError, match="could not be run"):
        by_hyperscan(("a",))("a")


@needs_hyperscan
def test_patterns_that_are_too_many_together_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "_takes", lambda *_: True)

    with pytest.raises(AutomatonError, match="together are refused by hyperscan"):
        by_hyperscan(("a*",))


def test_without_hyperscan_re2_runs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "hyperscan", None)

    assert list(automaton.automaton(("a", "b"))("b")) == [1]


def test_a_set_that_runs_out_of_memory_may_fire_everywhere() -> None:
    class GivesUp:
        def Match(self, _text: str) -> None:  # noqa: N802  # RE2's own name
            return None

    assert list(set_marks(GivesUp(), 3)("boom")) == [0, 1, 2]


def test_a_set_too_large_to_compile_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "MAX_MEMORY", 20_000)

    with pytest.raises(AutomatonError, match="together"):
        by_re2(tuple(f"x{one}.{{9}}y" for one in range(20)))


def test_only_characters_that_are_foreign_become_one_byte() -> None:
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("ascii", "holdpoint.one-byte")


def test_a_matcher_is_made_once_for_a_policy() -> None:
    chosen = (a_pattern(),)

    assert matcher(chosen) is matcher(chosen)
    for one in range(20):
        matcher((a_pattern(id=f"p{one}"),))
    assert matcher(chosen).patterns == chosen


FEW = 10


def test_a_matcher_without_an_automaton_is_ready_at_once_and_has_the_same_hits() -> None:
    early = tuple(the_policy().patterns[:FEW])
    late = tuple(the_policy().patterns[:FEW])
    assert not is_ready(early)
    make_ready(early)
    assert is_ready(early)
    slow = matcher(early)

    for text in (*TEXTS, *(line for rule in early for line in rule.must_fire)):
        assert slow.hits(fold(text)) == matcher(late).hits(fold(text))
    assert list(slow.marks("")) == list(range(FEW)), "no automaton"

    make_fast(early)
    assert list(matcher(early).marks("")) == [], "an automaton"


def test_what_cannot_be_run_is_known_once_it_was_tried() -> None:
    broken = (a_pattern(pattern="(?=a)"),)
    for make in (make_ready, make_fast):
        make(broken)
        assert is_ready(broken)
        with pytest.raises(BadPatternError, match="RE2 refuses it"):
            matcher(broken)


@pytest.mark.slow
def test_an_assessment_is_the_same_before_and_after_it_was_made_fast() -> None:
    policy = the_policy()
    texts = ("I think it is unused, so I'll drop it.", "Wiping it now, I guess.", "I'll read it.")
    before = [by_rules(Sentence(text=text), Context(), policy) for text in texts]
    assess_fast(policy)

    assert [by_rules(Sentence(text=text), Context(), policy) for text in texts] == before
