"""Derived rows of `confirmation_events`: seed 002's log, one row for each RESOLVE or denial.

The streams arrive independently, so a row is created again from every event of its hold whenever
one of them comes. Among events that contradict each other the first in the ledger counts; thus a
value, once known, never changes, and the same ledger always yields the same rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, select

from holdpoint.ledger.bulk_insert import Fill, as_json, fill_rows
from holdpoint.ledger.entries import Entry, Record, record_of
from holdpoint.ledger.search import DENIED
from holdpoint.ledger.tables import bodies, confirmation_events, events, runs
from holdpoint.messages.answer import Answer
from holdpoint.messages.call import Intent, Propose
from holdpoint.messages.hold import Denied, Halted, Hold, Outcome, Rendered, Resolved, Resumed
from holdpoint.messages.policy import Voices
from holdpoint.messages.subjects import ANSWERS, CALLS, HOLDS, RUNS, TYPES, call_place, stream

_PROPOSES = frozenset(TYPES[kind] for kind in (Propose, Intent))
_TOLD = tuple(TYPES[kind] for kind in (Denied, Halted, Rendered, Resolved, Resumed))
_ANSWER = TYPES[Answer]
_RUN_WORDS = frozenset({"started", "finished", "barred", "lapsed", "reconciled"})
_FILL = Fill(table=confirmation_events, key=("hold_id",))
_EMPTY: dict[str, Any] = dict.fromkeys(column.name for column in confirmation_events.c)


class _Around(msgspec.Struct, frozen=True, kw_only=True):
    """Records beside the hold's own facts: its proposal and its answers, by cause, and its run, by
    domain.
    """

    proposals: Mapping[str, str]
    runs: Mapping[tuple[str, str], Mapping[str, Any]]
    answers: Mapping[tuple[str, str], Mapping[str, Any]]


def write_confirmations(connection: Connection, records: Sequence[Record]) -> None:
    """Make or fill the row of each hold that these events are about."""
    holds = _touched(connection, records)
    told = _told(connection, holds)
    around = _Around(
        proposals=_reasonings(connection, told),
        runs=_ran(connection, holds),
        answers=_answers(connection, holds),
    )
    rows = [_row(hold_id, told[hold_id], around) for hold_id in sorted(told)]
    fill_rows(connection, _FILL, [row for row in rows if row])


def _touched(connection: Connection, records: Sequence[Record]) -> set[str]:
    ended = {
        record.hold_id
        for record in records
        if record.type_name in _TOLD and record.entry.kind == HOLDS and record.hold_id
    }
    ran = {
        record.hold_id
        for record in records
        if record.entry.kind == RUNS and record.place.word in _RUN_WORDS
    }
    answered = {record.hold_id for record in records if record.type_name == _ANSWER}
    said = {
        record.entry.cause
        for record in records
        if record.entry.kind == CALLS and record.type_name in _PROPOSES
    }
    late = select(confirmation_events.c.hold_id).where(
        confirmation_events.c.hold_id.in_(ran)
        | confirmation_events.c.hold_id.in_(answered) & confirmation_events.c.answered_at.is_(None)
        | confirmation_events.c.proposal.in_(said) & confirmation_events.c.agent_reasoning.is_(None)
    )
    return ended | set(connection.scalars(late)) if ran or said or answered else ended


def _told(connection: Connection, holds: Iterable[str]) -> dict[str, list[Record]]:
    """The facts of each hold, in the ledger's order."""
    wanted = list(holds)
    if not wanted:
        return {}
    told: dict[str, list[Record]] = {}
    for record in records_in(connection, events.c.hold_id.in_(wanted), events.c.type.in_(_TOLD)):
        if record.entry.kind == HOLDS and record.hold_id:
            told.setdefault(record.hold_id, []).append(record)
    return told


def _reasonings(connection: Connection, told: Mapping[str, Sequence[Record]]) -> dict[str, str]:
    """Return what the agents said when they proposed, by the proposal's id."""
    sources = defaultdict[str, set[int]](set)
    for fact in chain.from_iterable(told.values()):
        if place := call_place(_proposal(fact) or ""):
            sources[stream(fact.place.tenant, place[0])].add(place[1])
    calls = chain.from_iterable(
        records_in(connection, events.c.src_stream == name, events.c.src_seq.in_(seqs))
        for name, seqs in sources.items()
    )
    return {each.entry.cause: _reasoning(each) for each in calls}


def _reasoning(record: Record) -> str:
    """A proposal's whole reasoning; for a sentence its text and its reasoning."""
    if propose := record.message(Propose):
        return propose.reasoning
    if intent := record.message(Intent):
        return "\n\n".join(part for part in (intent.text, intent.reasoning) if part)
    return ""


def _ran(connection: Connection, holds: Iterable[str]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """What really ran, who ran it and how it ended, by hold and domain."""
    rows = connection.execute(select(runs).where(runs.c.hold_id.in_(list(holds))))
    return {
        (row.hold_id, row.domain): {
            "final_action": row.executed,
            "worker": row.worker,
            "run_status": _run_status(row),
        }
        for row in rows
    }


def _run_status(row: Row[Any]) -> str | None:
    """The run's first end; a run in doubt has none until a person has looked."""
    ends = [
        (at, word)
        for at, word in (
            (row.finished_at, row.status),
            (row.barred_at, "barred"),
            (row.lapsed_at, "lapsed"),
        )
        if at is not None
    ]
    return min(ends)[1] if ends else None


def _answers(
    connection: Connection, holds: Iterable[str]
) -> dict[tuple[str, str], Mapping[str, Any]]:
    """When each answer was given, and after how long a look, by hold and cause."""
    wanted = list(holds)
    if not wanted:
        return {}
    found = records_in(connection, events.c.hold_id.in_(wanted), events.c.type == _ANSWER)
    return {
        (record.hold_id or "", record.entry.cause): {
            "answered_at": record.entry.at,
            "seconds_shown": answer.seconds_shown,
        }
        for record in found
        if (answer := record.message(Answer))
    }


def _row(hold_id: str, facts: Sequence[Record], around: _Around) -> dict[str, Any] | None:
    ending = next((row for fact in facts if (row := _ending(fact))), None)
    if ending is None:
        return None
    proposal = next((cause for fact in facts if (cause := _proposal(fact))), None)
    domain, cause = ending.pop("domain"), ending.pop("cause")
    return {
        **_EMPTY,
        "hold_id": hold_id,
        **ending,
        **next((row for fact in facts if (row := _halting(fact))), {}),
        **next((row for fact in facts if (row := _showing(fact))), {}),
        **next((row for fact in facts if (row := _resuming(fact))), {}),
        **around.answers.get((hold_id, cause), {}),
        **around.runs.get((hold_id, domain), {}),
        "proposal": proposal,
        "agent_reasoning": around.proposals.get(proposal or ""),
    }


def _ending(fact: Record) -> dict[str, Any] | None:
    """RESOLVE, or the denial: when it ended, how, and what it was about."""
    if resolved := fact.message(Resolved):
        answered = bool(resolved.hold.voices) or resolved.cause.startswith(f"{ANSWERS}:")
        return _about(resolved.hold) | {
            "cause": resolved.cause,
            "timestamp": fact.entry.at,
            "user_response": resolved.outcome is Outcome.CONFIRMED,
            "outcome": resolved.outcome.value,
            "answered": answered,
            "resolved_by": resolved.by or None,
        }
    if denied := fact.message(Denied):
        return _about(denied.hold) | {
            "cause": denied.cause,
            "timestamp": fact.entry.at,
            "user_response": False,
            "outcome": DENIED,
            "answered": False,
        }
    return None


def _about(hold: Hold) -> dict[str, Any]:
    said = {"says": hold.says, "claim": hold.claim}
    return {
        "domain": hold.action.domain if hold.action else "",
        "proposed_action": as_json(hold.action or said),
        "risk_assessment": hold.assessment.level.value,
        "tenant": hold.tenant,
        "agent": hold.agent,
        "on_behalf_of": hold.on_behalf_of,
        "reason": hold.reason,
        "approvers": as_json([voice.person for voice in hold.voices]),
        "policy_version": hold.policy.version,
        "digest": hold.digest,
        "level": hold.level,
        "groups": as_json([asked.group for asked in _asked(hold)]),
        "signals": as_json([[it.rule, it.level.value] for it in hold.assessment.signals]),
    }


def _asked(hold: Hold) -> Sequence[Voices]:
    return hold.requirement.all_of if hold.requirement else ()


def _halting(fact: Record) -> dict[str, Any] | None:
    return {"halted_at": fact.entry.at} if fact.message(Halted) else None


def _showing(fact: Record) -> dict[str, Any] | None:
    return {"shown_at": fact.entry.at} if fact.message(Rendered) else None


def _resuming(fact: Record) -> dict[str, Any] | None:
    resumed = fact.message(Resumed)
    if resumed is None:
        return None
    outcome = resumed.hold.outcome
    return {
        "resumed": resumed.confirmed,
        "resumed_at": fact.entry.at,
        "grant_nonce": resumed.grant.nonce if resumed.grant else None,
        "ended_as": outcome.value if outcome else None,
    }


def _proposal(fact: Record) -> str | None:
    """The id of the proposal, which HALT and the denial name as their cause."""
    first = fact.message(Halted) or fact.message(Denied)
    if first is None:
        return None
    return first.cause if call_place(first.cause) else None


def records_in(
    connection: Connection, *conditions: ColumnElement[bool], limit: int | None = None
) -> list[Record]:
    """Read the stored events that meet these conditions, in the ledger's order."""
    wanted = select(events, bodies.c.body).join(bodies).where(*conditions)
    rows = connection.execute(wanted.order_by(events.c.seq).limit(limit))
    return [record_in(row) for row in rows]


def record_in(row: Row[Any]) -> Record:
    """Read a stored event again, exactly as it was read when it came."""
    entry = Entry(
        stream=row.src_stream,
        seq=row.src_seq,
        subject=row.subject,
        at=row.time,
        body=row.body,
        signature=row.signature,
    )
    return record_of(row.seq, entry)
