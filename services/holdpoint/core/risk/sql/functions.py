"""Functions that do what no query should, by their names: `SELECT drop_tables('shop')`."""

from collections.abc import Iterator
from itertools import islice

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.core.risk.sql.tokens import Token
from holdpoint.core.risk.wording import Form, Kind, name_verb
from holdpoint.messages.risk import RiskLevel

HIGH = RiskLevel.HIGH

RUNNERS = word_set(
    "dblink dblink_exec dblink_send_query query_to_xml sys_eval sys_exec sp_executesql "
    "opendatasource openrowset openquery run_sql execute_sql exec_sql parse_and_execute "
    "exec_ddl_statement dbms_sql dbms_job dbms_scheduler"
)
"""Functions that run the text they are given, or leave the database."""

ASKERS = word_set(
    "crosstab crosstab2 crosstab3 crosstab4 crosstabn ts_stat ts_rewrite xpath_table "
    "query_to_xmlschema query_to_xml_and_xmlschema dbms_xmlgen dbms_xmlquery"
)
"""Functions that run the query they are given: it is everyday, unless the query is none."""

_FUNCTIONS: tuple[tuple[str, RiskLevel, str], ...] = (
    ("pg_terminate_backend", HIGH, "“{}” ends somebody's work"),
    ("pg_drop_replication_slot", HIGH, "“{}” breaks a replication"),
    ("lo_unlink", HIGH, "“{}” removes a stored file"),
    ("lo_export", HIGH, "“{}” writes a file on the server"),
    ("lo_import", HIGH, "“{}” reads a file of the server"),
    ("pg_file_", HIGH, "“{}” writes or removes a file on the server"),
    ("pg_read_file", HIGH, "“{}” reads a file of the server"),
    ("rollback_to_", HIGH, "“{}” takes a table back to an older state"),
    ("expire_snapshots", HIGH, "“{}” throws older versions away"),
    ("remove_orphan_files", HIGH, "“{}” deletes files"),
    ("pg_promote", HIGH, "“{}” changes which server leads"),
    ("load_file", HIGH, "“{}” reads a file of the server"),
    ("load_extension", HIGH, "“{}” loads a program into the server"),
    ("utl_file", HIGH, "“{}” writes files on the server"),
    ("utl_", HIGH, "“{}” sends data away from the server"),
    ("dbms_java", HIGH, "“{}” runs a program on the server"),
    ("dbms_scheduler", HIGH, "“{}” makes the server run a job"),
    ("xp_", HIGH, "“{}” leaves the database for its machine"),
)
"""By the beginning of their names."""

_SHORTEST = 4
"""Letters of a name that says what it does: more than IN, ANY, MAX."""


def called(tokens: tuple[Token, ...], place: int) -> bool:
    """Whether a word calls something: `f(…)`, or a procedure of one of Oracle's packages."""
    name, after = tokens[place].text, tokens[place + 1].text
    if len(name) < _SHORTEST:
        return False
    return after == "(" or (after == "." and name.startswith(_PACKAGES))


_PACKAGES = ("DBMS_SQL", "DBMS_JOB", "DBMS_SCHEDULER", "DBMS_JAVA", "UTL_FILE", "UTL_HTTP",
             "UTL_TCP", "UTL_SMTP", "UTL_MAIL", "UTL_INADDR")  # fmt: skip
"""Those that run programs and statements, or leave the database."""


def done_by(act: Act) -> Iterator[Found]:
    """What the function does that is called here."""
    name = act.verb.lower()
    for start, level, reason in _FUNCTIONS:
        if name.startswith(start):
            yield act.found("sql.function", level, reason, 1)
            return
    if name in RUNNERS:
        yield act.found("sql.function", HIGH, "“{}” runs a statement elsewhere", 1)


def removes(act: Act) -> Iterator[Found]:
    """What it takes away by its name."""
    name = act.verb.lower()
    verb = name_verb(name) if "_" in name and name not in RUNNERS else None
    takes = (
        verb and verb.kind is Kind.DELETE and verb.form is Form.BASE and name.startswith(verb.base)
    )
    if takes and ("_table" in name or not name.startswith(_BUILT_IN)):
        yield act.found("sql.removal", HIGH, "“{}” is a function that takes something away", 1)


_BUILT_IN = ("trunc", "format_", "json_", "array_remove", "list_", "clear_bit", "close_")


def is_listed(tokens: tuple[Token, ...], place: int) -> bool:
    """Whether a bracket lists the columns of a table: of one that is made, filled, referred to."""
    before = place - 1
    while before > 1 and tokens[before].text == ".":
        before -= 2
    said = tokens[before].text if before >= 0 else ""
    if said == "REFERENCES":
        return True
    verb = tokens[0].text
    if before < 1 or (verb != "CREATE" and verb not in _FILLS):
        return False
    if any(token.text == "(" for token in islice(tokens, before)):
        return False
    if verb != "CREATE":
        return said in {"INTO", "TABLE"}
    return said in _MADE or (said == "ON" and any(one.text == "INDEX" for one in tokens[:before]))


_MADE = word_set("TABLE VIEW EXISTS")
_FILLS = word_set("INSERT REPLACE MERGE")
