"""Whatever a statement stands in that runs it, it is as grave as alone."""

from tests.unit.risk.sql.cases import HIGH, Case
from tests.unit.risk.sql.power_cases import MILD, POWERS
from tests.unit.risk.sql.test_sql import level

from holdpoint.core.risk.sql.door import read_sql
from holdpoint.messages.risk import RiskLevel

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
    "CREATE TRIGGER w AFTER INSERT ON a FOR EACH ROW BEGIN {}; END",
    "CREATE TRIGGER w AFTER INSERT ON a FOR EACH ROW {}",
)
"""What only defines: it is no loss before somebody calls it."""

_OWN_BLOCKS = ("DO ", "BEGIN", "IF ", "DECLARE", "EXPLAIN", "/*!", "PREPARE", "SET @", "SP_")
_LOOSE = ("--", "((", ";", "/*", "\\", "$")


def _plain(cases: tuple[Case, ...]) -> list[Case]:
    """One statement each, whole, that is no wrapper itself."""
    return [
        (dialect, text)
        for dialect, text in cases
        if not text.upper().startswith(_OWN_BLOCKS) and not any(one in text for one in _LOOSE)
    ]


def _milder(wrappers: tuple[str, ...], cases: list[Case], quotes: str) -> list[tuple[str, str]]:
    return [
        (wrapper, text)
        for dialect, text in cases
        for wrapper in wrappers
        if level(read_sql(wrapper.replace("{}", text.replace("'", quotes)), dialect))
        < level(read_sql(text, dialect))
    ]


def test_no_wrapper_makes_a_statement_milder() -> None:
    cases = _plain((*HIGH, *POWERS))

    assert _milder(WRAPPERS, cases, "'") == []


def test_no_text_that_runs_makes_a_statement_milder() -> None:
    cases = [case for case in _plain((*HIGH, *POWERS)) if "'''" not in case[1]]

    assert _milder(QUOTING, cases, "''") == []


def test_what_reaches_beyond_the_rows_is_told_where_it_is_defined() -> None:
    assert _milder(DEFINITIONS, _plain(POWERS), "'") == []


def test_what_a_definition_only_removes_later_is_remarked_on() -> None:
    silent = [
        (wrapper, text)
        for text in ("DELETE FROM a", "DROP TABLE a", "TRUNCATE TABLE a")
        for wrapper in DEFINITIONS
        if level(read_sql(wrapper.replace("{}", text))) is not RiskLevel.MEDIUM
    ]

    assert silent == []


def test_what_reaches_beyond_the_rows_is_high_by_itself() -> None:
    assert [case for case in POWERS if level(read_sql(case[1], case[0])) < RiskLevel.HIGH] == []


def test_what_only_looks_so_stays_under_high() -> None:
    assert [case for case in MILD if level(read_sql(case[1], case[0])) >= RiskLevel.HIGH] == []
