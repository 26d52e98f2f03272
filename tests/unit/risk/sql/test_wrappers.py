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
)
"""What only defines: it is no loss before somebody calls it."""

TRIGGERS = (
    "CREATE TRIGGER w AFTER INSERT ON a FOR EACH ROW BEGIN {}; END",
    "CREATE TRIGGER w AFTER INSERT ON a FOR EACH ROW {}",
)
"""What nobody has to call: the next row does."""

_OWN_BLOCKS = (
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
    assert _milder((*DEFINITIONS, *TRIGGERS), _plain(POWERS), "'") == []


def test_a_trigger_that_takes_whole_tables_needs_no_call() -> None:
    told = {
        (wrapper, text): level(read_sql(wrapper.replace("{}", text)))
        for text in _BY_ITSELF
        for wrapper in TRIGGERS
    }
    by_row = (wrapper.replace("{}", "DELETE FROM b WHERE id = NEW.id") for wrapper in TRIGGERS)

    assert [case for case, known in told.items() if known < RiskLevel.HIGH] == []
    assert [text for text in by_row if level(read_sql(text)) >= RiskLevel.HIGH] == []


_BY_ITSELF = (
    "DELETE FROM b", "TRUNCATE TABLE b", "UPDATE b SET c = 0", "ALTER TABLE b DROP COLUMN c",
    "ALTER TABLE b DROP PARTITION p", "ALTER TABLE b TRUNCATE PARTITION p", "DROP DATABASE shop",
)  # fmt: skip


def test_what_a_definition_only_removes_later_is_remarked_on() -> None:
    silent = [
        (wrapper, text)
        for text in ("DELETE FROM a", "DROP TABLE a", "TRUNCATE TABLE a")
        for wrapper in DEFINITIONS
        if level(read_sql(wrapper.replace("{}", text))) is not RiskLevel.MEDIUM
    ]

    assert silent == []


def test_a_definition_that_is_cut_short_is_read_as_far_as_it_goes() -> None:
    for wrapper in (*DEFINITIONS, *TRIGGERS):
        words = wrapper.replace("{}", "NULL").split()
        for size in range(1, len(words)):
            text = " ".join(words[:size])
            assert level(read_sql(text)) < RiskLevel.HIGH, text
    for head in ("CREATE PROCEDURE w AS", "CREATE FUNCTION w() RETURNS int AS"):
        assert level(read_sql(f"{head}; CALL w()")) < RiskLevel.HIGH, head
        assert level(read_sql(f"{head}; CALL w(); DROP TABLE a")) >= RiskLevel.HIGH, head


def test_what_reaches_beyond_the_rows_is_high_by_itself() -> None:
    assert [case for case in POWERS if level(read_sql(case[1], case[0])) < RiskLevel.HIGH] == []


def test_what_only_looks_so_stays_under_high() -> None:
    assert [case for case in MILD if level(read_sql(case[1], case[0])) >= RiskLevel.HIGH] == []
