"""A reply completes what was asked for before; it confirms nothing."""

from pathlib import Path
from typing import Any

import pytest

from holdpoint.coordinator.follow_up import follow_up, is_reply
from holdpoint.coordinator.intents import CLARIFY, classify
from holdpoint.coordinator.workflows import load_workflows
from holdpoint.messages.request import ConversationMessage, Speaker

WORKFLOWS = load_workflows(Path(__file__).parents[3] / "deploy" / "config").workflows
TRANSFER = WORKFLOWS["TRANSFER"].needs


def so_far(asked: str, question: str) -> tuple[ConversationMessage, ...]:
    return (
        ConversationMessage(role=Speaker.USER, content=asked),
        ConversationMessage(role=Speaker.ASSISTANT, content=question),
    )


@pytest.mark.parametrize(
    ("asked", "intent", "name", "reply", "value"),
    [
        ("transfer $150", "TRANSFER", "to_account", "savings", "savings"),
        ("transfer $150", "TRANSFER", "to_account", "to my savings account", "savings"),
        ("transfer money to savings", "TRANSFER", "amount", "$20",
         {"value": "20.00", "currency": "USD"}),
        ("delete a task", "DELETE_TASK", "task", "the milk task", "milk"),
        ("open a ticket", "OPEN_TICKET", "subject", "My card is lost", "My card is lost"),
    ],
)  # fmt: skip
def test_a_reply_fills_what_was_missing(
    asked: str, intent: str, name: str, reply: str, value: Any
) -> None:
    history = so_far(asked, WORKFLOWS[intent].needs[name])
    found = follow_up(reply, history, WORKFLOWS, keyword_routing=True)
    assert found is not None
    assert (found.classified.intent, found.values) == (intent, {name: value})


@pytest.mark.parametrize("reply", ["no", "cancel", "don't do it", "maybe savings", "nothing"])
def test_a_reply_in_doubt_completes_nothing(reply: str) -> None:
    history = so_far("transfer $150", TRANSFER["to_account"])
    assert follow_up(reply, history, WORKFLOWS, keyword_routing=True) is None


@pytest.mark.parametrize(
    "history",
    [
        (),
        so_far("transfer $150", "Shall I?"),
        so_far("what's the weather", TRANSFER["to_account"]),
        tuple(reversed(so_far("transfer $150", TRANSFER["to_account"]))),
    ],
)
def test_only_our_own_question_is_answered(history: tuple[ConversationMessage, ...]) -> None:
    assert follow_up("yes, savings", history, WORKFLOWS, keyword_routing=True) is None


@pytest.mark.parametrize("when", ["tomorrow", "every month", "on Friday", "twice", "morgen"])
def test_what_can_only_be_done_now_is_not_promised_for_later(when: str) -> None:
    assert classify(f"transfer $150 to savings {when}").intent == CLARIFY
    assert classify(f"remind me to pay rent {when}").intent == "CREATE_TASK"


WHICH = "Which account to pay into do you mean? There are: Joint Savings (ACC-1); Old (ACC-2)."


def test_which_account_is_answered_with_a_name_or_a_number() -> None:
    for reply in ("Joint Savings", "ACC-1", "the savings account"):
        found = follow_up(
            reply, so_far("transfer $7 to savings", WHICH), WORKFLOWS, keyword_routing=True
        )
        assert found is not None
        assert found.classified.intent == "TRANSFER"
        assert found.words == ("transfer $7 to savings",)
        assert found.values["to_account"] in {"Joint Savings", "ACC-1", "savings"}


def test_several_questions_in_a_row_complete_the_first_request() -> None:
    history = (*so_far("transfer $7", TRANSFER["to_account"]), *so_far("savings", WHICH))
    found = follow_up("ACC-1", history, WORKFLOWS, keyword_routing=True)
    assert found is not None
    assert (found.classified.intent, found.words) == ("TRANSFER", ("transfer $7",))
    assert found.values["to_account"] == "ACC-1"


def test_a_reply_in_doubt_is_none_also_of_a_choice() -> None:
    history = so_far("transfer $7 to savings", WHICH)
    for reply in ("no", "cancel", "not sure"):
        assert follow_up(reply, history, WORKFLOWS, keyword_routing=True) is None


def test_a_yes_that_fills_nothing_asks_the_same_again() -> None:
    history = so_far("delete a task", WORKFLOWS["DELETE_TASK"].needs["task"])
    for reply in ("yes", "Yes, please!", "ja"):
        found = follow_up(reply, history, WORKFLOWS, keyword_routing=True)
        assert found is not None
        assert (found.classified.intent, found.values) == ("DELETE_TASK", {})


def test_thanks_is_no_title_of_a_task() -> None:
    history = so_far("create a task", WORKFLOWS["CREATE_TASK"].needs["title"])
    assert follow_up("thanks", history, WORKFLOWS, keyword_routing=True) is None


def test_a_reply_may_say_more_than_was_asked() -> None:
    history = so_far("transfer 20", TRANSFER["amount"])
    found = follow_up("savings", history, WORKFLOWS, keyword_routing=True)
    assert found is not None
    assert found.values == {"to_account": "savings"}
    assert is_reply(classify("savings"), found, "savings")


@pytest.mark.parametrize("message", ["which accounts do I have", "delete everything", "thanks"])
def test_something_new_is_no_reply(message: str) -> None:
    history = so_far("delete a task", WORKFLOWS["DELETE_TASK"].needs["task"])
    found = follow_up(message, history, WORKFLOWS, keyword_routing=True)
    assert found is None or not is_reply(classify(message), found, message)


CURRENCY = (
    "In which currency are the 50.00? Main is in USD; Travel is in EUR. For example: EUR 50.00."
)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (TRANSFER["amount"], "transfer $20 to savings"),
        (CURRENCY, "überweise 20 dollar auf savings"),
    ],
)
def test_a_request_that_says_everything_completes_no_other(question: str, message: str) -> None:
    history = so_far("transfer 50 to checking", question)
    assert follow_up(message, history, WORKFLOWS, keyword_routing=True) is None


def test_only_turns_are_quoted_from_which_something_was_taken() -> None:
    history = so_far("transfer $150", TRANSFER["to_account"])
    found = follow_up("transfer it to savings", history, WORKFLOWS, keyword_routing=True)
    assert found is not None
    assert (found.request, found.words) == ("transfer it to savings", ("transfer $150",))
    assert found.values == {"amount": {"value": "150.00", "currency": "USD"}}

    history = so_far("transfer money to savings", TRANSFER["amount"])
    found = follow_up("transfer $20", history, WORKFLOWS, keyword_routing=True)
    assert found is not None
    assert found.words == ("transfer money to savings",)


def test_a_currency_that_was_missing_is_named_alone() -> None:
    for reply in ("USD", "in dollars", "$"):
        found = follow_up(
            reply, so_far("transfer 50 to savings", CURRENCY), WORKFLOWS, keyword_routing=True
        )
        assert found is not None
        assert found.values["currency"] == "USD"
        assert is_reply(classify(reply), found, reply)
    history = so_far("transfer 50 to savings", CURRENCY)
    found = follow_up("yes", history, WORKFLOWS, keyword_routing=True)
    assert found is not None
    assert found.values == {}


def test_a_number_is_an_amount_only_where_that_was_asked_for() -> None:
    asked = f"So far I have “savings”. {TRANSFER['amount']}"
    found = follow_up(
        "150", so_far("transfer money to savings", asked), WORKFLOWS, keyword_routing=True
    )
    assert found is not None
    assert found.values == {"amount": {"value": "150.00"}}
    found = follow_up("2", so_far("transfer $7 to savings", WHICH), WORKFLOWS, keyword_routing=True)
    assert found is not None
    assert "amount" not in found.values


@pytest.mark.parametrize(
    "reply",
    [
        "I transferred $150 to savings yesterday, did it arrive?",
        "gestern 150 Dollar aufs Sparkonto überwiesen",
        "did $150 arrive?",
    ],
)
def test_a_report_or_a_question_completes_no_transfer(reply: str) -> None:
    history = so_far("transfer money to savings", TRANSFER["amount"])
    assert follow_up(reply, history, WORKFLOWS, keyword_routing=True) is None


def test_an_amount_that_cannot_be_read_is_not_replaced_by_an_earlier_one() -> None:
    history = so_far("transfer 20", TRANSFER["to_account"])
    found = follow_up("send $1.999 to savings", history, WORKFLOWS, keyword_routing=True)
    assert found is None or "amount" not in found.values
