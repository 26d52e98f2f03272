"""Properties of the SQL analyzer: proofs, reasons, targets, and what cannot be read."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.corpus import Row, rows

from holdpoint.core.risk.extract.payload import Leaf
from holdpoint.core.risk.model import Analysis
from holdpoint.core.risk.programs import programs
from holdpoint.core.risk.sql.analyzer import MAX_READ, analyze_sql
from holdpoint.messages.risk import RiskLevel

MAX_REASON = 90
TANGLED = ('é~printf "%s" ' * 1000, '<<<"I UPDATE t SET a="' * 300, "mysql> DELETE x\n" * 600)


@cache
def grave() -> tuple[Row, ...]:
    """Return the rows of the corpus that are high by themselves."""
    asks = rows("sql", "asks")
    return tuple(it for it in asks if analyze_sql(it.text, it.dialect).level >= RiskLevel.HIGH)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "EXPLAIN DELETE FROM a",
        "SELECT 'drop table a' -- delete from b",
        "SELECT id,\n  restore,\n  kill\nFROM t\nORDER BY\n  load DESC",
        "SELECT load\nFROM machines",
        "\\dt",
        ".tables",
        "SELECT 1\\G",
        "BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT 1; COMMIT",
        "SELECT a kind, CASE WHEN b THEN 1 END state FROM t x LEFT JOIN u USING (id)",
        "WITH a AS (SELECT 1)\n\nSELECT *\nFROM a\nWHERE note = 'delete into host rm x'",
        "SELECT rank() OVER (PARTITION BY a ORDER BY b ROWS UNBOUNDED PRECEDING) r FROM t",
        "SELECT x::timestamp without time zone AS at FROM t OFFSET 5 ROWS FETCH NEXT 9 ROWS ONLY",
        "SELECT TOP 10 * FROM t WITH (NOLOCK) WHERE b = @x ORDER BY load DESC",
        "SHOW CREATE TABLE t;\nSELECT 1",
        "EXPLAIN UPDATE t SET a = 1",
        "EXPLAIN (ANALYZE, BUFFERS) SELECT a FROM t",
        "SELECT user, sysdate, 'x' AS y FROM dual",
        "SELECT a::int, b::text[] FROM t",
        "   ",
    ],
)
def test_a_read_is_proven(text: str) -> None:
    assert analyze_sql(text).reads_only


@pytest.mark.parametrize(
    "text", ["INSERT INTO a VALUES (1)", "DELETE FROM a WHERE id = 1", "CREATE TABLE a (b int)"]
)
def test_a_change_is_no_read(text: str) -> None:
    assert not analyze_sql(text).reads_only


@pytest.mark.parametrize(
    "text",
    [
        "SELECT transfer(1, 2, 50000)",
        'SELECT "transfer"(1)',
        "SELECT transfer/**/(1)",
        "SELECT transfer -- x\n(1)",
        "SELECT writefile('/etc/passwd', 'x')",
        "SELECT * INTO newt FROM t",
        "SELECT nextval('s')",
        "SELECT setval('s', 1)",
        "SELECT * FROM t WHERE id = 1 FOR UPDATE",
        "SELECT * FROM t FOR NO KEY UPDATE SKIP LOCKED",
        "SELECT * FROM t LOCK IN SHARE MODE",
        "REINDEX INDEX CONCURRENTLY i",
        "SELECT 1; CLUSTER t",
        "CLUSTER t",
        "REPAIR TABLE t",
        "VACUUM t",
        "COMMIT PREPARED 'x'",
        "BEGIN hr.fire_all; END;",
        "SELECT 1\nRECONFIGURE",
        "SELECT 1\nBULK INSERT users FROM 'c:/x.csv'",
        "SELECT 1\nSET IDENTITY_INSERT x ON",
        "SELECT 1\nENABLE TRIGGER x ON y",
        "SELECT 1\nEXECUTE AS LOGIN = 'sa'",
        "SELECT 1\nINSERT x VALUES (1)",
        "START REPLICA",
        "\\! rm -rf /srv",
        "SELECT 1 \\g /etc/x",
        "\\o x",
        ".import x t",
        ".shell ls",
        "\\echo `ls`",
        "\\c prod",
        "tee x",
        "COMMIT",
        "SELECT 1; ROLLBACK",
        "BEGIN; SELECT 1; COMMIT; ROLLBACK",
        "SELECT 1 COMMIT",
        "SELECT a FROM t KILL 5",
        "SELECT 1 EXEC wipe",
        "EXPLAIN SELECT 1\nEXEC wipe",
        'EXPLAIN ("analyze") DELETE FROM t',
        'EXPLAIN (U&"\\0061nalyze") UPDATE t SET a = 1',
        "EXPLAIN ANALYZE EXECUTE x",
        "\\dt \\! touch x",
        "\\?",
        "SELECT * FROM pragma_optimize",
        'SELECT * FROM "pragma_optimize"',
        "SELECT purge_all FROM dual",
        "SELECT 1, hr.purge_all FROM dual",
        "SELECT NEXT /**/VALUE FOR s",
        "SELECT a FROM t FOR--x\nUPDATE",
        "SELECT 1\nBEGIN TRAN",
        "SELECT 1\nMOVE CONVERSATION @h TO @g",
        "SELECT 1\nGET CONVERSATION GROUP @g FROM q",
        "SELECT 1\nCLOSE MASTER KEY",
        "SELECT 1\nDEALLOCATE c",
        "SELECT 1\nwipe_all 5",
        "SELECT 1\nsp_rename 'a', 'b'",
        "SELECT 1\nHOST rm x",
        "SELECT 1\n!! rm x",
        "SELECT 1\n$ rm x",
        "SELECT 1\n@wipe",
        "SELECT 1\nSTART wipe.sql",
        "SELECT 1\nSPOOL f",
        "SELECT 1\nsource f",
    ],
)
def test_what_calls_something_unknown_is_not_proven_to_only_read(text: str) -> None:
    assert not analyze_sql(text).reads_only


def test_reasons_are_short_and_quote_the_words() -> None:
    found = (
        (row.text, one) for row in grave() for one in analyze_sql(row.text, row.dialect).signals
    )
    for text, signal in found:
        assert len(signal.reason) <= MAX_REASON
        assert "{}" not in signal.reason or "{}" in text
        if signal.span and "/*" not in text:
            start, end = signal.span
            assert text[start:end][:200] == signal.evidence


def test_what_is_touched_is_named() -> None:
    found = analyze_sql('DELETE FROM shop.invoices; DROP TABLE IF EXISTS "Old"')

    assert found.verb == "delete"
    assert found.targets == ("shop.invoices", "old")
    assert analyze_sql("CREATE INDEX CONCURRENTLY ix ON orders (a)").targets == ("ix",)


def test_a_quote_that_is_never_closed_goes_up() -> None:
    found = analyze_sql("UPDATE a SET b = 'x WHERE id = 7")

    assert found.unreadable
    assert found.level >= RiskLevel.HIGH


def test_too_many_statements_go_up() -> None:
    assert analyze_sql("DELETE FROM a WHERE id = 1;" * 300).level >= RiskLevel.HIGH


def test_a_long_list_of_values_is_no_danger_but_a_long_change_goes_up() -> None:
    assert analyze_sql("SELECT 1, " * MAX_READ).reads_only
    assert analyze_sql("DELETE FROM a WHERE id = 1 OR " + "id = 2 OR " * MAX_READ).unreadable


@settings(deadline=None, derandomize=True, max_examples=150)
@given(
    st.text(alphabet="SELCTDROPABUWHN *;'\"()-/!#$%=1a\n\\`[]", max_size=120)
    | st.deferred(lambda: st.sampled_from(grave())).map(lambda row: row.text)
)
def test_no_text_makes_it_stumble(text: str) -> None:
    assert isinstance(analyze_sql(text), Analysis)


@pytest.mark.parametrize("around", ["SELECT 1;\n{}", "{} ;", "\t{}", "/* a */ {}", "{} -- b"])
def test_company_does_not_hide_it(around: str) -> None:
    plain = [row for row in grave() if "--" not in row.text and "(((" not in row.text]
    wrapped = ((around.replace("{}", row.text), row.dialect) for row in plain)

    assert [one for one in wrapped if analyze_sql(*one).level < RiskLevel.HIGH] == []


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
    assert analyze_sql(text).level >= RiskLevel.HIGH


@pytest.mark.parametrize("order", ["update a set b = 1 ", "drop table a ", "delete from a "])
def test_more_orders_in_one_statement_than_anybody_reads_go_up(order: str) -> None:
    few = {one.rule for one in analyze_sql(order * 3).signals}
    many = analyze_sql(order * 200).signals

    assert "sql.tangled" not in few
    assert {one.level for one in many if one.rule == "sql.tangled"} == {RiskLevel.HIGH}


def test_a_long_text_that_is_no_statement_goes_up() -> None:
    assert [text[:16] for text in TANGLED if not analyze_sql(text).findings] == []


def test_a_sentence_that_begins_like_a_question_may_end_as_it_likes() -> None:
    sentences = ("Select a colour (red", "with love :(", "select one 'til noon")

    assert [one for one in sentences if analyze_sql(one, guessed=True).findings] == []


@pytest.mark.parametrize(
    "text",
    ["do it", "use the left door", "set a date", "if it begins, call me", "prepare the room"],
)
def test_prose_is_no_statement(text: str) -> None:
    leaf = Leaf("/note", "note", text, {})

    assert programs("", (leaf,), (), "").signals == ()


def test_code_of_another_language_is_a_command_of_the_shell() -> None:
    found = analyze_sql("DO $$ rm -rf /srv $$ LANGUAGE plsh; DO $$ 1 $$ LANGUAGE plruby")

    assert [one.split()[0] for one in found.commands] == ["sh", "ruby"]
    assert found.level is RiskLevel.HIGH


def test_what_a_client_only_shows_is_a_read() -> None:
    assert analyze_sql("\\d staff", "").reads_only
    assert not analyze_sql("\\d staff\nINSERT INTO t VALUES (1)", "").reads_only
