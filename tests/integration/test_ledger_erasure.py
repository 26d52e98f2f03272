"""Bodies go, and everything that the ledger proves stays; a legal hold wins over both."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Connection, delete, func, select
from tests.integration.ledger_bus import TENANT, Bus
from tests.integration.ledger_files import (
    PUBLIC_KEY,
    asked,
    attested,
    derived,
    entered,
    new_ledger,
    rows_of,
    unguarded,
)
from tests.integration.ledger_stories import approved, cancelled, expired, refused
from typer.testing import CliRunner

from holdpoint.audit.proofs import NotProvenError, check_event, event_named, prove_event
from holdpoint.audit.verify import verify
from holdpoint.cli.commands.audit import audit
from holdpoint.ledger import engines
from holdpoint.ledger.checkpoints import newest_checkpoint
from holdpoint.ledger.engines import file_of
from holdpoint.ledger.erased import own_events
from holdpoint.ledger.erasure import (
    NotErasedError,
    Reason,
    begin_legal_hold,
    erase,
    erase_refused,
    legal_holds,
    lift_legal_hold,
    order_retention,
    retain,
    retention,
)
from holdpoint.ledger.exceptions import every_exception
from holdpoint.ledger.own_events import note_origin
from holdpoint.ledger.tables import bodies, events
from holdpoint.ledger.writer import upgrade
from holdpoint.messages.erasure import Erased, LegalHold, Lifted, Retention
from holdpoint.runtime.errors import SignatureError, UnavailableError
from holdpoint.runtime.process import clock

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("ledger_store")]

GONE, STAYS = "holdgone", "holdstays"
WHY = Reason(by="ann", why="asked by the customer", basis="GDPR Art. 17")


def told() -> Bus:
    """One hold that goes, one that was told between its messages and stays."""
    bus = Bus()
    approved(bus, "gone")
    cancelled(bus, "stays")
    return bus


@pytest.fixture
def url(tmp_path: Path) -> str:
    ledger = new_ledger(tmp_path)
    entered(ledger, told().entries, attest=attested)
    return ledger


def bodies_of(url: str, hold_id: str) -> int:
    its = select(func.count()).select_from(bodies).join(events).where(events.c.hold_id == hold_id)
    return asked(url, lambda connection: connection.scalar(its)) or 0


def about(url: str, hold_id: str) -> list[object]:
    """Every derived row of this hold; a trace's place among its siblings is counted again."""
    *others, traced = derived(url)
    shown = [(row[0], row[5:]) for row in traced if hold_id in row]
    return [*(row for table in others for row in table if hold_id in row), *shown]


def test_a_hold_is_erased_and_the_ledger_verifies_as_before(url: str) -> None:
    before, held = rows_of(url, events)[0], asked(url, newest_checkpoint)
    stays = about(url, STAYS)
    made = erase(url, TENANT, GONE, WHY)
    report = verify(url)

    assert made.bodies > 1
    assert (report.problems, report.erased) == ((), made.bodies)
    assert rows_of(url, events)[0][:-1] == before
    assert asked(url, newest_checkpoint) == held
    assert about(url, STAYS) == stays
    assert about(url, GONE) == []
    assert asked(url, lambda it: own_events(it)[-1].by) == "ann"
    assert entered(url, told().entries) == 0
    assert bodies_of(url, GONE) == 0


def test_a_refused_call_is_erased_with_its_refusal(url: str) -> None:
    bus = told()
    its = refused(bus, "Max Mustermann")
    refused(bus, "somebody else")
    entered(url, bus.entries)
    seq = asked(url, lambda it: event_named(it, its.cause))
    no_call = asked(url, lambda it: it.scalar(select(events.c.seq).where(events.c.hold_id == GONE)))
    made = erase_refused(url, TENANT, seq, WHY)

    assert (made.bodies, verify(url).problems) == (2, ())
    left = b"".join(body for _, body in rows_of(url, bodies)[0])
    assert b"Mustermann" not in left
    assert b"somebody else" in left
    for other in (seq, no_call, 1):
        with pytest.raises(NotErasedError, match="is no refused call, or it was erased"):
            erase_refused(url, TENANT, other or 0, WHY)


def test_an_event_is_proved_after_its_body_is_gone(url: str) -> None:
    seq = asked(url, lambda it: it.scalar(select(events.c.seq).where(events.c.hold_id == GONE)))
    assert seq
    whole = asked(url, lambda it: prove_event(it, seq, [PUBLIC_KEY]))
    erase(url, TENANT, GONE, WHY)
    with pytest.raises(NotProvenError, match="every 10 seconds"):
        asked(url, lambda it: prove_event(it, seq, [PUBLIC_KEY]))
    entered(url, [], attest=attested)
    proof = asked(url, lambda it: prove_event(it, seq, [PUBLIC_KEY]))

    assert (proof.body, check_event(proof, [PUBLIC_KEY]).erased) == ("", True)
    for other in (None, whole, msgspec.structs.replace(proof, erasure=None)):
        with pytest.raises(SignatureError, match="no erasure"):
            check_event(msgspec.structs.replace(proof, erasure=other), [PUBLIC_KEY])
    with pytest.raises(SignatureError, match="no erasure"):
        check_event(msgspec.structs.replace(whole, body=""), [PUBLIC_KEY])
    assert check_event(whole, [PUBLIC_KEY]).erased is False
    assert proof.fields == whole.fields


def test_what_was_erased_is_not_in_the_file_any_more(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path}/ledger.db")
    url, bus = f"sqlite:///{tmp_path}/ledger.db", told()
    entered(url, bus.entries)
    its = [it.body for it in bus.entries if GONE in it.subject]
    erase(url, TENANT, GONE, WHY)
    file = file_of(url)
    with unguarded(url) as connection:
        left = connection.scalars(select(bodies.c.body)).all()

    assert not {*its} & {*left}
    assert not [body for body in its if body[:200] in file.read_bytes()]


def test_a_body_that_is_gone_without_an_event_is_named(url: str) -> None:
    bus = told()
    liar = bus.store("CALLS", bus.entries[0].subject, b"{}")
    said = msgspec.json.encode(Erased(by="x", why="x", basis="", spans=((1, 99),)))
    frame = {"specversion": "1.0", "id": "1", "source": "x", "data": msgspec.Raw(said)}
    body = msgspec.json.encode({**frame, "type": "holdpoint.v1.ledger_erased"})
    entered(url, [msgspec.structs.replace(liar, body=body)])
    with unguarded(url) as connection:
        connection.execute(delete(bodies).where(bodies.c.seq == 3))
    upgrade(url)

    assert ("event", "events.3") in [(it.check, it.row) for it in verify(url).problems]


def test_a_ledger_that_is_lost_and_filled_again_takes_no_erasure_back(tmp_path: Path) -> None:
    url, bus = new_ledger(tmp_path), told()
    entered(url, bus.entries)

    def announce(subject: str, body: bytes) -> None:
        bus.store("ERASURES", subject, body)

    made = erase(url, TENANT, GONE, WHY, announce)
    held = LegalHold(name="case-7", by="jo", why="a lawsuit", hold_id=STAYS)
    begin_legal_hold(url, TENANT, held, announce)
    entered(url, bus.entries)
    again = new_ledger(tmp_path, "again")
    erasures = [it for it in bus.entries if it.kind == "ERASURES"]
    entered(again, erasures, bus.entries)

    assert [asked(it, lambda c: len(own_events(c))) for it in (url, again)] == [2, 2]
    assert (bodies_of(again, GONE), bodies_of(again, STAYS)) == (0, bodies_of(url, STAYS))
    assert about(again, GONE) == []
    assert asked(again, legal_holds) == [held]
    assert [verify(it).erased for it in (url, again)] == [made.bodies] * 2
    assert [verify(it).problems for it in (url, again)] == [(), ()]
    with pytest.raises(NotErasedError, match="case-7 keeps bodies"):
        erase(again, TENANT, STAYS, WHY)


def test_nothing_is_erased_that_cannot_be_recorded(url: str) -> None:
    def announce(*_: object) -> None:
        raise UnavailableError("it is away")

    before = bodies_of(url, GONE)
    with pytest.raises(UnavailableError):
        erase(url, TENANT, GONE, WHY, announce)

    assert bodies_of(url, GONE) == before > 0
    assert asked(url, own_events) == []


@pytest.mark.parametrize(
    "hold",
    [
        LegalHold(name="case-7", by="jo", why="a lawsuit", hold_id=GONE),
        LegalHold(name="case-7", by="jo", why="a lawsuit", until=told().now),
    ],
)
def test_a_legal_hold_wins_until_it_is_lifted(url: str, hold: LegalHold) -> None:
    begin_legal_hold(url, TENANT, hold)
    before = bodies_of(url, GONE)
    with pytest.raises(NotErasedError, match="case-7 keeps bodies"):
        erase(url, TENANT, GONE, WHY)
    kept = retain(url, TENANT, told().now + timedelta(days=1), WHY).kept
    after = bodies_of(url, GONE)
    lift_legal_hold(url, TENANT, Lifted(name="case-7", by="jo", why="settled"))

    assert kept >= after == before > 0
    assert asked(url, legal_holds) == []
    assert erase(url, TENANT, GONE, WHY).bodies >= before
    assert verify(url).problems == ()


def test_retention_takes_whole_holds_and_raises_no_alarm(tmp_path: Path) -> None:
    url, bus = new_ledger(tmp_path), Bus()
    approved(bus, "gone")
    first = bus.now
    expired(bus, "stays")
    entered(url, bus.entries, attest=attested)
    before = asked(url, lambda it: every_exception(it, bus.now))
    middle = retain(url, TENANT, first + timedelta(seconds=2), WHY)
    report = verify(url)

    assert middle.bodies > 0
    assert (bodies_of(url, GONE), report.problems, report.erased) == (0, (), middle.bodies)
    assert bodies_of(url, STAYS) > 1
    assert {it.hold_id for it in asked(url, lambda it: every_exception(it, bus.now))} <= {
        it.hold_id for it in before
    }
    assert retain(url, TENANT, first + timedelta(seconds=2), WHY).bodies == 0


def test_commands_say_what_was_erased(url: str) -> None:
    runner, where = CliRunner(), ["--ledger", url]
    erase(url, TENANT, GONE, WHY)
    verified = runner.invoke(audit, ["verify", *where])
    shown = runner.invoke(audit, ["query", "--hold", GONE, *where])

    assert "of these messages were erased; their events stay." in shown.output
    assert "bodies were erased; their leaves are in the tree" in verified.output


def test_the_newest_word_says_how_long_bodies_stay(url: str) -> None:
    for days in (365, 30, 0):
        age = Retention(days=days, by="jo", why="retention")
        order_retention(url, TENANT, age)
        assert asked(url, retention) == (age if days else None)


def test_an_erasure_that_nobody_said_at_the_broker_is_named(url: str) -> None:
    """Whoever writes the database can enter one; what the audit may still be reading is not yet."""
    bus = told()
    _in_ledger(url, lambda it: note_origin(it, "HP_ERASURES_acme", "2026-01-01T00:00:00Z"))

    def announce(subject: str, body: bytes) -> None:
        bus.store("ERASURES", subject, body)

    erase(url, TENANT, GONE, WHY, announce)
    begin_legal_hold(url, TENANT, LegalHold(name="case-7", by="jo", why="a lawsuit"))
    soon = verify(url).problems
    later = bus.store("CALLS", bus.entries[0].subject, b"{}")
    later = msgspec.structs.replace(later, at=clock.now() + timedelta(hours=2))
    entered(url, [*bus.entries[:-1], later])
    lied = asked(url, lambda it: it.scalar(select(func.max(events.c.seq)).where(_IN_LEDGER)))

    assert soon == ()
    found = [(it.check, it.row, it.event) for it in verify(url).problems]
    assert found == [("erasure", f"events.{lied}", lied)]


_IN_LEDGER = events.c.src_stream == "HP_LEDGER_acme"


def _in_ledger(url: str, work: Callable[[Connection], None]) -> None:
    engine = engines.writer(url)
    with engine.begin() as connection:
        work(connection)
    engine.dispose()
