"""What the parse alone proves or refuses, before any database is asked."""

import pytest

from holdpoint.domains.database.statements import StatementError, change, query
from holdpoint.domains.database.values import CELL_CHARACTERS, cell

DIALECTS = ["sqlite", "postgres"]


@pytest.mark.parametrize(
    "sql",
    [
        "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
        "SELECT * FROM (INSERT INTO t VALUES (1) RETURNING *) AS x",
        "SELECT * INTO copied FROM t",
        "SELECT * FROM t FOR UPDATE",
        "SELECT * FROM t FOR SHARE",
        "SELECT 1 OPERATOR(evil.+) 2",
    ],
)
def test_a_query_contains_nothing_that_changes(sql: str) -> None:
    with pytest.raises(StatementError, match=r"cannot contain|cannot be parsed"):
        query(sql, "postgres", ())


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\x00", "\x1b", "\ufeff", "\r"])
def test_invisible_characters_are_refused(dialect: str, hidden: str) -> None:
    with pytest.raises(StatementError, match="invisible"):
        change(f"DELETE FROM t WHERE name = 'a{hidden}b'", dialect, ())
    with pytest.raises(StatementError, match="invisible"):
        query(f"SELECT 'a{hidden}b'", dialect, ())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_words_of_a_change_stay_as_they_are(dialect: str) -> None:
    sql = "DELETE  FROM \"t\"\nWHERE a=:a  AND b = ':a' AND c != :b AND d = :a ;"
    found = change(sql, dialect, ())
    words = sql.strip().removesuffix(";").rstrip()
    if dialect == "postgres":
        words = words.replace("=:a ", "=$1 ").replace(":b", "$2").replace("d = :a", "d = $1")
    assert (found.text, found.names, found.target) == (words, ("a", "b"), "t")


def test_a_query_for_postgres_is_written_back_from_its_parse() -> None:
    found = query("SELECT a /* x */ FROM t WHERE a = :a AND b = ':a' -- y", "postgres", ())
    assert found.text == "SELECT a FROM t WHERE a = $1 AND b = ':a'"
    assert found.bound({"a": 1}) == (1,)


@pytest.mark.parametrize("given", [{}, {"a": 1, "b": 2}, {"b": 2}])
def test_no_parameter_is_missing_or_left_over(given: dict[str, int]) -> None:
    found = query("SELECT * FROM t WHERE a = :a", "sqlite", ())
    with pytest.raises(StatementError, match="The parameter"):
        found.bound(dict(given))


@pytest.mark.parametrize(
    ("sql", "targets"),
    [
        ("INSERT INTO s.t (a) SELECT b FROM u", ("s.t",)),
        ("UPDATE t SET a = (SELECT max(b) FROM u)", ("t",)),
        ("DELETE FROM t AS x WHERE x.a IN (SELECT a FROM u)", ("t",)),
        ("DROP TABLE t, u", ("t", "u")),
        ("TRUNCATE t, u", ("t", "u")),
        ("ALTER TABLE t ADD COLUMN b INT", ("t",)),
        ("CREATE TABLE t (a INT)", ("t",)),
        ("CREATE INDEX i ON t (a)", ("t",)),
    ],
)
def test_the_targets_are_named(sql: str, targets: tuple[str, ...]) -> None:
    assert change(sql, "postgres", ()).targets == targets


def test_values_lose_nothing_in_json() -> None:
    assert cell(2**60) == str(2**60)
    assert cell(float("inf")) == "inf"
    assert cell(b"\x00\xff") == "\\x00ff"
    long = cell("x" * (CELL_CHARACTERS + 1))
    assert isinstance(long, str)
    assert long.endswith(f"… ({CELL_CHARACTERS + 1} characters)")
