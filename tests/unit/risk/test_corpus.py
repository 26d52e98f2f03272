"""Each row of `tests/corpus/` asks a person, or does not, as it says."""

import re

import pytest
from tests.unit.risk.corpus import CORPUS, KINDS, rows


@pytest.mark.parametrize("name", KINDS)
def test_every_row_is_judged_as_it_says(name: str) -> None:
    differing = [
        f"{row.family}: expected {row.expect}, got {level.value}: {row.text or row.payload}"
        for row in rows(name)
        if not row.is_met_by(level := row.level(KINDS[name]))
    ]

    assert differing == []


def test_each_file_that_the_readme_names_is_there() -> None:
    named = set(re.findall(r"`([a-z]+[.]jsonl)`", (CORPUS / "README.md").read_text()))

    assert {path.name for path in CORPUS.glob("*.jsonl")} == named
