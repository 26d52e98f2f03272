"""Each built system of the seeds names a test that exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILT = (ROOT / "docs" / "systems.md").read_text().split("## Systems")[1]
COLUMNS = 4


def rows(table: str) -> list[list[str]]:
    lines = [line for line in table.splitlines() if line.startswith("| 00")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def flaw(row: list[str]) -> str:
    """What is wrong with a row; empty where its test exists."""
    found = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", row[-1])
    if len(row) != COLUMNS or not found:
        return f"{row}: no test is named"
    file, test = found.groups()
    path = ROOT / file
    there = path.is_file() and f"def {test}(" in path.read_text()
    return "" if there else f"{row}: {file} has no {test}"


def test_every_built_system_names_a_test_that_exists() -> None:
    assert rows(BUILT)
    assert list(filter(None, map(flaw, rows(BUILT)))) == []


@pytest.mark.parametrize(
    "row",
    [
        "| 000 | a system | here | |",
        "| 000 | a system | here |",
        "| 000 | a system | here | `tests/unit/test_systems.py::test_nobody_wrote` |",
        "| 000 | a system | here | `tests/unit/test_gone.py::test_gone` |",
        "| 000 | a system | here | `tests/unit/test_systems.py` |",
        "| 000 | a system | here | `tests/unit/test_systems.py::test_every_built` |",
    ],
)
def test_a_row_without_a_test_is_noticed(row: str) -> None:
    (cells,) = rows(row)
    assert flaw(cells)


def test_every_seed_has_its_systems() -> None:
    assert {row[0] for row in rows(BUILT)} == {"000", "001", "002", "003", "004"}
