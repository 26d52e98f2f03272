"""Seed 002: one confirmation event for each story, to the letter."""

from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from tests.integration.ledger_bus import AGENT, TENANT, Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import (
    approved,
    cancelled,
    confirmed,
    denied,
    executed,
    expired,
    passed,
    withdrawn,
)

from holdpoint.ledger.queries import (
    ConfirmationEvent,
    confirmations_found,
)
from holdpoint.ledger.search import Search
from holdpoint.messages.run import RunStatus

pytestmark = pytest.mark.usefixtures("ledger_store")

ALL = 10_000


@pytest.fixture
def url(tmp_path: Path) -> str:
    return new_ledger(tmp_path)


def test_a_confirmed_story(url: str) -> None:
    bus = Bus()
    about = confirmed(bus)
    event = _only_confirmation(url, bus)

    assert about.action is not None
    assert event == ConfirmationEvent(
        timestamp=_at(bus, "resolved"),
        agent_reasoning="Nobody needs these any more: k.\nI checked twice.",
        proposed_action=msgspec.to_builtins(about.action),
        risk_assessment="critical",
        user_response=True,
        final_action={"tool": "oci_database_execute", "arguments": {"password": "•••"}},
        hold_id=about.hold_id,
        tenant=TENANT,
        agent=AGENT,
        on_behalf_of="alice",
        outcome="confirmed",
        answered=True,
        reason="",
        approvers=["bob"],
        resolved_by="bob",
        halted_at=_at(bus, "halted"),
        policy_version="2026-02",
        digest=about.digest,
        proposal="CALLS:1",
        resumed=True,
        ended_as="confirmed",
        level=3,
        groups=["dba"],
        signals=[],
        seconds_shown=0.0,
        shown_at=_at(bus, "rendered"),
        answered_at=next(it.at for it in bus.entries if it.kind == "ANSWERS"),
        resumed_at=_at(bus, "resumed"),
        grant_nonce="n" * 32,
        worker="worker-1",
        run_status="done",
    )


def test_a_cancelled_story(url: str) -> None:
    bus = Bus()
    cancelled(bus)
    event = _only_confirmation(url, bus)

    assert (event.user_response, event.outcome, event.answered) == (False, "cancelled", True)
    assert (event.resolved_by, event.reason) == ("carol", "Not today.")
    assert (event.approvers, event.final_action, event.resumed) == ([], None, False)


def test_silence_is_an_answer_of_nobody(url: str) -> None:
    bus = Bus()
    expired(bus)
    event = _only_confirmation(url, bus)

    assert (event.user_response, event.outcome, event.answered) == (False, "expired", False)
    assert (event.resolved_by, event.ended_as) == (None, "expired")


def test_a_withdrawn_story(url: str) -> None:
    bus = Bus()
    withdrawn(bus)
    event = _only_confirmation(url, bus)

    assert (event.user_response, event.outcome, event.answered) == (False, "withdrawn", False)
    assert (event.resolved_by, event.reason) == (AGENT, "Found another way.")


def test_a_denied_story(url: str) -> None:
    bus = Bus()
    denied(bus)
    event = _only_confirmation(url, bus)

    assert (event.user_response, event.outcome, event.answered) == (False, "denied", False)
    assert event.timestamp == _at(bus, "denied")
    assert (event.halted_at, event.resumed, event.final_action) == (None, None, None)
    assert event.agent_reasoning == "Nobody needs these any more: k.\nI checked twice."


def test_a_sentence_is_reasoned_by_its_text_and_its_reasoning(url: str) -> None:
    bus = Bus()
    approved(bus, on_sentence=True)
    event = _only_confirmation(url, bus)

    assert event.agent_reasoning == (
        "I'm about to delete these 500 user accounts. Should I proceed?\n\nThey were asked to go."
    )
    assert event.proposed_action == {
        "says": "I'm about to delete these 500 user accounts. Should I proceed?",
        "claim": {"type": "batch_delete"},
    }
    assert (event.user_response, event.final_action) == (True, None)


def test_what_passes_asks_nobody_and_is_no_confirmation(url: str) -> None:
    bus = Bus()
    passed(bus)
    entered(url, bus.entries)

    assert asked(url, lambda c: confirmations_found(c, Search(limit=ALL))) == []


def test_another_domain_cannot_say_what_was_executed(url: str) -> None:
    bus = Bus()
    about = approved(bus)
    executed(bus, about, domain="shell")
    executed(bus, about, RunStatus.FAILED)

    assert _only_confirmation(url, bus).final_action is None


def _only_confirmation(url: str, bus: Bus) -> ConfirmationEvent:
    entered(url, bus.entries)
    (event,) = asked(url, lambda c: confirmations_found(c, Search(limit=ALL)))
    return event


def _at(bus: Bus, word: str) -> datetime:
    (entry,) = (entry for entry in bus.entries if entry.subject.split(".")[-2] == word)
    return entry.at
