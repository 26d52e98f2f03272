"""Choice of one row among several, by what a sentence says; never a guess."""

from collections.abc import Mapping, Sequence
from typing import Any

from holdpoint.coordinator.plain_text import plain
from holdpoint.coordinator.workflows import InCurrency, Pick, at
from holdpoint.messages.base import JsonObject

MOST_NAMED = 5


class UnclearError(Exception):
    """Nothing can be chosen: the text asks the person."""


def chosen(pick: Pick, rows: Sequence[Mapping[str, Any]], said: str | None) -> Any:
    """Return the value of the one row that is meant; UnclearError where it is none or several."""
    if said is None:
        usual = [row for row in rows if all(row.get(k) == v for k, v in pick.usual.items())]
        found = usual if pick.usual else list(rows)
    else:
        found = _matching(pick, rows, said)
    found = list({str(row[pick.field]): row for row in found}.values())
    if len(found) == 1:
        return found[0][pick.field]
    raise UnclearError(_question(pick, found or list(rows), said, several=bool(found)))


def which(pick: Pick, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the question which row is meant."""
    return _question(pick, rows, None, several=True)


def _matching(pick: Pick, rows: Sequence[Mapping[str, Any]], said: str) -> list[Mapping[str, Any]]:
    wanted = plain(str(said)).strip()
    exact = [
        row
        for row in rows
        if plain(str(row.get(pick.field))) == wanted
        or any(plain(str(row.get(name, ""))) == wanted for name in pick.by)
    ]
    if exact:
        return exact
    words = [it.strip(".,!?\"'") for it in wanted.split()]
    found = [row for row in rows if words and _holds(pick, row, words)]
    return found or [row for row in rows if pick.named_inside and _stands_in(pick, row, words)]


def _stands_in(pick: Pick, row: Mapping[str, Any], words: Sequence[str]) -> bool:
    """Return whether the name of a row stands among more words."""
    name = plain(str(row.get(pick.by[0], ""))).split()
    return bool(name) and set(name) <= set(words)


def _holds(pick: Pick, row: Mapping[str, Any], words: Sequence[str]) -> bool:
    text = " ".join(plain(str(row.get(name, ""))) for name in pick.by)
    there = set(text.replace("_", " ").replace("-", " ").split()) | set(text.split())
    return all(word in there for word in words)


def is_question(pick: Pick, text: str) -> bool:
    """Return whether this is our question about the row of this choice."""
    return text.startswith((_which(pick), _none_found(pick)))


def _which(pick: Pick) -> str:
    return f"Which {pick.called} do you mean?"


def _none_found(pick: Pick) -> str:
    return f"I find no {pick.called} “"


def _question(
    pick: Pick, rows: Sequence[Mapping[str, Any]], said: str | None, *, several: bool
) -> str:
    if not rows:
        return f"I looked for the {pick.called} that you mean, and there is none. Nothing was done."
    names = "; ".join(f"{row.get(pick.by[0])} ({row[pick.field]})" for row in rows[:MOST_NAMED])
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    if said is None or several:
        return f"{_which(pick)} There are: {names}{more}."
    return f"{_none_found(pick)}{said}”. There are: {names}{more}. {pick.only}".strip()


WHICH_CURRENCY = "In which currency"


def in_currency(
    step: InCurrency, rows: Sequence[Mapping[str, Any]], amount: JsonObject, said: str | None
) -> JsonObject:
    """Return the amount with a currency; UnclearError where none was said and there are several."""
    if "currency" in amount:
        return amount
    found = {str(row.get(step.name)): at(row, step.field) for row in rows}
    currencies = sorted({it for it in found.values() if it})
    if said is None and len(currencies) != 1:
        kept = "; ".join(f"{name} is in {it}" for name, it in found.items())
        example = f"{currencies[0] if currencies else 'USD'} {amount['value']}"
        text = f"{WHICH_CURRENCY} are the {amount['value']}? {kept}. For example: {example}."
        raise UnclearError(text)
    return {**amount, "currency": said or currencies[0]}
