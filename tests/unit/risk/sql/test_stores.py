"""What leaves a warehouse or empties its stages is told, each at its level."""

from tests.unit.risk.sql.store_cases import CASES
from tests.unit.risk.sql.test_sql import level

from holdpoint.core.risk.sql.door import read_sql


def test_each_statement_has_its_level() -> None:
    told = {text: level(read_sql(text, dialect)) for dialect, text, _ in CASES}

    assert {text: told[text] for _, text, want in CASES if told[text] is not want} == {}
