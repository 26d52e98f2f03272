"""The part of the inbox that a page shows: its filters and groups, as its address has them."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlencode

from holdpoint.console.status_labels import is_answerable, place
from holdpoint.messages.base import Value
from holdpoint.messages.card import Card
from holdpoint.messages.risk import RiskLevel

MOST = 44
"""Cards that wait on one page: with what ended lately and what ran unasked, it has at most 60."""

RECENT = 5
"""Cards of what ended lately, and as many of what ran unasked; the ledger has the rest."""

LONGEST_PAGE = 5
"""Digits of a page's number."""

GROUPS = ("agent", "risk", "tool")
RISKS = tuple(it.value for it in reversed(RiskLevel))


class View(Value, frozen=True, kw_only=True):
    """Choice of cards on a page of the inbox; what is empty does not matter."""

    agent: str = ""
    risk: str = ""
    group: str = ""
    page: int = 1

    @property
    def is_filtered(self) -> bool:
        """Return whether some cards are left out."""
        return bool(self.agent or self.risk)

    @property
    def query(self) -> str:
        """The address's part behind the question mark; empty where nothing was chosen."""
        return self.at(self.page)

    def at(self, page: int) -> str:
        """The same of another page of the same cards."""
        number = str(page) if page > 1 else ""
        chosen = {"agent": self.agent, "risk": self.risk, "group": self.group, "page": number}
        return urlencode({name: value for name, value in chosen.items() if value})

    def wants(self, card: Card) -> bool:
        """Return whether the card is one of those."""
        is_of_agent = self.agent in {"", card.agent}
        return is_of_agent and self.risk in {"", card.ui.risk_level.value}

    def heading(self, card: Card) -> str:
        """The group that the card stands in; empty where there are none."""
        match self.group:
            case "agent":
                return card.agent
            case "risk":
                return f"{card.ui.risk_level.value.capitalize()} risk"
            case "tool":
                return card.ui.action.tool or "a sentence"
            case _:
                return ""

    def order(self, card: Card) -> str:
        """Its place on the page, as text: group by group, and the worst first in each."""
        heading = "" if self.group == "risk" else self.heading(card)
        return f"{heading} {place(card)}" if heading else place(card)

    def waiting(self, cards: Iterable[Card]) -> list[Card]:
        """Everything that waits and fits, the worst first, then what has waited longest."""
        fitting = (card for card in cards if is_answerable(card) and self.wants(card))
        return sorted(fitting, key=place)

    def window(self, cards: Iterable[Card]) -> Sequence[Card]:
        """Return those that stand on the page, in its order; the worst of all on the first one."""
        waiting = self.waiting(cards)
        at = first_of(self.page, len(waiting))
        return sorted(waiting[at : at + MOST], key=self.order)


EVERYTHING = View()


class Pager(Value, frozen=True, kw_only=True):
    """Place of a page among all pages of what waits and fits."""

    page: int
    pages: int
    first: int
    """Number of its first card, from 1."""

    last: int
    of: int


def pager_of(view: View, cards: Iterable[Card]) -> Pager:
    """Return where the page stands; an address past the end is the last page."""
    waiting = sum(is_answerable(card) and view.wants(card) for card in cards)
    before = first_of(view.page, waiting)
    return Pager(
        page=before // MOST + 1,
        pages=pages_of(waiting),
        first=before + 1,
        last=min(before + MOST, waiting),
        of=waiting,
    )


def pages_of(waiting: int) -> int:
    """Return how many pages that many cards take; nothing takes one, too."""
    return max(1, -(-waiting // MOST))


def first_of(page: int, waiting: int) -> int:
    """Return how many cards stand before this page; past the end is the last page."""
    return (min(page, pages_of(waiting)) - 1) * MOST


def view_of(asked: Mapping[str, str]) -> View:
    """Return what the address asks for; what it cannot ask for is left out."""
    group, risk = asked.get("group", ""), asked.get("risk", "")
    page = asked.get("page", "")
    is_page = page.isascii() and page.isdecimal() and len(page) <= LONGEST_PAGE
    return View(
        agent=asked.get("agent", "")[:64],
        risk=risk if risk in RISKS else "",
        group=group if group in GROUPS else "",
        page=max(1, int(page)) if is_page else 1,
    )
