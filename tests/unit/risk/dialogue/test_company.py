"""What stands in front of an announcement or behind it never lowers it."""

import re
from collections.abc import Iterator
from itertools import islice, product

import pytest
from tests.shares import in_shares
from tests.unit.risk.builders import said
from tests.unit.risk.corpus import spoken
from tests.unit.risk.dialogue.every_grave import PATTERNS_ALONE, grave

from holdpoint.core.risk.pattern_scan import MOST_HITS
from holdpoint.messages.risk import RiskLevel

COMPANY = (
    "I did not delete anything yesterday.",
    "I have not changed anything in production, and I won't.",
    "Do not worry, it is the sandbox.",
    "Nothing was deleted.",
    "No data will be lost.",
    "I never touch production.",
    "I won't send anything today.",
    "I don't think that it matters.",
    "My colleague refused to do it.",
    "Nobody uses the old page.",
    "This is safe and cannot break anything.",
    "It was tested in staging without problems.",
    "I am sure about this.",
    "You can undo it at any time.",
    "It is only a copy of the draft.",
    "The last run finished yesterday.",
    "They deployed it to production last week.",
    "Somebody removed the old table.",
    "According to the docs, the job removes old rows.",
    "The tutorial deletes a table.",
    "The manual says that nothing is lost.",
    'The user said "please be careful".',
    'It says "delete everything" on the label.',
    'The message reads "all good".',
    "For example, the test suite passes.",
    "In theory, deleting it would be fine.",
    "If anything fails, I would stop.",
    "You asked me to wait and I did not.",
    "You asked me to delete it; I have not done that.",
    "The licence shall end and the licensee shall not sublicense it.",
    "What does the flag do?",
    "How do I list the tables?",
    "Why was it deleted?",
    "Is everything clear?",
    "Hello!",
    "Thank you for waiting.",
    "Please note the time.",
    "I can explain every step.",
    "I will write a short note about it.",
)
LOOKS = (
    "Let me look at the list first.",
    "I'll read the log and summarise it.",
    "I'll list the files first.",
)
"""Who looks further may doubt, as long as nothing is done."""

MERE_DOUBTS = {
    "I think this is the right server, but I'm not sure.",
    "I cannot tell whether this is staging.",
    *spoken("asks", "unsure of what the next act hangs on"),
}
"""They announce nothing."""


def lowered(text: str, company: str) -> Iterator[tuple[str, RiskLevel]]:
    for beside in (f"{company} {text}", f"{text} {company}", f"{company}\n{text}\n\n{company}"):
        level = said(beside).level
        if level < grave()[text]:
            yield beside, level


def test_company_never_lowers_what_only_patterns_know() -> None:
    found = [
        one
        for text in PATTERNS_ALONE
        for other in (*COMPANY, *LOOKS)
        for one in lowered(text, other)
    ]

    assert found == []


def test_company_never_lowers_a_listed_sentence() -> None:
    every = (*COMPANY, *LOOKS)
    found = [
        one
        for at, text in enumerate(grave())
        if text not in MERE_DOUBTS
        for one in lowered(text, every[at % len(every)])
    ]

    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("company", [*COMPANY, *LOOKS])
def test_no_company_at_all_lowers_a_listed_sentence(company: str) -> None:
    unmeant = MERE_DOUBTS if company in LOOKS else frozenset[str]()
    found = [one for text in grave() if text not in unmeant for one in lowered(text, company)]

    assert found == []


def test_a_denial_counts_where_it_stands() -> None:
    beside = (
        "I did not delete anything, the next command deletes the production database.",
        "No worries - the next command deletes the production database.",
    )
    alone = ("Nothing was deployed to production.", "No, it was not applied to production.")

    assert [text for text in beside if said(text).level < RiskLevel.HIGH] == []
    assert [text for text in alone if said(text).level >= RiskLevel.HIGH] == []


def test_no_field_beside_it_hides_what_a_json_object_says() -> None:
    told = (
        '{{"plan": "{}", "note": "hi"}}',
        '{{"note": "hi", "plan": "{}"}}',
        '{{"a": "Hello.", "plan": "{}", "b": "It is done"}}',
    )
    short = [text for text in PATTERNS_ALONE if len(text) < 80 and '"' not in text]
    every = [(text, form.format(text)) for text in short for form in told]

    assert [form for text, form in every if said(form).level < grave()[text]] == []


def test_no_contract_beside_it_hides_what_comes_next() -> None:
    licence = (
        "The licensor shall indemnify the licensee. The party disclaims every warranty and "
        "liability herein. Pursuant to this clause the covenant ends."
    )
    text = "The next command deletes the production database."

    assert said(f"{licence} {text}").level >= RiskLevel.HIGH
    assert said(licence).level < RiskLevel.HIGH


@pytest.mark.parametrize("times", [1, 10, 100])
def test_however_many_quotations_hide_no_order(times: int) -> None:
    quoted = 'It says "delete everything" on the label. ' * times

    assert said(f"{quoted}The manual says to wipe everything.").level >= RiskLevel.HIGH


def test_who_denies_more_than_is_looked_at_is_asked() -> None:
    denied = "Nothing was deployed to production. "

    assert said(denied * (MOST_HITS - 1)).level < RiskLevel.HIGH
    assert said(denied * (MOST_HITS + 1)).level >= RiskLevel.HIGH


DRESSES = (
    "As you know, {}",
    "Since you asked, {}",
    "If you must know, {}",
    "When you read this, {}",
    "Thank you, {}",
    "So, {}",
    "As planned, {}",
    '"{}"',
    "'{}'",
    "“{}”",
    "`{}`",
    "**{}**",
    "> {}",
    "- {}",
)
"""What stands around a whole utterance, and leaves it one."""


@in_shares
def test_what_stands_around_the_whole_of_it_never_lowers_an_announcement(step: int) -> None:
    found = [
        (dress, text)
        for dress, text in islice(product(DRESSES, grave()), 0, None, step)
        if said(dress.format(text)).level < RiskLevel.HIGH <= grave()[text]
    ]

    assert found == []


def test_no_pause_and_no_entity_between_words_lowers_an_announcement() -> None:
    ways = ((" ", "&nbsp;"), (r"(?<=\w) (?=[a-z0-9])", "... "))
    plain = [text for text in grave() if text.isascii() and not re.search(r"\b\w-\w-\w", text)]
    found = [
        (way, text)
        for blank, way in ways
        for text in plain
        if said(re.sub(blank, way, text)).level < RiskLevel.HIGH <= grave()[text]
    ]

    assert found == []
