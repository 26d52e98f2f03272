"""A definition's words name what it makes, changes and drops."""

import pytest

from holdpoint.domains.database.definitions import outcome, summary
from holdpoint.domains.database.statements import change

DIALECTS = ["sqlite", "postgres"]

WORDS = [
    ("CREATE INDEX i ON leads(status)", "create index i on crm.leads"),
    ("CREATE UNIQUE INDEX IF NOT EXISTS i ON leads(a)", "create unique index i on crm.leads"),
    ("CREATE INDEX ON leads(status)", "create index on crm.leads"),
    ('CREATE INDEX "x on crm.safe" ON leads(a)', 'create index "x on crm.safe" on crm.leads'),
    ("CREATE VIEW v AS SELECT * FROM leads", "create view crm.v"),
    ("CREATE OR REPLACE VIEW v AS SELECT 1", "create or replace view crm.v"),
    ("CREATE TABLE t (a int)", "create table crm.t"),
    ("CREATE TEMP TABLE t (a int)", "create temporary table crm.t"),
    ("CREATE TABLE t AS SELECT * FROM leads", "create table crm.t from a query"),
    ("CREATE SEQUENCE s", "create sequence crm.s"),
    ("DROP TABLE leads", "drop table crm.leads"),
    ("DROP TABLE a, b CASCADE", "drop table crm.a, crm.b and everything that depends on it"),
    ("DROP INDEX IF EXISTS i", "drop index crm.i"),
    ("DROP VIEW v", "drop view crm.v"),
    ("DROP MATERIALIZED VIEW v", "drop materialized view crm.v"),
    ("TRUNCATE a, b", "truncate crm.a, crm.b"),
    ("ALTER TABLE leads ADD COLUMN x int", "add column x to crm.leads"),
    ("ALTER TABLE leads ADD x int", "add column x to crm.leads"),
    ("ALTER TABLE leads DROP COLUMN x", "drop column x from crm.leads"),
    ("ALTER TABLE leads DROP x", "drop column x from crm.leads"),
    (
        "ALTER TABLE leads DROP COLUMN x, DROP COLUMN y",
        "drop column x from crm.leads, drop column y from crm.leads",
    ),
    ("ALTER TABLE leads RENAME COLUMN a TO b", "rename column a of crm.leads to b"),
    ("ALTER TABLE leads RENAME TO people", "rename crm.leads to people"),
    ("ALTER TABLE leads ALTER COLUMN a TYPE int", "change column a of crm.leads"),
    ("ALTER TABLE leads ADD CONSTRAINT c UNIQUE (a)", "add constraint c to crm.leads"),
    ("ALTER TABLE leads DROP CONSTRAINT c", "drop constraint c from crm.leads"),
    ("ALTER INDEX i RENAME TO j", "rename index crm.i to j"),
    ("ALTER TABLE leads ADD PRIMARY KEY (id)", "alter crm.leads"),
    ("DELETE FROM leads WHERE id = 1", ""),
]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("sql", "words"), WORDS)
def test_a_definition_is_told_in_words(dialect: str, sql: str, words: str) -> None:
    assert summary("crm", change(sql, dialect, ())) == words


def test_a_rename_that_the_parser_takes_for_another_is_told_as_a_whole() -> None:
    statement = change("ALTER TABLE leads RENAME a TO b", "postgres", ())

    assert summary("crm", statement) == "alter crm.leads"


def test_what_was_defined_is_told_in_the_past() -> None:
    statement = change("ALTER TABLE leads ADD COLUMN x int, DROP COLUMN y", "postgres", ())

    assert (
        outcome("crm", statement) == "added column x to crm.leads, dropped column y from crm.leads"
    )
