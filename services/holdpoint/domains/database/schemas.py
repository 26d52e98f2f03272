"""Arguments of the database's tools."""

from typing import Annotated

import msgspec

Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Identifier = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,62}$")]
Sql = Annotated[str, msgspec.Meta(min_length=1, max_length=16 * 1024)]
Scalar = bool | int | float | str | None
"""A bound value. Exact numbers, dates and identifiers travel as strings."""


class QueryDatabase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One SELECT; `:name` in it stands for the parameter of that name."""

    database: Name
    sql: Sql
    parameters: dict[Identifier, Scalar] = {}


class ExecuteSql(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One INSERT, UPDATE, DELETE, CREATE, ALTER, DROP or TRUNCATE, with parameters as `:name`."""

    database: Name
    sql: Sql
    parameters: dict[Identifier, Scalar] = {}


class InsertRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One new row: a value for each column."""

    database: Name
    table: Identifier
    values: Annotated[dict[Identifier, Scalar], msgspec.Meta(min_length=1, max_length=200)]
