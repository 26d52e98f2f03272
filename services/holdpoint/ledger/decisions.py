"""Derived rows of `decisions`: what the gate decided first about each action and sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from holdpoint.ledger.bulk_insert import Fill, as_json, fill_rows
from holdpoint.ledger.entries import Record
from holdpoint.ledger.tables import decisions
from holdpoint.messages.hold import Denied, Halted, Hold, HoldFact, Passed, Witnessed
from holdpoint.messages.subjects import FACT_WORDS, HOLDS, TYPES

FIRST: Mapping[str, type[HoldFact]] = {
    TYPES[kind]: kind for kind in (Passed, Witnessed, Denied, Halted)
}
"""The first fact of a hold, by its type."""

_FILL = Fill(table=decisions, key=("hold_id",))


def write_decisions(connection: Connection, records: Sequence[Record]) -> None:
    """Add a row for each hold that these events begin; a grant that is minted again adds none."""
    fill_rows(connection, _FILL, [row for record in records if (row := _row(record))])


def first_fact(record: Record) -> HoldFact | None:
    """Return the fact that a hold begins with, if this event is one."""
    kind = FIRST.get(record.type_name)
    if kind is None or record.entry.kind != HOLDS or record.hold_id is None:
        return None
    return record.message(kind)


def _row(record: Record) -> dict[str, Any] | None:
    fact = first_fact(record)
    if fact is None:
        return None
    return {
        "hold_id": record.hold_id,
        "at": record.entry.at,
        "verdict": FACT_WORDS[type(fact)],
        **_about(fact.hold),
    }


def _about(hold: Hold) -> dict[str, Any]:
    return {
        "tenant": hold.tenant,
        "agent": hold.agent,
        "on_behalf_of": hold.on_behalf_of,
        "tool": hold.action.tool if hold.action else "",
        "domain": hold.action.domain if hold.action else "",
        "level": hold.level,
        "risk": hold.assessment.level.value,
        "rules": as_json(sorted({signal.rule for signal in hold.assessment.signals})),
        "policy_version": hold.policy.version,
        "environment": hold.assessment.environment.value,
        "enforcement": hold.enforcement.value if hold.enforcement else "",
        "digest": hold.digest,
    }
