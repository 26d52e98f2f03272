"""What keeps a machine up and others served: taken away it is told, looked after it is not."""

import pytest
from tests.unit.risk.shell.levels import level
from tests.unit.risk.shell.upkeep_cases import (
    DANGEROUS,
    HARMLESS,
    STATEMENTS,
    STILL_DANGEROUS,
)

from holdpoint.core.risk.shell.analyzer import MAX_REASON, analyze_shell
from holdpoint.core.risk.sql.analyzer import analyze_sql
from holdpoint.messages.risk import RiskLevel

EVERY = [*(text for texts in DANGEROUS.values() for text in texts), *STILL_DANGEROUS]


def test_what_others_rely_on_is_at_least_high() -> None:
    assert [text for text in EVERY if level(text) < RiskLevel.HIGH] == []


def test_what_is_looked_after_asks_nobody() -> None:
    assert [text for text in HARMLESS if level(text) >= RiskLevel.HIGH] == []


def test_each_reason_fits_a_card() -> None:
    told = [signal.reason for text in EVERY for signal in analyze_shell(text).signals]

    assert [reason for reason in told if len(reason) > MAX_REASON or "\ue000" in reason] == []


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_that_is_sent_is_read(text: str) -> None:
    statements = analyze_shell(text).statements
    found = [signal for sql in statements for signal in analyze_sql(sql).signals]

    assert max((one.level for one in found), default=RiskLevel.LOW) >= RiskLevel.HIGH
