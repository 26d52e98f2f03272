"""What was judged and how people answered, as the ledger tells it to whoever learns from it."""

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from tests.integration.ledger_bus import SIGNED, Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import (
    TOLD,
    approved,
    cancelled,
    expired,
    halted,
    passed,
    step,
    withdrawn,
)

from holdpoint.core import commands
from holdpoint.ledger.verdicts import answered, judged, outcomes, said
from holdpoint.messages.call import Intent, Propose
from holdpoint.messages.hold import Outcome
from holdpoint.messages.policy import VerdictKind

pytestmark = pytest.mark.usefixtures("ledger_store")


def ledger_of(bus: Bus, folder: Path) -> str:
    url = new_ledger(folder)
    entered(url, bus.entries)
    return url


def erased(body: bytes) -> bytes:
    """The same event, and nothing in its data."""
    event = msgspec.json.decode(body)
    return msgspec.json.encode(event | {"data": {}})


def test_each_hold_is_told_once_with_its_verdict_and_its_call(tmp_path: Path) -> None:
    bus = Bus()
    for tell in TOLD:
        tell(bus, tell.__name__)
    approved(bus, "sentence", on_sentence=True)
    found = asked(ledger_of(bus, tmp_path), lambda ledger: list(judged(ledger, None)))

    verdicts = {one.hold.hold_id: one.verdict for one in found}
    assert len(found) == len(verdicts) == len(TOLD) + 1
    assert verdicts["holdpassed"] is VerdictKind.PASS
    assert verdicts["holddenied"] is VerdictKind.DENY
    assert verdicts["holdcancelled"] is VerdictKind.HOLD
    assert [type(one.call) for one in found] == [*([Propose] * len(TOLD)), Intent]


def test_a_grant_that_is_minted_again_is_no_second_verdict(tmp_path: Path) -> None:
    bus = Bus()
    passed(bus)
    first = next(entry for entry in bus.entries if entry.kind == "HOLDS")
    bus.store("HOLDS", first.subject, first.body, SIGNED)

    assert len(asked(ledger_of(bus, tmp_path), lambda ledger: list(judged(ledger, None)))) == 1


def test_what_can_no_longer_be_read_is_left_out(tmp_path: Path) -> None:
    bus = Bus()
    passed(bus)
    approved(bus, "yes")
    for entry in [each for each in bus.entries if each.kind in {"HOLDS", "CALLS"}]:
        bus.store(entry.kind, entry.subject, erased(entry.body), SIGNED)
    url = ledger_of(bus, tmp_path)

    assert len(asked(url, lambda ledger: list(judged(ledger, None)))) == 2
    assert len(asked(url, lambda ledger: list(answered(ledger, None)))) == 1
    assert len(asked(url, lambda ledger: list(said(ledger)))) == 2


def test_a_fact_whose_call_is_missing_is_told_without_it(tmp_path: Path) -> None:
    bus = Bus()
    passed(bus)
    bus.entries[:] = [entry for entry in bus.entries if entry.kind == "HOLDS"]
    (found,) = asked(ledger_of(bus, tmp_path), lambda ledger: list(judged(ledger, None)))

    assert found.call is None


def test_only_people_answer(tmp_path: Path) -> None:
    bus = Bus()
    approved(bus, "yes")
    cancelled(bus, "no")
    expired(bus, "late")
    withdrawn(bus, "back")
    killed = halted(bus, "killed")
    step(bus, killed, commands.Kill(cause="ADMIN:1", by="olivia", reason="Stop."))
    url = ledger_of(bus, tmp_path)

    found = asked(url, lambda ledger: list(answered(ledger, None)))
    assert [(one.hold.hold_id, one.confirmed) for one in found] == [
        ("holdyes", True),
        ("holdno", False),
    ]
    assert all(timedelta() < one.took < timedelta(minutes=1) for one in found)
    assert asked(url, lambda ledger: outcomes(ledger, None)) == {
        "holdyes": Outcome.CONFIRMED,
        "holdno": Outcome.CANCELLED,
        "holdlate": Outcome.EXPIRED,
        "holdback": Outcome.WITHDRAWN,
        "holdkilled": Outcome.CANCELLED,
    }


def test_what_came_before_is_left_out(tmp_path: Path) -> None:
    bus = Bus()
    approved(bus, "yes")
    url, later = ledger_of(bus, tmp_path), bus.now

    assert asked(url, lambda ledger: list(judged(ledger, later))) == []
    assert asked(url, lambda ledger: list(answered(ledger, later))) == []
