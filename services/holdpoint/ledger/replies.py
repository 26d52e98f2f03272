"""Replies that agents were given, as the ledger's facts tell them: for the tool graph."""

from collections.abc import Iterator

from sqlalchemy import Connection

from holdpoint.ledger.confirmations import records_in
from holdpoint.ledger.tables import events
from holdpoint.messages.hold import Halted, Hold, Passed, Rendered, Witnessed
from holdpoint.messages.run import Finished
from holdpoint.messages.subjects import TYPES

_LET_GO = (Passed, Witnessed)
_ASKED = (Halted, Rendered)


def replies(connection: Connection) -> Iterator[tuple[str, Rendered | Finished]]:
    """Each pending hold and each result, with its tool's name, in the ledger's order."""
    kinds = (*_LET_GO, *_ASKED, Finished)
    tools: dict[str, str] = {}
    for record in records_in(connection, events.c.type.in_([TYPES[kind] for kind in kinds])):
        for kind in (*_LET_GO, *_ASKED):
            if (fact := record.message(kind)) is not None:
                tools[fact.hold.hold_id] = _tool_of(fact.hold)
                if isinstance(fact, Rendered) and fact.hold.action:
                    yield _tool_of(fact.hold), fact
        if (run := record.message(Finished)) is not None and run.hold_id in tools:
            yield tools[run.hold_id], run


def _tool_of(hold: Hold) -> str:
    return hold.action.tool if hold.action else ""
