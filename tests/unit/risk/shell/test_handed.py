"""SQL is found whatever client it is handed to; what is only searched, said or printed is none."""

from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

STATEMENTS = (
    "DROP TABLE users", "TRUNCATE events", "DELETE FROM orders", "UPDATE users SET role = 1",
    "DELETE u FROM users u JOIN users v ON u.id = v.id", "GRANT postgres TO bob",
    "DELETE TOP (100) PERCENT FROM Sales.Orders", "ALTER TABLE users DROP COLUMN email",
    "GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC", "DROP SCHEMA public CASCADE",
    "SELECT 1; DELETE FROM orders", "SELECT 1; GRANT postgres TO bob",
)  # fmt: skip
CLIENTS = (
    "psql -c '{}'", "pgcli -e '{}'", "litecli -e '{}'", "isql -Q '{}'", "osql -Q '{}'",
    "mssql-cli -Q '{}'", "snow sql -q '{}'", "databricks sql -e '{}'", "exaplus -sql '{}'",
    "mclient -s '{}'", "turso db shell prod '{}'", "wrangler d1 execute db --command '{}'",
    "wrangler d1 execute db --command='{}'", "supabase db execute '{}'", "ksql -e '{}'",
    "tsh db exec '{}' a b", "python manage.py dbshell -- -c '{}'", "newtool --query '{}'",
    "mydb '{}'", "fly postgres connect -a db <<< '{}'", "echo '{}' | fly postgres connect -a db",
    "echo 'SELECT 1; {}' | heroku pg:psql -a shop", "docker compose exec db client <<< '{}'",
    "rails runner \"ActiveRecord::Base.connection.execute('{}')\"",
    "bundle exec rails r \"ActiveRecord::Base.connection.execute('{}')\"",
)  # fmt: skip
OF_DATABASES = tuple(one for one in CLIENTS if not one.startswith(("newtool", "docker")))
"""Those of which their words say that they are clients of a database."""

SERVED = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity", "REASSIGN OWNED BY app TO bob",
    "FLUSH TABLES WITH READ LOCK", "UNDROP TABLE x; DROP TABLE y", "DROP STAGE raw_stage",
)  # fmt: skip
POSTED = (
    "curl -G http://q:9000/exec --data-urlencode 'query={}'", "http POST ch:8123 query=='{}'",
)  # fmt: skip
TEXTS = (
    "git commit -m '{}'", "git grep -e '{}' db", "gh issue create --title '{}'", "grep -e '{}' db",
    "rg -e '{}' sql/", "echo '{}' > db/notes.md", "sed -e '/{}/p' db/schema.sql",
    "jira create --summary '{}'", "sqlfluff parse '{}'", "notify-send db '{}'",
    "echo '{}' | grep -c db", "slack send -c '#db' '{}'", "alembic revision -m '{}'",
    "ack -Q '{}' db", "ugrep -e '{}' db", "mydb --note '{}'",
)  # fmt: skip
MILD = ("SELECT * FROM users", "SELECT count(*) FROM orders WHERE id = 1", "EXPLAIN SELECT 1")
ORDINARY = (
    "newtool -c 'create a new file; drop it'", "newtool --command 'update the docs and set it up'",
    "turso db shell prod 'SELECT 1'", "rails runner 'puts User.count'", "rails server -e 'x y'",
    "fly postgres connect -a db <<< 'select count(*) from users'", "az vm list --query 'update it'",
    "sh -c 'ls db'", "make db ARGS='create all of it'", "rails generate model user",
    "curl -G https://docs.example/find -d 'q=grant access to users'",
)  # fmt: skip


def test_a_grave_statement_is_grave_through_every_client() -> None:
    missed = [
        client.format(one)
        for client in CLIENTS
        for one in STATEMENTS
        if level(client.format(one)) < RiskLevel.HIGH
    ]
    served = [
        client.format(one)
        for client in OF_DATABASES
        for one in SERVED
        if level(client.format(one)) < RiskLevel.HIGH
    ]
    asked = [
        client.format(one)
        for client in POSTED
        for one in STATEMENTS[2:7]
        if level(client.format(one)) < RiskLevel.HIGH
    ]
    assert not [*missed, *served, *asked]


def test_what_is_only_read_said_or_looked_for_is_handed_to_nobody() -> None:
    calls = [text.format(one) for text in TEXTS for one in STATEMENTS[4:8]]
    asked = [client.format(one) for client in CLIENTS for one in MILD]
    alarms = [call for call in (*calls, *asked, *ORDINARY) if level(call) >= RiskLevel.HIGH]
    assert not alarms
