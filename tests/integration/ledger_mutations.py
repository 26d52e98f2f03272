"""Ways to tamper with a ledger's file, drawn by chance, and what verification must then name."""

import hashlib
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Any

from holdpoint.audit.verify import Depth, Problem
from holdpoint.core.leaf import FIELDS, leaf
from holdpoint.core.merkle import TILE, Growing

EVENT = frozenset({"event", "end"})
BUILT = frozenset({"tree", "checkpoint", "held"})
COLUMNS = (
    "seq",
    "src_stream",
    "src_seq",
    "subject",
    "type",
    "time",
    "hold_id",
    "agent",
    "principal",
)
DERIVED = {
    "confirmation_events": ("hold_id", "outcome", "agent", "digest", "reason"),
    "runs": ("hold_id", "status", "agent", "reason"),
    "traces": ("id", "fn", "agent", "group_id", "input"),
}


@dataclass(frozen=True, kw_only=True)
class Tampered:
    """What was done, and which row has to be named for it."""

    what: str
    kinds: frozenset[str]
    """Checks that may name it."""

    event: int | None = None
    row: str = ""
    depth: Depth = Depth.TREE
    source: tuple[str | None, int | None] = (None, None)
    """Stream and sequence of the event."""

    is_gone: bool = False
    """Whether its row is gone; then its place is known only where nothing else is missing."""

    def is_named_by(self, problem: Problem) -> bool:
        """Return whether this problem names what was done: check, row or event, leaf and source."""
        if problem.check not in self.kinds:
            return False
        if self.row and problem.row.startswith(self.row):
            return True
        if self.event is None or problem.event is None or problem.leaf != problem.event - 1:
            return False
        if problem.until not in {None, problem.event}:
            return problem.event <= self.event <= problem.until
        source = (problem.stream, problem.sequence)
        is_unknown = self.is_gone and source == (None, None)
        return problem.event == self.event and (is_unknown or source == self.source)


Mutation = Callable[[sqlite3.Connection, Random], Tampered]


def tamper(raw: sqlite3.Connection, dice: Random) -> Tampered:
    """Do one thing to the file, without its triggers."""
    drop_triggers(raw)
    done = dice.choice(MUTATIONS)(raw, dice)
    return done if done.is_gone else replace(done, source=_source(raw, done.event))


def _source(raw: sqlite3.Connection, seq: int | None) -> tuple[str | None, int | None]:
    place = "SELECT src_stream, src_seq FROM events WHERE seq = ?"
    return raw.execute(place, (seq,)).fetchone() or (None, None)


def drop_triggers(raw: sqlite3.Connection) -> None:
    """Write as whoever owns the file can."""
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")


def _edit_column(raw: sqlite3.Connection, dice: Random) -> Tampered:
    seq, column = _event(raw, dice), dice.choice((*COLUMNS, "signature", "body_sha256", "leaf"))
    other = _other(_value(raw, f"SELECT {column} FROM events WHERE seq = {seq}"))
    raw.execute(f"UPDATE events SET {column} = ? WHERE seq = ?", (other, seq))
    return Tampered(what=f"edit {column}", event=seq, kinds=EVENT)


def _edit_body(raw: sqlite3.Connection, dice: Random) -> Tampered:
    seq = _event(raw, dice)
    body = bytearray(_value(raw, f"SELECT body FROM bodies WHERE seq = {seq}"))
    body[dice.randrange(len(body))] ^= 1
    raw.execute("UPDATE bodies SET body = ? WHERE seq = ?", (bytes(body), seq))
    return Tampered(what="edit body", event=seq, kinds=EVENT)


def _delete_event(raw: sqlite3.Connection, dice: Random) -> Tampered:
    seq = _event(raw, dice)
    tables = dice.choice((("events",), ("bodies",), ("events", "bodies", "verifications")))
    source = _source(raw, seq)
    for table in tables:
        raw.execute(f"DELETE FROM {table} WHERE seq = ?", (seq,))
    return Tampered(
        what=f"delete {tables}",
        event=seq,
        kinds=EVENT | BUILT,
        source=source,
        is_gone="events" in tables,
    )


def _delete_and_close_up(raw: sqlite3.Connection, dice: Random) -> Tampered:
    seq = _event(raw, dice)
    for table in ("events", "bodies", "verifications"):
        raw.execute(f"DELETE FROM {table} WHERE seq = ?", (seq,))
        _move(raw, table, seq + 1, -1)
    return Tampered(what="delete and close up", event=seq, kinds=BUILT)


def _insert(raw: sqlite3.Connection, dice: Random) -> Tampered:
    """Forge an event that is whole in itself, in the middle."""
    seq, like = _event(raw, dice), _event(raw, dice)
    row = _row(raw, like) | {"src_seq": 100_000}
    body = _value(raw, f"SELECT body FROM bodies WHERE seq = {like}")
    for table in ("events", "bodies", "verifications"):
        _move(raw, table, seq, 1)
    row |= {"seq": seq, "leaf": leaf(row)}
    marks = ", ".join("?" * len(row))
    raw.execute(f"INSERT INTO events ({', '.join(row)}) VALUES ({marks})", list(row.values()))
    raw.execute("INSERT INTO bodies (seq, body) VALUES (?, ?)", (seq, body))
    return Tampered(what="insert", event=seq, kinds=BUILT)


def _swap(raw: sqlite3.Connection, dice: Random) -> Tampered:
    """Exchange two whole events, with their bodies and what was noted about them."""
    one, two = _event(raw, dice), _event(raw, dice)
    while two == one or _row(raw, one)["leaf"] == _row(raw, two)["leaf"]:
        two = _event(raw, dice)
    for table in ("events", "bodies", "verifications"):
        for before, after in ((one, -1), (two, one), (-1, two)):
            raw.execute(f"UPDATE {table} SET seq = ? WHERE seq = ?", (after, before))
    return Tampered(what="swap", event=min(one, two), kinds=BUILT)


def _rewrite(raw: sqlite3.Connection, dice: Random) -> Tampered:
    """Change a body with its hash and its leaf, and perhaps the stored tree as well."""
    seq = _event(raw, dice)
    body = _value(raw, f"SELECT body FROM bodies WHERE seq = {seq}") + b" "
    row = _row(raw, seq) | {"body_sha256": hashlib.sha256(body).hexdigest()}
    changed = (row["body_sha256"], leaf(row), seq)
    raw.execute("UPDATE bodies SET body = ? WHERE seq = ?", (body, seq))
    raw.execute("UPDATE events SET body_sha256 = ?, leaf = ? WHERE seq = ?", changed)
    with_tree = dice.random() < 0.5
    if with_tree:
        _plant(raw)
    if with_tree and dice.random() < 0.5:
        raw.execute("DELETE FROM checkpoints WHERE size >= ?", (seq,))
        return Tampered(what="rewrite with tree and checkpoints", event=seq, kinds=BUILT)
    return Tampered(what="rewrite with tree" if with_tree else "rewrite", event=seq, kinds=BUILT)


def _cut_tail(raw: sqlite3.Connection, dice: Random) -> Tampered:
    seq = max(2, _event(raw, dice))
    raw.execute("DELETE FROM checkpoints WHERE size >= ?", (seq,))
    for table in ("events", "bodies", "verifications"):
        raw.execute(f"DELETE FROM {table} WHERE seq >= ?", (seq,))
    raw.execute("DELETE FROM tree_nodes")
    _plant(raw)
    return Tampered(what="cut tail", event=seq, kinds=BUILT)


def _touch_node(raw: sqlite3.Connection, dice: Random) -> Tampered:
    level, place = dice.choice(raw.execute("SELECT level, place FROM tree_nodes").fetchall())
    row, here = f"tree_nodes.{level}/{place}", f"level = {level} AND place = {place}"
    match dice.randrange(4):
        case 0:
            raw.execute(f"DELETE FROM tree_nodes WHERE {here}")
        case 1:
            raw.execute(f"UPDATE tree_nodes SET hash = ? WHERE {here}", (dice.randbytes(32),))
        case 2:
            beneath = bytearray(_value(raw, f"SELECT beneath FROM tree_nodes WHERE {here}"))
            spot = dice.randrange(len(beneath))
            beneath[spot] ^= 1
            raw.execute(f"UPDATE tree_nodes SET beneath = ? WHERE {here}", (bytes(beneath),))
            return Tampered(
                what="edit beneath", row=row, event=place * TILE + spot // 32 + 1, kinds=BUILT
            )
        case _:
            row = "tree_nodes.1/7"
            raw.execute("INSERT INTO tree_nodes VALUES (1, 7, x'00', x'00')")
    return Tampered(what="touch node", row=row, kinds=BUILT)


def _touch_checkpoint(raw: sqlite3.Connection, dice: Random) -> Tampered:
    number, size = dice.choice(raw.execute("SELECT number, size FROM checkpoints").fetchall())
    last = _value(raw, "SELECT max(number) FROM checkpoints")
    row = f"checkpoints.{number}"
    match dice.randrange(4):
        case 0:
            raw.execute("DELETE FROM checkpoints WHERE number = ?", (number,))
            row = f"checkpoint of {size}" if number == last else row
        case 1:
            raw.execute("UPDATE checkpoints SET size = size - 1 WHERE number = ?", (number,))
        case 2:
            note = _value(raw, f"SELECT note FROM checkpoints WHERE number = {number}")
            spot = dice.randrange(20)
            other = "x" if note[spot] != "x" else "y"
            note = note[:spot] + other + note[spot + 1 :]
            raw.execute("UPDATE checkpoints SET note = ? WHERE number = ?", (note, number))
        case _:
            note = _value(raw, f"SELECT note FROM checkpoints WHERE number = {last}")
            row = f"checkpoints.{last + 1}"
            raw.execute("INSERT INTO checkpoints VALUES (?, 1, ?)", (last + 1, note))
    return Tampered(what="touch checkpoint", row=row, kinds=BUILT)


def _touch_verification(raw: sqlite3.Connection, dice: Random) -> Tampered:
    seq = dice.choice(
        raw.execute("SELECT seq FROM verifications ORDER BY seq LIMIT 100").fetchall()
    )
    statement = dice.choice(
        (
            "UPDATE verifications SET ok = NOT ok WHERE seq = ?",
            "UPDATE verifications SET key_id = 'gate-other' WHERE seq = ?",
            "DELETE FROM verifications WHERE seq = ?",
        )
    )
    raw.execute(statement, seq)
    return Tampered(
        what=statement, event=seq[0], depth=Depth.SIGNATURES, kinds=frozenset({"verification"})
    )


def _touch_derived(raw: sqlite3.Connection, dice: Random) -> Tampered:
    table = dice.choice(tuple(DERIVED))
    key, *columns = DERIVED[table]
    keys = raw.execute(f"SELECT {key} FROM {table}").fetchall()
    (chosen,) = dice.choice(keys)
    if dice.random() < 0.3:
        raw.execute(f"DELETE FROM {table} WHERE {key} = ?", (chosen,))
        return Tampered(
            what=f"delete {table}",
            row=f"{table}.{chosen}",
            depth=Depth.EVERYTHING,
            kinds=frozenset({"derived"}),
        )
    column = dice.choice(columns)
    raw.execute(f"UPDATE {table} SET {column} = 'forged' WHERE {key} = ?", (chosen,))
    return Tampered(
        what=f"edit {table}.{column}",
        row=f"{table}.{chosen}",
        depth=Depth.EVERYTHING,
        kinds=frozenset({"derived"}),
    )


MUTATIONS: tuple[Mutation, ...] = (
    *(_edit_column, _edit_body, _delete_event, _delete_and_close_up, _insert, _swap) * 2,
    *(_rewrite, _rewrite, _cut_tail, _touch_node, _touch_checkpoint),
    *(_touch_verification, _touch_derived),
)


def _plant(raw: sqlite3.Connection) -> None:
    """Store the nodes of the tree that the leaves now make."""
    tree = Growing()
    raw.execute("DELETE FROM tree_nodes")
    for (each,) in raw.execute("SELECT leaf FROM events ORDER BY seq").fetchall():
        for node in tree.append(each):
            values = node.level, node.place, node.hash, node.beneath
            raw.execute("INSERT INTO tree_nodes VALUES (?, ?, ?, ?)", values)


def _move(raw: sqlite3.Connection, table: str, first: int, by: int) -> None:
    """Number the rows from there on anew."""
    raw.execute(f"UPDATE {table} SET seq = -seq WHERE seq >= ?", (first,))
    raw.execute(f"UPDATE {table} SET seq = -seq + ? WHERE seq < 0", (by,))


def _event(raw: sqlite3.Connection, dice: Random) -> int:
    return dice.randint(1, int(_value(raw, "SELECT max(seq) FROM events")))


def _row(raw: sqlite3.Connection, seq: int) -> dict[str, Any]:
    found = raw.execute("SELECT * FROM events WHERE seq = ?", (seq,))
    names = [it[0] for it in found.description]
    return dict(zip(names, found.fetchone(), strict=True))


def _value(raw: sqlite3.Connection, statement: str) -> Any:
    return raw.execute(statement).fetchone()[0]


def _other(value: Any) -> Any:
    match value:
        case int():
            return value + 1_000
        case bytes():
            return bytes([value[0] ^ 1]) + value[1:]
        case str() if value.endswith("Z") and "T" in value:
            return value.replace("2", "1", 1)
        case _:
            return f"{value or ''}x"


assert set(FIELDS) - {"signature", "body_sha256"} <= set(COLUMNS)
