"""A call that a person changed: what may be changed, the new arguments, and the difference.

The changed call is a proposal like any other: this module decides about nothing but arguments.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from holdpoint.core.digest import money_as_text
from holdpoint.core.objections import OPEN
from holdpoint.core.quorum import suffice
from holdpoint.core.redaction.display import MASK, is_sensitive, masked
from holdpoint.messages.action import Action
from holdpoint.messages.answer import Answer, Change
from holdpoint.messages.base import JsonObject
from holdpoint.messages.card import FormField
from holdpoint.messages.catalog import Tool
from holdpoint.messages.hold import Hold, Modified, Requirement

LONGEST_DESCRIPTION = 200
"""Characters of a field's description."""

NO_CHANGE = Change()
_ABSENT = object()


def refusal(hold: Hold, tool: Tool | None, answer: Answer) -> str:
    """Why these changes cannot be made, as a sentence; empty when they can."""
    action = hold.action
    if action is None or tool is None:
        return "Only a tool call that the catalog knows can be changed."
    change = answer.change or NO_CHANGE
    named = (*change.arguments, *change.removed)
    if len(set(named)) < len(named):
        return "An argument is either changed or removed, and only once."
    for name in named:
        if name not in tool.schema.get("properties", {}):
            return f"{tool.name} has no argument {name!r}."
        if not _may_change(name, action.arguments, tool):
            return f"{name!r} is secret: it can be neither seen nor changed here."
    if changed_arguments(action, change) == action.arguments:
        return "Nothing is changed: answer with a yes or a no."
    return ""


def changed_arguments(action: Action, change: Change | None) -> JsonObject:
    """The arguments with the person's changes."""
    made = change or NO_CHANGE
    kept = {name: it for name, it in action.arguments.items() if name not in made.removed}
    changed: JsonObject = money_as_text({**kept, **made.arguments})
    return changed


def change_from(
    form: Sequence[FormField], texts: Mapping[str, str], removed: Sequence[str]
) -> Change | str:
    """Read what a person typed, or say what is wrong: a text stays one, all else is JSON."""
    kinds = {field.name: field.kind for field in form}
    arguments: JsonObject = {}
    for name in (*texts, *removed):
        if name not in kinds:
            return f"{name!r} cannot be changed here. What can be: {', '.join(kinds) or 'nothing'}."
    for name, text in texts.items():
        try:
            is_text = kinds[name] in {"text", "choice"}
            arguments[name] = text if is_text else msgspec.json.decode(text)
        except msgspec.DecodeError:
            return f"The value of {name!r} is no JSON: {text!r}."
    return Change(arguments=arguments, removed=tuple(removed))


def modified_of(hold: Hold, action: Action, answer: Answer, by: tuple[str, str]) -> Modified:
    """The difference to the call that was changed; `by` is the person and the answer's id."""
    person, cause = by
    before = hold.action.arguments if hold.action else {}
    names = dict.fromkeys((*before, *action.arguments))
    differ = [it for it in names if before.get(it, _ABSENT) != action.arguments.get(it, _ABSENT)]
    earlier = hold.modified.authors if hold.modified else ()
    mine = (person, answer.on_behalf_of) if answer.on_behalf_of else (person,)
    return Modified(
        hold_id=hold.hold_id,
        by=person,
        answer=cause,
        reason=answer.reason,
        before={name: before[name] for name in differ if name in before},
        added=tuple(name for name in differ if name not in before),
        authors=tuple(dict.fromkeys((*earlier, *mine))),
    )


def changed_names(modified: Modified, arguments: JsonObject) -> tuple[str, ...]:
    """The arguments with a new value."""
    return tuple(name for name in (*modified.before, *modified.added) if name in arguments)


def can_be_confirmed(asked: Requirement | None, agent: str, owners: set[str]) -> bool:
    """Return whether the people who are left could say yes to the changed call."""
    if asked is None or not asked.four_eyes:
        return True
    barred = {agent, *owners}
    return suffice(asked, {one for group in asked.approvers.values() for one in group} - barred)


def form_of(hold: Hold, tool: Tool | None) -> tuple[FormField, ...]:
    """The fields in which a person may change an open call; secrets have none."""
    if hold.action is None or tool is None or hold.stage not in OPEN:
        return ()
    required = tool.schema.get("required", ())
    properties = tool.schema.get("properties", {}).items()
    return tuple(
        replace(_field(name, _resolved(it, tool.schema), name in required), parts=_parts(it, tool))
        for name, it in properties
        if _may_change(name, hold.action.arguments, tool)
    )


def _field(name: str, schema: JsonObject, is_required: bool) -> FormField:
    return FormField(
        name=name,
        kind=_kind(schema),
        choices=_choices(schema),
        required=is_required,
        description=str(schema.get("description", ""))[:LONGEST_DESCRIPTION],
    )


def _parts(schema: Any, tool: Tool) -> tuple[FormField, ...]:
    """Return a field for each member of an object, such as an amount's value and currency."""
    kinds = _resolved(schema, tool.schema).get("anyOf", [schema])
    shapes = [_resolved(it, tool.schema) for it in kinds if it != _NOTHING]
    whole = shapes[0] if len(shapes) == 1 else {}
    if whole.get("type") != "object":
        return ()
    required = whole.get("required", ())
    return tuple(
        _field(name, _resolved(it, tool.schema), name in required)
        for name, it in whole.get("properties", {}).items()
        if not is_sensitive(name)
    )


_NOTHING = {"type": "null"}
"""Value of an argument that may be left out."""


def _resolved(schema: Any, root: JsonObject) -> JsonObject:
    """Return a part of a schema, or the one that it names; empty if it says nothing."""
    reference = schema.get("$ref", "") if isinstance(schema, dict) else ""
    found = root.get("$defs", {}).get(str(reference).removeprefix("#/$defs/"), schema)
    return found if isinstance(found, dict) else {}


def _may_change(name: str, arguments: JsonObject, tool: Tool) -> bool:
    """Return whether the argument is shown as it is, with nothing of it covered."""
    marked = any(pointer.lstrip("/").split("/")[0] == name for pointer in tool.secret)
    if marked or is_sensitive(name):
        return False
    shown = masked(arguments, tool.secret, frozenset()).get(name)
    return not _is_covered(shown)


def _is_covered(value: Any) -> bool:
    match value:
        case str():
            return MASK in value
        case dict():
            return any(map(_is_covered, (*value.keys(), *value.values())))
        case list():
            return any(map(_is_covered, value))
        case _:
            return False


def _kind(schema: JsonObject) -> Literal["text", "number", "boolean", "choice", "json"]:
    if _choices(schema):
        return "choice"
    match schema.get("type"):
        case "string":
            return "text"
        case "integer" | "number":
            return "number"
        case "boolean":
            return "boolean"
        case _:
            return "json"


def _choices(schema: JsonObject) -> tuple[str, ...]:
    choices = schema.get("enum", ())
    return tuple(choices) if all(isinstance(it, str) for it in choices) else ()
