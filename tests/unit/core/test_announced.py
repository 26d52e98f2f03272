"""The yes to a sentence stands for a call only where nobody could have meant anything else."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import ACTION, T0, TOOL, a_confirmed_hold, a_tool, a_voice

from holdpoint.core.announced import announced_by, is_exactly, may_stand_for, vouched_by
from holdpoint.core.catalog import Catalog
from holdpoint.core.claims import wrong_claim
from holdpoint.messages.hold import Hold, Outcome, Stage

ARGUMENTS = ACTION.arguments


def a_yes(**fields: Any) -> Hold:
    return a_confirmed_hold(**{"action": None, "stage": Stage.RESUMED, **fields})


@pytest.mark.parametrize(
    ("claim", "is_it"),
    [
        ({"type": "delete_rows", **ARGUMENTS}, True),
        ({"type": "database", **ARGUMENTS}, True),
        ({"type": 7, **ARGUMENTS}, False),
        ({"type": "shell", **ARGUMENTS}, False),
        ({"type": "drop_rows", **ARGUMENTS}, False),
        ({"type": "database", **ARGUMENTS, "where": "true"}, False),
        ({"type": "database", **ARGUMENTS, "limit": 1}, False),
        ({"type": "database"}, False),
        ({"tool": "delete_rows", "arguments": ARGUMENTS}, True),
        ({"tool": "delete_rows", "args": ARGUMENTS}, True),
        ({"tool": "run_command", "args": ARGUMENTS}, False),
        ({"tool": "delete_rows", "args": {}}, False),
        ({"tool": "delete_rows", "args": ARGUMENTS, "limit": 1}, False),
    ],
)
def test_what_a_claim_means(claim: dict[str, Any], is_it: bool) -> None:
    catalog = Catalog([TOOL, a_tool(name="run_command", domain="shell")])

    assert is_exactly(claim, ACTION, catalog, ()) is is_it


@pytest.mark.parametrize(
    ("claim", "is_wrong"),
    [
        ({"tool": "wire", "arguments": {"to": "ann"}}, False),
        ({"tool": "wire", "args": {}}, False),
        ({"tool": "hammer"}, False),
        ({"type": "wire", "tool": "a", "args": "b"}, False),
        ({"tool": "wire", "args": "ann"}, True),
        ({"tool": "wire", "args": {}, "arguments": {}}, True),
        ({"tool": "wire", "args": {}, "to": "ann"}, True),
        ({"tool": 7, "args": {}}, True),
    ],
)
def test_a_claim_that_is_half_a_call_is_refused(claim: dict[str, Any], is_wrong: bool) -> None:
    assert bool(wrong_claim(claim)) is is_wrong


def test_a_domain_with_two_tools_that_fit_names_neither() -> None:
    catalog = Catalog([TOOL, a_tool(name="archive_rows")])

    assert not is_exactly({"type": "database", **ARGUMENTS}, ACTION, catalog, ())
    assert is_exactly({"type": "delete_rows", **ARGUMENTS}, ACTION, catalog, ())


@pytest.mark.parametrize(
    ("claim", "is_it"),
    [
        (ARGUMENTS, True),
        ({"type": "", **ARGUMENTS}, False),
        ({"type": None, **ARGUMENTS}, False),
        ({**ARGUMENTS, "where": "true"}, False),
        ({**ARGUMENTS, "limit": 1}, False),
        ({}, False),
    ],
)
def test_without_a_type_the_arguments_decide(claim: dict[str, Any], is_it: bool) -> None:
    command = a_tool(name="run_command", domain="shell", schema=taking("command"))
    any_call = a_tool(name="any_call")
    catalog = Catalog([replace(TOOL, schema=taking(*ARGUMENTS)), command, any_call])
    may_call = ["delete_rows", "run_command", "any_call", "unknown"]

    assert is_exactly(claim, ACTION, catalog, may_call) is is_it


def test_without_a_type_arguments_of_two_tools_mean_neither() -> None:
    tools = [a_tool(name=it, domain=it, schema=taking(*ARGUMENTS)) for it in ("read", "archive")]
    catalog = Catalog([replace(TOOL, schema=taking(*ARGUMENTS)), *tools])

    assert not is_exactly(ARGUMENTS, ACTION, catalog, ["delete_rows", "archive"])
    assert not is_exactly(ARGUMENTS, ACTION, catalog, ["archive"])
    assert is_exactly(ARGUMENTS, ACTION, catalog, ["delete_rows"]), "it may not call the others"
    assert is_exactly({"type": "database", **ARGUMENTS}, ACTION, catalog, ["archive"])
    assert not is_exactly({}, replace(ACTION, arguments={}), catalog, ["delete_rows"])


def taking(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {it: {"type": "string"} for it in names}}


def test_money_is_the_same_however_it_is_written() -> None:
    action = replace(ACTION, arguments={"amount": {"value": "150.00", "currency": "USD"}})
    claim = {"type": "delete_rows", "amount": {"value": 150, "currency": "USD"}}

    assert is_exactly(claim, action, Catalog([TOOL]), ())


@pytest.mark.parametrize(
    ("fields", "may"),
    [
        ({}, True),
        ({"level": 4}, True),
        ({"level": 2}, False),
        ({"stage": Stage.RESOLVED}, False),
        ({"outcome": Outcome.CANCELLED}, False),
        ({"on_behalf_of": "ann"}, False),
        ({"resolved_at": T0 - timedelta(seconds=900)}, False),
    ],
)
def test_when_a_yes_may_stand_for_a_call(fields: dict[str, Any], may: bool) -> None:
    assert may_stand_for(a_yes(**fields), ACTION, 3, T0) is may


def test_a_sentence_is_shown_without_its_yes_unless_that_stands_for_the_call() -> None:
    sentence = a_yes()

    assert announced_by(sentence).voices == ()
    assert vouched_by(sentence, ["ANSWERS:3"]).voices == (a_voice("ann"),)
