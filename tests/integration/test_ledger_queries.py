"""What people ask the ledger, and what an auditor looks at first."""

import logging
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
import structlog
from msgspec.structs import astuple
from sqlalchemy import select, text
from tests.integration.ledger_bus import EPOCH, Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import approved, denied, every_story, executed

from holdpoint.audit.verify import verify
from holdpoint.ledger.exceptions import Kind, every_exception
from holdpoint.ledger.queries import (
    events_found,
)
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import Moment, events
from holdpoint.messages.run import Barred, Lapsed, RunStatus

pytestmark = pytest.mark.usefixtures("ledger_store")

STORIES = every_story()
ALL = 10_000


@pytest.fixture
def url(tmp_path: Path) -> str:
    return new_ledger(tmp_path)


def test_the_story_of_a_hold_begins_with_its_proposal(url: str) -> None:
    entered(url, STORIES)
    found = asked(url, lambda c: events_found(c, Search(hold="holdconfirmed0", limit=ALL)))

    assert [event.type.rpartition(".")[2] for event in found] == (
        ["propose", "halt", "render", "answer", "resolve", "resume", "started", "finished"]
    )


def test_events_are_found_by_agent_time_and_outcome(url: str) -> None:
    entered(url, STORIES)
    first, last = EPOCH + timedelta(seconds=8), EPOCH + timedelta(seconds=14)
    between = asked(url, lambda c: events_found(c, Search(since=first, until=last, limit=ALL)))
    by_helper = asked(url, lambda c: events_found(c, Search(agent="helper", limit=ALL)))
    expiries = asked(url, lambda c: events_found(c, Search(outcome="expired", limit=ALL)))

    assert [event.time for event in between] == [first + timedelta(seconds=s) for s in range(6)]
    assert [event.subject for event in by_helper] == ["hp.acme.call.helper.trace"]
    assert {event.hold_id for event in expiries} == {"holdexpired0"}


def test_well_told_stories_have_no_exception(url: str) -> None:
    entered(url, STORIES)

    assert asked(url, lambda c: every_exception(c, EPOCH)) == []


def test_each_exception_is_found(url: str) -> None:
    bus = Bus()
    executed(bus, denied(bus, "forced"))
    approved(bus, "idle")
    executed(bus, approved(bus, "doubt"), RunStatus.IN_DOUBT)
    late = approved(bus, "late")
    bus.run(Lapsed(hold_id=late.hold_id, digest=late.digest, cause="HOLDS:1", reason="Too late."))
    bus.entries[-1] = msgspec.structs.replace(bus.entries[-1], signature=None)
    entered(url, bus.entries)
    found = asked(url, lambda c: every_exception(c, bus.now))
    selected = text("SELECT kind, at, hold_id, agent, subject FROM exceptions")
    in_view = asked(url, lambda c: c.execute(selected.columns(at=Moment)).all())

    assert sorted(in_view) == sorted((it.kind, *astuple(it)[1:]) for it in found)
    assert {(finding.kind, finding.hold_id) for finding in found} == {
        (Kind.EXECUTED_WITHOUT_APPROVAL, "holdforced"),
        (Kind.APPROVED_NOT_EXECUTED, "holdidle"),
        (Kind.IN_DOUBT, "holddoubt"),
        (Kind.LAPSED, "holdlate"),
        (Kind.UNSIGNED, "holdlate"),
    }


def test_what_somebody_stopped_before_it_began_needs_no_explanation(url: str) -> None:
    bus = Bus()
    it = approved(bus, "stopped")
    bus.run(Barred(hold_id=it.hold_id, digest=it.digest, cause="CALLS:9", reason="Withdrawn."))
    entered(url, bus.entries)

    assert asked(url, lambda c: every_exception(c, bus.now)) == []


def test_no_secret_of_an_argument_is_in_a_leaf_or_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    structlog.reset_defaults()
    logging.basicConfig(level=logging.DEBUG)
    ledger = new_ledger(tmp_path)
    entered(ledger, STORIES)
    verify(ledger)
    kept = asked(ledger, lambda c: [tuple(row) for row in c.execute(select(events))])
    printed = capsys.readouterr()

    assert b"hunter2-secret" in b"".join(entry.body for entry in STORIES)
    assert "hunter2-secret" not in f"{kept}{printed.out}{printed.err}"
