"""Whatever a statement stands in that runs it, it is as grave as alone."""

import pytest
from tests.shares import in_shares
from tests.unit.risk.corpus import Row, rows

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.programs import sql
from holdpoint.core.risk.sql.analyzer import analyze_sql
from holdpoint.messages.risk import RiskLevel

FRONTS = (
    "-- note\r",
    "-- note\v",
    "-- note\x85",
    "-- note\u2028",
    "# note\n",
    "--\n",
    "/* a /* b */\n",
    "\\set ON_ERROR_STOP on\n",
    "\\timing on\n",
    "\\x\n\\pset pager off\n",
    "\\c shop\n",
    "\\echo 'it begins\n",
    "SELECT 1 \\gx\n",
    ".headers on\n",
    "SET ECHO ON\n",
    "PROMPT working\n",
    "SELECT 1;\n",
    "mysql> ",
    "shop=# ",
    "MariaDB [shop]> ",
    ")))( ",
    "} ; ]] ",
    "\x00",
    "{{ config(alias='a') }} ",
    "{% if true %}",
    "{# note #}\n",
)

WRAPPERS = (
    "DO $w$ BEGIN {}; END $w$",
    "DO $w$ DECLARE n int; BEGIN IF n > 1 THEN {}; ELSE NULL; END IF; END $w$",
    "DO $w$ BEGIN FOR i IN 1..3 LOOP {}; END LOOP; END $w$",
    "BEGIN {}; END;",
    "BEGIN {} END",
    "BEGIN TRY {} END TRY BEGIN CATCH PRINT 1 END CATCH",
    "DECLARE n int; BEGIN n := 1; {}; END;",
    "IF 1 = 1 BEGIN {} END",
    "IF EXISTS (SELECT 1 FROM x) {}",
    "WHILE 1 = 1 BEGIN {} END",
    "BEGIN WHILE 1 = 1 DO {}; END WHILE; END",
    "EXPLAIN ANALYZE {}",
    "EXPLAIN (ANALYZE, VERBOSE) {}",
    "PREPARE w AS {}",
    "-- nothing to see\n{}",
    "/* nothing to see */ {}",
    "{} ; SELECT 1",
    "SELECT 1; {}; COMMIT",
    "CREATE PROCEDURE w() AS BEGIN {}; END; CALL w()",
    "CREATE FUNCTION w() RETURNS void AS $w$ BEGIN {}; END $w$ LANGUAGE plpgsql; SELECT w()",
    "EXECUTE IMMEDIATE $w$ {} $w$",
    "CREATE EVENT w ON SCHEDULE EVERY 1 DAY DO {}",
    "CREATE OR REPLACE TASK w SCHEDULE = '1 minute' AS {}",
    "BEGIN NOT ATOMIC {}; END",
    "BEGIN NULL; EXCEPTION WHEN OTHERS THEN {}; END;",
    "<<w>> BEGIN {}; END;",
)
QUOTING = (
    "EXEC('{}')",
    "EXECUTE IMMEDIATE '{}'",
    "DO $w$ BEGIN EXECUTE '{}'; END $w$",
    "PREPARE w FROM '{}'; EXECUTE w",
    "EXEC sp_executesql N'{}'",
    "BEGIN DBMS_UTILITY.EXEC_DDL_STATEMENT('{}'); END;",
    "BEGIN DBMS_SQL.PARSE(c, '{}', 1); END;",
    "SELECT cron.schedule('w', '* * * * *', '{}')",
)
DEFINITIONS = (
    "CREATE PROCEDURE w() AS BEGIN {}; END",
    "CREATE PROC w AS {}",
    "CREATE OR REPLACE FUNCTION w() RETURNS void AS $w$ BEGIN {}; END $w$ LANGUAGE plpgsql",
    "CREATE FUNCTION w() RETURNS void LANGUAGE plpgsql AS $w$ BEGIN EXECUTE $e$ {} $e$; END $w$",
)
"""What only defines: it is no loss before somebody calls it."""

TRIGGERS = (
    "CREATE TRIGGER w AFTER INSERT ON a FOR EACH ROW BEGIN {}; END",
    "CREATE TRIGGER w AFTER INSERT ON a FOR EACH ROW {}",
)
"""What nobody has to call: the next row does."""

_OWN_BLOCKS = (
    "ATTACH",
    "MSCK",
    "CREATE TRIGGER",
    "CREATE DEFINER",
    "DO ",
    "BEGIN",
    "IF ",
    "DECLARE",
    "EXPLAIN",
    "/*!",
    "PREPARE",
    "SET @",
    "SP_",
)
_WHOLE = frozenset(
    {
        "all-rows",
        "drop",
        "truncate",
        "power",
        "language",
        "shell",
        "files",
        "settings",
        "stop",
        "purge",
        "alter-drop",
        "merge",
        "lock",
        "replace",
        "detach",
        "people",
        "repair",
        "secrets",
        "traces",
        "many-rows",
    }
)
_LOOSE = (
    *("--", "((", ";", "/*", "\\", "$", "{", "#", "\n", "`", ": "),
    *("OR REPLACE INTO", "READ LOCK", "read lock"),
)
_FAMILIES = frozenset({"all-rows", "drop", "truncate", "power", "language", "shell", "files"})
_FAMILIES |= {"settings", "stop", "purge", "alter-drop", "merge", "people", "repair", "secrets"}
"""Those of orders that stand alone."""


def _plain(cases: tuple[Row, ...]) -> list[Row]:
    """One statement each, whole, that is no wrapper itself."""
    return [
        row
        for row in cases
        if not row.text.upper().startswith(_OWN_BLOCKS)
        and not any(one in row.text for one in _LOOSE)
    ]


def _level(text: str, dialect: str = "") -> RiskLevel:
    return analyze_sql(text, dialect).level


STATEMENTS = _plain(tuple(row for row in rows("sql", "asks") if row.family in _FAMILIES))
BEYOND_ROWS = [row for row in STATEMENTS if f"sql.{row.family}" in words("words/sql:told_at_once")]


def _milder(wrappers: tuple[str, ...], cases: list[Row], quotes: str) -> list[tuple[str, str]]:
    return [
        (wrapper, row.text)
        for row in cases
        for wrapper in wrappers
        if _level(wrapper.replace("{}", row.text.replace("'", quotes)), row.dialect)
        < _level(row.text, row.dialect)
    ]


@in_shares
def test_no_wrapper_makes_a_statement_milder(step: int) -> None:
    assert _milder(WRAPPERS, STATEMENTS[:: 2 * step], "'") == []


@in_shares
def test_no_text_that_runs_makes_a_statement_milder(step: int) -> None:
    cases = [row for row in STATEMENTS if "'''" not in row.text][::step]
    assert _milder(QUOTING, cases, "''") == []


def test_what_reaches_beyond_the_rows_counts_where_it_is_defined() -> None:
    assert _milder((*DEFINITIONS, *TRIGGERS), BEYOND_ROWS, "'") == []


@in_shares
def test_no_line_in_front_lowers_a_level(step: int) -> None:
    lowered = [
        (front, row.text)
        for front in FRONTS
        for row in STATEMENTS[:: 3 * step]
        if sql_level(front + row.text, row.dialect) < sql_level(row.text, row.dialect)
    ]

    assert lowered == []


def sql_level(text: str, dialect: str) -> RiskLevel:
    """With the programs that it hands to the server's machine."""
    signals = sql(text, dialect).signals
    return max((signal.level for signal in signals), default=RiskLevel.LOW)


@pytest.mark.parametrize("wrapper", TRIGGERS)
def test_a_trigger_that_takes_whole_tables_needs_no_call(wrapper: str) -> None:
    mild = [text for text in _BY_ITSELF if _level(wrapper.replace("{}", text)) < RiskLevel.HIGH]

    assert mild == []
    assert _level(wrapper.replace("{}", "DELETE FROM b WHERE id = NEW.id")) < RiskLevel.HIGH


_BY_ITSELF = (
    "DELETE FROM b", "TRUNCATE TABLE b", "UPDATE b SET c = 0", "ALTER TABLE b DROP COLUMN c",
    "ALTER TABLE b DROP PARTITION p", "ALTER TABLE b TRUNCATE PARTITION p", "DROP DATABASE shop",
)  # fmt: skip


@pytest.mark.parametrize("text", ["DELETE FROM a", "DROP TABLE a", "TRUNCATE TABLE a"])
def test_what_a_definition_only_removes_later_is_medium(text: str) -> None:
    levels = {_level(wrapper.replace("{}", text)) for wrapper in DEFINITIONS}

    assert levels == {RiskLevel.MEDIUM}


def test_a_definition_that_is_cut_short_is_read_as_far_as_it_goes() -> None:
    for wrapper in (*DEFINITIONS, *TRIGGERS):
        parts = wrapper.replace("{}", "NULL").split()
        for size in range(1, len(parts)):
            text = " ".join(parts[:size])
            assert _level(text) < RiskLevel.HIGH, text
    for head in ("CREATE PROCEDURE w AS", "CREATE FUNCTION w() RETURNS int AS"):
        assert _level(f"{head}; CALL w()") < RiskLevel.HIGH, head
        assert _level(f"{head}; CALL w(); DROP TABLE a") >= RiskLevel.HIGH, head
