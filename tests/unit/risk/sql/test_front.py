"""A line in front hides nothing, and what a client keeps for itself is read."""

from tests.unit.risk.sql.cases import HIGH as DANGEROUS
from tests.unit.risk.sql.front_cases import FRONTS, GRAVE, SILENT

from holdpoint.core.risk.programs import sql
from holdpoint.messages.risk import RiskLevel


def _level(text: str, dialect: str = "") -> RiskLevel:
    signals = sql(text, dialect).signals
    return max((one.level for one in signals), default=RiskLevel.LOW)


def test_what_hides_behind_a_client_a_template_or_a_prompt_is_high() -> None:
    assert [text for text in GRAVE if _level(text) < RiskLevel.HIGH] == []


def test_everyday_lines_of_clients_and_templates_stay_silent() -> None:
    assert [text for text in SILENT if _level(text) >= RiskLevel.HIGH] == []


def test_no_line_in_front_lowers_a_level() -> None:
    before = {case: _level(case[1], case[0]) for case in DANGEROUS}
    lowered = [
        (front, case)
        for front in FRONTS
        for case, known in before.items()
        if _level(front + case[1], case[0]) < known
    ]
    assert lowered == []


def test_what_a_client_only_shows_is_a_read() -> None:
    assert sql("\\d staff", "").reads_only
    assert not sql("\\d staff\nINSERT INTO t VALUES (1)", "").reads_only
