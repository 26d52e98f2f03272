"""Rights, the server itself, its settings and logs."""

from collections.abc import Iterator

from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.core.risk.sql.leaving import of_machine, writes_where_it_runs
from holdpoint.messages.risk import RiskLevel

MEDIUM, HIGH = RiskLevel.MEDIUM, RiskLevel.HIGH

_READING_RIGHTS = frozenset(
    {"SELECT", "USAGE", "CONNECT", "EXECUTE", "REFERENCES", "SHOW", "MONITOR"}
)
_WIDE = frozenset({"ALL", "PUBLIC", "SUPER", "OWNERSHIP", "ADMIN", "CONTROL", "IMPERSONATE"})
_LOOSE_PRAGMAS = frozenset({"WRITABLE_SCHEMA", "SCHEMA_VERSION", "TRUSTED_SCHEMA"})
_ON = frozenset({"ON", "1", "TRUE", "on", "true", "YES", "yes", "ORIGIN", "origin", "DEFAULT"})
"""A protection that is switched on protects."""

_GUARDS = ("SAFE_UPDATES", "READ_ONLY", "LOG_BIN", "SESSION_REPLICATION_ROLE", "ROW_SECURITY")


def granted(act: Act) -> Iterator[Found]:
    """A right to read one thing is milder than a role, or a right to everything."""
    rights = {token.text for token in act.tokens[1 : _place(act, "ON", "TO")]}
    wide = act.has(*_WIDE) or act.follows("*", ".", "*") or act.follows("WITH", "GRANT")
    mild = rights <= _READING_RIGHTS | {","} and act.has("ON")
    mild = mild and not wide and not _of_machine(act)
    level = MEDIUM if mild else HIGH
    yield act.found("sql.power", level, "“{}” changes who may do what", 0)


def _of_machine(act: Act) -> bool:
    """Whether it is a right to what leaves the database: its files, its programs, its network."""
    names = (token.text.strip('"`[]').upper() for token in act.tokens)
    return any(name.startswith(_MACHINE) for name in names)


_MACHINE = (
    "XP_", "SP_OA", "SP_CONFIGURE", "SP_EXECUTE_EXTERNAL", "UTL_FILE", "UTL_HTTP", "UTL_TCP",
    "UTL_SMTP", "DBMS_SCHEDULER", "DBMS_JAVA", "DBMS_SYS_SQL", "PG_READ_", "PG_WRITE_", "PG_LS_",
    "PG_FILE_", "PG_EXECUTE_SERVER", "LO_EXPORT", "LO_IMPORT", "DBLINK", "SYS_EXEC", "SYS_EVAL",
)  # fmt: skip


def revoked(act: Act) -> Iterator[Found]:
    """Taking one right is milder than taking all of them."""
    level = HIGH if act.has("ALL", "CASCADE", "PUBLIC") else MEDIUM
    yield act.found("sql.power", level, "“{}” takes rights away", 0)


def _place(act: Act, *words: str) -> int:
    places = (place for place, token in enumerate(act.tokens) if token.text in words)
    return next(places, len(act.tokens))


def loaded(act: Act) -> Iterator[Found]:
    """LOAD brings data, or a library into the server."""
    brings = act.word(1) in {"DATA", "XML", "TABLE"}
    if brings and of_machine(act):
        yield act.found("sql.files", HIGH, "“{}” brings a file of the machine into a table", 0)
        return
    level = MEDIUM if brings else HIGH
    yield act.found("sql.files", level, "“{}” loads a file into the server", 3)


def stopped(act: Act) -> Iterator[Found]:
    """KILL and SHUTDOWN."""
    level = MEDIUM if act.word(1) == "QUERY" else HIGH
    yield act.found("sql.stop", level, "“{}” stops the server, or somebody's work", 3)


def denied(act: Act) -> Iterator[Found]:
    """DENY, REASSIGN OWNED, CHANGE MASTER, UNINSTALL: who may do what, or who leads, changes."""
    yield act.found("sql.power", HIGH, "“{}” changes who may do what, or who leads", 3)


def ordered(act: Act) -> Iterator[Found]:
    """ClickHouse's SYSTEM: what it stops, drops or ends."""
    if act.has("SHUTDOWN", "KILL", "STOP", "DROP", "SUSPEND", "UNFREEZE", "RESTORE"):
        yield act.found("sql.stop", HIGH, "“{}” stops or drops a part of the server", 3)


def tidied(act: Act) -> Iterator[Found]:
    """OPTIMIZE keeps all rows unless it is told which ones are too many."""
    if act.has("DEDUPLICATE"):
        yield act.found("sql.purge", HIGH, "“{}” removes rows that look alike", 0)


def purged(act: Act) -> Iterator[Found]:
    """PURGE, RESET, EXPIRE: logs and old versions go. RESTORE, FLASHBACK: what is there goes."""
    if act.verb in {"RESTORE", "FLASHBACK"}:
        yield act.found("sql.purge", HIGH, "“{}” puts an older state in the place of what is", 3)
        return
    mild = act.verb == "RESET" and act.word(1) not in {"MASTER", "SLAVE", "REPLICA", "BINARY"}
    if not mild:
        yield act.found("sql.purge", HIGH, "“{}” throws away logs or versions", 3)


def checked(act: Act) -> Iterator[Found]:
    """SQL Server's DBCC: a repair or a shrinking may lose data."""
    if any(token.text.startswith(("REPAIR", "SHRINK", "WRITEPAGE")) for token in act.tokens):
        yield act.found("sql.repair", HIGH, "“{}” may lose data", 0)


def disabled(act: Act) -> Iterator[Found]:
    """SQL Server's DISABLE TRIGGER, Oracle's NOAUDIT."""
    yield act.found("sql.power", HIGH, "“{}” switches a protection off", 0)


def detached(act: Act) -> Iterator[Found]:
    """A database or table leaves the server; its files stay. To attach a file may make it."""
    if act.verb == "ATTACH" and writes_where_it_runs(act):
        yield act.found("sql.files", HIGH, "“{}” writes a file where it may run", 0)
        return
    level = HIGH if act.has("PERMANENTLY") else MEDIUM
    yield act.found("sql.detach", level, "“{}” takes data out of reach", 3)


def tuned(act: Act) -> Iterator[Found]:
    """SET, PRAGMA: settings of the whole server, or protections switched off."""
    words = [token.text for token in act.tokens[1:4]]
    loose = act.verb == "PRAGMA" and bool(_LOOSE_PRAGMAS & set(words))
    wide = act.verb == "SET" and (act.word(1) in {"GLOBAL", "PERSIST", "PERSIST_ONLY"})
    guard = act.verb == "SET" and any(name in word for word in words[:3] for name in _GUARDS)
    guard = guard and act.tokens[-1].text.strip("'\"") not in _ON
    if loose or wide or guard or _signs_as_another(act):
        yield act.found("sql.settings", HIGH, "“{}” changes the server or a protection", 0)


def _signs_as_another(act: Act) -> bool:
    return act.verb == "SET" and (
        act.follows("SESSION", "AUTHORIZATION") or act.word(1) == "PASSWORD"
    )


def vacuumed(act: Act) -> Iterator[Found]:
    """VACUUM FULL locks the table until it is done."""
    if act.follows("RETAIN", "0"):
        yield act.found("sql.purge", HIGH, "“{}” throws away every older version", 0)
    elif act.has("FULL"):
        yield act.found("sql.lock", MEDIUM, "“{}” locks the table until it is done", 3)
