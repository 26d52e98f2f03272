"""The part of the inbox that a page shows: its filters and groups, as its address has them."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlencode

from holdpoint.console.status_labels import is_answerable, place
from holdpoint.messages.base import Value
from holdpoint.messages.card import Card
from holdpoint.messages.risk import RiskLevel

MOST = 50
"""Cards that wait on one page; the others come up as these are answered."""

GROUPS = ("agent", "risk", "tool")
RISKS = tuple(it.value for it in reversed(RiskLevel))


class View(Value, frozen=True, kw_only=True):
    """Choice of cards on a page of the inbox; what is empty does not matter."""

    agent: str = ""
    risk: str = ""
    group: str = ""

    @property
    def is_filtered(self) -> bool:
        """Return whether some cards are left out."""
        return bool(self.agent or self.risk)

    @property
    def query(self) -> str:
        """The address's part behind the question mark; empty where nothing was chosen."""
        chosen = {"agent": self.agent, "risk": self.risk, "group": self.group}
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
        """Return those that the page has room for: the worst of all, in the page's order."""
        return sorted(self.waiting(cards)[:MOST], key=self.order)


EVERYTHING = View()


def view_of(asked: Mapping[str, str]) -> View:
    """Return what the address asks for; what it cannot ask for is left out."""
    group, risk = asked.get("group", ""), asked.get("risk", "")
    return View(
        agent=asked.get("agent", "")[:64],
        risk=risk if risk in RISKS else "",
        group=group if group in GROUPS else "",
    )
