"""What leaves a warehouse, stops it, or empties its stages: (dialect, text, level)."""

from typing import Final

from holdpoint.messages.risk import RiskLevel

LOW, MEDIUM, HIGH = RiskLevel.LOW, RiskLevel.MEDIUM, RiskLevel.HIGH

CASES: Final[tuple[tuple[str, str, RiskLevel], ...]] = (
    ("snowflake", "REMOVE @landing/2024", HIGH),
    ("", "rm @~/landing pattern='.*csv'", HIGH),
    ("", "REMOVE @%orders", HIGH),
    ("", "SELECT 1; remove @db.sch.landing;", HIGH),
    ("snowflake", "LIST @landing", LOW),
    ("", "SELECT remove FROM landing", LOW),
    ("", "SELECT rm.id FROM rooms rm", LOW),
    ("redshift", "UNLOAD ('SELECT * FROM orders') TO 's3://b/p' IAM_ROLE 'r'", MEDIUM),
    ("", "unload (select * from orders) to 's3://b/p'", MEDIUM),
    ("bigquery", "EXPORT DATA OPTIONS(uri='gs://b/*.csv') AS SELECT * FROM orders", MEDIUM),
    ("", "EXPORT DATA WITH CONNECTION c OPTIONS(uri='s3://b/*') AS SELECT 1", MEDIUM),
    ("", "EXPORT nothing", LOW),
    ("", "SELECT export, unload FROM cargo", LOW),
    ("snowflake", "ALTER WAREHOUSE loads SUSPEND", MEDIUM),
    ("", "alter warehouse if exists loads suspend", MEDIUM),
    ("snowflake", "ALTER WAREHOUSE loads RESUME", LOW),
    ("", "db.orders.drop()", HIGH),
    ("", "db.orders.deleteMany({})", HIGH),
    ("", "db.orders.deleteMany( { } )", HIGH),
    ("", "db.getCollection('orders').remove({})", HIGH),
    ("", "use shop; db.dropDatabase()", HIGH),
    ("", 'db["orders"].drop();', HIGH),
    ("", "db.orders.updateMany({}, {$set: {paid: false}})", HIGH),
    ("", "db.orders.deleteOne({_id: 7})", MEDIUM),
    ("", "db.orders.deleteMany({day: 7})", MEDIUM),
    ("", "db.orders.find({})", LOW),
    ("", "db.orders.countDocuments({state: 'drop'})", LOW),
    ("", "SELECT * FROM db.orders", LOW),
    ("", "UPDATE db.orders SET a = 1 WHERE id = 7", MEDIUM),
    ("snowflake", "COPY INTO @landing FROM orders", MEDIUM),
    ("snowflake", "COPY INTO 's3://b/p/' FROM orders", MEDIUM),
    ("snowflake", "COPY INTO orders FROM @landing", LOW),
    ("", "use shop\ndb.dropDatabase()", HIGH),
)
