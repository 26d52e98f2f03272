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
    ("redshift", "UNLOAD ('SELECT * FROM orders') TO 's3://b/p' IAM_ROLE 'r'", HIGH),
    ("", "unload (select * from orders) to 's3://b/p'", HIGH),
    ("bigquery", "EXPORT DATA OPTIONS(uri='gs://b/*.csv') AS SELECT * FROM orders", HIGH),
    ("", "EXPORT DATA WITH CONNECTION c OPTIONS(uri='s3://b/*') AS SELECT 1", HIGH),
    ("", "EXPORT nothing", LOW),
    ("duckdb", "EXPORT DATABASE 'shop'", MEDIUM),
    ("duckdb", "COPY orders TO 's3://b/p.parquet'", HIGH),
    ("redshift", "COPY orders FROM 's3://b/p' IAM_ROLE 'r'", LOW),
    ("duckdb", "COPY orders TO 'p.parquet'", MEDIUM),
    ("", "EXPORT INTO CSV 'azure://b/p' FROM TABLE orders", HIGH),
    ("tsql", "BACKUP DATABASE shop TO DISK = 'D:\\shop.bak'", LOW),
    ("tsql", "BACKUP DATABASE shop TO DISK = '\\\\10.0.0.9\\share\\shop.bak'", HIGH),
    ("tsql", "BACKUP DATABASE shop TO URL = 'https://b.example/shop.bak'", HIGH),
    ("clickhouse", "INSERT INTO FUNCTION s3('https://b.example/p', 'CSV') SELECT 1", HIGH),
    ("clickhouse", "INSERT INTO TABLE FUNCTION remote('h:9000', a.b) SELECT 1", HIGH),
    ("clickhouse", "INSERT INTO FUNCTION file('p.csv') SELECT 1", LOW),
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
    ("snowflake", "COPY INTO 's3://b/p/' FROM orders", HIGH),
    ("snowflake", "COPY INTO orders FROM @landing", LOW),
    ("", "use shop\ndb.dropDatabase()", HIGH),
)
