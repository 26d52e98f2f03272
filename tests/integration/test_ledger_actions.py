"""One table of everything that agents proposed: passed, denied, waiting, answered and run."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.integration.ledger_bus import AGENT, EPOCH, Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import (
    cancelled,
    confirmed,
    denied,
    expired,
    halted,
    killed,
    passed,
    withdrawn,
)

from holdpoint.ledger.actions import ActionRow, actions_found
from holdpoint.ledger.search import Search

pytestmark = pytest.mark.usefixtures("ledger_store")

ALL = Search(limit=1_000)


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = new_ledger(tmp_path)
    bus = Bus()
    passed(bus, "a")
    denied(bus, "b")
    confirmed(bus, "c")
    cancelled(bus, "d")
    halted(bus, "e")
    halted(bus, "f", on_sentence=True)
    entered(url, bus.entries)
    return url


def found(url: str, search: Search = ALL) -> list[ActionRow]:
    return asked(url, lambda it: actions_found(it, search))


def test_every_action_has_one_row_with_its_state(url: str) -> None:
    rows = found(url)

    assert [(row.decision, row.state) for row in rows] == [
        ("passed", "done"),
        ("denied", "denied"),
        ("asked", "done"),
        ("asked", "cancelled"),
        ("asked", "waiting"),
        ("asked", "waiting"),
    ]
    assert [row.answered_by for row in rows[2:5]] == [("bob",), ("carol",), ()]
    assert [row.ended_by for row in rows] == ["", "", "person", "person", "", ""]
    assert [bool(row.tool) for row in rows] == [True, True, True, True, True, False]
    assert [row.at for row in rows] == sorted(row.at for row in rows)


def test_no_row_says_what_an_argument_holds(url: str) -> None:
    assert "hunter2-secret" not in repr(found(url))
    assert "DROP TABLE" not in repr(found(url))


def test_it_is_found_by_hold_agent_and_time(url: str) -> None:
    every = found(url)

    assert found(url, replace(ALL, hold=every[2].hold_id)) == [every[2]]
    assert found(url, replace(ALL, agent=AGENT)) == every
    assert found(url, replace(ALL, agent="nobody")) == []
    assert found(url, replace(ALL, until=EPOCH)) == []
    assert found(url, replace(ALL, limit=2)) == every[:2]
    assert found(url, replace(ALL, limit=2, newest=True)) == every[-2:]


def test_a_row_says_what_ended_its_hold(tmp_path: Path) -> None:
    ledger, bus = new_ledger(tmp_path, "ends"), Bus()
    for end in (cancelled, killed, expired, withdrawn):
        end(bus, end.__name__)
    entered(ledger, bus.entries)

    rows = found(ledger)
    assert [row.ended_by for row in rows] == ["person", "kill_switch", "timeout", "agent"]
    assert [row.stopped_by for row in rows] == ["", "ann", "", ""]
    assert rows[1].answered_by == ()
