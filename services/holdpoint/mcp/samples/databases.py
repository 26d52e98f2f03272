"""Databases that the observatory looks at: SQLite files and PostgreSQL servers, by name."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mcp.server.mcpserver.exceptions import ToolError
from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
MOST_ROWS = 100

Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Database:
    """One database; what only looks at it cannot write."""

    name: str
    url: URL
    reading: AsyncEngine = field(repr=False)
    writing: AsyncEngine = field(repr=False)

    @property
    def kind(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.url.get_backend_name()

    @asynccontextmanager
    async def look(self) -> AsyncIterator[AsyncConnection]:
        """A connection that can only read. Raises ToolError."""
        self._check_there()
        async with _told(self.name), self.reading.connect() as connection:
            if self.kind == "postgresql":
                await connection.execute(text("SET TRANSACTION READ ONLY"))
            yield connection

    @asynccontextmanager
    async def change(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that counts when the block ends without an error. Raises ToolError."""
        self._check_there()
        async with _told(self.name), self.writing.begin() as connection:
            yield connection

    def _check_there(self) -> None:
        """A file that is away is told before its driver opens it: SQLite would make a new one."""
        if self.kind == "sqlite" and not Path(self.url.database or "").exists():
            raise ToolError(f"{self.name}: its file is not there")

    async def rows(self, query: str, **values: Any) -> list[Row]:
        """Return the rows of a query that reads."""
        async with self.look() as connection:
            found = await connection.execute(text(query), values)
            return [dict(it) for it in found.mappings().all()]

    async def value(self, query: str) -> Any:
        """Return the one value of a query that reads."""
        async with self.look() as connection:
            return (await connection.execute(text(query))).scalar()


def opened(said: Sequence[str]) -> dict[str, Database]:
    """Return databases by name from `NAME=URL`, for example `crm=sqlite:///var/sample/crm.db`."""
    found = {}
    for one in said:
        name, _, url = one.partition("=")
        kind = make_url(url).get_backend_name() if url else ""
        if not name or kind not in DRIVERS:
            raise SystemExit(f"{name or one!r}: write NAME=URL of SQLite or PostgreSQL.")
        found[name] = _database(name, make_url(url).set(drivername=DRIVERS[kind]))
    return found


def _database(name: str, url: URL) -> Database:
    read, write = (_of_file(url, mode) for mode in ("ro", "rw"))
    return Database(name=name, url=url, reading=_engine(read), writing=_engine(write))


def _of_file(url: URL, mode: str) -> URL:
    """A SQLite file that is opened only where it is there; another database's URL as it is."""
    if url.get_backend_name() != "sqlite":
        return url
    file = quote(str(Path(url.database or "").resolve()))
    return url.set(database=f"file:{file}", query={"mode": mode, "uri": "true"})


def _engine(url: URL) -> AsyncEngine:
    return create_async_engine(url, poolclass=NullPool)


@asynccontextmanager
async def _told(name: str) -> AsyncIterator[None]:
    """An error of the database as the tool's, in one line that shows no address."""
    try:
        yield
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise ToolError(f"{name}: {why}") from None
    except OSError as error:
        raise ToolError(f"{name} cannot be reached: {type(error).__name__}") from None
