"""The rows of `tests/corpus`, for tests of what must hold for all of them."""

from pathlib import Path
from typing import Any

import msgspec

from holdpoint.messages.base import JsonObject

CORPUS = Path(__file__).parents[2] / "corpus"
Call = tuple[str, dict[str, Any]]
"""A tool and its arguments."""

Sent = tuple[str, str, Any]
"""A request: method, URL, body."""


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row, as it is written."""

    family: str
    expect: str
    text: str = ""
    payload: JsonObject = {}
    context: JsonObject | None = None

    def is_of(self, families: tuple[str, ...]) -> bool:
        """Whether its family is one of these, or begins with one and a hyphen; none stand for all."""
        named = (f"{self.family}-".startswith(f"{family}-") for family in families)
        return not families or any(named)


def rows(name: str) -> list[Row]:
    """Every row of a kind."""
    lines = (CORPUS / f"{name}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Row) for line in lines if line.strip()]


def calls(expect: str, *families: str) -> tuple[Call, ...]:
    """Tool calls of these families that are expected so."""
    found = (row for row in rows("calls") if row.expect == expect and row.is_of(families))
    return tuple((row.payload["tool"], row.payload["args"]) for row in found)


def requests(expect: str, *families: str) -> tuple[Sent, ...]:
    """Requests of these families that are expected so."""
    found = (row.payload for row in rows("http") if row.expect == expect and row.is_of(families))
    return tuple((sent["method"], sent["url"], sent.get("body")) for sent in found)
