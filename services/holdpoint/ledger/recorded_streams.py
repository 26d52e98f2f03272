"""Streams that the ledger was written from, as it knows them."""

from sqlalchemy import Connection, inspect, select
from sqlalchemy.exc import DatabaseError, OperationalError

from holdpoint.ledger import engines
from holdpoint.ledger.positions import newest_in
from holdpoint.ledger.tables import origins
from holdpoint.ledger.unreadable import unreadable
from holdpoint.ledger.writer import damaged
from holdpoint.runtime.broker.provisioning import Recorded
from holdpoint.runtime.errors import SetupError


def recorded_streams(url: str) -> dict[str, Recorded]:
    """Return each stream that the ledger was written from; nothing where there is no ledger.

    SetupError when it cannot be read.
    """
    file = engines.local_file(url)
    if file and not file.exists():
        return {}
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            return _recorded(connection)
    except OperationalError as error:
        raise SetupError(unreadable(url, error)) from None
    except DatabaseError as error:
        raise SetupError(damaged(url, str(error.orig))) from None
    finally:
        engine.dispose()


def _recorded(connection: Connection) -> dict[str, Recorded]:
    if not inspect(connection).has_table(origins.name):  # of an earlier release
        return {}
    return {
        row.src_stream: Recorded(
            created=row.created, last_seq=newest_in(connection, row.src_stream)
        )
        for row in connection.execute(select(origins.c.src_stream, origins.c.created))
    }
