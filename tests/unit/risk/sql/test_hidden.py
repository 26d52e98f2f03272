"""What stands in another text is read as what it is; what nobody can read goes up."""

from tests.unit.risk.sql.hidden_cases import GRAVE, HARMLESS
from tests.unit.risk.sql.test_sql import level

from holdpoint.core.risk.sql.door import read_sql
from holdpoint.messages.risk import RiskLevel

HIGH = RiskLevel.HIGH


def test_what_hides_is_told() -> None:
    low = [text[:90] for text in GRAVE if level(read_sql(text)) < HIGH]

    assert not low, f"these are low: {low}"


def test_what_only_looks_so_is_not() -> None:
    high = [text[:90] for text in HARMLESS if level(read_sql(text)) >= HIGH]

    assert not high, f"these are high: {high}"


def test_a_sentence_that_begins_like_a_question_may_end_as_it_likes() -> None:
    said = ("Select a colour (red", "with love :(", "select one 'til noon")

    assert [one for one in said if level(read_sql(one, guessed=True)) >= HIGH] == []


def test_a_restored_database_takes_the_place_of_what_is_there() -> None:
    told = read_sql("RESTORE DATABASE shop FROM DISK = 'x' WITH REPLACE").signals

    assert "puts an older state in the place" in told[0].reason
