"""Rows that make somebody mighty: flags, roles, tables of administrators, the server's catalog."""

import re
from collections.abc import Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql import rows
from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.messages.risk import RiskLevel

HIGH = RiskLevel.HIGH

_POWERS = (
    "ROLE", "PRIVILEGE", "PERMISSION", "IS_ADMIN", "ADMIN", "SUPERUSER", "GRANTS", "IS_STAFF",
)  # fmt: skip
_MIGHTY = word_set(
    "admin superadmin administrator root superuser owner sysadmin dba superuser_role god"
)
_flag = re.compile(
    r"(?:is_?|has_?)?(?:super_?user|(?:super_?|site_?|sys_?)?admin|dba)(?:_?(?:access|rights|flag))?"
    r"|is_?staff|rol(?:super|createrole|bypassrls|createdb|replication)|use(?:super|bypassrls)"
    r"|\w+_priv"
)
"""Columns that say whether somebody may do anything."""

_people = re.compile(
    r"(?:\w+_)?(?:admins|administrators|superusers|superadmins|sysadmins|sudoers|dbas)"
    r"|admin_(?:users?|accounts?|members?)|super_?(?:admin|user)"
)
"""Tables in which whoever stands is mighty."""

_TRUE = word_set("1 y yes t true on")
_CATALOGS = word_set("mysql sys pg_catalog information_schema sqlite_master sqlite_schema")


def empowered(act: Act) -> Iterator[Found]:
    """A role, a right or a flag of an administrator is written."""
    if _names_power(act) or _raises_flag(act) or _joins_mighty(act):
        yield act.found("sql.power", HIGH, "“{}” makes somebody an administrator", 4)


def _joins_mighty(act: Act) -> bool:
    name = rows.table(act).rpartition(".")[2]
    return act.verb == "INSERT" and _people.fullmatch(name) is not None


def _names_power(act: Act) -> bool:
    """A word for somebody mighty beside a name for roles."""
    if not any(string.lower() in _MIGHTY for string in act.strings()):
        return False
    names = (token.text.upper() for token in act.tokens[1:] if token.kind in {"word", "name"})
    return any(part in name for name in names for part in _POWERS)


def _raises_flag(act: Act) -> bool:
    if not any(_is_flag(token.text) for token in act.tokens if token.kind in {"word", "name"}):
        return False
    spelled = rows.inserted(act) if act.verb == "INSERT" else iter((rows.assigned(act),))
    return any(
        _is_flag(name) and str(value).lower() in _TRUE
        for row in spelled
        for name, value in row.items()
    )


def _is_flag(name: str) -> bool:
    return _flag.fullmatch(name.strip('"`[]').lower()) is not None


def in_catalog(act: Act) -> Iterator[Found]:
    """Rows of the server's own tables are changed: accounts, rights, what exists."""
    named = rows.table(act)
    first = named.partition(".")[0]
    own = first.startswith("pg_") and not first.startswith("pg_temp")
    if own or first in _CATALOGS:
        yield act.found("sql.power", HIGH, "“{}” changes what the server itself keeps", 4)
