"""The rows of `tests/corpus/<kind>.jsonl`, as tests read them."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from tests.unit.risk.builders import the_policy

from holdpoint.messages.base import JsonObject
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

CORPUS = Path(__file__).parents[2] / "corpus"
KINDS = {
    "shell": LineKind.SHELL,
    "sql": LineKind.SQL,
    "http": LineKind.HTTP,
    "calls": LineKind.TOOL_CALL,
}
"""The kind of a file's rows by its name."""

Call = tuple[str, dict[str, Any]]
"""A tool and its arguments."""

Sent = tuple[str, str, Any]
"""A request: method, URL, body."""


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row as it is written; `tests/corpus/README.md` says what it may hold."""

    family: str
    expect: str
    text: str = ""
    payload: JsonObject = {}
    context: JsonObject | None = None

    @property
    def dialect(self) -> str:
        return str((self.context or {}).get("dialect", ""))

    def level(self, kind: LineKind) -> RiskLevel:
        line = Line(id="", kind=kind, text=self.text, payload=self.payload, context=self.context)
        return judged(line, the_policy()).level

    def is_of(self, families: tuple[str, ...]) -> bool:
        """Whether its family is one of these or a part of one (`name-part`); none stand for all."""
        named = (f"{self.family}-".startswith(f"{family}-") for family in families)
        return not families or any(named)

    def is_met_by(self, level: RiskLevel) -> bool:
        if self.expect in {"asks", "silent"}:
            return (level >= RiskLevel.HIGH) == (self.expect == "asks")
        return level is RiskLevel(self.expect)


@cache
def rows(name: str, expect: str = "") -> tuple[Row, ...]:
    """Return the rows of a file; only those that expect this, where it is given."""
    file = CORPUS / f"{name}.jsonl"
    lines = file.read_bytes().splitlines() if file.exists() else ()
    found = (msgspec.json.decode(line, type=Row) for line in lines if line.strip())
    return tuple(row for row in found if expect in {"", row.expect})


def calls(expect: str, *families: str) -> tuple[Call, ...]:
    """Return tool calls of these families that are expected so."""
    found = (row for row in rows("calls", expect) if row.is_of(families))
    return tuple((row.payload["tool"], row.payload["args"]) for row in found)


def requests(expect: str, *families: str) -> tuple[Sent, ...]:
    """Return requests of these families that are expected so."""
    found = (row.payload for row in rows("http", expect) if row.is_of(families))
    return tuple((sent["method"], sent["url"], sent.get("body")) for sent in found)


def commands(expect: str, *families: str) -> tuple[str, ...]:
    """Return shell texts of these families that are expected so."""
    return tuple(row.text for row in rows("shell", expect) if row.is_of(families))


def spoken(expect: str, *families: str) -> tuple[str, ...]:
    """Return sentences of these families that the rules alone are expected to judge so."""
    return tuple(row.text for row in rows("spoken", expect) if row.is_of(families))
