"""Each built system of the seeds names a test that exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT, NOT_YET = (ROOT / "docs" / "systems.md").read_text().split("## Built")[1].split("## Not yet")


def rows(table: str) -> list[list[str]]:
    lines = [line for line in table.splitlines() if line.startswith("| 00")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_built_system_names_a_test_that_exists() -> None:
    assert rows(BUILT)
    for *_, system, _, named in rows(BUILT):
        found = re.fullmatch(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", named)
        assert found, f"{system}: {named!r} names no test"
        file, test = found.groups()
        text = (ROOT / file).read_text()
        assert f"def {test or 'test_'}" in text, f"{system}: {file} has no {test}"


def test_a_system_is_either_built_or_not_yet() -> None:
    built, missing = ({row[1] for row in rows(table)} for table in (BUILT, NOT_YET))
    assert missing
    assert not built & missing
    assert {row[0] for row in (*rows(BUILT), *rows(NOT_YET))} == {"000", "001", "002", "003", "004"}
