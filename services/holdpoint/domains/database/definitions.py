"""Definitions in words: `create index i on crm.leads`, `add column x to crm.leads`."""

import re

from sqlglot import exp

from holdpoint.domains.database.statements import Statement

PAST = {
    "create": "created", "create or replace": "created or replaced", "drop": "dropped",
    "alter": "altered", "truncate": "truncated", "add": "added", "rename": "renamed",
    "change": "changed",
}  # fmt: skip

_is_plain = re.compile(r"[\w.$]+").fullmatch
_column = re.compile(r"\s*(\w+)\s*").fullmatch

Phrase = tuple[str, str]
"""A verb, and what follows it."""


def summary(database: str, statement: Statement) -> str:
    """Return what a definition does and to what; empty for a change of rows."""
    return ", ".join(f"{verb} {rest}" for verb, rest in _phrases(database, statement))


def outcome(database: str, statement: Statement) -> str:
    """Return the same in the past: `created index i on crm.leads`."""
    return ", ".join(f"{PAST[verb]} {rest}" for verb, rest in _phrases(database, statement))


def _phrases(database: str, statement: Statement) -> tuple[Phrase, ...]:
    tree, target = statement.tree, _name(f"{database}.{statement.target}")
    named = ", ".join(_name(f"{database}.{each}") for each in statement.targets)
    match tree:
        case exp.Create():
            return (_created(tree, target),)
        case exp.Drop():
            return (("drop", f"{_kind(tree)} {named}{_cascade(tree)}"),)
        case exp.TruncateTable():
            return (("truncate", f"{named}{_cascade(tree)}"),)
        case exp.Alter():
            return _altered(tree, target)
        case _:
            return ()


def _name(name: str) -> str:
    """Quote a name that holds more than a name usually does: it could read as other words."""
    return name if _is_plain(name) else f'"{name}"'


def _cascade(tree: exp.Expr) -> str:
    cascades = tree.args.get("cascade") or tree.args.get("option") == "CASCADE"
    return " and everything that depends on it" if cascades else ""


def _created(tree: exp.Create, target: str) -> Phrase:
    verb = "create or replace" if tree.args.get("replace") else "create"
    kind, made = _kind(tree), tree.this
    if isinstance(made, exp.Index):
        index = f" {_name(made.name)}" if made.name else ""
        return verb, f"{kind}{index} on {target}"
    copies = kind.endswith("table") and tree.args.get("expression") is not None
    return verb, f"{kind} {target}{' from a query' if copies else ''}"


def _kind(tree: exp.Create | exp.Drop) -> str:
    """`unique index`, `temporary table`, `materialized view`."""
    properties = tree.args.get("properties")
    marks = {type(each) for each in properties.expressions} if properties is not None else set()
    words = (
        ("temporary", exp.TemporaryProperty in marks or tree.args.get("temporary")),
        ("materialized", exp.MaterializedProperty in marks or tree.args.get("materialized")),
        ("unique", tree.args.get("unique")),
    )
    told = [word for word, is_so in words if is_so]
    return " ".join((*told, str(tree.args.get("kind") or "").lower()))


def _altered(tree: exp.Alter, target: str) -> tuple[Phrase, ...]:
    """Return each part of an ALTER; the whole where one of them is not understood."""
    kind = str(tree.args.get("kind") or "").lower()
    whole = target if kind == "table" else f"{kind} {target}"
    parts = [_part(whole, each) for each in tree.args.get("actions") or ()]
    known = tuple(part for part in parts if part is not None)
    understood = len(known) == len(parts) > 0 and not tree.args.get("options")
    return known if understood else (("alter", whole),)


def _part(whole: str, action: exp.Expr) -> Phrase | None:
    name = _name(action.this.name) if isinstance(action.this, exp.Expr) else ""
    part: Phrase | None = None
    match action:
        case exp.ColumnDef() if name:
            part = "add", f"column {name} to {whole}"
        case exp.Drop(args={"kind": str(kind), "tables": [dropped]}):
            part = "drop", f"{kind.lower()} {_name(dropped.name)} from {whole}{_cascade(action)}"
        case exp.Command(args={"this": "DROP", "expression": rest}) if it := _column(str(rest)):
            part = "drop", f"column {it[1]} from {whole}"
        case exp.RenameColumn(args={"to": exp.Column() as to}) if name:
            part = "rename", f"column {name} of {whole} to {_name(to.name)}"
        case exp.AlterRename() if name:
            part = "rename", f"{whole} to {name}"
        case exp.AlterColumn() if name:
            part = "change", f"column {name} of {whole}"
        case exp.AddConstraint(expressions=[exp.Constraint() as added]):
            part = "add", f"constraint {_name(added.this.name)} to {whole}"
        case _:
            pass
    return part
