"""Texts that PostgreSQL cannot hold: it knows no NUL, which an agent may write."""

from typing import Any

from psycopg.types.string import StrDumperUnknown

from holdpoint.ledger.entries import without_nul


class _Dumper(StrDumperUnknown):
    def dump(self, obj: str) -> Any:
        """Hand over what can be stored."""
        return super().dump(without_nul(obj))


def without_nul_bytes(connection: Any, _: Any) -> None:
    """Have this connection write another sign in place of each NUL."""
    connection.adapters.register_dumper(str, _Dumper)
