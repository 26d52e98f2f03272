"""Why a ledger cannot be read or written, and what to do: in our words, not the database's."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from holdpoint.ledger import engines

CORRECT_URL = "Correct HP_LEDGER_URL or --ledger."
MAKE_ROOM = "Make room: see Room in docs/operate.md."
RESTORE = "Restore it from a backup: holdpoint restore FILE"

NO_SUCH_TABLE = "no such table"
UNDEFINED_TABLE, NO_PRIVILEGE = "42P01", "42501"
"""PostgreSQL's codes."""

UNOPENED = ("SQLITE_CANTOPEN", "SQLITE_IOERR_READ", "SQLITE_PERM")
"""SQLite's codes of a file that it could not open."""

OF_SQLITE = (
    ("SQLITE_FULL", "its disk is full", MAKE_ROOM),
    ("SQLITE_IOERR_SHMSIZE", "its disk is full", MAKE_ROOM),  # the file that readers share
    ("SQLITE_IOERR", "its disk cannot be read or written ({said})", "Look at the disk."),
    ("SQLITE_BUSY", "another program keeps it locked", "Try again in a moment."),
    ("SQLITE_NOTADB", "the file is not a database, or its beginning is damaged", RESTORE),
    ("SQLITE_CORRUPT", "the file is damaged ({said})", RESTORE),
)
"""Beginnings of the names of SQLite's errors, with why and what to do."""

DISK_FULL = "53100"
"""PostgreSQL's code."""

FATAL = "FATAL:"
"""Before the server's reason to let nobody in; psycopg hands over no code of it."""


@dataclass(frozen=True, kw_only=True)
class Cause:
    """Reason why a database does not serve, and the remedy: a clause and a sentence."""

    why: str
    advice: str


def cause_of(url: str, error: SQLAlchemyError | OSError) -> Cause:
    """Return why; never the statement, whose values are confidential."""
    file = engines.local_file(url)
    return _of_server(error) if file is None else _of_file(file, error)


def unreadable(url: str, error: SQLAlchemyError | OSError) -> str:
    """Return what to say of a ledger that cannot be read."""
    cause = cause_of(url, error)
    return f"The ledger {engines.place_of(url)} cannot be read: {cause.why}. {cause.advice}"


def _of_server(error: BaseException) -> Cause:
    code = getattr(_original(error), "sqlstate", None)
    said = _words(error)
    if code == UNDEFINED_TABLE:
        return Cause(why="it is not a ledger", advice=CORRECT_URL)
    if code == NO_PRIVILEGE:
        advice = "Give them to that user: deploy/postgresql/roles.sql does"
        return Cause(why="PostgreSQL's user lacks the rights to its tables", advice=advice)
    if code == DISK_FULL:
        return Cause(why="the disk of PostgreSQL is full", advice="Make room there.")
    if code is None and "password" in said:
        return Cause(
            why="PostgreSQL refuses the user or the password",
            advice="Correct them in HP_LEDGER_URL or --ledger.",
        )
    if code is not None or FATAL in said:
        reason = said.rpartition(FATAL)[2].strip()
        return Cause(why=f"PostgreSQL says: {reason}", advice=CORRECT_URL)
    return Cause(
        why="PostgreSQL does not answer there",
        advice="Start it, or correct HP_LEDGER_URL or --ledger.",
    )


def _of_file(file: Path, error: BaseException) -> Cause:
    said, name = _words(error), getattr(_original(error), "sqlite_errorname", "") or ""
    if isinstance(error, OSError) or name in UNOPENED:
        cause = _unopened(file)
        if cause is not None:
            return cause
    for beginning, why, advice in OF_SQLITE:
        if name.startswith(beginning):
            return Cause(why=why.format(said=said), advice=advice)
    if NO_SUCH_TABLE in said:
        return Cause(why="it is not a ledger", advice=CORRECT_URL)
    return Cause(why=f"SQLite says: {said}", advice=CORRECT_URL)


def _unopened(file: Path) -> Cause | None:
    """Return what keeps SQLite from opening a file; None when it could."""
    try:
        mode = os.stat(file).st_mode  # noqa: PTH116  # a folder that may not be entered raises
    except FileNotFoundError:
        return Cause(why="there is no such file", advice="Set HP_LEDGER_URL or --ledger.")
    except OSError:
        mode = 0
    if stat.S_ISDIR(mode):
        return Cause(why="it is a folder", advice=CORRECT_URL)
    if mode and os.access(file, os.R_OK, effective_ids=True):
        return None
    return Cause(
        why="this user may not read the file",
        advice="Run the command as the user who owns it.",
    )


def _original(error: BaseException) -> BaseException:
    return getattr(error, "orig", None) or error


def _words(error: BaseException) -> str:
    """The first line of the database's own words."""
    lines = str(_original(error)).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
