"""Every sentence of the corpus goes where it should; a doubtful one destroys nothing."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from holdpoint.coordinator.intent_table import table
from holdpoint.coordinator.intents import (
    AGENT,
    CLARIFY,
    UNKNOWN,
    Classified,
    UserIntent,
    classify,
)
from holdpoint.coordinator.others_data import NOT_YOURS
from holdpoint.coordinator.workflows import load_workflows

ROOT = Path(__file__).parents[3]
CORPUS = ROOT / "tests" / "corpus" / "routing.jsonl"
ROWS = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]
UNCERTAIN = {CLARIFY, UNKNOWN}


@cache
def harmless() -> frozenset[str]:
    """Return the intents that read, add a task or open a ticket."""
    return frozenset({*table().reads, CLARIFY, UNKNOWN, "CREATE_TASK", "OPEN_TICKET"})


@cache
def routed() -> Mapping[str, str]:
    """Return where each sentence goes."""
    return {row["text"]: classify(row["text"]).intent for row in ROWS}


def test_the_corpus_is_large_and_a_third_was_written_before_the_code() -> None:
    assert len(routed()) == len(ROWS) >= 300
    assert sum("before" in row or "blind" in row for row in ROWS) >= len(ROWS) / 3


def test_nineteen_of_twenty_sentences_are_understood() -> None:
    wrong = [
        f"{row['intent']} {routed()[row['text']]}: {row['text']}"
        for row in ROWS
        if routed()[row["text"]] != row["intent"]
    ]
    assert len(wrong) <= 0.05 * len(ROWS), "\n".join(wrong)


def test_seven_of_ten_sentences_are_served_by_workflows() -> None:
    workflows = load_workflows(ROOT / "deploy" / "config").workflows
    assert sum(intent in workflows for intent in routed().values()) >= 0.7 * len(ROWS)


def test_an_ambiguous_sentence_never_changes_anything() -> None:
    uncertain = [row["text"] for row in ROWS if row["intent"] in UNCERTAIN]

    assert [text for text in uncertain if routed()[text] not in harmless() | {AGENT}] == []


@pytest.mark.parametrize("text", ["show alarms", "list my vms", "show our virtual machines"])
def test_what_the_cloud_has_is_no_task(text: str) -> None:
    assert classify(text).intent == AGENT


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("ajoute acheter du pain à ma liste", "acheter du pain"),
        ("remnid me to buy milk", "buy milk"),
    ],
)
def test_a_title_stays_as_it_was_typed(text: str, title: str) -> None:
    assert classify(text).title == title


@pytest.mark.parametrize(
    "text",
    [
        "ne supprime pas la tâche 2",
        "n'efface pas la tâche 6",
        "no borres la tarea 4",
        "Aufgabe 3 ist noch nicht erledigt",
        "I haven't finished task 3",
        "we shouldn't delete task 3",
    ],
)
def test_a_negation_in_any_language_asks_back(text: str) -> None:
    assert classify(text).intent == CLARIFY


@pytest.mark.parametrize(
    "text",
    [
        "show my retirement tasks",
        "that is quite a task",
        "list tasks about what I borrowed",
        "my completed tasks",
        "show Anderson's tasks",
        "a mandatory task of $5",
        "the terminal task",
        "the tachometer list",
    ],
)
def test_a_word_that_begins_like_a_command_changes_nothing(text: str) -> None:
    assert classify(text).intent in harmless()


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("completed", UserIntent.LIST_TASKS),
        ("complete task 1", UserIntent.COMPLETE_TASK),
        ("add it", UserIntent.CREATE_TASK),
        ("addition", UserIntent.UNKNOWN),
        ("markdown", UserIntent.UNKNOWN),
        ("remove and rename it", UserIntent.CLARIFY),
    ],
)
def test_keywords_count_as_whole_words(text: str, intent: UserIntent) -> None:
    assert classify(text).intent == intent


@pytest.mark.parametrize(
    ("intent", "keyword"),
    [(intent, word) for intent, words in table().keywords.items() for word in words],
)
def test_each_keyword_of_the_seed_has_its_intent(intent: str, keyword: str) -> None:
    assert classify(f"{keyword} xyzzy").intent == intent


def test_cancel_asks_back_while_something_of_the_person_waits() -> None:
    assert classify("cancel task 3").intent == UserIntent.DELETE_TASK
    assert classify("cancel").intent == UserIntent.DELETE_TASK
    asked = classify("cancel task 3", open_holds=True)
    assert asked.intent == CLARIFY
    assert "take that back" in asked.why


def test_without_keyword_routing_an_unsure_sentence_asks_back() -> None:
    assert classify("add milk").by_keyword
    assert classify("add milk", keyword_routing=False).intent == CLARIFY
    assert classify("what's my balance", keyword_routing=False).intent == "GET_BALANCE"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("delete all my tasks", CLARIFY),
        ("transfer $20 to savings and delete task 1", CLARIFY),
        ("don't touch task 2", CLARIFY),
        ("I no longer need task 2, delete it", UserIntent.DELETE_TASK),
        ("crear una tarea: comprar pan", UserIntent.CREATE_TASK),
        ("complet the dentist task", UserIntent.COMPLETE_TASK),
        ("qual è il mio saldo", "GET_BALANCE"),
        ("verwijder taak 3", UserIntent.DELETE_TASK),
        ("savings?", "GET_BALANCE"),
        ("a savings joke", UserIntent.UNKNOWN),
    ],
)
def test_what_the_words_around_say_counts(text: str, intent: str) -> None:
    assert classify(text).intent == intent


@pytest.mark.parametrize(
    "text",
    [
        "who is able to delete task 1?",
        "why was task 1 deleted?",
        "I deleted task 1 yesterday",
        "I almost deleted task 1",
        "hat jemand Aufgabe 1 gelöscht?",
        "Warum wurde Aufgabe 1 gelöscht?",
        "wer darf Aufgabe 1 löschen?",
        "wie lösche ich Aufgabe 1?",
        "is it possible to delete a task?",
        "I transferred $21 to savings yesterday",
        "who transferred $23 to savings?",
        "the bank transferred $25 to savings by mistake",
        "reverse the transfer of $150 to savings",
        "storniere meine letzte Überweisung",
    ],
)
def test_a_question_or_a_report_changes_nothing(text: str) -> None:
    assert classify(text).intent == CLARIFY


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("can you delete task 1?", UserIntent.DELETE_TASK),
        ("could you please transfer $20 to savings", "TRANSFER"),
    ],
)
def test_a_polite_question_is_a_request(text: str, intent: str) -> None:
    assert classify(text).intent == intent


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("show Ben's balance", "nobody else's"),
        ("transfer $20 from Ben's account to savings", "nobody else's"),
        ("storniere meine letzte Überweisung", "choose Cancel on its card"),
        ("undo the transfer", "choose Cancel on its card"),
    ],
)
def test_what_cannot_be_done_has_a_clear_answer(text: str, why: str) -> None:
    found = classify(text)
    assert (found.intent, why in found.why) == (CLARIFY, True)


@pytest.mark.parametrize(
    "text",
    [
        "Was hat Ben auf dem Konto?",
        "Wie viel ist auf Annas Konto?",
        "zeig mir bens konto",
        "überweise 20 Euro von Bens Konto auf mein Sparkonto",
        "¿qué tiene Ben en la cuenta?",
        "what's in Ben's account",
        "what does Ben have in the bank",
        "close Ben's account",
        "delete Ben's tasks",
        "mark Ben's task 1 as done",
        "rename Ben's task 1 to milk",
        "what tasks does Ben have",
        "show my wife's open tasks",
        "lösche Bens Aufgaben",
        "lösche Aufgabe 1 von Ben",
        "borra las tareas de Ben",
        "supprime les tâches de Ben",
        "change the address of Ben's account",
        "show me the tasks of ben",
        "show me bens tasks",
        "give me the balance of CUST-002",
        "Combien Ben a-t-il sur son compte ?",
    ],
)
def test_what_belongs_to_somebody_else_is_refused(text: str) -> None:
    assert classify(text) == Classified(intent=CLARIFY, why=NOT_YOURS)


@pytest.mark.parametrize(
    "text",
    [
        "delete the task about Ben's account",
        "delete the plumber's task",
        "delete Ben's birthday task",
        "rename task 3 to Ben's account",
        "lösch die Aufgabe Geschenk für Ben",
        "remind me to look at Ben's account",
        "open a ticket about Ben's account",
        "dispute the McDonald's payments",
        "has the rent been debited from my account",
        "did task 2",
        "Aufgaben von Montag",
        "was ist auf dem Konto",
        "show the tasks of today",
        "list the tasks for the garden",
        "show tasks for tomorrow",
        "list todos tasks",
        "combien y a-t-il sur mon compte",
    ],
)
def test_a_name_in_what_is_mine_is_no_owner(text: str) -> None:
    assert classify(text).why != NOT_YOURS


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("I want task 2 removed", UserIntent.DELETE_TASK),
        ("delete the undo task, maybe", CLARIFY),
        ("don't delete the undo task", CLARIFY),
        ("delete the task about milk and transfer $20 to savings", CLARIFY),
        ("transfer $20 back to savings", "TRANSFER"),
        ("how much does the savings account have", "GET_BALANCE"),
    ],
)
def test_a_name_hides_no_doubt_and_no_second_command(text: str, intent: str) -> None:
    assert classify(text).intent == intent


@pytest.mark.parametrize(
    "text",
    [
        "delete all my data",
        "lösche alle meine Daten",
        "borra todos mis datos",
        "rename savings to Holiday",
        "close my savings account",
    ],
)
def test_what_is_no_task_is_left_to_its_own_tool(text: str) -> None:
    assert classify(text).intent == AGENT
    assert classify("delete the task about savings").intent == UserIntent.DELETE_TASK


def test_small_talk_is_answered_and_asks_for_nothing() -> None:
    assert classify("Thank you!").intent == UserIntent.UNKNOWN
    assert classify("danke").why == "Gern geschehen."


@pytest.mark.parametrize(
    "text", ["run sql on crm: delete from leads where id=1", "DELETE FROM leads; drop table leads"]
)
def test_a_statement_is_no_command_about_tasks(text: str) -> None:
    found = classify(text)
    assert (found.intent, "SQL" in found.why) == (UNKNOWN, True)
    assert classify("delete from my list the milk task").intent == "DELETE_TASK"
