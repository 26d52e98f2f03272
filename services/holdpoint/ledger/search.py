"""Filters of every question to the ledger, and the conditions that they are in SQL.

What an action was (its tool, level, risk …) stands in `decisions`, who answered it in `answers`,
and how it ended in `confirmation_events`: each filter asks the table that knows, by the hold's id.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Column, ColumnElement, bindparam, exists, or_

from holdpoint.ledger.action_values import Comparison, fitting
from holdpoint.ledger.tables import answers, confirmation_events, decisions

DENIED = "denied"
"""The outcome of what the gate refused at once: nobody was asked."""

_decided = decisions.alias("decided")
_given = answers.alias("given")
_ended = confirmation_events.alias("ended")


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Boundary between two pages."""

    at: datetime
    hold_id: str


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """Filters of a search; what is empty does not matter."""

    hold: str | None = None
    agent: str | None = None
    person: str | None = None
    """A person who answered it, said yes to it or ended it."""

    tool: str | None = None
    domain: str | None = None
    level: int | None = None
    risk: str | None = None
    rule: str | None = None
    """A rule that fired."""

    policy: str | None = None
    """Version of the policy that it was judged by."""

    channel: str | None = None
    """A channel that it was answered through."""

    outcome: str | None = None
    asked: bool = False
    """True for what people were asked about: without what was denied at once."""

    text: str | None = None
    """In what the agent said, in the arguments or in the reason, whatever their case."""

    where: tuple[Comparison, ...] = ()
    """Conditions on the action's arguments, all of them."""

    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""

    before: Place | None = None
    limit: int
    newest: bool = False
    """True if the limit keeps the last ones, in place of the first."""


def matching(
    search: Search,
    *,
    hold_id: ColumnElement[Any],
    agent: ColumnElement[Any],
    time: ColumnElement[datetime],
) -> list[ColumnElement[bool]]:
    """Conditions of a search on a table with these columns; `hold` and `before` are its own."""
    return [
        *_equal({agent: search.agent}),
        *([time >= search.since] if search.since is not None else []),
        *([time < search.until] if search.until is not None else []),
        *about_action(search, hold_id),
    ]


def about_action(search: Search, hold_id: ColumnElement[Any]) -> list[ColumnElement[bool]]:
    """Conditions on the action that a row is about, by its hold."""
    decided = [
        *_equal(
            {
                _decided.c.tool: search.tool,
                _decided.c.domain: search.domain,
                _decided.c.level: search.level,
                _decided.c.risk: search.risk,
                _decided.c.policy_version: search.policy,
            }
        ),
        *([_in_list(_decided.c.rules, search.rule)] if search.rule else []),
    ]
    ended = [
        *_equal({_ended.c.outcome: search.outcome}),
        *([_ended.c.outcome != DENIED] if search.asked else []),
        *([_says(search.text)] if search.text else []),
    ]
    return [
        *([exists().where(_decided.c.hold_id == hold_id, *decided)] if decided else []),
        *([exists().where(_ended.c.hold_id == hold_id, *ended)] if ended else []),
        *_answered(search, hold_id),
        *(fitting(it, hold_id) for it in search.where),
    ]


def inline(numbers: Sequence[int]) -> BindParameter[Sequence[int]]:
    """Return them as a part of the statement, which has no limit on their number."""
    return bindparam(None, numbers, expanding=True, literal_execute=True)


def _answered(search: Search, hold_id: ColumnElement[Any]) -> list[ColumnElement[bool]]:
    wanted = _equal({_given.c.person: search.person, _given.c.channel: search.channel})
    if not wanted:
        return []
    counted = exists().where(_given.c.hold_id == hold_id, _given.c.counted.is_not(False), *wanted)
    if search.channel or not search.person:
        return [counted]
    by = exists().where(
        _ended.c.hold_id == hold_id,
        or_(_ended.c.resolved_by == search.person, _in_list(_ended.c.approvers, search.person)),
    )
    return [or_(counted, by)]


def _equal(columns: Mapping[Column[Any] | ColumnElement[Any], Any]) -> list[ColumnElement[bool]]:
    return [column == value for column, value in columns.items() if value not in {None, ""}]


def _in_list(column: ColumnElement[Any], value: str) -> ColumnElement[bool]:
    """Whether a column of JSON lists has this text in its list."""
    return column.contains(msgspec.json.encode(value).decode(), autoescape=True)


def _says(text: str) -> ColumnElement[bool]:
    columns = (_ended.c.agent_reasoning, _ended.c.proposed_action, _ended.c.reason)
    return or_(*(column.icontains(text, autoescape=True) for column in columns))
