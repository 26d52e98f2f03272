"""The ledger's tables: what is kept only grows, what is derived is only filled in (`triggers.py`).

`events` and `bodies` are the truth. In a derived row a value never changes: it is NULL until it is
known.
"""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects import sqlite

from holdpoint.core.leaf import time_text


class _TimeInSqlite(sqlite.DATETIME):
    """A text that sorts: `2026-03-01T12:00:00.000000Z`."""

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], str | None]:
        """Return what writes it."""
        _ = dialect
        return lambda time: None if time is None else time_text(time)

    def result_processor(
        self, dialect: Dialect, coltype: object
    ) -> Callable[[str | None], datetime | None]:
        """Return what reads it: aware, as PostgreSQL's is."""
        _ = dialect, coltype
        return lambda text: None if text is None else datetime.fromisoformat(text)


Moment = DateTime(timezone=True).with_variant(
    _TimeInSqlite(),  # type: ignore[no-untyped-call]  # SQLAlchemy left it untyped
    "sqlite",
)
"""A broker time: aware, UTC."""

Sequence = BigInteger().with_variant(Integer, "sqlite")
"""64 bits; SQLite's row id must be called INTEGER."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

events = Table(
    "events",
    metadata,
    Column("seq", Sequence, primary_key=True, autoincrement=False),
    Column("src_stream", Text, nullable=False),
    Column("src_seq", Sequence, nullable=False),
    Column("subject", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("time", Moment, nullable=False),
    Column("hold_id", Text),
    Column("agent", Text),
    Column("principal", Text),
    Column("signature", Text),
    Column("body_sha256", Text, nullable=False),
    Column("leaf", LargeBinary, nullable=False),
    UniqueConstraint("src_stream", "src_seq"),
    Index(None, "hold_id"),
    Index(None, "agent", "time"),
    Index(None, "time"),
)

bodies = Table(
    "bodies",
    metadata,
    Column("seq", Sequence, ForeignKey("events.seq"), primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
)

tree_nodes = Table(
    "tree_nodes",
    metadata,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("place", Sequence, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
    Column("beneath", LargeBinary, nullable=False),
)
"""Whole nodes of the tree over `events.leaf` (`core/merkle.py`), and what is beneath each."""

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("number", Sequence, primary_key=True, autoincrement=False),
    Column("size", Sequence, ForeignKey("events.seq"), nullable=False, unique=True),
    Column("note", Text, nullable=False),
)
"""Signed size and root of the tree, one after the other: anyone who holds one sees what is changed
or cut before it."""

origins = Table(
    "origins",
    metadata,
    Column("src_stream", Text, primary_key=True),
    Column("created", Text, primary_key=True),
)
"""When each source stream was made, in the broker's words: another one of its name has another
history."""

verifications = Table(
    "verifications",
    metadata,
    Column("seq", Sequence, ForeignKey("events.seq"), primary_key=True, autoincrement=False),
    Column("ok", Boolean, nullable=False),
    Column("key_id", Text),
    Column("at", Moment, nullable=False),
)
"""What the background found about a signature; events without one have no row."""

confirmation_events = Table(
    "confirmation_events",
    metadata,
    Column("hold_id", Text, primary_key=True),
    # Seed 002's ConfirmationEvent, to the letter.
    Column("timestamp", Moment),
    Column("agent_reasoning", Text),
    Column("proposed_action", Text),
    Column("risk_assessment", Text),
    Column("user_response", Boolean),
    Column("final_action", Text),
    # What an auditor asks next.
    Column("tenant", Text),
    Column("agent", Text),
    Column("on_behalf_of", Text),
    Column("outcome", Text),
    Column("answered", Boolean),
    Column("reason", Text),
    Column("approvers", Text),
    Column("resolved_by", Text),
    Column("halted_at", Moment),
    Column("policy_version", Text),
    Column("digest", Text),
    Column("proposal", Text),
    Column("resumed", Boolean),
    Column("ended_as", Text),
    # What compliance asks.
    Column("level", Integer),
    Column("groups", Text),
    Column("signals", Text),
    Column("seconds_shown", Float),
    Column("shown_at", Moment),
    Column("answered_at", Moment),
    Column("resumed_at", Moment),
    Column("grant_nonce", Text),
    Column("worker", Text),
    Column("run_status", Text),
    Index(None, "timestamp"),
    Index(None, "proposal"),
)
"""One row for each RESOLVE or denial; JSON stands in `proposed_action`, `final_action`,
`approvers`, `groups` and `signals`. `ended_as` differs from `outcome` where a yes was stopped in
its cooling-off. `seconds_shown` and `answered_at` are of the answer that ended it."""

decisions = Table(
    "decisions",
    metadata,
    Column("hold_id", Text, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("tenant", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("on_behalf_of", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("domain", Text, nullable=False),
    Column("level", Integer, nullable=False),
    Column("risk", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("policy_version", Text, nullable=False),
    Column("environment", Text, nullable=False),
    Column("enforcement", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Index(None, "at"),
    Index(None, "risk", "at"),
    Index(None, "domain", "at"),
)
"""The gate's first decision on each action or sentence: `passed`, `witnessed`, `denied` or
`halted`. `rules` is a JSON list; `tool` and `domain` are empty for a sentence."""

answers = Table(
    "answers",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("answer", Text, primary_key=True),
    Column("hold_id", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("on_behalf_of", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("method", Text),
    Column("linked", Boolean),
    Column("at", Moment, nullable=False),
    Column("choice", Text, nullable=False),
    Column("seconds_shown", Float, nullable=False),
    Column("counted", Boolean),
    Index(None, "hold_id"),
    Index(None, "person", "at"),
)
"""Who answered what, when, through which channel; `answer` is its id, `ANSWERS:17`. `counted` is
NULL until the gate counted or refused it; `method` and `linked` are known of a yes that counted."""

action_values = Table(
    "action_values",
    metadata,
    Column("hold_id", Text, primary_key=True),
    Column("path", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("number", Float),
    Index(None, "path", "number"),
    Index(None, "path", "text"),
)
"""Arguments of actions under the documented paths (`args.amount`); a long `text` is cut."""

runs = Table(
    "runs",
    metadata,
    Column("hold_id", Text, primary_key=True),
    Column("domain", Text, primary_key=True),
    Column("agent", Text),
    Column("started_at", Moment),
    Column("in_doubt_at", Moment),
    Column("finished_at", Moment),
    Column("status", Text),
    Column("executed", Text),
    Column("barred_at", Moment),
    Column("lapsed_at", Moment),
    Column("reason", Text),
    Column("worker", Text),
)
"""What became of each grant, as its domain reports it; `executed` is JSON: what really ran."""

traces = Table(
    "traces",
    metadata,
    # Seed 001's trace table, to the letter.
    Column("id", Sequence, nullable=False, primary_key=True, autoincrement=False),
    Column("parent_id", Sequence),
    Column("cycle_id", Sequence),
    Column("call_order", Sequence),
    Column("group_id", Text),
    Column("fn", Text),
    Column("input", Text),
    Column("output", Text),
    Column("exception", Text),
    Column("prompt_versions", Text),
    Column("app_version", Text),
    Column("created_at", Moment),
    Column("updated_at", Moment),
    # Whose node it is, and how it and its parent were named.
    Column("tenant", Text, primary_key=True),
    Column("agent", Text, nullable=False),
    Column("trace_id", Text, nullable=False),
    Column("parent", Text),
    # A call's hold and the domain whose worker may end it; the dispatch that a root answers.
    Column("hold_id", Text),
    Column("domain", Text),
    Column("dispatched_by", Text),
    UniqueConstraint("tenant", "trace_id", "agent"),
)
Index(
    None,
    traces.c.tenant,
    traces.c.parent,
    sqlite_where=traces.c.parent.is_not(None),
    postgresql_where=traces.c.parent.is_not(None),
)
Index(
    None,
    traces.c.tenant,
    traces.c.parent_id,
    traces.c.call_order,
    sqlite_where=traces.c.parent_id.is_not(None),
    postgresql_where=traces.c.parent_id.is_not(None),
)
Index(
    None,
    traces.c.tenant,
    traces.c.agent,
    traces.c.group_id,
    traces.c.call_order,
    sqlite_where=traces.c.parent.is_(None),
    postgresql_where=traces.c.parent.is_(None),
)
for _name in ("hold_id", "dispatched_by"):
    Index(
        None,
        traces.c.tenant,
        traces.c[_name],
        sqlite_where=traces.c[_name].is_not(None),
        postgresql_where=traces.c[_name].is_not(None),
    )
"""The call tree. `id` is the ledger's sequence of what first named the node; triggers assign
`parent_id`, `cycle_id` and `call_order`."""

DERIVED = (confirmation_events, runs, decisions, action_values, answers, traces)
ONCE = (bodies, tree_nodes, checkpoints, verifications)
KEPT = (events, bodies, tree_nodes, checkpoints, verifications, origins)
