"""A small SQLite file of one service, which nobody else reads: what a restart must not forget."""

import sqlite3
from pathlib import Path

from holdpoint.runtime.config import files


def open_private(path: Path, table: str) -> sqlite3.Connection:
    """Open the file in its private folder; what is missing is made, with this table."""
    files.private_folder(path.parent)
    if not path.exists():
        files.create(path, b"", files.PRIVATE)
    database = sqlite3.connect(path)
    with database:
        database.execute(f"CREATE TABLE IF NOT EXISTS {table}")
    return database
