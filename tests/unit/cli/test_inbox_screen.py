"""The inbox in narrow terminals: the card stands below the list, as wide as the screen."""

import pytest
from tests.unit.cli.test_cards import NOW, a_card

from holdpoint.cli.inbox_screen import InboxScreen
from holdpoint.console.card_store import Board
from holdpoint.messages.catalog import Person


@pytest.mark.parametrize("columns", [46, 80])
async def test_a_narrow_terminal_shows_the_card_below_the_list(columns: int) -> None:
    board = Board(is_live=True)
    board.put(a_card())
    screen = InboxScreen(board, Person(name="ann", groups=("operators",)), lambda: NOW)

    async with screen.run_test(size=(columns, 24)) as pilot:
        await pilot.pause()
        listed, side = screen.query_one("#list").region, screen.query_one("#side").region

    assert (listed.width, side.width) == (columns, columns)
    assert side.y == listed.y + listed.height
    assert side.height > listed.height
