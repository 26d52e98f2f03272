"""What agents say: doubts, sizes, sums, announcements and leave ask a person; talk does not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.builders import an_action, judged, said
from tests.unit.risk.dialogue.cases import ASKED, SILENT

from holdpoint.core.risk.dialogue.deeds import MOST_VERBS
from holdpoint.core.risk.dialogue.door import MOST_DEEDS, read_dialogue
from holdpoint.core.risk.dialogue.words import MAX_WORDS, sentences
from holdpoint.core.risk.explanation import MAX_REASON
from holdpoint.core.risk.seed import metadata_of
from holdpoint.messages.risk import Heuristic, RiskLevel

THE_SEEDS_OWN = {"The drop-down menu lists every table."}
"""Seed 002's third pattern fires in it, and nothing may be below the seed."""


def test_a_person_is_asked() -> None:
    asks = [text for text in ASKED if said(text).level >= RiskLevel.HIGH]
    confirms = [text for text in ASKED if metadata_of(said(text)).confirmation_required]

    assert asks == confirms == list(ASKED)


def test_nobody_is_asked() -> None:
    asks = [text for text in SILENT if said(text).level >= RiskLevel.HIGH]

    assert asks == [text for text in SILENT if text in THE_SEEDS_OWN]


def test_reasons_are_short_sentences() -> None:
    reasons = [signal.reason for text in ASKED for signal in said(text).signals]

    assert [reason for reason in reasons if len(reason) > MAX_REASON] == []


@pytest.mark.parametrize(
    "text",
    [
        "I will delete the repository.",
        "Should I delete the repository?",
        "The repository will be deleted.",
        "Deleting the repository now.",
        "I'm going to get rid of the repository.",
        "Let me take the repository down.",
        "I'll proceed with the deletion of the repository.",
        "First I list it, then I will check it and delete the repository.",
        "Rate it and delete the repository.",
    ],
)
def test_one_deed_in_many_moods_is_announced(text: str) -> None:
    assert said(text).level >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "text",
    [
        "I deleted the repository.",
        "The repository was deleted.",
        "I will not delete the repository.",
        "I can't proceed with the deletion of the repository.",
        "You can delete the repository.",
        "The repository can be deleted by its owner.",
        "I will explain how to delete the repository.",
        "I'll check whether to delete the repository.",
        "It says 'delete the repository' on the button.",
        "The command to delete the repository is documented.",
        "Actions such as to delete the repository are listed, e.g. delete the repository.",
        "Find actions that can create and delete the repository.",
        "No repository will be deleted.",
        "Before deleting the repository they made a copy.",
        "To delete the repository, I would first look at it.",
        "I found close variants and clear instructions.",
    ],
)
def test_talk_about_a_deed_is_none(text: str) -> None:
    assert said(text).level < RiskLevel.HIGH


def test_statements_in_a_sentence_are_read() -> None:
    found = said("Now run: DELETE FROM users WHERE last_login < '2020-01-01';")

    assert any(signal.rule.startswith("sql.") for signal in found.signals)
    assert said('I will execute "UPDATE users SET role = 1 WHERE id = 7"').level is RiskLevel.HIGH
    assert said("For each: " + "DROP TABLE a; " * 20).level is RiskLevel.CRITICAL


def test_commands_in_a_sentence_are_read() -> None:
    found = said("I will run `git push --force origin main` next.")

    assert any(signal.rule.startswith("shell.") for signal in found.signals)
    assert said("Run `ls -la`, please. " + "Then run `git status`. " * 9).level is RiskLevel.LOW


def test_the_seeds_second_pattern_needs_the_word_itself() -> None:
    """DESIGN: a parse may prove it wrong, as in "confirm the pre-release"."""
    assert said("I will confirm the pre-release.").signals == ()
    assert said("I will rm -rf the cache.").level >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "text",
    [
        "D\u0435l\u0435te \u0430ll us\u0435rs",
        "De\u200blete all users",
        "\uff24\uff25\uff2c\uff25\uff34\uff25 all users",
        "I\u2019ll delete all users",
    ],
)
def test_look_alikes_hide_nothing(text: str) -> None:
    assert said(text).level >= RiskLevel.HIGH


def test_other_alphabets_stay_what_they_are() -> None:
    assert said("Прочитай все записи").level is RiskLevel.LOW
    assert said("Удали все записи").level is RiskLevel.HIGH


def test_a_text_of_more_words_than_are_read_goes_up() -> None:
    assert said("word " * (MAX_WORDS + 10)).level is RiskLevel.HIGH
    assert said("read it; " * 700).level is RiskLevel.HIGH


def test_more_deeds_than_anybody_announces_ask_a_person() -> None:
    assert said("I will rename it. " * 3).level is RiskLevel.LOW
    assert said("I will rename it. " * (MOST_DEEDS + 2)).level is RiskLevel.HIGH
    assert said("rename it, " * (MOST_VERBS + 2)).level is RiskLevel.HIGH


@pytest.mark.parametrize(
    "text",
    [
        "I will publish all passwords.",
        "I'm making the bucket public.",
        "We'll stop the production database.",
        "I'm going to rewrite the history of main.",
        "I will grant him admin rights.",
        "Let me transfer the domain to them.",
        "I'll run the installer now.",
        "I need to apply for a loan.",
        "I'll release the funds.",
        "Its alarm will be disabled.",
        "I'll frobnicate 300 accounts.",
        "We will gronk all of them.",
    ],
)
def test_verbs_and_objects_are_grave_together(text: str) -> None:
    assert said(text).level >= RiskLevel.HIGH


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
@given(st.text(max_size=200) | st.sampled_from(ASKED + SILENT))
def test_no_text_makes_it_stumble(text: str) -> None:
    for signal in said(text).signals:
        assert len(signal.reason) <= 90


def test_a_quoted_command_ends_where_its_quote_does() -> None:
    """What is said behind it is no part of it, and a quote inside hides nothing."""
    harmless = "I have to run 'python -m nosuch' before anything else."
    assert said(harmless).level < RiskLevel.HIGH
    for quoted in ("'rm -r /srv/data' and tell you", "'echo it's; rm -r /srv/data' at once"):
        assert said(f"Next step: run {quoted}.").level >= RiskLevel.HIGH
