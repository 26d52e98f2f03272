"""Figures of reviewers: of answers that counted, from the ledger."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import astuple, replace
from sqlalchemy import text
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import an_intent, cancelled, confirmed, halted
from typer.testing import CliRunner

from holdpoint.cli.commands.audit import audit
from holdpoint.ledger.reviewers import reviewers_found
from holdpoint.ledger.search import Search
from holdpoint.messages.answer import Choice

pytestmark = pytest.mark.usefixtures("ledger_store")

ALL = Search(limit=1_000)


@pytest.fixture
def url(tmp_path: Path) -> str:
    url, bus = new_ledger(tmp_path), Bus()
    for key in ("a", "b"):
        confirmed(bus, key)
    cancelled(bus, "c")
    halted(bus, "d")
    entered(url, bus.entries)
    return url


def test_each_reviewer_has_their_figures(url: str) -> None:
    bob, carol = asked(url, lambda it: reviewers_found(it, ALL))
    selected = text("SELECT person, answers, median_s, approved, under_3_s FROM reviewers")

    assert sorted(asked(url, lambda it: it.execute(selected).all())) == [
        astuple(it) for it in (bob, carol)
    ]
    assert (bob.person, bob.answers, bob.approved) == ("bob", 2, 1.0)
    assert (carol.person, carol.answers, carol.approved) == ("carol", 1, 0.0)
    assert bob.median_s > 0
    assert bob.under_3_s == (2 if bob.median_s < 3 else 0)


@pytest.mark.parametrize(
    ("seconds_shown", "counted"),
    [
        (1.5, 1.5),
        (0.0, 8.0),  # not known: since the card was first shown to anybody
        (600.0, 8.0),  # nobody sees a card before it is there
    ],
)
def test_time_counts_from_when_the_person_saw_the_card(
    tmp_path: Path, seconds_shown: float, counted: float
) -> None:
    url, bus = new_ledger(tmp_path), Bus()
    about = halted(bus)
    for key in "abcdefg":  # a second each
        bus.call(an_intent(key), "intent")
    bus.answer(about, "bob", Choice.PROCEED, seconds_shown=seconds_shown)
    entered(url, bus.entries)

    (bob,) = asked(url, lambda it: reviewers_found(it, ALL))
    assert (bob.median_s, bob.under_3_s) == (counted, 1 if counted < 3 else 0)


def test_they_are_asked_for_one_hold(url: str) -> None:
    found = asked(url, lambda it: reviewers_found(it, replace(ALL, hold="holdc")))

    assert [it.person for it in found] == ["carol"]
    assert asked(url, lambda it: reviewers_found(it, replace(ALL, agent="nobody"))) == []


def test_the_command_prints_them(url: str) -> None:
    words = ["query", "--reviewers", "--ledger", url]
    told = CliRunner().invoke(audit, [*words, "--json"])

    assert [it["person"] for it in msgspec.json.decode(told.stdout)["reviewers"]] == [
        "bob",
        "carol",
    ]
    assert "median_s" in CliRunner().invoke(audit, [*words, "--csv"]).stdout
    assert CliRunner().invoke(audit, [*words, "--actions"]).exit_code == 2
