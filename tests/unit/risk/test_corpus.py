"""The rows of `tests/corpus/<kind>.jsonl`: each asks a person, or does not, as it says.

A row has `text` (shell, sql, dialogue) or `payload` (tool_call, http), `expect` (`asks`: HIGH or
worse; `silent`: below; or the exact level), a `family`, and the `context` around it, if any.
`tests/corpus/README.md` says how to add one.
"""

from pathlib import Path

import msgspec
import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.cli.assess import judged
from holdpoint.cli.lines import Line, LineKind
from holdpoint.messages.base import JsonObject
from holdpoint.messages.risk import RiskLevel

CORPUS = Path(__file__).parents[2] / "corpus"
FILES = {"shell": LineKind.SHELL, "sql": LineKind.SQL, "http": LineKind.HTTP}
FILES |= {"calls": LineKind.TOOL_CALL, "dialogue": LineKind.DIALOGUE}
"""The kind of the rows by the file's name."""


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row, as it is written."""

    family: str
    expect: str
    text: str = ""
    payload: JsonObject = {}
    context: JsonObject | None = None

    def level(self, kind: LineKind) -> RiskLevel:
        line = Line(id="", kind=kind, text=self.text, payload=self.payload, context=self.context)
        return judged(line, the_policy()).level

    def is_met_by(self, level: RiskLevel) -> bool:
        if self.expect in {"asks", "silent"}:
            return (level >= RiskLevel.HIGH) == (self.expect == "asks")
        return level is RiskLevel(self.expect)


def rows(name: str) -> list[Row]:
    file = CORPUS / f"{name}.jsonl"
    lines = file.read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Row) for line in lines if line.strip()]


@pytest.mark.parametrize("name", [name for name in FILES if (CORPUS / f"{name}.jsonl").exists()])
def test_every_row_is_judged_as_it_says(name: str) -> None:
    differing = [
        f"{row.family}: expected {row.expect}, got {level.value}: {row.text or row.payload}"
        for row in rows(name)
        if not row.is_met_by(level := row.level(FILES[name]))
    ]

    assert differing == []
