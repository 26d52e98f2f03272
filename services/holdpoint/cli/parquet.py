"""Rows of the ledger as a Parquet file; needs the extra `parquet`."""

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from holdpoint.ledger.bulk_insert import as_json
from holdpoint.runtime.config import files


def write(path: Path, rows: Sequence[msgspec.Struct]) -> None:
    """Write a column for each field, for its owner alone; lists and objects are JSON text."""
    cells = [{name: _cell(getattr(row, name)) for name in row.__struct_fields__} for row in rows]
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, files.PRIVATE)
    with os.fdopen(file, "wb") as private:
        pq.write_table(pa.Table.from_pylist(cells), private)


def _cell(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | datetime):
        return value
    return str(value) if isinstance(value, str) else as_json(value)
