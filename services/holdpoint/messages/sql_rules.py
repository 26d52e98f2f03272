"""SQL rules: what statements and functions put at risk, as `data/sql.toml` has them."""

from holdpoint.messages.base import Value
from holdpoint.messages.risk import RiskLevel


class SqlDanger(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Effect of a rule that fits."""

    id: str
    """The rule's id in signals: `sql.drop`."""

    level: RiskLevel
    reason: str
    """One sentence for a person; `{}` stands for the statement's words."""


class SqlRule(Value, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """One outcome of a statement, and the statements that lead to it."""

    verbs: str
    """First words of the statements that it is for: `KILL STOP`."""

    danger: SqlDanger
    match: tuple[str, ...] = ()
    """Patterns of which one must fit; without any, every statement of these verbs does."""

    unless: tuple[str, ...] = ()
    """Patterns of which none may fit."""

    text: str = ""
    """What one of its texts must be: address, machine-file, nowhere, runnable-file."""

    dialect: str = ""
    """The only dialect that it is for."""

    dropped_part: bool = False
    """True if it also fires where an ALTER drops a part that holds data."""

    overwritten_column: bool = False
    """True if it fires only where a column's new value does not look at the old one."""

    quote: int = 0
    """How many of the statement's words are its evidence; 0 for all."""

    also: bool = False
    """True if later rules of the same verb are asked as well."""

    fires: tuple[str, ...] = ()
    """Statements that it must fire on; they run as tests."""

    silent: tuple[str, ...] = ()
    """Statements that must ask nobody; they run as tests."""


class SqlFunction(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Effects of functions, by the beginning of their names."""

    names: str
    reason: str
    level: RiskLevel = RiskLevel.HIGH


class SqlRules(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file; the first rule that fits decides."""

    rule: tuple[SqlRule, ...]
    function: tuple[SqlFunction, ...] = ()
