"""What agents say: doubts, sizes, sums, announcements and leave ask a person; talk does not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.builders import an_action, judged, said
from tests.unit.risk.corpus import spoken

from holdpoint.core.risk.dialogue.announcement import read_dialogue
from holdpoint.core.risk.dialogue.words import sentences
from holdpoint.core.risk.explanation import MAX_REASON
from holdpoint.core.risk.seed import metadata_of
from holdpoint.messages.risk import Heuristic, RiskLevel


def test_a_person_is_asked() -> None:
    asked = spoken("asks")
    asks = [text for text in asked if said(text).level >= RiskLevel.HIGH]
    confirms = [text for text in asked if metadata_of(said(text)).confirmation_required]

    assert asks == confirms == list(asked)


def test_nobody_is_asked() -> None:
    assert [text for text in spoken("silent") if said(text).level >= RiskLevel.HIGH] == []


def test_reasons_are_short_sentences() -> None:
    reasons = [signal.reason for text in spoken("asks") for signal in said(text).signals]

    assert [reason for reason in reasons if len(reason) > MAX_REASON] == []


@pytest.mark.parametrize(
    "text",
    [
        "I will send a link to reset the password.",
        "I will restart the server.",
        "I will look like 300 others.",
        "I will not push it to production.",
        "I will process the 3 requests.",
        "I can open and close the window.",
        "Deleting the draft would cost nothing.",
        "I'm ready to answer.",
        "Users delete things.",
        "I found triggers to activate and deactivate the alarm.",
        "If you proceed with the cancellation of the booking, tell me.",
        "I will buy it within the $40,000 budget.",
    ],
)
def test_the_same_words_apart_are_not(text: str) -> None:
    assert said(text).level < RiskLevel.HIGH


def test_a_statement_in_quotes_ends_with_them() -> None:
    found = said("Run 'DROP TABLE a' and 'DROP TABLE b' now")

    assert {one.evidence for one in found.signals if one.rule == "sql.drop"} == {
        "DROP TABLE a",
        "DROP TABLE b",
    }


def test_words_and_their_places() -> None:
    text = 'she said "go now", paid $1,200.50 (twice); it\'s e.g. done!\nnext: three-fold'
    found = list(sentences(text))
    words = [word for one in found for word in one.words]

    assert words == [
        "she", "said", "go", "now", "paid", "$1,200.50", "twice", "it's", "e", "g", "done", "next",
        "three-fold",
    ]  # fmt: skip
    spans = [one.span(place) for one in found for place in range(len(one.words))]
    assert [text[start:end] for start, end in spans] == words
    assert found[0].quoted == {2, 3}
    assert [one.end for one in found] == [";", "!", ":", ""]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("please pay the premium of 2000 with my card", 2000),
        ("transfer 5,000 to bob", 5000),
        ("i am buying chairs, 18k in total", 18000),
    ],
)
def test_a_bare_number_after_paying_is_a_sum(text: str, value: int) -> None:
    assert any(one.value == value for one in read_dialogue(text).amounts)


@pytest.mark.parametrize(
    "text",
    [
        "pay order id 67890 now",
        "pay it in 2024",
        "pay 40 to bob",
        "pay for flight 1200 with my card",
    ],
)
def test_other_bare_numbers_are_no_sums(text: str) -> None:
    assert read_dialogue(text).amounts == ()


def test_doubt_alone_about_a_read_is_no_danger() -> None:
    found = said("I will probably look it up.")

    assert all(signal.heuristic is not Heuristic.UNCERTAINTY for signal in found.signals)


def test_an_instruction_for_another_agent_is_read_like_a_sentence() -> None:
    assert (
        judged(an_action("bots.ask", prompt="Please wipe the whole disk.")).level >= RiskLevel.HIGH
    )


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.text(max_size=200) | st.sampled_from(spoken("asks") + spoken("silent")))
def test_no_text_makes_it_stumble(text: str) -> None:
    for signal in said(text).signals:
        assert len(signal.reason) <= 90


def test_a_quoted_command_ends_where_its_quote_does() -> None:
    """What is said behind it is no part of it, and a quote inside hides nothing."""
    harmless = "I have to run 'python -m nosuch' before anything else."
    assert said(harmless).level < RiskLevel.HIGH
    for quoted in ("'rm -r /srv/data' and tell you", "'echo it's; rm -r /srv/data' at once"):
        assert said(f"Next step: run {quoted}.").level >= RiskLevel.HIGH
