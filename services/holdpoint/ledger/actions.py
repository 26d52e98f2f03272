"""One row for each action that an agent proposed, whatever became of it. All of it only reads.

A row says who, which tool and how it went, and never what an argument holds.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from holdpoint.core.card_facts import in_place_of
from holdpoint.ledger.answers import seats_of
from holdpoint.ledger.confirmations import record_in, records_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.queries import about_events
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import bodies, confirmation_events, events, runs
from holdpoint.messages.hold import Denied, EndedBy, Halted, Hold, Passed, Resolved, Witnessed
from holdpoint.messages.subjects import HOLDS, TYPES

_FIRST_FACTS = (Passed, Witnessed, Denied, Halted)
"""What a gate decides first about every action."""

_PASSED, _DENIED, _ASKED, _WAITING = "passed", "denied", "asked", "waiting"
_MOST_IN_A_QUESTION = 500
"""Holds that one statement names; SQLite allows more."""


class ActionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One action, or one sentence, and how it stands."""

    at: datetime
    hold_id: str
    agent: str
    on_behalf_of: str
    tool: str
    """Empty for a sentence."""

    risk: str
    decision: str
    """First decision of the gate: `passed` it, `denied` it or `asked` people."""

    state: str
    """End or state of its run; else its end by people; else `waiting`, or the decision."""

    answered_by: tuple[str, ...]
    """People who said yes or ended it by their answer; empty when nobody answered."""

    answered_for: dict[str, str]
    """Of people who answered in another's place: the approver whose place it was."""

    ended_by: str
    """`person`, `kill_switch`, `timeout` or `agent`; empty of a hold that is open."""

    stopped_by: str
    """Admin who threw the kill switch that ended it, which is no answer."""

    enforcement: str
    """`structural`, `network` or `cooperative`; empty of what is older than the field."""

    @property
    def people(self) -> tuple[str, ...]:
        """Each with the approver in whose place they answered."""
        seats = self.answered_for
        return tuple(in_place_of(it, seats.get(it, "")) for it in self.answered_by)


def actions_found(connection: Connection, search: Search) -> list[ActionRow]:
    """Which actions match, oldest first?"""
    kinds = [TYPES[kind] for kind in _FIRST_FACTS]
    conditions = about_events(search)
    order = events.c.seq.desc() if search.newest else events.c.seq
    wanted = (
        select(events, bodies.c.body)
        .join(bodies, bodies.c.seq == events.c.seq)
        .where(events.c.type.in_(kinds), *conditions)
        .order_by(order)
        .limit(search.limit)
    )
    records = sorted((record_in(row) for row in connection.execute(wanted)), key=lambda it: it.seq)
    first: dict[str, Record] = {}
    for record in records:
        first.setdefault(record.hold_id or "", record)
    ended, ran = _ended(connection, [*first]), _ran(connection, [*first])
    enders, seats = _enders(connection, [*first]), seats_of(connection, [*first])
    rows = (_row(record, ended, ran, enders, seats) for record in first.values())
    return [row for row in rows if row is not None]


def _row(
    record: Record,
    ended: Mapping[str, Mapping[str, Any]],
    ran: Mapping[str, str],
    enders: Mapping[str, str],
    seats: Mapping[str, dict[str, str]],
) -> ActionRow | None:
    hold, decision = _decided(record)
    if hold is None or record.hold_id is None:
        return None
    people = ended.get(hold.hold_id, {})
    approvers: list[str] = msgspec.json.decode(people.get("approvers") or "[]")
    last, ended_by = people.get("resolved_by") or "", enders.get(hold.hold_id, "")
    stopped_by = last if ended_by == EndedBy.KILL_SWITCH else ""
    answerers = [*approvers, "" if stopped_by else last]
    return ActionRow(
        at=record.entry.at,
        hold_id=hold.hold_id,
        agent=hold.agent,
        on_behalf_of=hold.on_behalf_of,
        tool=hold.action.tool if hold.action else "",
        risk=hold.assessment.level.value,
        decision=decision,
        state=ran.get(hold.hold_id)
        or people.get("outcome")
        or (_WAITING if decision == _ASKED else decision),
        answered_by=tuple(dict.fromkeys(filter(None, answerers))),
        answered_for=seats.get(hold.hold_id, {}),
        ended_by=ended_by,
        stopped_by=stopped_by,
        enforcement=hold.enforcement.value if hold.enforcement else "",
    )


def _decided(record: Record) -> tuple[Hold | None, str]:
    """Return what the gate decided first; None when the body is not what its type promises."""
    for kind in _FIRST_FACTS:
        if (fact := record.message(kind)) is not None:
            return fact.hold, _DECISIONS[kind]
    return None, ""


_DECISIONS: Mapping[type[Passed | Witnessed | Denied | Halted], str] = {
    Passed: _PASSED,
    Witnessed: _PASSED,
    Denied: _DENIED,
    Halted: _ASKED,
}


def _ended(connection: Connection, holds: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    table = confirmation_events
    columns = (table.c.hold_id, table.c.outcome, table.c.approvers, table.c.resolved_by)
    return {
        row.hold_id: row._asdict()
        for some in _slices(holds)
        for row in connection.execute(select(*columns).where(table.c.hold_id.in_(some)))
    }


def _enders(connection: Connection, holds: Sequence[str]) -> dict[str, str]:
    """Return what ended each hold; of two ends the first in the ledger counts."""
    found: dict[str, str] = {}
    for some in _slices(holds):
        about = events.c.hold_id.in_(some), events.c.type == TYPES[Resolved]
        for record in records_in(connection, *about):
            resolved = record.message(Resolved)
            if (
                resolved
                and record.hold_id
                and record.entry.kind == HOLDS
                and resolved.hold.ended_by
            ):
                found.setdefault(record.hold_id, resolved.hold.ended_by.value)
    return found


def _ran(connection: Connection, holds: Sequence[str]) -> dict[str, str]:
    return {
        row.hold_id: state
        for some in _slices(holds)
        for row in connection.execute(select(runs).where(runs.c.hold_id.in_(some)))
        if (state := _run_state(row))
    }


def _run_state(row: Any) -> str:
    """The word of a run's end; what began and did not end is running."""
    if row.status:
        return str(row.status)
    states = {
        "barred": row.barred_at,
        "lapsed": row.lapsed_at,
        "in_doubt": row.in_doubt_at,
        "running": row.started_at,
    }
    return next((state for state, at in states.items() if at is not None), "")


def _slices(holds: Sequence[str]) -> list[Sequence[str]]:
    return [
        holds[at : at + _MOST_IN_A_QUESTION] for at in range(0, len(holds), _MOST_IN_A_QUESTION)
    ]
