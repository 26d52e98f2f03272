"""Steps of a workflow: a tool, the choice of one row, the currency of an amount."""

from collections.abc import Mapping
from typing import Any

from holdpoint.client import Outcome, Status
from holdpoint.coordinator.calls import Calls
from holdpoint.coordinator.choices import chosen, in_currency
from holdpoint.coordinator.workflows import InCurrency, Pick, Step, at, filled

FINISHED = frozenset({Status.DONE, Status.ALREADY_PROCESSED})
MOST_EACH = 10
"""Rows for which one step calls its tool."""


async def ended(calls: Calls, step: Step, values: dict[str, Any]) -> Outcome | None:
    """Do one step; the outcome with which the request ends, None where it goes on.

    Raises UnclearError where a choice is open, MissingValueError where a value is missing.
    """
    if step.pick is not None:
        _pick(step.pick, values)
        return None
    if step.currency is not None:
        _complete(step.currency, values)
        return None
    for row in _rows(step, values):
        outcome = await calls.call(str(step.tool), filled(step.arguments, {**values, **row}))
        if outcome.status not in FINISHED or not step.keep:
            return outcome
        for name, path in step.keep.items():
            found = at(outcome.data, path)
            values[name] = [*values.get(name, ()), *(found or ())] if step.each else found
    return None


def _rows(step: Step, values: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows whose fields the tool is called with, one call for each."""
    return values.get(step.each.removeprefix("$"), [])[:MOST_EACH] if step.each else [{}]


def _pick(pick: Pick, values: dict[str, Any]) -> None:
    rows = values.get(pick.of.removeprefix("$"), [])
    values[pick.into] = chosen(pick, rows, values.get(pick.said.removeprefix("$")))


def _complete(step: InCurrency, values: dict[str, Any]) -> None:
    name = step.amount.removeprefix("$")
    rows = values.get(step.of.removeprefix("$"), [])
    values[name] = in_currency(step, rows, values[name], values.get("currency"))
