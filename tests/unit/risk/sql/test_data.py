"""What a statement stores, and what only its session has, is no loss; whatever may run is read."""

from tests.unit.risk.builders import the_policy

from holdpoint.cli.assess import judged
from holdpoint.cli.lines import Line, LineKind
from holdpoint.core.risk.sql.door import read_sql
from holdpoint.messages.risk import RiskLevel

SILENT = (
    "UPDATE articles SET title = 'Why we drop a table' WHERE id = 4",
    "INSERT INTO help (q, a) VALUES ('Can I delete all users?', 'Run DELETE FROM users')",
    "DROP TABLE #rows",
    "DROP TABLE IF EXISTS #rows, #more;",
    "TRUNCATE TABLE #rows",
    "DELETE FROM #rows",
    "IF OBJECT_ID('tempdb..#rows') IS NOT NULL DROP TABLE #rows",
)
GRAVE = (
    "DROP TABLE ##rows",
    "DROP TABLE #rows\nusers",
    "DROP TABLE #rows, users",
    "DELETE FROM #rows\nusers",
    "DROP TABLE",
    "UPDATE articles SET title = 'x' WHERE id = 4; DROP TABLE users",
    "EXEC('DROP TABLE users')",
    "INSERT INTO t SELECT dblink_exec('x', 'DROP TABLE users')",
    "sudo rm -rf /",
)
TANGLED = ('é~printf "%s" ' * 1000, '<<<"I UPDATE t SET a="' * 300, "mysql> DELETE x\n" * 600)


def _asks(text: str) -> bool:
    line = Line(id="1", kind=LineKind.SQL, text=text)
    return judged(line, the_policy()).level >= RiskLevel.HIGH


def test_data_and_tables_of_the_session_are_silent() -> None:
    assert [text for text in SILENT if _asks(text)] == []


def test_what_runs_or_belongs_to_others_is_high() -> None:
    assert [text for text in GRAVE if not _asks(text)] == []


def test_a_long_text_that_is_no_statement_goes_up() -> None:
    assert [text[:16] for text in TANGLED if not read_sql(text).signals] == []
