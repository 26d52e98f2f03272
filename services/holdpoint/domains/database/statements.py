"""Statements, proven by their parse: one SELECT, or one change. Unclear ones are refused.

A change runs in the very words that people confirmed; a query in PostgreSQL as sqlglot writes it
back, so that what was proven is what runs (SQLite has its authorizer: it runs the query's words).
The databases themselves take one statement at a time.
"""

import logging
import re
from itertools import pairwise

import msgspec
import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from holdpoint.domains.database.functions import HARMLESS, WRITING, unlisted
from holdpoint.domains.database.schemas import Scalar

RUNS = "holdpoint_runs"
"""The table of claims: no statement of an agent's may name it."""

INVISIBLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
KINDS: dict[type[exp.Expr], str] = {
    exp.Insert: "insert",
    exp.Update: "update",
    exp.Delete: "delete",
    exp.Create: "create",
    exp.Alter: "alter",
    exp.Drop: "drop",
    exp.TruncateTable: "truncate",
}
DEFINABLE = frozenset({"TABLE", "INDEX", "VIEW", "SEQUENCE"})
"""What may be created and dropped: nothing that carries code, no databases, no roles."""

NOT_IN_A_QUERY = (exp.DML, exp.DDL, exp.Into, exp.Lock, exp.Command, exp.Operator)

# sqlglot warns about what it cannot parse and repeats the statement, values and all.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)


class StatementError(ValueError):
    """The statement is not one that may run here; the text says what to change."""


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """One statement, ready for its driver."""

    verb: str
    dialect: str
    tree: exp.Expr
    text: str
    """With `:name` for SQLite, `$1` for PostgreSQL."""

    names: tuple[str, ...]
    """The parameters, in the order of their numbers."""

    target: str = ""
    """The table that is changed."""

    targets: tuple[str, ...] = ()

    def bound(self, parameters: dict[str, Scalar]) -> tuple[Scalar, ...] | dict[str, Scalar]:
        """The parameters as the driver takes them; none may be missing or left over."""
        missing, unused = set(self.names) - set(parameters), set(parameters) - set(self.names)
        if missing or unused:
            which = ", ".join(sorted(missing or unused))
            state = "has no value" if missing else "does not occur in the statement"
            raise StatementError(f"The parameter {which} {state}.")
        if self.dialect == "postgres":
            return tuple(parameters[name] for name in self.names)
        return parameters


def query(sql: str, dialect: str, own_functions: tuple[str, ...]) -> Statement:
    """Exactly one SELECT, without side effects."""
    tree, tokens = _parsed(sql, dialect)
    if not isinstance(tree, exp.Select | exp.SetOperation):
        raise StatementError("Only a SELECT can be run as a query: use `execute_sql` to change.")
    refused = next(iter(tree.find_all(*NOT_IN_A_QUERY)), None)
    if refused is not None:
        raise StatementError(f"A query cannot contain {refused.key.upper()}.")
    _check_functions(tree, HARMLESS.union(map(str.lower, own_functions)))
    return reading(tree, dialect, _names(tree, tokens), _text(sql))


def reading(tree: exp.Expr, dialect: str, names: tuple[str, ...], words: str) -> Statement:
    """A tree that only reads: for PostgreSQL written back from it, for SQLite in `words`."""
    if dialect == "postgres":
        tree = tree.copy()
        for node in list(tree.find_all(exp.Placeholder)):
            number = exp.Literal.number(names.index(node.name) + 1)
            node.replace(exp.Parameter(this=number))
        words = tree.sql(dialect=dialect, comments=False)
    return Statement(verb="select", dialect=dialect, tree=tree, text=words, names=names)


def change(sql: str, dialect: str, own_functions: tuple[str, ...]) -> Statement:
    """Exactly one INSERT, UPDATE, DELETE or definition, without comments, calling nothing odd."""
    tree, tokens = _parsed(sql, dialect)
    verb = KINDS.get(type(tree), "")
    if not verb or (verb in ("create", "drop") and tree.args.get("kind") not in DEFINABLE):
        raise StatementError(
            "This is no INSERT, UPDATE, DELETE, TRUNCATE, or definition of a table, index, view "
            "or sequence that can be understood."
        )
    if any(token.comments for token in tokens):
        raise StatementError("A change may not contain comments: people see what will run.")
    _check_functions(tree, (HARMLESS | WRITING).union(map(str.lower, own_functions)))
    tables = [_table_name(table) for table in tree.find_all(exp.Table)]
    if any(RUNS in table.lower() for table in tables):
        raise StatementError(f"`{RUNS}` is Holdpoint's own table.")
    names = _names(tree, tokens)
    return Statement(
        verb=verb,
        dialect=dialect,
        tree=tree,
        text=_numbered(_text(sql), tokens, names) if dialect == "postgres" else _text(sql),
        names=names,
        target=_target(tree),
        targets=tuple(dict.fromkeys((_target(tree), *_dropped(tree)))),
    )


def plain(tree: exp.Expr, verb: str) -> bool:
    """Return whether a dry run can count it: one table and a condition, or rows to insert."""
    allowed = {
        "delete": {"this", "where"},
        "update": {"this", "where", "expressions"},
        "insert": {"this", "expression"},
    }
    return {key for key, value in tree.args.items() if value} <= allowed.get(verb, set())


def _parsed(sql: str, dialect: str) -> tuple[exp.Expr, list[Token]]:
    text = _text(sql)
    if INVISIBLE.search(text):
        raise StatementError("The statement contains invisible characters: bind them as values.")
    try:
        tokens = Dialect.get_or_raise(dialect).tokenize(text)
        trees = sqlglot.parse(text, dialect=dialect)
    except (SqlglotError, RecursionError, ValueError):
        raise StatementError("The statement cannot be parsed, so nobody could judge it.") from None
    if any(token.token_type is TokenType.SEMICOLON for token in tokens) or len(trees) != 1:
        raise StatementError("One statement at a time.")
    (tree,) = trees
    if tree is None:
        raise StatementError("There is no statement.")
    return tree, tokens


def _text(sql: str) -> str:
    """Without the one semicolon that may end it."""
    return sql.strip().removesuffix(";").rstrip()


def _check_functions(tree: exp.Expr, allowed: frozenset[str]) -> None:
    names = unlisted(tree, allowed)
    if names:
        raise StatementError(
            f"The function {', '.join(names)} is not listed as harmless. If it is yours and has no "
            "side effects, list it under this database's `functions` in domains.yaml."
        )


def _names(tree: exp.Expr, tokens: list[Token]) -> tuple[str, ...]:
    """Only `:name`; what the tokens say and what the tree says must agree."""
    if tree.find(exp.Parameter, exp.SessionParameter):
        raise StatementError("Write parameters as `:name`.")
    spans = [name.text for _, name in _spans(tokens)]
    in_tree = [str(node.name) for node in tree.find_all(exp.Placeholder)]
    if sorted(spans) != sorted(in_tree) or "" in in_tree:
        raise StatementError("Write parameters as `:name`, each after a space or a sign.")
    return tuple(dict.fromkeys(spans))


def _spans(tokens: list[Token]) -> list[tuple[Token, Token]]:
    return [
        (colon, name)
        for colon, name in pairwise(tokens)
        if colon.token_type is TokenType.COLON
        and name.start == colon.end + 1
        and name.text.isidentifier()
    ]


def _numbered(text: str, tokens: list[Token], names: tuple[str, ...]) -> str:
    """`:name` -> `$1`, in the original text and nowhere else."""
    for colon, name in reversed(_spans(tokens)):
        number = f"${names.index(name.text) + 1}"
        text = f"{text[: colon.start]}{number}{text[name.end + 1 :]}"
    return text


def _target(tree: exp.Expr) -> str:
    """The table that the statement's head names."""
    for part in (tree.this, *(tree.args.get("tables") or ()), *tree.expressions):
        table = part.find(exp.Table) if isinstance(part, exp.Expr) else None
        if table is not None:
            return _table_name(table)
    return ""


def _dropped(tree: exp.Expr) -> list[str]:
    """DROP and TRUNCATE may name several."""
    if isinstance(tree, exp.Drop | exp.TruncateTable):
        return [_table_name(table) for table in tree.find_all(exp.Table)]
    return []


def _table_name(table: exp.Table) -> str:
    return ".".join(part.name for part in table.parts)
