"""What pages ask the ledger: newest first, page by page, and only the cards of one's groups."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select
from tests.builders import TOOL
from tests.builders import a_hold as a_drawn_hold
from tests.integration.ledger_bus import AGENT, EPOCH, Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import (
    approved,
    confirmed,
    delegated,
    every_story,
    executed,
)

from holdpoint.console.ledger_view import Archive, Filters
from holdpoint.core.card import Shown, card_of
from holdpoint.ledger.actions import actions_found
from holdpoint.ledger.figures import (
    endings_found,
    rules_answered,
    streams_found,
    waiting_found,
)
from holdpoint.ledger.pages import (
    Ended,
    cards_found,
    denials_found,
    ended_found,
    extent,
    progress_of,
    story_of,
)
from holdpoint.ledger.search import Place, Search
from holdpoint.ledger.states import states_found
from holdpoint.ledger.tables import decisions
from holdpoint.messages.catalog import Person
from holdpoint.messages.run import RunStatus
from holdpoint.messages.state import CURRENT, KillState
from holdpoint.messages.subjects import card_subject, state_subject

pytestmark = pytest.mark.usefixtures("ledger_store")

ALL = Search(limit=1_000)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return new_ledger(tmp_path)


def found(url: str, **fields: Any) -> list[Ended]:
    return asked(url, lambda c: ended_found(c, replace(ALL, **fields)))


def put_card(bus: Bus, hold_id: str, group: str, title: str) -> None:
    shown = Shown(group=group, state="rendered", seal_key="", revision=1)
    card = replace(card_of(a_drawn_hold(), TOOL, shown), hold_id=hold_id, title=title)
    bus.say("CARDS", card_subject("acme", group, hold_id), card, None)


def test_the_newest_comes_first_and_pages_join_without_gap(url: str) -> None:
    entered(url, every_story(times=3))
    every = found(url)

    assert [it.at for it in every] == sorted((it.at for it in every), reverse=True)
    pages, before = list[Ended](), None
    while page := found(url, before=before, limit=4):
        pages += page
        before = Place(at=page[-1].at, hold_id=page[-1].hold_id)
    assert pages == every


def test_it_is_found_by_outcome_agent_person_and_day(url: str) -> None:
    entered(url, every_story())
    every = found(url)
    people = {person for it in every for person in it.people}

    assert {it.outcome for it in found(url, outcome="expired")} == {"expired"}
    assert found(url, agent="nobody") == []
    for person in people:
        assert found(url, person=person) == [it for it in every if person in it.people]
    assert found(url, since=EPOCH + timedelta(days=1)) == []
    assert found(url, until=EPOCH + timedelta(days=1)) == every


def test_a_delegate_is_named_with_the_approver_in_whose_place_they_answered(url: str) -> None:
    bus = Bus()
    delegated(bus)
    entered(url, bus.entries)

    assert [it.people for it in found(url)] == [("eve (for bob)",)]
    (action,) = asked(url, lambda c: actions_found(c, ALL))
    assert action.people == ("eve (for bob)",)


async def test_who_was_not_asked_reads_too_that_it_failed(url: str) -> None:
    bus = Bus()
    executed(bus, approved(bus), RunStatus.FAILED)
    entered(url, bus.entries)
    page = await Archive(url=url, tenant="acme").page(Person(name="dora"), Filters())

    assert [(row.is_mine, row.standing.word) for row in page.rows] == [(False, "Failed")]


def test_denials_are_left_out_of_what_people_were_asked_and_counted_by_agent(url: str) -> None:
    entered(url, every_story(times=2))
    every = [it.outcome for it in found(url)]
    asked_for = [it.outcome for it in found(url, asked=True)]
    search = replace(ALL, asked=True, before=Place(at=EPOCH, hold_id="h"))

    assert every.count("denied") == 2
    assert asked_for == [it for it in every if it != "denied"]
    assert asked(url, lambda c: denials_found(c, search)) == {AGENT: 2}
    assert asked(url, lambda c: denials_found(c, replace(search, agent="nobody"))) == {}


def test_a_person_is_no_pattern(url: str) -> None:
    entered(url, every_story())

    assert found(url, person="%") == []
    assert found(url, person='a"') == []


def test_only_the_last_card_of_ones_own_groups_is_handed_out(url: str) -> None:
    bus = Bus()
    put_card(bus, "h1", "finance", "the first")
    put_card(bus, "h1", "finance", "the last")
    put_card(bus, "h1", "operators", "for others")
    put_card(bus, "h2", "operators", "not asked")
    entered(url, bus.entries)

    cards = asked(url, lambda c: cards_found(c, "acme", ("finance",), ["h1", "h2"]))
    nobody = asked(url, lambda c: cards_found(c, "acme", (), ["h1", "h2"]))

    assert {hold: card.title for hold, card in cards.items()} == {"h1": "the last"}
    assert nobody == {}


def test_a_story_begins_with_its_proposal_and_grows(url: str) -> None:
    bus = Bus()
    hold = confirmed(bus)
    assert asked(url, lambda c: progress_of(c, hold.hold_id)) == (0, 0)
    entered(url, bus.entries)

    story = asked(url, lambda c: story_of(c, hold.hold_id))

    words = [told.record.type_name.rpartition(".")[2] for told in story]
    assert words[:2] == ["propose", "halt"]
    assert words[-2:] == ["started", "finished"]
    assert asked(url, lambda c: progress_of(c, hold.hold_id))[0] == len(story) - 1


def test_how_far_it_goes(url: str) -> None:
    before = asked(url, extent)
    entries = every_story()
    entered(url, entries)
    after = asked(url, extent)

    assert (before.events, before.checkpoint, before.last_at) == (0, "", None)
    assert after.events == len(entries)


def test_endings_count_what_people_were_asked_and_streams_tell_their_age(url: str) -> None:
    entered(url, every_story())
    ended = [it for it in found(url) if it.outcome != "denied"]

    endings = asked(url, lambda c: endings_found(c, EPOCH - timedelta(days=1)))
    assert {it.outcome for it in endings} == {it.outcome for it in ended}
    assert all(it.ended_at and it.ended_at >= it.halted_at for it in endings)
    assert asked(url, lambda c: endings_found(c, EPOCH + timedelta(days=1))) == []
    waiting = asked(url, lambda c: waiting_found(c, EPOCH - timedelta(days=1)))
    assert all(it.ended_at is None and not it.outcome for it in waiting)
    halted = select(decisions.c.hold_id).where(decisions.c.verdict == "halted")
    holds_halted = asked(url, lambda c: set(c.scalars(halted)))
    assert len(waiting) == len(holds_halted - {it.hold_id for it in ended})
    counts, holds = asked(url, rules_answered)
    assert holds == len(ended)
    assert all(it.approved + it.cancelled <= it.asked <= holds for it in counts)
    streams = asked(url, streams_found)
    assert sum(it.events for it in streams) == asked(url, extent).events
    assert [it.last_at for it in streams] == sorted((it.last_at for it in streams), reverse=True)


def test_the_newest_state_of_each_key_stands(url: str) -> None:
    bus = Bus()
    for agent, why in (("_", "first"), ("_", "last")):
        state = KillState(stopped={agent: why}, by="ann", cause="")
        bus.say("STATE", state_subject("acme", "kill", CURRENT), state, None)
    entered(url, bus.entries)

    states = asked(url, lambda c: states_found(c, KillState))
    assert {key: it.stopped for key, it in states.items()} == {CURRENT: {"_": "last"}}
    assert asked(url, lambda c: states_found(c, KillState, "other")) == {}
