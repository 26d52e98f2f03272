"""Each row of `tests/corpus/` asks a person, or does not, as it says."""

import pytest
from tests.unit.risk.corpus import KINDS, rows


@pytest.mark.parametrize("name", KINDS)
def test_every_row_is_judged_as_it_says(name: str) -> None:
    differing = [
        f"{row.family}: expected {row.expect}, got {level.value}: {row.text or row.payload}"
        for row in rows(name)
        if not row.is_met_by(level := row.level(KINDS[name]))
    ]

    assert differing == []
