"""DROP, TRUNCATE, ALTER, CREATE, RENAME: what becomes of tables and of what is in them."""

from collections.abc import Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.core.risk.sql.guarded import is_policy, opened
from holdpoint.core.risk.sql.loading import brought
from holdpoint.core.risk.sql.temporary import is_of_session
from holdpoint.messages.risk import RiskLevel

LOW, MEDIUM, HIGH, CRITICAL = RiskLevel

WHOLES = word_set(
    "DATABASE SCHEMA KEYSPACE CATALOG TABLESPACE NAMESPACE OWNED WAREHOUSE CLUSTER PDB "
    "PLUGGABLE SCHEMAS DATABASES ACCOUNT COMPUTE REGION"
)
CONTENTS = word_set(
    "TABLE TABLES COLUMN COLUMNS PARTITION STAGE COLLECTION BUCKET STREAM EXTERNAL_TABLE "
    "DATASET LAKE VOLUME"
)
PEOPLE = frozenset({"USER", "ROLE", "LOGIN", "GROUP", "PROFILE", "USERS", "ROLES"})
MENDABLE = word_set(
    "INDEX VIEW TRIGGER FUNCTION PROCEDURE PROC SEQUENCE TYPE POLICY EXTENSION CONSTRAINT "
    "RULE PUBLICATION SUBSCRIPTION SERVER DOMAIN AGGREGATE OPERATOR SYNONYM EVENT MACRO "
    "STATISTICS TEXT CAST COLLATION CONVERSION LANGUAGE TRANSFORM ROUTINE TASK PIPE "
    "MATERIALIZED MODEL TAG MASKING PREPARE ALIAS DICTIONARY LIVE PROJECTION SNAPSHOT "
    "ASSERTION DATABASE_LINK LINK FOREIGN DEFAULT MODULE PACKAGE SHARE INTEGRATION NETWORK "
    "SECRET FILE CREDENTIAL CERTIFICATE KEY ASSEMBLY QUEUE SERVICE CONTRACT MESSAGE ROUTE "
    "XML ENDPOINT TEMPORARY TEMP VARIABLE RESOURCE STORED SEARCH APPLICATION BROKER ACCESS "
    "CONNECTION EXTERNAL ICEBERG HYBRID DYNAMIC TRANSIENT"
)
DROPPABLE = WHOLES | CONTENTS | PEOPLE | MENDABLE
_HARMLESS_IN_ALTER = word_set(
    "CONSTRAINT INDEX KEY PRIMARY FOREIGN CHECK NOT DEFAULT IDENTITY EXPRESSION UNIQUE "
    "STATISTICS POLICY TRIGGER STORED SYSTEM PERIOD VERSIONING CLUSTERING ROW SUPPLEMENTAL "
    "MASKING TAG COMPRESSION RETENTION PROJECTION AUTHORIZATION LABEL MEMBER LOGIN "
    "CREDENTIAL FILE"
)


def dropped(act: Act) -> Iterator[Found]:
    """What is dropped decides: a database, a table, a user, or what can be made again."""
    kinds = [act.word(place) for place in (1, 2, 3)]
    if "AUDIT" in kinds or (kinds[0] == "TRIGGER" and _audits(act)):
        yield act.found("sql.traces", HIGH, "“{}” ends the record of who does what", 0)
        return
    if is_policy(act):
        yield act.found("sql.power", HIGH, "“{}” takes a protection away", 0)
        return
    head = 2 if kinds[0] in DROPPABLE else 1
    if _is_sessions(act, head):
        return
    if kinds[0] in WHOLES:
        yield act.found("sql.drop", CRITICAL, "“{}” removes it with everything in it", 0)
    elif _contents(kinds):
        temporary = kinds[0] in {"TEMPORARY", "TEMP"} or act.word(head).startswith("#")
        level = HIGH if temporary else CRITICAL
        yield act.found("sql.drop", level, "“{}” removes a table with everything in it", 0)
    elif kinds[0] in PEOPLE:
        yield act.found("sql.people", HIGH, "“{}” removes somebody's access", 0)
    elif act.has("CASCADE"):
        yield act.found("sql.drop", HIGH, "“{}” also drops whatever depends on it", 0)
    else:
        yield act.found("sql.drop", MEDIUM, "“{}” drops something that must be made again", 0)


def _is_sessions(act: Act, head: int) -> bool:
    """Whether each table that is named is one of the session's own."""
    names = [token.text for token in act.tokens[head:] if token.text not in {"IF", "EXISTS", ","}]
    if not names:
        return act.text[act.tokens[-1].end :].lstrip().startswith("#")
    return all(map(is_of_session, names))


def _audits(act: Act) -> bool:
    """Whether its name says so."""
    return any("AUDIT" in token.text.upper() for token in act.tokens[2:8])


def _contents(kinds: list[str]) -> bool:
    """`DROP TABLE`, `DROP EXTERNAL TABLE`; what is no known kind is taken for a table."""
    first = kinds[0]
    return first in CONTENTS or first not in DROPPABLE or "TABLE" in kinds[1:2]


def truncated(act: Act) -> Iterator[Found]:
    """Every row goes."""
    yield act.found("sql.truncate", HIGH, "“{}” empties the whole table", 3)


def altered(act: Act) -> Iterator[Found]:
    """What a table, a user or the server loses or changes for good."""
    if act.word(1) in PEOPLE | {"SYSTEM", "DEFAULT", "AUTHORIZATION"} or _is_role(act):
        changed = "how the server works" if act.word(1) == "SYSTEM" else "who may do what"
        yield act.found("sql.power", HIGH, f"“{{}}” changes {changed}", 0)
        return
    yield from opened(act)
    if _drop_inside(act) or act.follows("SET", "UNUSED"):
        yield act.found("sql.alter-drop", HIGH, "“{}” drops a part with everything in it", 0)
    elif act.word(1) in _SHARED and act.has("OFFLINE", "SINGLE_USER", "RESTRICTED_USER"):
        yield act.found("sql.stop", HIGH, "“{}” takes a database away from its users", 0)
    elif act.follows("CLEAR", "COLUMN"):
        yield act.found("sql.alter-drop", HIGH, "“{}” empties a column", 0)
    elif _unguards(act):
        yield act.found("sql.power", HIGH, "“{}” switches a protection off", 0)
    elif _rows_in_alter(act):
        yield act.found("sql.alter-drop", HIGH, "“{}” changes or removes rows", 0)
    else:
        yield from _made_otherwise(act)


def _overwrites(act: Act) -> bool:
    """`ALTER COLUMN a TYPE int USING 0`: what is made of the old value does not look at it."""
    place = next((at for at, token in enumerate(act.tokens) if token.text == "USING"), 0)
    if not place or not act.has("TYPE"):
        return False
    ends = (at for at in range(place, len(act.tokens)) if act.word(at) in {",", "END"})
    return not any(_is_column(act, at) for at in range(place + 1, next(ends, len(act.tokens))))


def _is_column(act: Act, place: int) -> bool:
    """Whether a name may be that of a column: no function, no type that something is cast to."""
    token = act.tokens[place]
    named = token.kind in {"word", "name"} or token.text[0] == '"'
    if (
        not named
        or token.text.startswith("::")
        or token.text in {"NULL", "TRUE", "FALSE", "DEFAULT"}
    ):
        return False
    return act.word(place + 1) != "(" and act.word(place - 1) not in {"::", "AS"}


_FIXED = frozenset({"NULL", "TRUE", "FALSE", "DEFAULT"})


def _made_otherwise(act: Act) -> Iterator[Found]:
    """What stays, by another name or kind, or with another owner."""
    if act.follows("DROP", "CONSTRAINT") and act.has("CASCADE"):
        yield act.found("sql.alter-drop", HIGH, "“{}” also drops whatever depends on it", 0)
    elif _overwrites(act):
        yield act.found("sql.alter-drop", HIGH, "“{}” gives every row the same value", 0)
    elif act.has(*_RELIED_ON):
        yield act.found("sql.alter", MEDIUM, "“{}” changes what programs rely on", 0)
    elif _loosens(act):
        yield act.found("sql.alter", MEDIUM, "“{}” ends a rule that rows were held to", 0)
    elif act.follows("OWNER", "TO"):
        yield act.found("sql.power", MEDIUM, "“{}” changes who may do what", 0)


_RELIED_ON = ("RENAME", "TYPE", "MODIFY", "CHANGE", "EXCHANGE", "DETACH", "NOT", "SWAP", "SUSPEND",
              "SWITCH")  # fmt: skip


def _loosens(act: Act) -> bool:
    """A key, a check or a reference is dropped, or no more looked after."""
    held = (act.follows(does, what) for does in ("DROP", "DISABLE") for what in _CONSTRAINTS)
    return act.has("NOCHECK") or any(held)


_CONSTRAINTS = ("CONSTRAINT", "PRIMARY", "FOREIGN", "CHECK", "UNIQUE")


def _unguards(act: Act) -> bool:
    """A trigger, row security or an audit is switched off."""
    if act.follows("DISABLE", "TRIGGER") or act.follows("DISABLE", "ROW"):
        return True
    if act.follows("ACCESS", "POLICY") or act.follows("MASKING", "POLICY"):
        return act.has("DROP", "UNSET")
    row = act.follows("NO", "FORCE", "ROW")
    return row or (act.has("AUDIT") and act.follows("=", "OFF"))


_SHARED = frozenset({"DATABASE", "TABLESPACE", "DATAFILE"})


def _drop_inside(act: Act) -> int:
    """Where `DROP COLUMN`, `DROP PARTITION` or a bare `DROP name` stands; 0 when nowhere."""
    depth, dropping = 0, False
    for place, token in enumerate(act.tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        drops = depth == 0 and token.text == "DROP" and token.kind == "word"
        dropping = drops or (dropping and token.text not in {"ADD", "ALTER", "MODIFY"})
        if dropping and token.text == "," and act.word(place + 1) == "COLUMN":
            return place
        if drops and act.word(place + 1) not in _HARMLESS_IN_ALTER | {""}:
            return place
    return 0


def _rows_in_alter(act: Act) -> bool:
    """`TRUNCATE PARTITION`, `DISCARD TABLESPACE`, and ClickHouse's `ALTER TABLE t DELETE WHERE`."""
    return (
        act.follows("TRUNCATE", "PARTITION")
        or act.follows("DISCARD", "TABLESPACE")
        or act.word(3) == "DELETE"
        or act.follows("DELETE", "WHERE")
        or act.follows("DELETE", "IN")
        or act.follows("REPLACE", "PARTITION")
        or (act.follows("MODIFY", "TTL") and act.has("DELETE"))
        or (act.dialect == "clickhouse" and act.has("UPDATE"))
    )


def created(act: Act) -> Iterator[Found]:
    """Creating adds; people, programs, and what replaces something, are told."""
    yield from brought(act)
    yield from opened(act)
    kinds = {act.word(place) for place in (1, 2, 3)}
    if act.word(1) in PEOPLE or _is_role(act):
        yield act.found("sql.power", HIGH, "“{}” gives somebody access", 0)
    elif act.follows("OR", "REPLACE") and _replaced(act) & _KEPT:
        yield act.found("sql.replace", HIGH, "“{}” throws away what was there", 5)
    elif kinds & {"TRIGGER", "EVENT", "RULE"}:
        yield act.found("sql.create", MEDIUM, "“{}” makes the database act by itself", 4)


def _is_role(act: Act) -> bool:
    """SQL Server's roles of the server and of programs, Snowflake's of a database."""
    return act.word(2) == "ROLE" and act.word(1) in {"SERVER", "APPLICATION", "DATABASE"}


_KEPT = word_set("TABLE DATABASE SCHEMA")


def _replaced(act: Act) -> set[str]:
    """The kind of thing in `CREATE OR REPLACE TABLE`; nothing for one of the session's own."""
    kinds = {act.word(place) for place in (3, 4)}
    return set() if kinds & {"TEMP", "TEMPORARY", "VIEW", "FUNCTION", "PROCEDURE"} else kinds


def renamed(act: Act) -> Iterator[Found]:
    """Programs that use the old name fail."""
    yield act.found("sql.alter", MEDIUM, "“{}” changes what programs rely on", 0)
