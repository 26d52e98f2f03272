"""What is no statement of any database goes up where it takes something away, else it is silent."""

from tests.unit.risk.sql.test_sql import level

from holdpoint.core.risk.sql.door import read_sql
from holdpoint.messages.risk import RiskLevel

GRAVE = (
    "FLUSHALL",
    "flushdb async",
    "MATCH (n) DETACH DELETE n",
    "match (n:Person) where n.age > 3 delete n",
    "MATCH (n:Person) SET n.active = false",
    "MATCH (n) WHERE n.id = 4 OR 1 = 1 DELETE n",
    "((((((DELETE staff",
    "(((DELETE staff)))",
    "( ( DROP TABLE staff",
    "((SELECT 1), (DELETE",
    "OBLITERATE staff THEN DELETE rest",
    "MSCK SWEEP TABLE staff DROP PARTITIONS",
    "SELECT 1; NUKE staff AND TRUNCATE rest",
)
SILENT = (
    "MATCH (n:Person {id: 4}) DETACH DELETE n",
    "MATCH (n:Person) WHERE n.id = 4 DELETE n",
    "MATCH (n:Person) RETURN n.delete",
    "MATCH (n) RETURN n LIMIT 5",
    "SHOW DELETE TASKS",
    "REFRESH MATERIALIZED VIEW totals",
    "COMMENT ON TABLE staff IS 'do not drop'",
    "PROMPT delete the old rows\nSELECT 1",
    "# delete nothing\nSELECT 1",
    "x := drop_flag - delete",
    "StormEvents | where state == drop | take 9",
    "store.delete_flag drop",
    "how do I delete a customer",
    "@n = delete",
    "(SELECT 1) UNION (SELECT 2)",
    ".tables",
    "ROTATE staff",
    "UPSERT INTO staff VALUES (1)",
)


def test_an_order_that_nobody_can_read_goes_up() -> None:
    assert [text for text in GRAVE if level(read_sql(text)) < RiskLevel.HIGH] == []


def test_what_takes_nothing_away_is_silent() -> None:
    assert [text for text in SILENT if level(read_sql(text)) >= RiskLevel.HIGH] == []
