"""A copy of a ledger in PostgreSQL, made and put back by PostgreSQL's own programs."""

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import inspect, make_url
from sqlalchemy.exc import SQLAlchemyError

from holdpoint.ledger import engines
from holdpoint.ledger.engines import place_of
from holdpoint.runtime.errors import SetupError

DUMP, RESTORE = "pg_dump", "pg_restore"
INSTALL = "Install PostgreSQL's client programs (on Debian: apt install postgresql-client)"


def dump(url: str, file: Path) -> None:
    """Write the whole database into a file; SetupError says what prevents it."""
    _run(DUMP, url, "--format=custom", f"--file={file}")


def load(url: str, file: Path) -> None:
    """Put a dump into an empty database: all of it or nothing; SetupError says what prevents it."""
    tables = _tables(url)
    if tables:
        raise SetupError(
            f"The database {place_of(url)} is not empty: it has a table {tables[0]}. Name an empty "
            "one with HP_LEDGER_URL."
        )
    _run(RESTORE, url, "--single-transaction", "--exit-on-error", "--no-owner", str(file))


def _tables(url: str) -> list[str]:
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            return sorted(inspect(connection).get_table_names())
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).strip().splitlines()[-1]
        raise SetupError(f"The ledger {place_of(url)} cannot be reached: {why}") from error
    finally:
        engine.dispose()


def _run(program: str, url: str, *options: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise SetupError(
            f"The ledger is in PostgreSQL, and {program} is not installed. {INSTALL}, "
            "or copy the database yourself and leave it out with --without-ledger."
        )
    address = make_url(url).set(drivername="postgresql")
    secret = {"PGPASSWORD": address.password} if address.password else {}
    shown = address.set(password=None).render_as_string()  # a password is never an argument
    done = subprocess.run(  # noqa: S603  # PostgreSQL's own program
        [found, "--no-password", f"--dbname={shown}", *options],
        env=os.environ | secret,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[0]
        raise SetupError(f"The ledger {place_of(url)}: {why.removeprefix(f'{program}: error: ')}.")
