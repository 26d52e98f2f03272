"""The ledger as a person's pages read it: read-only, in a thread, never longer than a moment."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import TypeVar

import structlog
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from holdpoint.console.status_labels import Standing, ending, standing
from holdpoint.console.timeline import Account, Line, account_of, lines_of
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.ledger import engines
from holdpoint.ledger.actions import ActionRow, actions_found
from holdpoint.ledger.figures import (
    Ending,
    RuleCount,
    StreamAge,
    endings_found,
    rules_answered,
    streams_found,
    waiting_found,
)
from holdpoint.ledger.history import Node, cycles_of, tracing_agents
from holdpoint.ledger.pages import (
    Ended,
    Extent,
    cards_found,
    denials_found,
    ended_found,
    extent,
    progress_of,
    story_of,
)
from holdpoint.ledger.permissions import permissions_found
from holdpoint.ledger.reads import ReadFound, reads_found
from holdpoint.ledger.search import Place, Search
from holdpoint.ledger.states import states_found
from holdpoint.messages.base import Message, Value, is_id
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person, audiences
from holdpoint.messages.hold import Outcome
from holdpoint.messages.state import Permission
from holdpoint.runtime.errors import SetupError, UnavailableError

log = structlog.get_logger(__name__)

T = TypeVar("T")
S = TypeVar("S", bound=Message)

ANSWER_S = 10.0
REPLAY_S = 60.0
PAGE = 25
STEP = 200
MOST_READS = 20
"""Readings that the ledger's page shows."""

MOST_ACTIONS = 200
"""Rows of the table of all actions; `holdpoint audit query --actions` has the rest."""

MOST_CYCLES = 5
"""Trees on the page of traces; `holdpoint audit history` has the rest."""

MOST_LOOKED_AT = 2_000
"""Rows that one search by text reads; the page says so when it stopped there."""

DONE = "done"
"""What a confirmed action is called on its card; as a filter it means `confirmed`."""

OUTCOMES = (*(outcome.value for outcome in Outcome), "denied")


class Filters(Value, frozen=True, kw_only=True):
    """Filters that a person typed above the ledger."""

    outcome: str = ""
    agent: str = ""
    person: str = ""
    since: str = ""
    until: str = ""
    text: str = ""
    before: str = ""


class Row(Value, frozen=True, kw_only=True):
    """One line of the ledger's page."""

    ended: Ended
    standing: Standing
    title: str
    """Empty when another group was asked."""

    tool: str
    """Whose title it is; empty where nobody was asked."""

    is_mine: bool


class Found(Value, frozen=True, kw_only=True):
    """One page."""

    rows: tuple[Row, ...]
    older: str
    """Where the next page begins; empty at the end."""

    denied: dict[str, int]
    """Number of denied calls of each agent that stand in one line in place of their rows."""

    cut: bool
    """True if the search stopped before the end of the ledger."""

    extent: Extent


class Story(Value, frozen=True, kw_only=True):
    """A hold's lines, and what they come to."""

    lines: tuple[Line, ...] = ()
    account: Account | None = None


@dataclass(frozen=True, kw_only=True)
class Archive:
    """One tenant's ledger."""

    url: str
    tenant: str

    async def page(self, person: Person, filters: Filters) -> Found:
        """Return what matches, newest first; SetupError when a filter is none."""
        wanted = wanted_by(filters)
        return await self._ask(partial(self._page, person, filters.text.casefold(), wanted))

    async def actions(self, agent: str) -> list[ActionRow]:
        """The newest actions of everybody, or of one agent, newest first; they name no argument."""
        search = Search(agent=_name("agent", agent) or None, limit=MOST_ACTIONS, newest=True)
        found = await self._ask(lambda it: actions_found(it, search))
        return found[::-1]

    async def tracers(self) -> list[str]:
        """Every agent whose own traces the ledger has."""
        return await self._ask(lambda it: tracing_agents(it, self.tenant))

    async def cycles(self, agent: str) -> tuple[Node, ...]:
        """An agent's newest cycles with all calls in them, oldest first."""
        name, tenant = _name("agent", agent), self.tenant
        return await self._ask(lambda it: cycles_of(it, tenant, name, MOST_CYCLES))

    async def card(self, person: Person, hold_id: str) -> Card | None:
        """The last card of this hold that the person's groups were shown."""
        groups, tenant = audiences(person), self.tenant
        found = await self._ask(lambda it: cards_found(it, tenant, groups, [hold_id]))
        return found.get(hold_id)

    async def story(self, hold_id: str) -> Story:
        """Return what happened to it. Only for who was asked: see `card`."""
        told = await self._ask(lambda it: story_of(it, hold_id))
        return Story(lines=lines_of(told), account=account_of(told))

    async def progress(self, hold_id: str) -> tuple[int, int]:
        """Another pair when there is more to tell of this hold."""
        return await self._ask(lambda it: progress_of(it, hold_id))

    async def permissions(self) -> list[tuple[str, Permission]]:
        """Every remembered permission, with its agent."""
        return await self._ask(permissions_found)

    async def states(self, kind: type[S], key: str = "") -> dict[str, S]:
        """What holds now, of one kind."""
        return await self._ask(partial(states_found, kind=kind, key=key))

    async def reads(self) -> list[ReadFound]:
        """Return the last readings of the ledger, newest first."""
        search, tenant = Search(limit=MOST_READS, newest=True), self.tenant
        found = await self._ask(lambda it: reads_found(it, search, tenant))
        return found[::-1]

    async def endings(self, since: datetime) -> list[Ending]:
        """Return how holds ended since then, and those that still wait."""
        ended = await self._ask(partial(endings_found, since=since))
        return [*ended, *await self._ask(partial(waiting_found, since=since))]

    async def rules(self) -> tuple[list[RuleCount], int]:
        """Return how people answered where each rule fired, and of how many holds that is."""
        return await self._ask(rules_answered)

    async def streams(self) -> list[StreamAge]:
        """Return how far the ledger holds each stream."""
        return await self._ask(streams_found)

    async def replayed(self, question: Callable[[Connection], T]) -> T:
        """Ask what takes longer: verdicts judged again."""
        return await self._ask(question, REPLAY_S)

    async def _ask(self, question: Callable[[Connection], T], within_s: float = ANSWER_S) -> T:
        try:
            async with asyncio.timeout(within_s):
                return await asyncio.to_thread(self._read, question)
        except (SQLAlchemyError, SetupError, OSError) as error:
            log.info("ledger_unread", error=type(error).__name__)
            raise UnavailableError("The ledger cannot be read right now.") from None
        except TimeoutError:
            raise UnavailableError("The ledger did not answer in time.") from None

    def _read(self, question: Callable[[Connection], T]) -> T:
        engine = engines.reader(self.url)
        try:
            with engine.begin() as connection:
                return question(connection)
        finally:
            engine.dispose()

    def _page(self, person: Person, text: str, wanted: Search, connection: Connection) -> Found:
        """Read on until the page is full, the ledger ends, or it was enough."""
        rows: list[Row] = []
        looked, ends, is_first = 0, False, wanted.before is None
        while len(rows) <= PAGE and looked < MOST_LOOKED_AT and not ends:
            found = ended_found(connection, wanted)
            rows += self._rows(connection, person, text, found)
            looked, ends = looked + len(found), len(found) < wanted.limit
            wanted = _after(wanted, found)
        shown = tuple(rows[:PAGE])
        last = shown[-1].ended if shown else None
        more = len(rows) > PAGE or not ends
        return Found(
            rows=shown,
            older=f"{last.at.isoformat()}~{last.hold_id}" if more and last else "",
            denied=denials_found(connection, wanted) if is_first and wanted.asked else {},
            cut=not ends and len(rows) <= PAGE,
            extent=extent(connection),
        )

    def _rows(
        self, connection: Connection, person: Person, text: str, found: Sequence[Ended]
    ) -> list[Row]:
        holds = [each.hold_id for each in found]
        cards = cards_found(connection, self.tenant, audiences(person), holds)
        rows = (_row(each, cards.get(each.hold_id)) for each in found)
        return [row for row in rows if text in _searched(row)]


def _row(ended: Ended, card: Card | None) -> Row:
    how = standing(card) if card is not None else ending(ended.run_status or ended.outcome)
    nobody_asked = ended.outcome == "denied"
    title = one_line(visible(ended.tool)) if nobody_asked else ""
    return Row(
        ended=ended,
        standing=how,
        title=card.title if card else title,
        tool=card.ui.action.tool if card else "",
        is_mine=card is not None or nobody_asked,
    )


def _searched(row: Row) -> str:
    """Only what the row shows: a search must not find what is covered."""
    it = row.ended
    return "\n".join((row.title, it.hold_id, it.agent, it.on_behalf_of, *it.people)).casefold()


def _after(wanted: Search, found: Sequence[Ended]) -> Search:
    if not found:
        return wanted
    return replace(wanted, before=Place(at=found[-1].at, hold_id=found[-1].hold_id))


def wanted_by(filters: Filters) -> Search:
    """Return what the filters ask for; SetupError names the one that is none."""
    return Search(
        outcome=_one_of("outcome", filters.outcome),
        asked=not (filters.outcome or filters.text),
        agent=_name("agent", filters.agent),
        person=_name("person", filters.person),
        since=_day("since", filters.since),
        until=_day_after(_day("until", filters.until)),
        before=_place(filters.before) if filters.before else None,
        limit=STEP if filters.text else PAGE + 1,
    )


def _one_of(name: str, text: str) -> str:
    text = Outcome.CONFIRMED.value if text == DONE else text
    if text and text not in OUTCOMES:
        raise SetupError(f"`{name}` is one of: {', '.join(OUTCOMES)}.")
    return text


def _name(name: str, text: str) -> str:
    if text and not is_id(text):
        raise SetupError(f"`{name}` is a name: letters, digits, `_` and `-`.")
    return text


def _day(name: str, text: str) -> datetime | None:
    if not text:
        return None
    with contextlib.suppress(ValueError):
        day = date.fromisoformat(text)
        if day.isoformat() == text:
            return datetime(day.year, day.month, day.day, tzinfo=UTC)
    raise SetupError(f"`{name}` is a day, written like 2026-11-21.")


def _day_after(day: datetime | None) -> datetime | None:
    """Nothing comes after the last day that a calendar has."""
    if day is None or day.date() == date.max:
        return None
    return day + timedelta(days=1)


def _place(text: str) -> Place:
    at, _, hold_id = text.partition("~")
    with contextlib.suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(at)
        if is_id(hold_id) and moment.tzinfo is not None:
            return Place(at=moment.astimezone(UTC), hold_id=hold_id)
    raise SetupError("`before` is no place in the ledger: begin at its newest page.")
