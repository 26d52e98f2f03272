"""Which rows a condition takes: the rows that it names, a range of them, or (nearly) all."""

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sqlglot
from sqlglot import exp, parser
from sqlglot.errors import SqlglotError

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.sql.order import Reach

# sqlglot warns about what it cannot parse and repeats the statement, values and all.
parser.logger.setLevel("CRITICAL")

MAX_TREE = 1_500
"""Characters of a query that are parsed: about 5 ms."""

MAX_DEPTH = 60
"""Nested brackets; Python's stack takes more, a person who reads it does not."""


def reach(query: str, dialects: Sequence[str], table: str, spend: Callable[[int], bool]) -> Reach:
    """Return which rows of a table a query's WHERE takes, in the first dialect that can parse it.

    `spend` says whether so many characters may still be parsed.
    """
    if len(query) > MAX_TREE or query.count("(") > MAX_DEPTH:
        return Reach.UNREADABLE
    for dialect in dialects:
        condition = _parsed(query, dialect) if spend(len(query)) else None
        if condition is not None:
            return _reach(condition, table)
    return Reach.UNREADABLE


def _parsed(query: str, dialect: str) -> exp.Expr | None:
    try:
        where = sqlglot.parse_one(query, dialect=dialect or None).args.get("where")
    except (SqlglotError, RecursionError, ValueError):
        return None
    found: exp.Expr | None = where.this if isinstance(where, exp.Where) else None
    return found


def _reach(condition: exp.Expr, table: str) -> Reach:
    if always(condition) is True or _is_all_of(condition, table) or _is_blind(condition):
        return Reach.ALL
    if always(condition.copy().transform(nearly_always, copy=False)) is True:
        return Reach.MOST
    return Reach.NAMED if _names_rows(condition) else Reach.RANGE


def _is_blind(tree: exp.Expr) -> bool:
    """Whether it looks at no column: then it holds for every row, unless it holds for none."""
    if isinstance(tree, exp.Literal) or tree.find(exp.Column):
        return False
    return always(tree) is None


def _is_all_of(tree: exp.Expr, table: str) -> bool:
    """Whether it holds for whatever stands in the table, since it asks that table itself."""
    if not table or not any(one.name.lower() == table for one in tree.find_all(exp.Table)):
        return False
    return always(tree.transform(lambda node: asks_itself(node, table))) is True


def always(node: exp.Expr) -> bool | None:
    """Whether it is true (or false) for every row; None when that depends on the row."""
    for kinds, rule in _RULES:
        if isinstance(node, kinds):
            known = rule(node)
            return not known if known is not None and node.args.get("negate") else known
    return None


def _within(node: exp.Expr) -> bool | None:
    return always(node.this)


def _literally(node: exp.Expr) -> bool | None:
    return bool(node.this)


def _not(node: exp.Expr) -> bool | None:
    inner = always(node.this)
    return None if inner is None else not inner


def _joined(node: exp.Expr) -> bool | None:
    sides = {always(node.this), always(node.expression)}
    if isinstance(node, exp.Or):
        known = True if True in sides else None if None in sides else False
        return True if known is None and complete(node) else known
    if isinstance(node, exp.And):
        return False if False in sides else None if None in sides else True
    return None if None in sides else len(sides) == _BOTH


def _truthy(node: exp.Expr) -> bool | None:
    value = constant(node)
    return None if value is None else _is_true(value)


def _is_true(value: object) -> bool | None:
    size = number(str(value))
    return None if size is None else size != 0


def _exists(query: exp.Expr) -> bool | None:
    """A query of constants, or one over a table without a condition, finds something."""
    if isinstance(query, exp.Subquery):
        return _exists(query.this)
    if not isinstance(query, exp.Select) or query.args.get("having"):
        return None
    where = query.args.get("where")
    return True if where is None or always(where.this) is True else None


def _found(node: exp.Expr) -> bool | None:
    return _exists(node.this)


def _like(node: exp.Expr) -> bool | None:
    pattern = constant(node.expression)
    if not isinstance(pattern, str) or not pattern:
        return None
    left = pattern.strip("%.*^$")
    return True if not left or ("%" in pattern and not left.strip("@_")) else None


def _between(node: exp.Expr) -> bool | None:
    low = _values(exp.LTE(this=node.args["low"], expression=node.this))
    return low and _values(exp.LTE(this=node.this, expression=node.args["high"]))


def _case(node: exp.Expr) -> bool | None:
    """As its value is: that of the first condition which always holds."""
    value = constant(node)
    return None if value is None else _is_true(value)


def _is(node: exp.Expr) -> bool | None:
    """`x IS NOT NULL` is as good as always; `NULL IS NULL` is."""
    if isinstance(node.expression, exp.Boolean):
        inner = always(node.this)
        return None if inner is None else inner is bool(node.expression.this)
    nothing = isinstance(node.expression, exp.Null)
    if nothing and isinstance(node.this, exp.Null):
        return True
    return False if nothing and isinstance(node.this.unnest(), _HAVE_VALUES) else None


_HAVE_VALUES = (exp.Column, exp.Literal, exp.Predicate, exp.Connector, exp.Not)
"""What is hardly ever NULL: a column, and whether it is this or that."""


def _in(node: exp.Expr) -> bool | None:
    """Known when a constant is in a list of constants, a column among itself, a flag in both."""
    value = constant(node.this)
    listed = [constant(one) for one in node.expressions]
    same = any(one == node.this for one in node.expressions)
    flags = {bool(one.this) for one in node.expressions if isinstance(one, exp.Boolean)}
    if same or len(flags) == _BOTH or (value is not None and value in listed):
        return True
    return None if value is None or None in listed else False


_BOTH = 2
"""True and false."""


def _values(node: exp.Expr) -> bool | None:
    left, right = plain(node.this), plain(node.expression)
    reflexive = isinstance(node, exp.EQ | exp.GTE | exp.LTE | exp.NullSafeEQ)
    if left == right and isinstance(node, exp.EQ | exp.NEQ | exp.GTE | exp.LTE | exp.NullSafeEQ):
        return reflexive
    one, other = constant(left), constant(right)
    if one is None or other is None:
        kind = type(node)
        low = _bounded(kind, least(left), other)
        return low or _bounded(MIRRORED.get(kind, kind), least(right), one)
    return _decided(node, one, other)


def _bounded(kind: type[exp.Expr], low: float | None, other: object) -> bool | None:
    """`length(name) >= 0`: what is never less than a bound is compared with less than that."""
    if low is None or not isinstance(other, float):
        return None
    more = kind in {exp.GT, exp.NEQ} and other < low
    return True if more or (kind is exp.GTE and other <= low) else None


def _decided(node: exp.Expr, one: object, other: object) -> bool | None:
    if isinstance(node, exp.EQ | exp.NullSafeEQ):
        return one == other
    if isinstance(node, exp.NEQ):
        return one != other
    ordered = _ORDERS.get(type(node))
    numbers = isinstance(one, float) and isinstance(other, float)
    return ordered(one, other) if ordered and numbers else None


_ORDERS: dict[type[exp.Expr], Callable[[Any, Any], bool]] = {
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
}


def _names_rows(tree: exp.Expr) -> bool:
    """Whether something is compared for equality; a mere range or NOT takes most rows."""
    compared = tree.find_all(exp.EQ, exp.In, exp.NullSafeEQ)
    return any(not is_query(node) and not _is_half(node) for node in compared)


def _is_half(node: exp.Expr) -> bool:
    """`(id = 5) IS UNKNOWN`, `id = 5 IS NOT NULL`: it says whether, and not which."""
    beside = node.args.get("expression")
    inner = beside.unnest() if isinstance(beside, exp.Paren) else beside
    around = node.parent.parent if isinstance(node.parent, exp.Paren) else node.parent
    return isinstance(inner, exp.Is | exp.Not) or isinstance(around, exp.Is)


_RULES: tuple[tuple[tuple[type[exp.Expr], ...], Callable[[exp.Expr], bool | None]], ...] = (
    ((exp.Paren, exp.Coalesce), _within),
    ((exp.Boolean,), _literally),
    ((exp.Not,), _not),
    ((exp.And, exp.Or, exp.Xor), _joined),
    ((exp.Literal, exp.Neg, exp.Cast, exp.Subquery), _truthy),
    ((exp.Exists,), _found),
    ((exp.Is,), _is),
    ((exp.In,), _in),
    ((exp.Like, exp.ILike, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo), _like),
    ((exp.Between,), _between),
    ((exp.Case, exp.If), _case),
    ((exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ), _values),
    ((exp.Binary,), _truthy),
)
"""What decides each kind of expression; the first that fits."""


def constant(node: exp.Expr) -> object:
    """Its value, a number or a text; None when it depends on the row, or nobody knows."""
    if isinstance(node, exp.Paren | exp.Cast | exp.Neg):
        inner = constant(node.this)
        negated = isinstance(node, exp.Neg)
        return (-inner if isinstance(inner, float) else None) if negated else inner
    if isinstance(node, exp.Boolean):
        return float(bool(node.this))
    if isinstance(node, exp.Literal):
        return str(node.this) if node.is_string else number(str(node.this))
    for kinds, rule in _CONSTANTS_BY_KIND:
        if isinstance(node, kinds):
            return rule(node)
    return None


def number(text: str) -> float | None:
    """The number that a text is."""
    try:
        return float(text)
    except ValueError:
        return None


def least(node: exp.Expr) -> float | None:
    """What it never falls below, whatever the row: a length, a count, a square."""
    bare = plain(node)
    square = isinstance(bare, exp.Mul) and plain(bare.this) == plain(bare.expression)
    return 0.0 if square or isinstance(bare, _NEVER_NEGATIVE) else None


_NEVER_NEGATIVE = (exp.Abs, exp.Length, exp.Rand, exp.Count, exp.Sqrt)


def plain(node: exp.Expr) -> exp.Expr:
    """Without brackets and what adds nothing: `(id + 0) * 1` is `id`, and so is `(SELECT id)`."""
    while isinstance(node, exp.Paren) or _adds_nothing(node) or _alone(node) is not None:
        node = _alone(node) or node.this
    return node


def _adds_nothing(node: exp.Expr) -> bool:
    neutral = _NEUTRAL.get(type(node))
    beside = node.args.get("expression")
    return bool(neutral) and isinstance(beside, exp.Literal) and str(beside.this) == neutral


_NEUTRAL: dict[type[exp.Expr], str] = {exp.Add: "0", exp.Sub: "0", exp.Mul: "1", exp.Div: "1"}


def _calculated(node: exp.Expr) -> object:
    """Of two constants; or of a column that does not matter: `x * 0`, `x - x`, `x % 1`, `x / x`."""
    left, right = constant(node.this), constant(node.expression)
    if isinstance(left, float) and isinstance(right, float):
        return _of_numbers(node, left, right)
    if left == 0.0 and isinstance(node, exp.BitwiseLeftShift | exp.BitwiseRightShift):
        return 0.0
    if isinstance(node, exp.Mul | exp.BitwiseAnd) and 0.0 in {left, right}:
        return 0.0
    if isinstance(node, exp.Mod) and right in {1.0, -1.0}:
        return 0.0
    if plain(node.this) == plain(node.expression):
        return _OF_ITSELF.get(type(node))
    return None


_OF_ITSELF: dict[type[exp.Expr], float] = {
    exp.Sub: 0.0, exp.BitwiseXor: 0.0, exp.Mod: 0.0, exp.Div: 1.0,
}  # fmt: skip


MAX_SIZE = 1e15
"""Larger numbers are no longer exact."""


def _of_numbers(node: exp.Expr, left: float, right: float) -> float | None:
    rule = _ARITHMETIC.get(type(node))
    if rule is None or (not right and isinstance(node, exp.Div | exp.Mod)):
        return None
    value = float(rule(left, right))
    return value if abs(value) < MAX_SIZE else None


_ARITHMETIC: dict[type[exp.Expr], Callable[[float, float], float]] = {
    exp.Add: operator.add, exp.Sub: operator.sub, exp.Mul: operator.mul, exp.Div: operator.truediv,
    exp.Mod: operator.mod,
}  # fmt: skip


def _put_together(node: exp.Expr) -> object:
    """`'a' || 'b'`, `CONCAT('a', 'b')`."""
    parts = node.expressions or [node.this, node.expression]
    values = [constant(part) for part in parts]
    return "".join(map(str, values)) if all(isinstance(one, str) for one in values) else None


def _chosen(node: exp.Expr) -> object:
    """The first value whose condition always holds; the others' must never."""
    branches = [node] if isinstance(node, exp.If) else node.args["ifs"]
    default = node.args.get("false") or node.args.get("default")
    for branch in branches:
        asked = branch.this
        if node.this and isinstance(node, exp.Case):
            asked = exp.EQ(this=node.this, expression=branch.this)
        held = always(asked)
        if held is None:
            return None
        if held:
            return constant(branch.args["true"])
    return constant(default) if default is not None else None


def _first_known(node: exp.Expr) -> object:
    return constant(node.this)


def _selected(node: exp.Expr) -> object:
    """`(SELECT 1)`: a query of one constant and no table."""
    selected = _alone(node)
    return None if selected is None else constant(selected)


def _alone(node: exp.Expr) -> exp.Expr | None:
    """What a query without a table, and without anything that narrows it, selects."""
    query = node.this if isinstance(node, exp.Subquery) else None
    if not isinstance(query, exp.Select) or len(query.expressions) != 1:
        return None
    narrowed = any(query.args.get(part) for part in ("from", "from_", "where", "limit", "having"))
    found: exp.Expr = query.expressions[0]
    return None if narrowed else found


_CONSTANTS_BY_KIND: tuple[tuple[tuple[type[exp.Expr], ...], Callable[[exp.Expr], object]], ...] = (
    ((exp.DPipe, exp.Concat), _put_together),
    ((exp.Case, exp.If), _chosen),
    ((exp.Coalesce,), _first_known),
    ((exp.Subquery,), _selected),
    (
        (
            exp.Add,
            exp.Sub,
            exp.Mul,
            exp.Div,
            exp.Mod,
            exp.BitwiseXor,
            exp.BitwiseAnd,
            exp.BitwiseLeftShift,
            exp.BitwiseRightShift,
        ),
        _calculated,
    ),
)


IDENTITIES = words("words/sql:identities")
FIRST = 1.0
"""Rows are numbered from here."""

HUGE = 1_000_000.0
"""More rows than most tables have."""

MIRRORED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE,
}  # fmt: skip


def nearly_always(node: exp.Expr) -> exp.Expr:
    """True in the place of what holds for nearly every row, false of what holds for hardly any."""
    known = _of_not(node) if isinstance(node, exp.Not) else _of(node)
    return node if known is None else exp.true() if known else exp.false()


def _of_not(node: exp.Expr) -> bool | None:
    """`NOT id = 7`, `id NOT IN (1, 2)`: all but a few."""
    inner = node.this.unnest()
    if isinstance(inner, exp.In) and _is_identity(inner.this) and not inner.args.get("query"):
        return True
    if isinstance(inner, exp.EQ):
        return _of(exp.NEQ(this=inner.this, expression=inner.expression))
    found = _of(inner)
    return None if found is None else not found


def _of(node: exp.Expr) -> bool | None:
    if isinstance(node, exp.Between):
        low = _of(exp.GTE(this=node.this, expression=node.args["low"]))
        return low and _of(exp.LTE(this=node.this, expression=node.args["high"]))
    if not isinstance(node, exp.GT | exp.GTE | exp.LT | exp.LTE | exp.EQ | exp.NEQ):
        return None
    kind: type[exp.Expr] = type(node)
    column, value = node.this, node.expression
    if not _names_row(column) and _names_row(value):
        kind, column, value = MIRRORED.get(kind, kind), value, column
    return _compared(kind, column, value) if _names_row(column) else None


def _compared(kind: type[exp.Expr], column: exp.Expr, value: exp.Expr) -> bool | None:
    number = _literal_number(value)
    if kind is exp.NEQ and _is_identity(column):
        return True if _is_value(value) else None
    if number is None:
        return True if kind in {exp.GT, exp.NEQ} and _is_blank(value) else None
    if kind in {exp.EQ, exp.NEQ}:
        return (kind is exp.NEQ) if number < FIRST else None
    if kind in {exp.GT, exp.GTE}:
        return True if number <= FIRST else None
    if number >= HUGE:
        return True
    return False if number < FIRST else None


def _is_identity(node: exp.Expr) -> bool:
    """Whether it is the column that tells rows apart, cast or made sure of."""
    return _name(node) in IDENTITIES


def _names_row(node: exp.Expr) -> bool:
    """The same, or the number of a row elsewhere: `user_id`."""
    name = _name(node)
    return name in IDENTITIES or name.endswith("_id")


def _name(node: exp.Expr) -> str:
    while isinstance(node, exp.Paren | exp.Cast | exp.Coalesce):
        node = node.this
    return node.name.lower() if isinstance(node, exp.Column) else ""


def _literal_number(node: exp.Expr) -> float | None:
    """The number that stands there, in quotes or not."""
    sign = -1 if isinstance(node, exp.Neg) else 1
    plain = node.this if isinstance(node, exp.Neg) else node
    if not isinstance(plain, exp.Literal):
        return None
    try:
        return sign * float(str(plain.this))
    except ValueError:
        return None


def _is_blank(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and not str(node.this).strip()


def _is_value(node: exp.Expr) -> bool:
    plain = node.this if isinstance(node, exp.Neg) else node
    return isinstance(plain, exp.Literal | exp.Placeholder | exp.Parameter)


MAX_PARTS = 12
"""Conditions joined by OR that are compared with each other."""

_OPPOSITES: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.LT: exp.GTE, exp.GTE: exp.LT,
    exp.GT: exp.LTE, exp.LTE: exp.GT,
}  # fmt: skip

_NARROWING = ("where", "limit", "having", "group", "joins", "offset", "qualify")


def is_query(node: exp.Expr) -> bool:
    """Whether it only asks for membership in what a query finds: `IN (SELECT …)`, `= ANY (…)`."""
    if isinstance(node, exp.In):
        return bool(node.args.get("query"))
    return any(
        isinstance(side, exp.Any | exp.All) and side.find(exp.Select)
        for side in (node.this, node.expression)
    )


def asks_itself(node: exp.Expr, table: str) -> exp.Expr:
    """True in the place of a column that is looked for among all of that column."""
    query = _asked(node)
    column = node.this
    if query is None or not isinstance(column, exp.Column):
        return node
    source = query.find(exp.Table)
    selected = query.expressions
    same = (
        source is not None
        and source.name.lower() == table.lower()
        and len(selected) == 1
        and isinstance(selected[0], exp.Column | exp.Star)
        and selected[0].name.lower() in {column.name.lower(), "*"}
    )
    return exp.true() if same and _is_whole(query) else node


def _asked(node: exp.Expr) -> exp.Select | None:
    inner: exp.Expr | None = None
    if isinstance(node, exp.In):
        inner = node.args.get("query")
    elif isinstance(node, exp.EQ) and isinstance(node.expression, exp.Any):
        inner = node.expression.this
    while isinstance(inner, exp.Subquery | exp.Paren | exp.Array):
        inner = inner.expressions[0] if inner.expressions else inner.this
    return inner if isinstance(inner, exp.Select) else None


def _is_whole(query: exp.Select) -> bool:
    """Whether nothing narrows it, or only what always holds."""
    narrowed = [part for part in _NARROWING if query.args.get(part)]
    return not narrowed or (narrowed == ["where"] and always(query.args["where"].this) is True)


def complete(node: exp.Expr) -> bool:
    """Whether of conditions joined by OR two leave nothing out, but what is unknown."""
    if isinstance(node.parent, exp.Or):
        return False
    parts = [part.unnest() for part in node.flatten()]
    if len(parts) > MAX_PARTS:
        return False
    return any(other in parts for part in parts for other in _opposites(part))


def _opposites(node: exp.Expr) -> Iterator[exp.Expr]:
    """What holds wherever this does not."""
    yield node.this.unnest() if isinstance(node, exp.Not) else exp.Not(this=node.copy())
    if type(node) in _OPPOSITES:
        yield _OPPOSITES[type(node)](this=node.this.copy(), expression=node.expression.copy())
    if isinstance(node, exp.EQ) and isinstance(node.expression, exp.Boolean):
        other = exp.Boolean(this=not node.expression.this)
        yield exp.EQ(this=node.this.copy(), expression=other)
    if isinstance(node, exp.Like | exp.ILike | exp.Is):
        turned = node.copy()
        turned.set("negate", None if node.args.get("negate") else True)
        yield turned
