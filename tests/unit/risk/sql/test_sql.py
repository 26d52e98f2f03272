"""SQL in every dress: what destroys is told, what reads is silent, what cannot be read goes up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.sql.cases import HIGH, SILENT, Case

from holdpoint.core.risk.sql.door import MAX_READ, SqlReading, read_sql
from holdpoint.core.risk.sql.truth import MAX_CHARS, Reach, reach
from holdpoint.messages.risk import RiskLevel

MAX_REASON = 90


def level(found: SqlReading) -> RiskLevel:
    return max((one.level for one in found.signals), default=RiskLevel.LOW)


def asks(case: Case) -> bool:
    dialect, text = case
    return level(read_sql(text, dialect)) >= RiskLevel.HIGH


def test_what_destroys_or_gives_power_is_high() -> None:
    assert [case for case in HIGH if not asks(case)] == []


def test_what_only_reads_or_adds_stays_under_high() -> None:
    assert [case for case in SILENT if asks(case)] == []


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "EXPLAIN DELETE FROM a",
        "SELECT 'drop table a' -- delete from b",
        "   ",
    ],
)
def test_a_read_is_proven(text: str) -> None:
    assert read_sql(text).reads_only


@pytest.mark.parametrize(
    "text", ["INSERT INTO a VALUES (1)", "DELETE FROM a WHERE id = 1", "CREATE TABLE a (b int)"]
)
def test_a_change_is_no_read(text: str) -> None:
    assert not read_sql(text).reads_only


def test_reasons_are_short_and_quote_the_words() -> None:
    told = ((text, one) for dialect, text in HIGH for one in read_sql(text, dialect).signals)
    for text, signal in told:
        assert len(signal.reason) <= MAX_REASON
        assert "{}" not in signal.reason
        if signal.span:
            start, end = signal.span
            assert text[start:end][:200] == signal.evidence


def test_what_is_touched_is_named() -> None:
    found = read_sql('DELETE FROM shop.invoices; DROP TABLE IF EXISTS "Old"')

    assert found.verb == "delete"
    assert found.targets == ("shop.invoices", "old")


def test_a_quote_that_is_never_closed_goes_up() -> None:
    found = read_sql("UPDATE a SET b = 'x WHERE id = 7")

    assert found.unreadable
    assert level(found) >= RiskLevel.HIGH


def test_too_many_statements_go_up() -> None:
    assert level(read_sql("DELETE FROM a WHERE id = 1;" * 300)) >= RiskLevel.HIGH


def test_a_long_list_of_values_is_no_danger_but_a_long_change_goes_up() -> None:
    assert read_sql("SELECT 1, " * MAX_READ).reads_only
    assert read_sql("DELETE FROM a WHERE id = 1 OR " + "id = 2 OR " * MAX_READ).unreadable


@pytest.mark.parametrize("condition", ["(" * 61 + "1" + ")" * 61, "x" * (MAX_CHARS + 1), "= = ="])
def test_a_condition_that_cannot_be_read_is_told(condition: str) -> None:
    assert reach(condition, "", "t") is Reach.UNREADABLE


@pytest.mark.parametrize(
    ("condition", "known"),
    [
        ("1 = 2", Reach.NAMED),
        ("FALSE", Reach.RANGE),
        ("a IS NULL", Reach.RANGE),
        ("NULL IS NULL", Reach.ALL),
        ("NOT (1 = 2)", Reach.ALL),
        ("1 < 2 AND 3 >= 3 AND 'a' <> 'b'", Reach.ALL),
        ("2 <= 1 OR 5 > 4", Reach.ALL),
        ("-1 < 0", Reach.ALL),
        ("a <> a", Reach.RANGE),
        ("a >= a", Reach.ALL),
        ("1 XOR 0", Reach.ALL),
        ("a IN (a)", Reach.ALL),
        ("a IN (SELECT b FROM c)", Reach.RANGE),
        ("a = 1 OR b = 2", Reach.NAMED),
        ("'x' > 3", Reach.ALL),
        ("CAST('1' AS int) = CAST('1' AS int)", Reach.ALL),
        ("EXISTS (SELECT 1 FROM b WHERE b.id = a.id)", Reach.NAMED),
        ("name LIKE 'a%'", Reach.RANGE),
        ("CASE WHEN a = 1 THEN 1 END", Reach.NAMED),
        ("lower(a) = 'x'", Reach.NAMED),
        ("'abc'", Reach.RANGE),
        ("-a", Reach.RANGE),
        ("(1) = (1.0)", Reach.ALL),
        ("TRUE = 1", Reach.ALL),
        ("1 UNION SELECT 2", Reach.UNREADABLE),
        ("5", Reach.ALL),
        ("1 OR a", Reach.ALL),
        ("0 AND a", Reach.RANGE),
        ("a BETWEEN 1 AND 2", Reach.RANGE),
        ("1 IS NULL", Reach.RANGE),
        ("3 IN (1)", Reach.NAMED),
        ("EXISTS ((SELECT 1))", Reach.ALL),
        ("1 + 1 = 2", Reach.ALL),
        ("'1' >= '2'", Reach.ALL),
    ],
)
def test_what_a_condition_lets_through(condition: str, known: Reach) -> None:
    assert reach(condition, "mysql", "t") is known


@settings(deadline=None, derandomize=True, max_examples=150)
@given(
    st.text(alphabet="SELCTDROPABUWHN *;'\"()-/!#$%=1a\n\\`[]", max_size=120)
    | st.sampled_from(HIGH).map(lambda case: case[1])
)
def test_no_text_makes_it_stumble(text: str) -> None:
    assert isinstance(read_sql(text), SqlReading)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.sampled_from(HIGH),
    st.sampled_from(["SELECT 1;\n{}", "{} ;", "\t{}", "/* a */ {}", "{} -- b"]),
)
def test_company_does_not_hide_it(case: Case, wrapped: str) -> None:
    dialect, text = case
    if "--" in text or "(((" in text:
        return

    assert level(read_sql(wrapped.replace("{}", text), dialect)) >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "text",
    [
        "DELETE FROM a WHERE " + "(" * 100_000,
        "DROP TABLE " + "a, " * 500_000,
        "DELETE FROM a WHERE " + "NOT " * 50_000 + "1",
        "/*" * 100_000 + "DROP TABLE a",
        "'" * 200_001 + "DROP TABLE a",
        "$a$" + "$b$" * 60_000 + "DROP TABLE a",
        "EXEC('" * 5_000 + "DROP TABLE a",
        "BEGIN " * 50_000 + "DELETE FROM a",
        "UPDATE " * 50_000,
    ],
    ids=lambda text: str(text[:24]),
)
def test_hostile_texts_go_up(text: str) -> None:
    """That each takes little time is measured beside other texts, where speed is."""
    assert level(read_sql(text)) >= RiskLevel.HIGH


@pytest.mark.parametrize("order", ["update a set b = 1 ", "drop table a ", "delete from a "])
def test_more_orders_in_one_statement_than_anybody_reads_go_up(order: str) -> None:
    few = {one.rule for one in read_sql(order * 3).signals}
    many = read_sql(order * 200).signals

    assert "sql.tangled" not in few
    assert {one.level for one in many if one.rule == "sql.tangled"} == {RiskLevel.HIGH}
