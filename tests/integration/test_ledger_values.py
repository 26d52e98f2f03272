"""Arguments are searched by documented paths, whatever an agent wrote there."""

from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, delete, func, select
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import asked, entered, new_ledger, unguarded
from tests.integration.ledger_stories import a_hold, a_proposal, an_action

from holdpoint.audit.verify import verify
from holdpoint.core import commands
from holdpoint.core.hold import begin
from holdpoint.ledger.action_values import LONGEST_TEXT, comparison_in
from holdpoint.ledger.actions import actions_found
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import action_values
from holdpoint.ledger.writer import upgrade
from holdpoint.messages.policy import VerdictKind

pytestmark = [pytest.mark.usefixtures("ledger_store"), pytest.mark.slow]

ARGUMENTS: dict[str, dict[str, Any]] = {
    "small": {"amount": 250, "environment": "staging"},
    "large": {"amount": "12500.50", "environment": "production", "target": "acct-7"},
    "huge": {"amount": 2**53 - 1, "target": True},
    "odd": {"amount": "1" + "0" * 999, "target": "x" * 10_000, "environment": "a\x00b"},
    "nested": {"amount": {"value": 5}, "target": ["a"], "environment": None},
    "sum": {"amount": {"value": "300.00", "currency": "USD"}},
    "words": {"amount": "12 or so", "target": ""},
}


@pytest.fixture(scope="module")
def url(ledger_store: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    _ = ledger_store
    made, bus = new_ledger(tmp_path_factory.mktemp("values")), Bus()
    for key, arguments in ARGUMENTS.items():
        proposal = bus.call(replace(a_proposal(key), arguments=arguments), "propose")
        about = a_hold(key, proposal, replace(an_action(key), arguments=arguments))
        verdict = commands.Begin(
            cause=proposal.cause, hold=about, verdict=VerdictKind.PASS, nonce="n" * 32, at=bus.now
        )
        bus.fact(begin(verdict))
    entered(made, bus.entries)
    return made


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (["args.amount>1000"], {"large", "huge"}),
        (["args.amount >= 250", "args.amount<12500.51"], {"small", "large", "sum"}),
        (["args.amount=12500.5"], {"large"}),
        (["args.amount!=250"], {"large", "huge", "sum", "nested"}),
        (["args.environment=production"], {"large"}),
        (["args.environment!=production"], {"small", "odd"}),
        (["args.target=true"], {"huge"}),
        (["args.target=" + "x" * 10_000], {"odd"}),
        (["args.amount=12 or so"], {"words"}),
        (["args.amount>1", "args.target=acct-7"], {"large"}),
    ],
)
def test_each_condition_finds_its_actions(url: str, said: list[str], found: set[str]) -> None:
    search = Search(where=tuple(map(comparison_in, said)), limit=100)

    assert {it.hold_id for it in asked(url, lambda it: actions_found(it, search))} == {
        f"hold{key}" for key in found
    }


@pytest.mark.parametrize(
    "said", ["amount>1", "args.password=x", "args.amount>many", "args.amount", "args.amount>"]
)
def test_what_is_no_condition_is_told(said: str) -> None:
    with pytest.raises(ValueError, match=r"args\.amount|no number"):
        comparison_in(said)


def test_a_long_text_is_cut_and_the_rows_follow_from_the_events(url: str) -> None:
    def longest(connection: Connection) -> int:
        return connection.scalar(select(func.max(func.length(action_values.c.text)))) or 0

    assert asked(url, longest) == LONGEST_TEXT
    assert verify(url).problems == ()


def test_an_older_ledger_gets_them_when_it_is_upgraded(url: str) -> None:
    def count(connection: Connection) -> int:
        return connection.scalar(select(func.count()).select_from(action_values)) or 0

    before = asked(url, count)
    with unguarded(url) as connection:
        connection.execute(delete(action_values))
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0006'")
        connection.exec_driver_sql("DROP TABLE action_values")
    upgrade(url)

    assert asked(url, count) == before > 0
