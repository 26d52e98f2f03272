"""Changed calls: what may be changed, what the difference is, and who may still say yes."""

import pytest
from msgspec.structs import replace
from tests.builders import a_hold, a_sentence, a_tool, an_action, asked_of

from holdpoint.core.modifying import (
    can_be_confirmed,
    changed_arguments,
    form_of,
    modified_of,
    refusal,
)
from holdpoint.core.redaction.display import MASK
from holdpoint.messages.answer import Answer, Change, Choice
from holdpoint.messages.base import JsonObject
from holdpoint.messages.hold import Modified, Stage
from holdpoint.messages.policy import Voices

SCHEMA = {
    "type": "object",
    "properties": {
        "to": {"type": "string", "description": "Who gets it."},
        "cents": {"type": "integer"},
        "how": {"enum": ["fast", "cheap"]},
        "urgent": {"type": "boolean"},
        "lines": {"type": "array"},
        "api_key": {"type": "string"},
        "pin": {"type": "string"},
    },
    "required": ["to"],
}
TOOL = a_tool(schema=SCHEMA, secret=("/pin",))
PAY = an_action(arguments={"to": "shop-1", "cents": 400, "pin": "1234"}, preconditions={})
HOLD = a_hold(action=PAY)


def an_answer(**change: object) -> Answer:
    return Answer(
        hold_id="h1",
        digest="d",
        render_digest="r",
        answer=Choice.MODIFY,
        reason="Too much.",
        change=Change(**change),  # type: ignore[arg-type]
    )


def test_a_form_has_a_field_for_each_argument_that_is_shown() -> None:
    fields = form_of(HOLD, TOOL)

    assert [(it.name, it.kind) for it in fields] == [
        ("to", "text"),
        ("cents", "number"),
        ("how", "choice"),
        ("urgent", "boolean"),
        ("lines", "json"),
    ]
    assert (fields[0].required, fields[0].description) == (True, "Who gets it.")
    assert fields[2].choices == ("fast", "cheap")


@pytest.mark.parametrize(
    "shape",
    [
        {"$ref": "#/$defs/Money"},
        {"anyOf": [{"$ref": "#/$defs/Money"}, {"type": "null"}], "default": None},
    ],
    ids=["required", "optional"],
)
def test_an_object_has_a_field_for_each_member(shape: JsonObject) -> None:
    members = {"value": {"type": "string"}, "currency": {"enum": ["USD", "EUR"]}}
    money = {"type": "object", "properties": members, "required": ["value"]}
    schema = {"properties": {"amount": shape}, "$defs": {"Money": money}}
    (amount,) = form_of(HOLD, replace(TOOL, schema=schema))

    assert [(it.name, it.kind, it.required) for it in amount.parts] == [
        ("value", "text", True),
        ("currency", "choice", False),
    ]


@pytest.mark.parametrize("kinds", [[], [{"type": "null"}], [{"type": "object"}] * 2])
def test_what_has_no_one_shape_has_no_members(kinds: list[JsonObject]) -> None:
    schema = {"properties": {"amount": {"anyOf": kinds}}}
    (amount,) = form_of(HOLD, replace(TOOL, schema=schema))

    assert (amount.kind, amount.parts) == ("json", ())


def test_a_schema_that_takes_anything_has_a_field_for_json() -> None:
    anything = replace(TOOL, schema={"type": "object", "properties": {"to": True, "how": False}})

    assert [(it.name, it.kind) for it in form_of(HOLD, anything)] == [
        ("to", "json"),
        ("how", "json"),
    ]


def test_there_is_no_form_once_it_is_over_or_of_a_sentence() -> None:
    assert form_of(replace(HOLD, stage=Stage.RESUMED), TOOL) == ()
    assert form_of(a_sentence(), None) == ()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"arguments": {"amount": 1}}, "has no argument 'amount'"),
        ({"arguments": {"pin": "0000"}}, "'pin' is secret"),
        ({"removed": ("pin",)}, "'pin' is secret"),
        ({"arguments": {"api_key": "x"}}, "'api_key' is secret"),
        ({"arguments": {"cents": 1}, "removed": ("cents",)}, "either changed or removed"),
        ({"arguments": {"cents": 400}}, "Nothing is changed"),
        ({}, "Nothing is changed"),
        ({"removed": ("how",)}, "Nothing is changed"),
    ],
)
def test_some_changes_cannot_be_made(change: dict[str, object], why: str) -> None:
    assert why in refusal(HOLD, TOOL, an_answer(**change))


def test_a_text_with_something_covered_in_it_cannot_be_changed() -> None:
    action = replace(PAY, arguments={"to": "https://ann:hunter2hunter2@host/x", "pin": "1"})
    hold = a_hold(action=action)

    assert MASK not in str(action)
    assert "to" not in [it.name for it in form_of(hold, TOOL)]
    assert "secret" in refusal(hold, TOOL, an_answer(arguments={"to": "x"}))


def test_the_difference_names_what_was_changed_added_and_left_out() -> None:
    answer = an_answer(arguments={"to": "shop-2", "urgent": True}, removed=("cents",))
    assert refusal(HOLD, TOOL, answer) == ""
    new = replace(PAY, arguments=changed_arguments(PAY, answer.change))

    made = modified_of(HOLD, new, answer, ("ann", "ANSWERS:7"))

    assert new.arguments == {"to": "shop-2", "pin": "1234", "urgent": True}
    assert (made.before, made.added) == ({"to": "shop-1", "cents": 400}, ("urgent",))
    assert (made.by, made.answer, made.reason) == ("ann", "ANSWERS:7", "Too much.")


def test_everybody_who_changed_it_is_remembered() -> None:
    first = Modified(hold_id="h0", by="bob", answer="ANSWERS:5", authors=("bob",))
    answer = replace(an_answer(arguments={"cents": 1}), on_behalf_of="eve")

    made = modified_of(replace(HOLD, modified=first), PAY, answer, ("ann", "ANSWERS:7"))

    assert made.authors == ("bob", "ann", "eve")


def test_four_eyes_leave_out_whoever_changed_it() -> None:
    asked = asked_of(Voices(group="finance"), four_eyes=True)

    assert can_be_confirmed(asked, "crm-agent", {"olga"})
    assert not can_be_confirmed(asked, "crm-agent", {"olga", "bob"})
    assert can_be_confirmed(replace(asked, four_eyes=False), "crm-agent", {"olga", "bob"})
