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
            return change_from(card.form, changed.texts, changed.removed)
        if choice is Choice.PROCEED and "remember" in typed:
            return _remember(card.form, msgspec.convert(typed["remember"], _Remembered))
    except msgspec.ValidationError as error:
        return f"This cannot be read: {error}."
    return None


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
