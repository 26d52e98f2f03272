"""The rows of `tests/corpus/<kind>.jsonl`: each asks a person, or does not, as it says.

A row has `text` (shell, sql, dialogue) or `payload` (tool_call, http), `expect` (`asks`: HIGH or
worse; `silent`: below; or the exact level), a `family`, and the `context` around it, if any.
`tests/corpus/README.md` says how to add one.
"""

import pytest
from tests.unit.risk.builders import the_policy
from tests.unit.risk.corpus import CORPUS, Row, rows

from holdpoint.cli.assess import judged
from holdpoint.cli.lines import Line, LineKind
from holdpoint.messages.risk import RiskLevel

FILES = {"shell": LineKind.SHELL, "sql": LineKind.SQL, "http": LineKind.HTTP}
FILES |= {"calls": LineKind.TOOL_CALL, "dialogue": LineKind.DIALOGUE}
"""The kind of the rows by the file's name."""


def level(row: Row, kind: LineKind) -> RiskLevel:
    line = Line(id="", kind=kind, text=row.text, payload=row.payload, context=row.context)
    return judged(line, the_policy()).level


def is_met(row: Row, level: RiskLevel) -> bool:
    if row.expect in {"asks", "silent"}:
        return (level >= RiskLevel.HIGH) == (row.expect == "asks")
    return level is RiskLevel(row.expect)


@pytest.mark.parametrize("name", [name for name in FILES if (CORPUS / f"{name}.jsonl").exists()])
def test_every_row_is_judged_as_it_says(name: str) -> None:
    differing = [
        f"{row.family}: expected {row.expect}, got {found.value}: {row.text or row.payload}"
        for row in rows(name)
        if not is_met(row, found := level(row, FILES[name]))
    ]

    assert differing == []
