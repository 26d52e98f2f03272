"""A range of the ledger in one file convinces somebody who has nothing else, until it changes."""

import base64
import hashlib
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select
from tests.integration.ledger_bus import AGENT, EPOCH, Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import cancelled, confirmed
from tests.integration.test_audit_evidence import WORKER, signed
from typer.testing import CliRunner

from holdpoint.audit.checkpoint_keys import Attester, origin_of
from holdpoint.audit.export import ERASURES, EVENTS, Export, export
from holdpoint.audit.export_check import ExportReport, verify_export
from holdpoint.audit.packs import MANIFEST, PackedEvent
from holdpoint.audit.proofs import NotProvenError
from holdpoint.cli.commands.audit import audit
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.core.leaf import leaf
from holdpoint.ledger.erasure import Reason, erase
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import decisions
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security import keys
from holdpoint.runtime.security.credentials import READER, make_credential

pytestmark = pytest.mark.slow

RUNNER = CliRunner()
FIRST, LAST = 3, 12
"""The events of the exported time."""

Parts = dict[str, bytes]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed ledger of four holds, whose last event no checkpoint covers, and two exports."""
    made = tmp_path_factory.mktemp("export")
    for role in (keys.GATE, WORKER, keys.AUDIT):
        keys.make_signing_key(made / "keys", role, EPOCH - timedelta(days=1))
    bus = Bus()
    for name in ("a", "b", "c"):
        confirmed(bus, name)
    cancelled(bus, "d")
    attest = Attester(made / "keys", keys.Keyset(made / "keys"), origin_of("acme"))
    *first, last = signed(made / "keys", bus.entries)
    ledger = new_ledger(made, "copy")
    entered(ledger, *([it] for it in first), attest=attest)
    entered(ledger, [last])
    exported(made, "range.zip", since=at(FIRST), until=at(LAST + 1))
    exported(made, "filtered.zip", hold="holdb")
    return made


def at(event: int) -> str:
    return (EPOCH + timedelta(seconds=event - 1)).isoformat()


def exported(made: Path, name: str, ledger: str = "copy", **filters: str) -> Export:
    """As the command does it; each filter as it is typed."""
    words = dict(filters)
    search = msgspec.convert({**words, "limit": 1}, Search)
    url, keys_dir = f"sqlite:///{made / ledger}.db", made / "keys"
    return asked(url, lambda it: export(it, made / name, search, words, "acme", keys_dir))


def changed(folder: Path, tmp_path: Path, change: Callable[[Parts], None]) -> ExportReport:
    with zipfile.ZipFile(folder / "range.zip") as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    change(kept)
    path = tmp_path / "changed.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in kept.items():
            archive.writestr(name, body)
    return verify_export(path)


def manifest(kept: Parts, **new: object) -> None:
    told = msgspec.json.decode(kept[MANIFEST], type=Export)
    kept[MANIFEST] = msgspec.json.encode(msgspec.structs.replace(told, **new))


def rewritten(kept: Parts, number: int, **new: object) -> None:
    lines = kept[EVENTS].splitlines(keepends=True)
    each = msgspec.json.decode(lines[number], type=PackedEvent)
    lines[number] = msgspec.json.encode(msgspec.structs.replace(each, **new)) + b"\n"
    kept[EVENTS] = b"".join(lines)


def test_a_range_holds_every_event_and_is_good(folder: Path) -> None:
    report = verify_export(folder / "range.zip")

    assert report.problems == ()
    assert (report.first, report.last, report.events) == (FIRST, LAST, LAST - FIRST + 1)
    assert (report.whole, report.proven, report.erased) == (True, report.events, 0)
    assert report.signatures


def test_filters_leave_out_and_what_is_here_is_proven(folder: Path) -> None:
    report = verify_export(folder / "filtered.zip", folder / "keys")

    assert report.problems == ()
    assert not report.whole
    assert 0 < report.events == report.proven < report.last
    assert report.own_keys


def test_a_filter_on_the_action_brings_the_call_along(folder: Path) -> None:
    tool = asked(f"sqlite:///{folder}/copy.db", lambda it: it.scalar(select(decisions.c.tool)))
    with_calls = exported(folder, "tool.zip", tool=str(tool))
    with zipfile.ZipFile(folder / "tool.zip") as archive:
        lines = archive.read(EVENTS).splitlines()
    kinds = [msgspec.json.decode(it, type=PackedEvent).type for it in lines]

    assert verify_export(folder / "tool.zip").problems == ()
    assert kinds.count("holdpoint.v1.propose") == kinds.count("holdpoint.v1.halt") > 1
    assert with_calls.events == len(kinds)


def test_a_range_that_was_cut_is_not_said_to_be_whole(folder: Path, tmp_path: Path) -> None:
    changed(folder, tmp_path, drop_a_line)
    told = RUNNER.invoke(audit, ["verify", str(tmp_path / "changed.zip")]).output

    assert "is missing: the next one is" in told
    assert "Every event between them is here." not in told


def drop_a_line(kept: Parts) -> None:
    lines = kept[EVENTS].splitlines(keepends=True)
    kept[EVENTS] = b"".join(lines[:4] + lines[5:])


def drop_the_end(kept: Parts) -> None:
    kept[EVENTS] = b"".join(kept[EVENTS].splitlines(keepends=True)[:-1])
    manifest(kept, last=LAST - 1, events=LAST - FIRST)


def swap_two(kept: Parts) -> None:
    lines = kept[EVENTS].splitlines(keepends=True)
    kept[EVENTS] = b"".join([lines[1], lines[0], *lines[2:]])


def change_a_body(kept: Parts) -> None:
    rewritten(kept, 2, body="e30=")


def take_a_message_away(kept: Parts) -> None:
    rewritten(kept, 2, body="", body_sha256="0" * 64)


def unsign(kept: Parts) -> None:
    each = next(
        number
        for number, line in enumerate(kept[EVENTS].splitlines())
        if msgspec.json.decode(line, type=PackedEvent).signature
    )
    rewritten(kept, each, signature=None)


def move_the_leaf_too(kept: Parts) -> None:
    """Who changes everything that follows from a change is still not in the tree."""
    each = msgspec.json.decode(kept[EVENTS].splitlines()[0], type=PackedEvent)
    told = {**msgspec.structs.asdict(each), "subject": "hp.acme.call.other.propose"}
    rewritten(kept, 0, subject=told["subject"], leaf=leaf(told).hex())


def forge_the_path(kept: Parts) -> None:
    manifest(kept, path=("00" * 32,))


def lose_the_keys(kept: Parts) -> None:
    del kept["keys/keyset.json"]


def add_a_file(kept: Parts) -> None:
    kept["more.txt"] = b"more"


@pytest.mark.parametrize(
    ("change", "check", "row"),
    [
        (drop_a_line, "range", f"event {FIRST + 4}"),
        (drop_the_end, "tree", f"events {FIRST} to {LAST - 1}"),
        (swap_two, "range", f"event {FIRST}"),
        (change_a_body, "body", ""),
        (take_a_message_away, "leaf", ""),
        (unsign, "signature", ""),
        (move_the_leaf_too, "tree", f"events {FIRST} to {LAST}"),
        (forge_the_path, "tree", f"events {FIRST} to {LAST}"),
        (add_a_file, "file", "more.txt"),
    ],
)
def test_what_was_changed_is_named(
    folder: Path, tmp_path: Path, change: Callable[[Parts], None], check: str, row: str
) -> None:
    report = changed(folder, tmp_path, change)

    assert any(it.check == check and row in it.row for it in report.problems), report.problems


def test_a_file_without_keys_asks_for_yours(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="--keys"):
        changed(folder, tmp_path, lose_the_keys)


def test_a_checkpoint_of_other_keys_does_not_count(folder: Path, tmp_path: Path) -> None:
    keys.make_signing_key(tmp_path / "keys", keys.AUDIT, EPOCH)
    report = verify_export(folder / "range.zip", tmp_path / "keys")

    assert report.proven == 0
    assert any(it.check == "checkpoint" for it in report.problems)


@pytest.fixture(scope="module")
def erased(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with an empty message and an erased hold, and an export that ends before that."""
    made = tmp_path_factory.mktemp("erased")
    keys.make_signing_key(made / "keys", keys.AUDIT, EPOCH - timedelta(days=1))
    attest = Attester(made / "keys", keys.Keyset(made / "keys"), origin_of("acme"))
    ledger, bus = new_ledger(made), Bus()
    confirmed(bus)
    bus.store("CALLS", "hp.acme.call.ops-agent.propose", b"")
    entered(ledger, bus.entries, attest=attest)
    erase(ledger, "acme", "holdk", Reason(by="ann", why="asked", basis="GDPR"))
    with pytest.raises(NotProvenError, match="every 10 seconds"):
        exported(made, "soon.zip", "ledger", until=at(len(bus.entries) + 1))
    cancelled(bus, "later")
    entered(ledger, bus.entries, attest=attest)
    exported(made, "range.zip", "ledger", until=at(9))
    return made


def test_an_erased_message_is_told_with_the_proof_of_its_erasure(erased: Path) -> None:
    report = verify_export(erased / "range.zip")

    assert report.problems == ()
    assert (report.erased, report.proven) == (report.events - 1, report.events)


def test_an_empty_message_is_not_taken_for_erased(erased: Path) -> None:
    exported(erased, "empty.zip", "ledger", since=at(9), until=at(10))
    report = verify_export(erased / "empty.zip")

    assert (report.problems, report.erased) == ((), 0)


def drop_the_erasure(kept: Parts) -> None:
    del kept[ERASURES]
    drop_from_the_manifest(kept)


def empty_the_erasure(kept: Parts) -> None:
    kept[ERASURES] = b""
    drop_from_the_manifest(kept)


def drop_from_the_manifest(kept: Parts) -> None:
    told = msgspec.json.decode(kept[MANIFEST], type=Export)
    manifest(kept, files={name: it for name, it in told.files.items() if name != ERASURES})


def take_the_path_of_the_erasure(kept: Parts) -> None:
    each = msgspec.json.decode(kept[ERASURES], type=PackedEvent)
    kept[ERASURES] = msgspec.json.encode(msgspec.structs.replace(each, path=())) + b"\n"


def forge_an_erasure(kept: Parts) -> None:
    each = msgspec.json.decode(kept[ERASURES], type=PackedEvent)
    body = base64.b64decode(each.body).replace(b"ann", b"eve")
    digest = hashlib.sha256(body).hexdigest()
    new = msgspec.structs.replace(each, body=base64.b64encode(body).decode(), body_sha256=digest)
    new = msgspec.structs.replace(new, leaf=leaf(msgspec.structs.asdict(new)).hex())
    kept[ERASURES] = msgspec.json.encode(new) + b"\n"


@pytest.mark.parametrize(
    "change",
    [drop_the_erasure, empty_the_erasure, take_the_path_of_the_erasure, forge_an_erasure],
)
def test_a_body_is_missing_without_the_proof_of_its_erasure(
    erased: Path, tmp_path: Path, change: Callable[[Parts], None]
) -> None:
    report = changed(erased, tmp_path, change)

    assert report.erased == 0
    assert ("erasure", "events 4 to 9") in [(it.check, it.row) for it in report.problems]


def take_every_body_away(kept: Parts) -> None:
    lines = (msgspec.json.decode(it, type=PackedEvent) for it in kept[EVENTS].splitlines())
    stripped = (msgspec.json.encode(msgspec.structs.replace(it, body="")) for it in lines)
    kept[EVENTS] = b"".join(it + b"\n" for it in stripped)
    told = msgspec.json.decode(kept[MANIFEST], type=Export)
    manifest(kept, files={**told.files, EVENTS: hashlib.sha256(kept[EVENTS]).hexdigest()})


def test_bodies_that_were_taken_out_are_not_taken_for_erased(folder: Path, tmp_path: Path) -> None:
    report = changed(folder, tmp_path, take_every_body_away)
    (wrong,) = report.problems

    assert report.erased == 0
    assert (wrong.check, wrong.row) == ("erasure", f"events {FIRST} to {LAST}")


def test_the_command_writes_what_verify_reads(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(folder))
    ledger, out = f"sqlite:///{folder / 'copy.db'}", str(tmp_path / "range.zip")
    told = RUNNER.invoke(audit, ["export", "--out", out, "--json", "--ledger", ledger])
    made = msgspec.json.decode(told.stdout)
    read = RUNNER.invoke(audit, ["verify", out])

    assert (told.exit_code, made["behind"], made["first"]) == (0, 1, 1)
    assert Path(out).stat().st_mode & 0o777 == 0o600
    assert read.exit_code == 0, read.output
    assert "Every event between them is here." in read.output
    again = RUNNER.invoke(audit, ["export", "--out", out, "--ledger", ledger]).exception
    assert isinstance(again, CommandError)
    assert "exists already" in again.text
    other = str(tmp_path / "other.zip")
    filtered = RUNNER.invoke(
        audit, ["export", "--out", other, "--agent", AGENT, "--since", "1d", "--ledger", ledger]
    )
    assert isinstance(filtered.exception, CommandError)
    assert filtered.exception.exit_code is ExitCode.FAILED
    assert "No event fits" in filtered.exception.text
    assert [it.name for it in tmp_path.iterdir()] == ["range.zip"]


@pytest.mark.parametrize("is_provisioned", [True, False])
def test_what_cannot_be_recorded_is_not_written_and_a_query_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_provisioned: bool
) -> None:
    """Nobody listens on that port: the broker is away."""
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("HP_NATS_URL", "nats://127.0.0.1:9")
    bus, out = Bus(), tmp_path / "out.zip"
    confirmed(bus)
    entered(new_ledger(tmp_path), bus.entries)
    if is_provisioned:
        make_credential(tmp_path / "credentials", READER)

    for words in (["export"], ["evidence", "holdk"], ["prove", "1"]):
        refused = RUNNER.invoke(audit, [*words, "--out", str(out)])
        assert isinstance(refused.exception, CommandError)
        code = ExitCode.UNREACHABLE if is_provisioned else ExitCode.SETUP
        assert (refused.exception.exit_code, out.exists()) == (code, False)
        assert "could not be recorded" in refused.exception.text
    answered = RUNNER.invoke(audit, ["query", "--hold", "holdk"])
    assert answered.exit_code == 0
    assert ("This reading is not recorded" in answered.stderr) == is_provisioned
