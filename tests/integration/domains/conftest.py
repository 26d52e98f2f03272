"""Real databases: a SQLite file, and a PostgreSQL of our own in a temporary folder."""

import os
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool
from tests.postgres import MissingPostgresError, running_postgres

from holdpoint.domains.database.connections import Database
from holdpoint.domains.database.tools import opened
from holdpoint.domains.settings import DatabaseSettings, DatabasesSettings, url_resolved

SCHEMA = {
    "sqlite": """
        CREATE TABLE users (
            id INTEGER PRIMARY KEY, name TEXT, grade INTEGER, password TEXT, born TEXT, worth TEXT
        );
        CREATE TABLE orders (
            id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users(id) ON DELETE CASCADE
        );
        CREATE TABLE log (said TEXT);
        CREATE VIEW names AS SELECT name FROM users;
    """,
    "postgres": """
        CREATE TABLE users (
            id SERIAL PRIMARY KEY, name TEXT, grade INTEGER, password TEXT, born DATE,
            worth NUMERIC(12, 2)
        );
        CREATE TABLE orders (
            id SERIAL PRIMARY KEY, user_id INTEGER REFERENCES users(id) ON DELETE CASCADE
        );
        CREATE TABLE log (said TEXT);
        CREATE VIEW names AS SELECT name FROM users;
    """,
}
TRIGGER = {
    "sqlite": """
        CREATE TRIGGER told AFTER DELETE ON users BEGIN INSERT INTO log VALUES ('gone'); END
    """,
    "postgres": """
        CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO log VALUES ('gone'); PERFORM nextval('users_id_seq');
            RETURN NULL; END $$;
        CREATE TRIGGER told AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION tell();
    """,
}


class Target:
    """A database as the test sees it, past the domain."""

    def __init__(self, dialect: str, url: str) -> None:
        self.dialect = dialect
        self.url = url
        self.settings = DatabaseSettings(url=url, read_url=url)

    async def run(self, script: str) -> list[tuple[Any, ...]]:
        """Each statement of the script; the rows of the last one."""
        if self.dialect == "sqlite":
            return self._run_sqlite(script)
        engine = create_async_engine(self.url, poolclass=NullPool)
        async with engine.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            if script.lstrip().upper().startswith("SELECT"):
                return [tuple(row) for row in await driver.fetch(script)]
            await driver.execute(script)
        return []

    @asynccontextmanager
    async def holding(self, script: str) -> AsyncIterator[None]:
        """What the script takes is held until the end."""
        if self.dialect == "sqlite":
            connection = self._connected()
            connection.executescript(script)
            try:
                yield
            finally:
                connection.close()
            return
        engine = create_async_engine(self.url, poolclass=NullPool)
        async with engine.connect() as held:
            driver: Any = (await held.get_raw_connection()).driver_connection
            await driver.execute(script)
            yield
            await driver.execute("ROLLBACK")

    def _connected(self) -> sqlite3.Connection:
        file = make_url(self.url).database
        return sqlite3.connect(f"{file}?mode=rw", uri=True, isolation_level=None, timeout=10)

    def _run_sqlite(self, script: str) -> list[tuple[Any, ...]]:
        connection = self._connected()
        try:
            if script.lstrip().upper().startswith("SELECT"):
                return connection.execute(script).fetchall()
            connection.executescript(script)
            return []
        finally:
            connection.close()

    async def one(self, question: str) -> Any:
        """The first value."""
        return (await self.run(question))[0][0]

    async def fill(self, rows: int) -> None:
        """`rows` users of grade 1 and one of grade 9."""
        values = ", ".join(f"({i}, 'u{i}', 1, 'pw{i}')" for i in range(1, rows + 1))
        await self.run(
            f"INSERT INTO users (id, name, grade, password) VALUES {values}, "
            f"({rows + 1}, 'kept', 9, 'pw')"
        )


def _sqlite(tmp_path: Path) -> str:
    file = tmp_path / "crm.db"
    sqlite3.connect(file).close()
    return url_resolved("sqlite:///crm.db", tmp_path)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Return the address of a server that lives as long as the session."""
    with ExitStack() as stack:
        try:
            url = stack.enter_context(running_postgres("fsync=off", "max_connections=50"))
        except MissingPostgresError as error:
            _missing(str(error))
        yield url


def _missing(why: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{why}, and CI must run these tests.")
    pytest.skip(why)


@pytest.fixture(params=["sqlite", "postgres"])
async def target(request: pytest.FixtureRequest, tmp_path: Path) -> Target:
    """Each test runs on both."""
    if request.param == "sqlite":
        found = Target("sqlite", _sqlite(tmp_path))
    else:
        url = url_resolved(request.getfixturevalue("postgres_url"), tmp_path)
        found = Target("postgres", url)
        await found.run("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await found.run(SCHEMA[found.dialect])
    return found


@pytest.fixture
async def crm(target: Target) -> AsyncIterator[Database]:
    """The target, opened by the domain under the name `crm`."""
    settings = DatabasesSettings(databases={"crm": target.settings})
    async with opened(settings) as databases:
        yield databases["crm"]
