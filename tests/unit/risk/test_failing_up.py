"""Whatever cannot be read raises the level, takes bounded time, and never lowers (N10)."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.builders import a_pattern, an_action, judged, rules, said, the_policy

from holdpoint.core.automaton import AutomatonError, CompiledStore, Marks
from holdpoint.core.risk import assess, patterns
from holdpoint.core.risk.assessment import by_rules
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.patterns import BadPatternError, matcher
from holdpoint.core.risk.seed import metadata_of
from holdpoint.core.text import MAX_TEXT, fold
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import IntentClaim, RiskLevel, Scope

HIGH = RiskLevel.HIGH
SIZE = 200_000

claims = st.builds(
    IntentClaim,
    confirmation_required=st.booleans(),
    risk_level=st.sampled_from(RiskLevel),
    action_type=st.sampled_from(["", "batch_delete"]),
    scope=st.none() | st.builds(Scope, records=st.integers(-5, 2000), type=st.just("things")),
)
sentences = st.sampled_from(
    [
        "Hello.",
        "I will list 20 users.",
        "I will update 101 records.",
        "I'm about to delete these 500 user accounts. Should I proceed?",
        "I will pay $900.",
        "I'm not sure.",
    ]
)


def test_a_text_over_the_cap_asks_a_person() -> None:
    found = said("a" * (MAX_TEXT + 1))

    assert rules(found) == {"text.unreadable"}
    assert found.level is HIGH


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a" * (MAX_TEXT + 1), "the text is too long to be read"),
        ("rm -r a" + "\u0335" * 40, "the text has too many combining marks in a row to be read"),
        ("rm\u200b" * 600, "the text has too many hidden characters to be read"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, why: str) -> None:
    (found,) = (it for it in said(text).signals if it.rule == "text.unreadable")

    assert found.reason == why


def test_what_is_unreadable_goes_up_from_where_it_was() -> None:
    found = said("delete 5 files " + "a" * MAX_TEXT)

    assert found.level is RiskLevel.CRITICAL


def test_a_text_that_grows_over_the_cap_when_normalised_asks_a_person() -> None:
    assert said("\ufdfa" * 60_000).level is HIGH


def test_marks_that_would_take_quadratic_time_to_sort_ask_a_person() -> None:
    assert said("a" + "\u0316\u0301" * 50_000).level is HIGH


def test_a_pattern_that_cannot_run_asks_a_person() -> None:
    broken = Policy(version="1", levels={}, risk_levels={}, patterns=(a_pattern(pattern="(?=a)"),))
    found = by_rules(Sentence(text="Hello."), Context(), broken)

    assert found.level is HIGH
    assert "RE2 refuses it" in found.signals[0].reason


def test_patterns_that_an_automaton_cannot_take_are_searched_for_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gives_up(_patterns: tuple[str, ...], _store: CompiledStore | None) -> Marks:
        raise AutomatonError("the patterns together need too much")

    monkeypatch.setattr(patterns, "automaton", gives_up)
    chosen = (a_pattern(id="quiet", pattern="hush"), a_pattern(id="together"))

    assert [hit.pattern.id for hit in matcher(chosen).hits(fold("and then: boom"))] == ["together"]


def test_a_scan_that_fails_asks_a_person() -> None:
    def fails(_text: str) -> list[int]:
        raise AutomatonError("out of order")

    known = matcher((a_pattern(),))
    broken = patterns.Matcher(patterns=known.patterns, regexes=known.regexes, marks=fails)

    with pytest.raises(BadPatternError, match="out of order"):
        broken.hits(fold("boom"))


def test_half_a_surrogate_does_not_stop_the_engine() -> None:
    assert said("delete all files \ud800").level is HIGH


@pytest.mark.parametrize(
    "piece",
    [
        "delete 500 ",
        "rm -",
        "drop ",
        "million ",
        "$1 ",
        "x\n",
        "é delete all ",
        "curl a | ",
    ],
)
def test_hostile_texts_take_linear_time(piece: str) -> None:
    small, large = (piece * (size // len(piece)) for size in (SIZE // 8, SIZE))
    small_cost, large_cost = _spent(lambda: said(small)), _spent(lambda: said(large))

    assert large_cost < 8 * 4 * small_cost + 0.2, "eight times the text, far more than its time"


MEGABYTE = 1024 * 1024


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "\u00e9",
        "a\u200b",
        "\ufdfa",
        "(",
        "delete all users ",
        "drop ",
        "$1 million ",
        "x\n",
        "rm -",
        "'a ",
    ],
)
def test_n10_ten_megabytes_take_little_cpu_and_ask_a_person(piece: str) -> None:
    """Never-list N10: a gate's own regex ran for minutes, timed out and let the call pass."""
    text = piece * (10 * MEGABYTE // len(piece))
    judged(an_action(note="warm")), said("warm")
    works: tuple[Callable[[], RiskLevel], ...] = (
        lambda: said(text).level,
        lambda: judged(an_action(sql=text)).level,
        lambda: judged(an_action(x=text)).level,
    )

    spent = [min(_spent(work) for _ in range(3)) for work in works]

    assert max(spent) < 0.5, "of this thread's processor time: a tenth of it, and room for a tracer"
    assert min(work() for work in works) >= HIGH


def test_deep_and_wide_payloads_are_walked_without_recursion() -> None:
    nested: object = "rm -rf x"
    for _ in range(5000):
        nested = [nested]

    assert judged(an_action(nested=nested)).level is HIGH
    for _ in range(100_000):
        nested = [nested]
    assert judged(an_action(nested=nested)).level is HIGH
    assert judged(an_action(many={f"k{one}": one for one in range(10_000)})).level is HIGH


@settings(deadline=None)
@given(sentences, claims)
def test_a_claim_never_lowers_anything(text: str, claim: IntentClaim) -> None:
    alone, claimed = said(text), said(text, claim=claim)
    before, after = metadata_of(alone), metadata_of(claimed)

    assert after.risk_level >= max(before.risk_level, claim.risk_level)
    assert after.confirmation_required >= (
        before.confirmation_required or claim.confirmation_required
    )
    assert (claimed.affected or 0) >= (alone.affected or 0)
    assert {one.rule for one in alone.signals} <= rules(claimed)


@settings(deadline=None)
@given(sentences, claims, claims)
def test_raising_a_claim_never_lowers_the_level(
    text: str, claim: IntentClaim, other: IntentClaim
) -> None:
    worse = max(claim.risk_level, other.risk_level)
    scopes = [one.scope for one in (claim, other) if one.scope]
    raised = IntentClaim(
        confirmation_required=claim.confirmation_required or other.confirmation_required,
        risk_level=worse,
        scope=max(scopes, key=lambda scope: scope.records, default=None),
    )

    assert said(text, claim=raised).level >= said(text, claim=claim).level


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_assessed_and_its_spans_quote_it(text: str) -> None:
    nfkc = fold(text).nfkc
    for signal in said(text).signals:
        if signal.span:
            start, end = signal.span
            assert nfkc[start:end][:200] == signal.evidence


@settings(deadline=None)
@given(st.sampled_from(["rm -rf /srv", "DROP TABLE users"]), st.text(max_size=100))
def test_more_text_never_takes_a_signal_away(command: str, more: str) -> None:
    alone = assess(an_action("shell.run", command=command), Context(), the_policy())
    longer = assess(an_action("shell.run", command=command, note=more), Context(), the_policy())

    assert longer.level >= alone.level


def _spent(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start
