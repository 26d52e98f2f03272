"""Rows of the ledger as a Parquet file; needs the extra `parquet`."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from holdpoint.ledger.bulk_insert import as_json


def write(path: Path, rows: Sequence[msgspec.Struct]) -> None:
    """Write a column for each field; lists and objects are JSON text, times are UTC."""
    cells = [{name: _cell(getattr(row, name)) for name in row.__struct_fields__} for row in rows]
    pq.write_table(pa.Table.from_pylist(cells), path)


def _cell(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | datetime):
        return value
    return str(value) if isinstance(value, str) else as_json(value)
