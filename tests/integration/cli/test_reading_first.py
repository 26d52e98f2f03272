"""Who says yes has read all that it lets run: it stands above the question, page by page."""

import pytest
from tests.actors import AgentVoice, PersonVoice, StreamEyes
from tests.integration.cli.command_line import at_a_terminal
from tests.running_system import PASSWORD, Road

from holdpoint.cli.output import ExitCode
from holdpoint.messages import subjects as s
from holdpoint.messages.card import Card

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

PROMPT = "Password of ann: "
TURN = "Enter shows them, q stops: "


@pytest.fixture
async def card(road: Road, robot: AgentVoice, ann: PersonVoice) -> Card:
    """500 rows of a table that a person may let go."""
    arguments = {"database": "crm", "sql": f"DELETE FROM {road.table(500)} WHERE status = 'stale'"}
    call = await robot.propose("execute_sql", arguments)
    return await ann.card((await robot.pending(call)).hold_id)


async def test_all_that_runs_is_shown_before_the_password(road: Road, card: Card) -> None:
    sql = str(card.ui.action.arguments["sql"])
    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        dialog = screen.sees(PROMPT)

    assert "Tool          execute_sql" in dialog
    assert f"sql = {sql}" in dialog
    assert all(found in dialog for found in card.sample)


async def test_a_card_that_is_longer_than_the_screen_is_turned_page_by_page(
    road: Road, card: Card
) -> None:
    words = ("proceed", card.hold_id, "--as", "ann")
    with at_a_terminal(road.settings, *words, LINES="14") as screen:
        first = screen.sees(TURN)
        assert PROMPT not in first
        assert 10 <= len(first.splitlines()) <= 14
        while PROMPT not in screen.shown:
            screen.answers(TURN, "")
            screen.sees_one_of(TURN, PROMPT)
        screen.answers(PROMPT, PASSWORD)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    assert "You are about to PROCEED." in screen.everything


async def test_who_stops_reading_answers_nothing(road: Road, card: Card, eyes: StreamEyes) -> None:
    words = ("proceed", card.hold_id, "--as", "ann")
    with at_a_terminal(road.settings, *words, LINES="14") as screen:
        screen.answers(TURN, "q")
        ended = screen.ended()

    assert ended.code is ExitCode.FAILED.value
    assert "Stopped. Nothing was done." in ended.err
    assert PROMPT not in screen.everything
    assert await eyes.on(s.ANSWERS, s.answer_subject("acme", "*", "*", "*", card.hold_id)) == []


async def test_a_no_turns_no_pages(road: Road, card: Card) -> None:
    words = ("cancel", card.hold_id, "--as", "ann")
    with at_a_terminal(road.settings, *words, LINES="14") as screen:
        screen.answers(PROMPT, PASSWORD)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    assert TURN not in screen.everything
