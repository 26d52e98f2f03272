"""Two hundred hostile texts on the console's card and the terminal's: text, and nothing else."""

from collections import Counter
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace
from tests.builders import ACTION, T0, TOOL, a_hold
from tests.hostile_texts import HOSTILE

from holdpoint.cli.views.card_view import whole
from holdpoint.console.card_view import face_of
from holdpoint.console.inbox_view import EVERYTHING
from holdpoint.console.rendering import Pages
from holdpoint.core.card import Shown, card_of
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person

pytestmark = pytest.mark.slow

PAGES = Pages(tenant="acme", environment="")
ANN = Person(name="ann")
HIDDEN = frozenset("\x00\x07\x08\x0b\x0c\r\x1b\x9b\u200b\u202e\u2066\u2069\ufeff\u3164\u2800")


class Tags(HTMLParser):
    """Counts the elements of a page, and keeps its addresses, handlers and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.addresses: set[str] = set()
        self.handlers: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count it."""
        self.elements[tag] += 1
        self.addresses |= {value or "" for name, value in attrs if name in {"href", "src"}}
        self.handlers |= {name for name, _ in attrs if name.startswith("on")}


def the_card(text: str) -> Card:
    """A card on which everything that an agent writes is this text."""
    action = replace(ACTION, arguments={"note": text, text[:40]: "x"})
    hold = a_hold(ui=None, title="", action=action, says=text)
    return card_of(hold, TOOL, Shown(group="finance", state="rendered", seal_key="", revision=2))


def drawn(card: Card) -> Tags:
    """What the console makes of it."""
    values = {"card": card, "face": face_of(card, ANN), "view": EVERYTHING}
    return Tags(PAGES.piece("_card", values))


def test_n14_no_hostile_text_adds_an_element_to_a_card() -> None:
    plain = drawn(the_card("Harmless."))
    grown = {"dt", "dd", "pre", "mark", "small", "span", "p", "div", "svg", "use"}

    for text in HOSTILE:
        found = drawn(the_card(text))
        more = {it: n for it, n in (found.elements - plain.elements).items() if it not in grown}
        assert not more, (text[:60], more)
        assert found.elements["button"] == plain.elements["button"], text[:60]
        assert found.addresses == plain.addresses, text[:60]
        assert not found.handlers, text[:60]


def test_n14_no_hostile_text_hides_anything_on_the_terminal() -> None:
    for text in HOSTILE:
        told = "".join(str(it) for it in whole(the_card(text), T0, 80))
        assert HIDDEN.isdisjoint(told), (text[:60], HIDDEN & set(told))
