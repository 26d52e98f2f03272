"""What the gate says of an action, in German: by its template, and never by a guess."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import a_hold, an_action

from holdpoint.cli.demo.sample_agent import STEPS, Step
from holdpoint.cli.demo.script import SILENCE
from holdpoint.cli.domains import load_domain
from holdpoint.console.gate_words import LONGEST, load_gate_words
from holdpoint.console.languages import load_catalogue
from holdpoint.console.rendering import STATIC
from holdpoint.core.card import Shown, card_of
from holdpoint.core.card_facts import on_cancel, step_on_proceed
from holdpoint.core.risk import Context, assess
from holdpoint.core.risk.context import Tallied
from holdpoint.core.risk.extract.payments import commits
from holdpoint.core.risk.heuristics import CHANGES_LEVEL, IRREVERSIBLE_LEVEL
from holdpoint.core.risk.running_sums import why_too_much
from holdpoint.core.sentences import as_sentence
from holdpoint.core.tool import spec_of
from holdpoint.domains.bank.transfers.tools import transfer_funds
from holdpoint.domains.database.plans import UNDO
from holdpoint.domains.database.tools import execute_sql, insert_row, query_database
from holdpoint.domains.settings import BANK_DOMAINS
from holdpoint.domains.shell.tools import create_file, list_directory, read_file, run_command
from holdpoint.domains.tasks.tools import (
    add_task,
    complete_task,
    delete_task,
    list_tasks,
    update_task,
)
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Enforcement, Tool
from holdpoint.messages.policy import Measure, TallyBy, TallyRule
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.settings import Settings

CONFIG = Path(__file__).parents[3] / "deploy" / "config"
GERMAN, ENGLISH = load_gate_words(STATIC, "de"), load_gate_words(STATIC, "en")
TOOLS = {
    it.name: it
    for it in (
        spec_of(function).tool
        for function in (
            *(execute_sql, insert_row, query_database),
            *(create_file, list_directory, read_file, run_command),
            *(add_task, complete_task, delete_task, list_tasks, update_task),
            transfer_funds,
        )
    )
}
BANK = [spec_of(run).tool for name in BANK_DOMAINS for run in load_domain(Settings(), name).TOOLS]
NAMING = {spec_of(run).tool.name for run in (execute_sql, run_command)}
"""Tools whose danger names what the statement or command does."""

FIXED = [*BANK, *(it for it in TOOLS.values() if it.name not in NAMING)]
SHOWN = Shown(group="operators", state="rendered", seal_key="k1", revision=1)
PROSE = re.compile(r"\b(?:the|and|it|is|no|that|what|which|deletes|runs|of|to|for|with)\b")


def card(tool: str, arguments: dict[str, Any], **found: Any) -> Card:
    """The card that the gate makes of a call."""
    entry = next(it for it in TOOLS.values() if tool in (it.name, *it.aliases))
    action = an_action(tool=entry.name, domain=entry.domain, arguments=arguments)
    seen = assess(action, Context(tool=entry), load_policy(CONFIG, {}))
    hold = a_hold(action=action, assessment=replace(seen, **found), title="", ui=None)
    return card_of(hold, entry, SHOWN)


@pytest.mark.parametrize("step", [*STEPS, SILENCE], ids=lambda it: it.name)
def test_no_card_of_the_demo_shows_an_english_title_or_reason(step: Step) -> None:
    drawn = card(step.tool, step.arguments)
    reasons = [GERMAN.reason(it.reason) for it in drawn.signals]

    assert GERMAN.title(drawn) != drawn.title
    assert GERMAN.label(drawn, "proceed") == f"Zustimmen: {GERMAN.title(drawn)}"
    assert GERMAN.label(drawn, "cancel") == "Ablehnen"
    assert not [it for it in reasons if PROSE.search(re.sub(r"`[^`]*`|„[^“]*“", "", it))]


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda it: it.name)
def test_each_tool_has_a_title_and_a_way_back_in_german(tool: Tool) -> None:
    catalogue = load_catalogue(STATIC, "de")

    assert GERMAN.titles[tool.name]
    assert {tool.undo, UNDO} <= {"", *catalogue}


@pytest.mark.parametrize("tool", FIXED, ids=lambda it: it.name)
def test_each_tool_that_changes_something_says_its_effect_in_both_languages(tool: Tool) -> None:
    is_final = tool.level >= IRREVERSIBLE_LEVEL
    effect = as_sentence(f"it {tool.effect}{', which cannot be undone' if is_final else ''}")
    pays = commits(tool.name) and not tool.effect

    assert (tool.level < CHANGES_LEVEL or pays) is not bool(tool.effect)
    assert not tool.effect or GERMAN.reason(effect) != effect


def test_a_title_keeps_its_values_and_writes_numbers_as_germans_do() -> None:
    drawn = card("execute_sql", {"database": "crm", "sql": "DELETE FROM leads"})
    counted = replace(drawn, title="Delete 12,500 rows in crm.leads")
    uncounted = replace(drawn, title="Delete an unknown number of rows in crm.leads")

    assert GERMAN.title(counted) == "12.500 Zeilen in crm.leads löschen"
    assert GERMAN.title(uncounted) == "unbekannt viele Zeilen in crm.leads löschen"
    assert GERMAN.counted("12,500 rows") == "12.500 Zeilen"
    invested = "Invest USD 1,000.00 for 12 months in a fixed-term deposit from Main Checking"
    assert GERMAN.titled("bank_investments_create_investment", invested) == (
        "USD 1.000,00 von Main Checking für 12 Monate anlegen: Festgeld"
    )
    assert ENGLISH.title(counted) == counted.title


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "It names no rows, so it takes all of them.",
            "Es nennt keine Zeilen, also nimmt es alle.",
        ),
        (
            "`rm -r a` deletes a directory and everything in it.",
            "`rm -r a` löscht ein Verzeichnis und alles darin.",
        ),
        (
            "“DROP TABLE a” removes a table with everything in it.",
            "„DROP TABLE a“ löscht eine Tabelle mit allem darin.",
        ),
        (
            "500 rows are more than the policy's limit of 100.",
            "500 Zeilen sind mehr als die Grenze der Richtlinie von 100.",
        ),
        (
            "It deletes a directory and everything in it.",
            "Es löscht ein Verzeichnis und alles darin.",
        ),
        (
            "It deletes 12,500 rows, and no way back is known.",
            "Es löscht 12.500 Zeilen, und kein Weg zurück ist bekannt.",
        ),
        (
            "It deletes 500 user accounts, and no way back is known.",
            "Es löscht 500 Benutzerkonten, und kein Weg zurück ist bekannt.",
        ),
        (
            "500 user accounts are more than the policy's limit of 100.",
            "500 Benutzerkonten sind mehr als die Grenze der Richtlinie von 100.",
        ),
        (
            "It deletes something, and no way back is known.",
            "Es löscht etwas, und kein Weg zurück ist bekannt.",
        ),
        (
            "It deletes the flag for user 7, and no way back is known.",
            "Es löscht „the flag for user 7“, und kein Weg zurück ist bekannt.",
        ),
        ("Step 2: it moves money.", "Schritt 2: Es bewegt Geld."),
        ("Nobody of our house may do this.", "Nobody of our house may do this."),
        ("Step 2: our own words.", "Step 2: our own words."),
    ],
)
def test_a_reason_is_told_by_its_template_and_a_house_s_own_stays(
    english: str, german: str
) -> None:
    assert GERMAN.reason(english) == german
    assert ENGLISH.reason(english) == english


@pytest.mark.parametrize(
    "by",
    [*((it,) for it in TallyBy), (TallyBy.AGENT, TallyBy.TOOL), (TallyBy.PERSON, TallyBy.RESOURCE)],
    ids="-".join,
)
@pytest.mark.parametrize("person", ["ann", ""])
def test_a_sum_is_told_in_german_whoever_s_it_is(by: tuple[TallyBy, ...], person: str) -> None:
    rule = TallyRule(id="day", of=Measure.AMOUNT, by=by, window_s=86400, limit="1000.00")
    money = Tallied(rule=rule, total=180_000, person=person)
    rows = replace(money, rule=replace(rule, of=Measure.RECORDS, limit="500"), total=1200)

    told = GERMAN.reason(as_sentence(why_too_much(money, "USD")))
    assert told.startswith("Mit dem, was wartet, ergibt das 1.800,00 USD in 24 h")
    assert told.endswith("; die Grenze ist 1.000,00 USD.")
    assert not PROSE.search(told)
    assert "1.200 Datensätze in 24 h" in GERMAN.reason(as_sentence(why_too_much(rows, "USD")))


def test_what_each_button_does_is_told_in_german() -> None:
    many = card("execute_sql", {"database": "crm", "sql": "DELETE FROM leads"})
    deleting = replace(many.ui.action, type="delete", affected=500, amount=None)
    cards = [
        replace(drawn, enforcement=enforcement, voices_needed=voices)
        for action in (
            deleting,
            replace(deleting, affected=1),
            replace(deleting, affected=None),
            replace(deleting, type="pay", amount={"value": "5.00", "currency": "USD"}),
        )
        for drawn in [replace(many, ui=replace(many.ui, action=action))]
        for enforcement in Enforcement
        for voices in (1, 2)
    ]
    english = {as_sentence(say(it)) for it in cards for say in (on_cancel, step_on_proceed)}

    assert len(english) > 6
    assert not [it for it in english if PROSE.search(GERMAN.reason(it))]


def test_folders_that_go_with_the_files_are_counted_in_german() -> None:
    drawn = card("run_command", {"command": "rm -r a"})

    assert GERMAN.sample(replace(drawn, sample=("a/b", "and 2 folders"))) == "a/b\nund 2 Ordner"
    assert GERMAN.sample(replace(drawn, sample=("and 2 rows",))) == "and 2 rows"
    assert GERMAN.sample(replace(drawn, sample=())) == ""


def test_what_could_be_read_in_two_ways_or_is_long_stays_english() -> None:
    paid = card("transfer_funds", {"from_account": "A", "to_account": "B"})
    twofold = replace(paid, title="Transfer 5.00 USD from A to B to C")
    long = replace(paid, title=f"Transfer 5.00 USD from A to {'B' * LONGEST}")

    assert GERMAN.title(replace(paid, title="Transfer 5.00 USD from A to B")) == (
        "5,00 USD von A an B überweisen"
    )
    assert GERMAN.title(twofold) == twofold.title
    assert GERMAN.title(long) == long.title


def test_quotes_are_german_in_german() -> None:
    reason = "“void_invoice” takes something away, and no way back is known."

    assert GERMAN.reason(reason) == (
        "„void_invoice“ nimmt etwas weg, und kein Weg zurück ist bekannt."
    )
    assert GERMAN.titled("", "“Void invoice R1?”") == "„Void invoice R1?“"
    assert GERMAN.titled("", "“a” or “b”") == "“a” or “b”"
    assert ENGLISH.titled("", "“Void invoice R1?”") == "“Void invoice R1?”"


def test_each_translation_has_the_values_of_its_template_and_no_tag() -> None:
    raw = json.loads((STATIC / "gate.de.json").read_text())
    known = [*raw["reasons"].items(), *raw["counts"].items()]
    known += [pair for titles in raw["titles"].values() for pair in titles.items()]

    for english, german in known:
        assert sorted(re.findall(r"\{\w*\}", english)) == sorted(re.findall(r"\{\w*\}", german))
        assert german.strip()
        assert "<" not in german
