"""A text that begins like a statement is read as one, under whatever key it stands."""

import pytest

from holdpoint.core.risk.extract.payload import Leaf
from holdpoint.core.risk.programs import programs
from holdpoint.messages.risk import RiskLevel

GRAVE = (
    "DROP TABLE customers",
    "  ;\n drop table customers",
    "-- tidy\ndrop table customers",
    "/* tidy */ ; drop table customers",
    "drop/**/table/**/customers",
    "dr\u200bop table customers",
    "UPDATE customers AS c SET plan = 'x'",
    "DO $$ BEGIN DELETE FROM customers; END $$",
    "DELIMITER //\nDROP TABLE customers//",
    "USE shop; DROP TABLE customers",
    "SET foreign_key_checks = 0; DROP TABLE customers",
    "SET @q = 'DROP TABLE customers'; PREPARE p FROM @q; EXECUTE p",
    "DECLARE @n int; DROP TABLE customers",
    "PREPARE p FROM 'DROP TABLE customers'; EXECUTE p",
    "IF 1 = 1 BEGIN DROP TABLE customers END",
    "BEGIN DROP TABLE customers; END",
    "EXECUTE('DROP TABLE customers')",
)
PROSE = ("do it", "use the left door", "set a date", "if it begins, call me", "prepare the room")


def _read(text: str) -> list[RiskLevel]:
    leaf = Leaf("/note", "note", text, {})
    return [signal.level for signal in programs("", (leaf,), (), "").signals]


@pytest.mark.parametrize("text", GRAVE)
def test_a_statement_counts_wherever_it_stands(text: str) -> None:
    assert max(_read(text)) >= RiskLevel.HIGH


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_no_statement(text: str) -> None:
    assert _read(text) == []
