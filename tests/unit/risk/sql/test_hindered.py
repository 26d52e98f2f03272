"""Locks that stop everybody, logs and columns that go, what pays everybody; and what looks so."""

from holdpoint.core.risk.sql.door import read_sql
from holdpoint.messages.risk import RiskLevel

LOW, MEDIUM, HIGH, CRITICAL = RiskLevel

CASES = (
    ("mysql", "FLUSH TABLES WITH READ LOCK", HIGH),
    ("", "flush local tables with read lock", HIGH),
    ("mysql", "FLUSH TABLES a, b WITH READ LOCK", MEDIUM),
    ("mysql", "FLUSH TABLES a FOR EXPORT", LOW),
    ("mysql", "FLUSH TABLES", LOW),
    ("mysql", "FLUSH PRIVILEGES", LOW),
    ("mysql", "LOCK INSTANCE FOR BACKUP", HIGH),
    ("postgres", "LOCK TABLE orders IN ACCESS EXCLUSIVE MODE", HIGH),
    ("postgres", "LOCK TABLE ONLY shop.orders, lines IN ACCESS EXCLUSIVE MODE NOWAIT", HIGH),
    ("postgres", "BEGIN; LOCK orders; SELECT 1", HIGH),
    ("oracle", "LOCK TABLE orders IN EXCLUSIVE MODE", MEDIUM),
    ("mysql", "LOCK TABLES orders READ, lines AS l WRITE", MEDIUM),
    ("postgres", "LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE", MEDIUM),
    ("postgres", "LOCK TABLE orders IN ROW EXCLUSIVE MODE", LOW),
    ("postgres", "LOCK TABLE orders IN ACCESS SHARE MODE", LOW),
    ("mysql", "SELECT * FROM orders WHERE id = 1 LOCK IN SHARE MODE", LOW),
    ("", "SELECT lock FROM doors", LOW),
    ("mysql", "UNLOCK TABLES", LOW),
    ("tsql", "BACKUP LOG shop WITH TRUNCATE_ONLY", HIGH),
    ("tsql", "BACKUP LOG shop WITH NO_LOG", HIGH),
    ("tsql", "BACKUP LOG shop TO DISK = 'NUL:'", HIGH),
    ("tsql", "BACKUP LOG shop TO DISK = N'nul'", HIGH),
    ("tsql", "BACKUP LOG shop TO DISK = 'D:/b/shop.trn' WITH NORECOVERY", LOW),
    ("tsql", "BACKUP LOG shop TO DISK = 'D:/b/null.trn'", LOW),
    ("oracle", "ALTER TABLE orders SET UNUSED (note)", HIGH),
    ("oracle", "ALTER TABLE orders SET UNUSED COLUMN note CASCADE CONSTRAINTS", HIGH),
    ("oracle", "ALTER TABLE orders ADD (unused number)", LOW),
    ("postgres", "ALTER TABLE orders DROP CONSTRAINT orders_pkey", MEDIUM),
    ("mysql", "ALTER TABLE orders DROP PRIMARY KEY", MEDIUM),
    ("mysql", "ALTER TABLE orders DROP FOREIGN KEY of_customer", MEDIUM),
    ("mysql", "ALTER TABLE orders DROP CHECK is_positive", MEDIUM),
    ("tsql", "ALTER TABLE orders NOCHECK CONSTRAINT ALL", MEDIUM),
    ("oracle", "ALTER TABLE orders DISABLE CONSTRAINT of_customer", MEDIUM),
    ("postgres", "ALTER TABLE orders ADD CONSTRAINT positive CHECK (amount > 0)", LOW),
    ("tsql", "ALTER TABLE orders CHECK CONSTRAINT ALL", LOW),
    ("postgres", "ALTER TABLE orders ALTER COLUMN a DROP DEFAULT", LOW),
    ("mysql", "ALTER TABLE orders DROP INDEX by_day", LOW),
    ("", "INSERT INTO payouts SELECT * FROM users", HIGH),
    ("", "INSERT INTO shop.bonuses (staff, amount) SELECT id, 500 FROM shop.staff", HIGH),
    ("", "INSERT INTO payouts (a) SELECT s FROM hours WHERE 1 = 1 GROUP BY s", HIGH),
    ("", "INSERT INTO refunds (a) SELECT id FROM orders WHERE created > '2020-01-01'", HIGH),
    ("", "INSERT INTO payouts SELECT * FROM (SELECT id, 9 FROM users) u", HIGH),
    ("", "WITH u AS (SELECT * FROM users) INSERT INTO payouts SELECT * FROM u", HIGH),
    ("", "INSERT INTO payouts SELECT * FROM users WHERE id = 4", LOW),
    ("", "INSERT INTO payouts SELECT * FROM users LIMIT 1", LOW),
    ("", "INSERT INTO payouts SELECT 4, 'a'", LOW),
    ("oracle", "INSERT INTO payouts SELECT 4, 'a' FROM dual", LOW),
    ("", "INSERT INTO payouts SELECT * FROM payouts_2024", LOW),
    ("", "INSERT INTO payment_archive SELECT * FROM payments", LOW),
    ("", "INSERT INTO transfers SELECT * FROM staging_transfers", LOW),
    ("", "INSERT INTO orders SELECT * FROM users", LOW),
    ("", "CREATE TABLE drop_log (id int primary key)", LOW),
    ("", "CREATE TABLE IF NOT EXISTS shop.delete_queue (id int)", LOW),
    ("", "CREATE VIEW deleted.purge_list (id) AS SELECT id FROM a", LOW),
    ("", "CREATE UNIQUE INDEX i ON drop_log (id)", LOW),
    ("", "INSERT INTO drop_log (id) VALUES (1)", LOW),
    ("", "CREATE TABLE a (b int REFERENCES drop_log (id))", LOW),
    ("", "CREATE TABLE a AS SELECT drop_tables('shop')", HIGH),
    ("", "CREATE TABLE a AS SELECT * FROM drop_tables('shop')", HIGH),
    ("", "CREATE INDEX i ON a (delete_users(b))", HIGH),
    ("", "INSERT INTO a (b) SELECT drop_tables('shop')", HIGH),
    ("", "INSERT INTO drop_log (b) VALUES (drop_tables('shop'))", HIGH),
    ("", "SELECT * FROM TABLE(drop_tables('shop'))", HIGH),
    ("", "SELECT * FROM a JOIN b ON delete_users(b.id)", HIGH),
    ("tsql", "INSERT INTO OPENROWSET('a', 'b', 'c') VALUES (1)", HIGH),
)


def test_each_is_as_grave_as_what_it_does() -> None:
    told = {
        (dialect, text): max((one.level for one in read_sql(text, dialect).signals), default=LOW)
        for dialect, text, _ in CASES
    }

    assert {
        text: told[(way, text)] for way, text, want in CASES if told[(way, text)] is not want
    } == {}
