"""The inbox's address says which cards it shows and in which groups; the worst come first."""

from datetime import timedelta
from typing import Any

from msgspec.structs import replace
from tests.builders import TOOL, a_hold

from holdpoint.console.inbox_view import EVERYTHING, MOST, View, pager_of, view_of
from holdpoint.core.card import Shown, card_of
from holdpoint.messages.card import Card
from holdpoint.messages.risk import RiskLevel

SHOWN = Shown(group="finance", state="rendered", seal_key="", revision=2)
CARD = card_of(a_hold(), TOOL, SHOWN)


def a_card(number: int, risk: RiskLevel = RiskLevel.HIGH, **fields: Any) -> Card:
    later = CARD.halted_at + timedelta(seconds=number)
    ui = replace(CARD.ui, risk_level=risk)
    return replace(CARD, hold_id=f"h{number}", halted_at=later, ui=ui, **fields)


def ids(cards: Any) -> list[str]:
    return [card.hold_id for card in cards]


def test_an_address_keeps_what_it_asks_for_and_forgets_what_it_cannot() -> None:
    asked = {"agent": "robot", "risk": "critical", "group": "agent", "hold": "h1"}

    assert view_of(asked).query == "agent=robot&risk=critical&group=agent"
    assert view_of({"risk": "huge", "group": "moon"}) == EVERYTHING
    assert not EVERYTHING.query


def test_a_filter_leaves_out_other_agents_and_other_risks() -> None:
    cards = [
        a_card(1, agent="robot"),
        a_card(2, agent="rival"),
        a_card(3, RiskLevel.CRITICAL, agent="robot"),
        a_card(4, agent="robot", state="done", outcome="confirmed"),
    ]

    assert ids(View(agent="robot").window(cards)) == ["h3", "h1"]
    assert ids(View(risk="high").window(cards)) == ["h1", "h2"]


def test_groups_stand_together_with_the_worst_first_in_each() -> None:
    cards = [
        a_card(1, agent="b"),
        a_card(2, agent="a"),
        a_card(3, RiskLevel.CRITICAL, agent="b"),
    ]
    view = View(group="agent")

    assert ids(view.window(cards)) == ["h2", "h3", "h1"]
    assert [view.heading(card) for card in view.window(cards)] == ["a", "b", "b"]
    assert View(group="risk").heading(cards[2]) == "Critical risk"


def test_a_page_has_room_for_the_worst_of_a_thousand() -> None:
    cards = [a_card(number) for number in range(999)]
    worst = a_card(1_000, RiskLevel.CRITICAL)

    shown = EVERYTHING.window([*cards, worst])

    assert len(shown) == MOST
    assert ids(shown)[:2] == ["h1000", "h0"]


def test_the_next_page_goes_on_where_the_first_one_ends() -> None:
    cards = [a_card(number) for number in range(MOST + 2)]
    second = view_of({"page": "2", "risk": "high"})

    assert ids(second.window(cards)) == [f"h{MOST}", f"h{MOST + 1}"]
    assert second.query == "risk=high&page=2"
    pager = pager_of(second, cards)
    assert (pager.page, pager.pages, pager.first, pager.last) == (2, 2, MOST + 1, MOST + 2)


def test_a_page_past_the_end_is_the_last_one() -> None:
    cards = [a_card(number) for number in range(MOST)]

    assert ids(View(page=7).window(cards)) == ids(EVERYTHING.window(cards))
    assert pager_of(View(page=7), cards).page == 1
    assert not View(page=3).window([])


def test_an_odd_number_of_a_page_is_the_first_one() -> None:
    assert {view_of({"page": it}).page for it in ("", "0", "-1", "1.5", "9" * 9, "\u0663")} == {1}
