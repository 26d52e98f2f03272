"""What a person typed into a card's forms: a changed call, or a yes that is to be remembered."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from holdpoint.core.modifying import change_from
from holdpoint.messages.answer import Change, Choice, Limit, Remember
from holdpoint.messages.base import Value
from holdpoint.messages.card import Card, FormField

HOUR_S = 3600
LONGEST_FORM = 70 * 1024
"""Bytes: the arguments of a call, and their names."""

Beside: TypeAlias = Change | Remember | None


class _Changed(Value, frozen=True, kw_only=True):
    """The fields that differ, as text, and those that were emptied."""

    texts: dict[str, str] = {}
    parts: dict[str, dict[str, str]] = {}
    """Members of an object that differ, as text."""

    removed: tuple[str, ...] = ()


class _Remembered(Value, frozen=True, kw_only=True):
    uses: int
    hours: float
    amount: str = ""
    limits: dict[str, str] = {}


def beside_of(card: Card, choice: Choice, typed: Mapping[str, Any]) -> Beside | str:
    """Return what goes with the answer, or why nothing can, as a sentence."""
    try:
        if choice is Choice.MODIFY:
            changed = msgspec.convert(typed.get("change", {}), _Changed)
            return _change(card, changed)
        if choice is Choice.PROCEED and "remember" in typed:
            return _remember(card.form, msgspec.convert(typed["remember"], _Remembered))
    except msgspec.ValidationError as error:
        return f"This cannot be read: {error}."
    return None


def _change(card: Card, changed: _Changed) -> Change | str:
    """Put the members that differ into their objects; the rest of an object stays as it was."""
    fields = {field.name: field for field in card.form}
    texts = dict(changed.texts)
    for name, parts in changed.parts.items():
        if name not in fields:
            return f"{name!r} cannot be changed here."
        removed = [part for part in _optional(fields[name]) if parts.get(part) == ""]
        filled = {part: text for part, text in parts.items() if part not in removed}
        made = change_from(fields[name].parts, filled, removed)
        if isinstance(made, str):
            return f"{name}: {made}"
        before = card.ui.action.arguments.get(name)
        whole = {**(before if isinstance(before, dict) else {}), **made.arguments}
        texts[name] = msgspec.json.encode(
            {part: it for part, it in whole.items() if part not in made.removed}
        ).decode()
    return change_from(card.form, texts, changed.removed)


def _optional(field: FormField) -> list[str]:
    return [part.name for part in field.parts if not part.required]


def _remember(form: Sequence[FormField], wanted: _Remembered) -> Remember:
    kinds = {field.name: field.kind for field in form}
    given = {name: text for name, text in wanted.limits.items() if text}
    limits = {
        name: Limit(at_most=text) if kinds.get(name) == "number" else Limit(prefix=text)
        for name, text in given.items()
    }
    raw = Remember(
        limits=limits, uses=wanted.uses, amount=wanted.amount, lasts_s=int(wanted.hours * HOUR_S)
    )
    return msgspec.convert(msgspec.to_builtins(raw), Remember)
