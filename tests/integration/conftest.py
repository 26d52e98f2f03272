"""Stores of a ledger: tests that use them run on SQLite, and with the slow ones on PostgreSQL."""

import os
from collections.abc import Iterator

import pytest
from tests.integration.ledger_files import ledgers_at
from tests.postgres import MissingPostgresError, running_postgres


@pytest.fixture(scope="session")
def ledger_server() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the session."""
    try:
        with running_postgres("fsync=off", "max_connections=50") as url:
            yield url
    except MissingPostgresError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{error}, and CI must run these tests.")
        pytest.skip(str(error))


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]
)
def ledger_store(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where `new_ledger` makes ledgers."""
    if request.param == "sqlite":
        yield request.param
    else:
        with ledgers_at(request.getfixturevalue("ledger_server")):
            yield request.param
