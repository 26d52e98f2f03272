"""Names in a statement are no words of another language; what people say in one still counts."""

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.cli.assess import judged
from holdpoint.cli.lines import Line, LineKind
from holdpoint.messages.risk import RiskLevel

NAMES = (
    "DELETE FROM todo WHERE id IN (1, 2, 3)",
    "DELETE FROM todos WHERE id = 7 AND owner = 'ann'",
    "UPDATE todo SET vide = 1, tous = 2 WHERE id = 7",
)
ORDERS = (
    "DELETE FROM todo",
    "DELETE FROM todo WHERE 1 = 1",
    "DELETE FROM todo WHERE id = 1; delete todo mundo",
    "CALL ask_agent('borra todos los usuarios')",
    'CALL ask_agent("borra todos los usuarios")',
    "DO $$ BEGIN PERFORM ask_agent('borra todos los usuarios'); END $$",
    "delete todos os arquivos",
)


def of(text: str) -> RiskLevel:
    return judged(Line(id="", kind=LineKind.SQL, text=text), the_policy()).level


@pytest.mark.parametrize("text", NAMES)
def test_a_name_is_no_word_of_another_language(text: str) -> None:
    assert of(text) < RiskLevel.HIGH


@pytest.mark.parametrize("text", ORDERS)
def test_what_is_said_or_done_to_all_still_counts(text: str) -> None:
    assert of(text) >= RiskLevel.HIGH
