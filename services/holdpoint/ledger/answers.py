"""Derived rows of `answers`: who answered what, when, through which channel, and if it counted.

An answer and what became of it stand on different streams, so the rows of a hold are created again
whenever one of them comes. Of what contradicts each other the first in the ledger counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from holdpoint.ledger.bulk_insert import Fill, fill_rows
from holdpoint.ledger.confirmations import records_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.tables import answers, events
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.hold import Answered, Extended, Hold, HoldFact, Refused, Resolved, Resumed
from holdpoint.messages.run import Reconciled
from holdpoint.messages.subjects import ANSWERS, TYPES

MOST_AT_ONCE = 500
"""Holds in one question to the database."""

_FILL = Fill(table=answers, key=("tenant", "answer"))
_COUNTING: tuple[type[HoldFact], ...] = (Answered, Extended, Resolved, Resumed)
_ANSWER = TYPES[Answer]
_TOLD = frozenset((*(TYPES[kind] for kind in _COUNTING), TYPES[Refused], TYPES[Reconciled]))
_UNKNOWN: Mapping[str, Any] = {"counted": None, "method": None, "linked": None}


def write_answers(connection: Connection, records: Sequence[Record]) -> None:
    """Add the answers among these events, and fill in what became of older ones."""
    holds = {
        record.hold_id
        for record in records
        if record.hold_id and (record.type_name == _ANSWER or _fate(record))
    }
    if not holds:
        return
    about = records_in(
        connection,
        events.c.hold_id.in_(sorted(holds)),
        events.c.type.in_([_ANSWER, *sorted(_TOLD)]),
    )
    fates = _fates(about)
    rows = (_row(record, fates) for record in about if record.type_name == _ANSWER)
    fill_rows(connection, _FILL, [row for row in rows if row])


def seats_of(connection: Connection, holds: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return in whose place people answered: the approver, by hold and person."""
    found: dict[str, dict[str, str]] = {}
    for at in range(0, len(holds), MOST_AT_ONCE):
        wanted = select(answers.c.hold_id, answers.c.person, answers.c.on_behalf_of).where(
            answers.c.hold_id.in_(holds[at : at + MOST_AT_ONCE]),
            answers.c.counted,
            answers.c.on_behalf_of != "",
            answers.c.choice != Choice.EXTEND.value,
        )
        for hold_id, person, seat in connection.execute(wanted):
            found.setdefault(hold_id, {})[person] = seat
    return found


def channel_of(subject: str) -> str:
    """Return through which channel an answer came: `hp.acme.answer.console.bob…` → `console`."""
    parts = subject.split(".")
    return parts[3] if parts[2:3] == ["answer"] and len(parts) > len(["hp", "t", "answer"]) else ""


def _row(record: Record, fates: Mapping[str, Mapping[str, Any]]) -> dict[str, Any] | None:
    answer, person = record.message(Answer), record.place.principal
    if answer is None or record.hold_id is None or person is None:
        return None
    return {
        "tenant": record.place.tenant,
        "answer": record.entry.cause,
        "hold_id": record.hold_id,
        "person": person,
        "on_behalf_of": answer.on_behalf_of,
        "channel": channel_of(record.entry.subject),
        "at": record.entry.at,
        "choice": answer.answer.value,
        "seconds_shown": answer.seconds_shown,
        **fates.get(f"{record.place.tenant}/{record.entry.cause}", _UNKNOWN),
    }


def _fates(records: Iterable[Record]) -> dict[str, Mapping[str, Any]]:
    """What became of each answer, by its tenant and id."""
    fates: dict[str, Mapping[str, Any]] = {}
    for record in records:
        for cause, fate in _fate(record):
            fates.setdefault(f"{record.place.tenant}/{cause}", fate)
    return fates


def _fate(record: Record) -> list[tuple[str, Mapping[str, Any]]]:
    """Return which answer this event counts or refuses, and with which proof."""
    return list(_told(record)) if record.type_name in _TOLD else []


def _told(record: Record) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if refused := record.message(Refused):
        if refused.cause.startswith(f"{ANSWERS}:"):
            yield refused.cause, {**_UNKNOWN, "counted": False}
        return
    if reconciled := record.message(Reconciled):
        yield reconciled.cause, {**_UNKNOWN, "counted": True}
        return
    for kind in _COUNTING:
        fact = record.message(kind)
        if fact is not None and fact.cause.startswith(f"{ANSWERS}:"):
            yield fact.cause, {"counted": True, **_proof(fact)}


def _proof(fact: HoldFact) -> dict[str, Any]:
    """The proof of the voice that this fact added; a no, or more time, adds none."""
    added = _said_yes(fact.hold) if isinstance(fact, Answered | Resolved) else None
    return added or {"method": None, "linked": None}


def _said_yes(hold: Hold) -> dict[str, Any] | None:
    if not hold.voices or (hold.outcome is not None and hold.outcome.value != "confirmed"):
        return None
    return {"method": hold.voices[-1].method.value, "linked": hold.voices[-1].linked}
