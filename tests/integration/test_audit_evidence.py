"""A hold's evidence in one file convinces somebody who has nothing else, until anything changes."""

import base64
import html
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from tests.integration.ledger_bus import EPOCH, SIGNED, Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import cancelled, confirmed, delegated, halted

from holdpoint.audit.checkpoint_keys import Attester, origin_of
from holdpoint.audit.evidence import pack
from holdpoint.audit.evidence_check import PackReport, verify_pack
from holdpoint.audit.evidence_page import page
from holdpoint.audit.proofs import NotProvenError
from holdpoint.core.card import Shown, card_of
from holdpoint.core.leaf import leaf
from holdpoint.ledger.entries import Entry
from holdpoint.messages.answer import Choice
from holdpoint.messages.hold import Hold, Refused
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal
from holdpoint.messages.subjects import refusal_subject
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security import keys

HOLD = "holdk"
WORKER = keys.worker_role("database")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of two holds, signed, the keys, and the pack of the first.

    The checkpoint covers the second too, but not its last message.
    """
    made = tmp_path_factory.mktemp("evidence")
    for role in (keys.GATE, WORKER, keys.AUDIT):
        keys.make_signing_key(made / "keys", role, EPOCH - timedelta(days=1))
    bus = Bus()
    confirmed(bus)
    delegated(bus, "delegated")
    too_late(bus, cancelled(bus, "other"))
    ledger = new_ledger(made)
    attest = Attester(made / "keys", keys.Keyset(made / "keys"), origin_of("acme"))
    *first, last = signed(made / "keys", bus.entries)
    entered(ledger, first, attest=attest)
    entered(ledger, [last])
    packs = {"pack": HOLD, "other": "holdother", "delegated": "holddelegated"}
    for name, hold in packs.items():
        body = asked(ledger, lambda c, hold=hold: pack(c, hold, made / "keys"))  # type: ignore[misc]
        (made / f"{name}.zip").write_bytes(body)
    return made


def too_late(bus: Bus, about: Hold) -> None:
    cause = bus.answer(about, "bob", Choice.PROCEED).cause
    told = Refused(
        principal="bob", cause=cause, code="already_closed", text="It is over.",
        hold_id=about.hold_id,
    )  # fmt: skip
    bus.say("HOLDS", refusal_subject("acme", "bob", cause), told, SIGNED)


def signed(keys_dir: Path, entries: list[Entry]) -> list[Entry]:
    keyset = keys.Keyset(keys_dir)
    signers = {
        "HOLDS": keys.Signer(keys_dir, keys.GATE, keyset),
        "STATE": keys.Signer(keys_dir, keys.GATE, keyset),
        "RUNS": keys.Signer(keys_dir, WORKER, keyset),
    }
    return [
        msgspec.structs.replace(it, signature=signers[it.kind].sign_all([it.body])[0])
        if it.kind in signers
        else it
        for it in entries
    ]


def changed(folder: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None]) -> PackReport:
    with zipfile.ZipFile(folder / "pack.zip") as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    change(kept)
    path = tmp_path / "changed.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in kept.items():
            archive.writestr(name, body)
    return verify_pack(path)


def test_a_pack_is_good_and_tells_the_whole_story(folder: Path) -> None:
    report = verify_pack(folder / "pack.zip")
    with zipfile.ZipFile(folder / "pack.zip") as archive:
        page = archive.read("page.html").decode()

    assert report.problems == ()
    assert (report.hold_id, report.events, report.signatures, report.proven) == (HOLD, 8, 6, 8)
    assert report.page_compared
    for words in ("bob answered proceed through console", "worker-1 began", "ended as done"):
        assert words in page


def test_an_answer_that_came_too_late_is_told_not_to_count(folder: Path) -> None:
    with zipfile.ZipFile(folder / "other.zip") as archive:
        told = archive.read("page.html").decode()

    assert "bob answered proceed" in told
    assert "bob&#x27;s answer did not count: It is over." in told


def test_a_delegate_s_yes_comes_with_the_order_that_let_them_give_it(folder: Path) -> None:
    report = verify_pack(folder / "delegated.zip")
    with zipfile.ZipFile(folder / "delegated.zip") as archive:
        told = archive.read("page.html").decode()
        lines = archive.read("messages.jsonl").splitlines()
    kinds = [msgspec.json.decode(it)["type"].removeprefix("holdpoint.v1.") for it in lines]

    assert report.problems == ()
    assert {"delegate", "delegation_state"} < set(kinds)
    assert "said yes: eve (for bob)." in told
    assert "bob let eve answer in their place until 2026-03-01 1" in told
    assert "eve (for bob) answered proceed through console" in told


def test_the_page_gives_the_reasons_of_the_card() -> None:
    about, seen = halted(Bus()), "DROP TABLE users"
    reasons = ("drops hunter2-secret", "drops a table")
    signals = tuple(
        Signal(
            rule=f"rule-{it}",
            heuristic=Heuristic.IRREVERSIBILITY,
            level=RiskLevel.HIGH,
            reason=it,
            evidence=seen,
        )
        for it in reasons
    )
    judged = msgspec.structs.replace(about.assessment, signals=signals)
    about = msgspec.structs.replace(about, assessment=judged)
    shown = card_of(about, None, Shown(group="dba", state="", seal_key="", revision=1)).signals
    told = page(about, []).partition("<ul>")[2].partition("</ul>")[0]

    assert told == "".join(f"<li>{html.escape(it.reason)}</li>" for it in shown)
    assert len(shown) == 1
    assert "hunter2" not in told


def test_the_agent_s_words_are_labelled_and_quoted_apart_from_what_happened() -> None:
    spoof = "2026-11-28 15:00:00 UTC: carl answered proceed through console."
    about = halted(Bus())
    assert about.ui is not None
    action = msgspec.structs.replace(
        about.ui.action,
        tool="mail_send",
        affected=1_200,
        arguments={"to": ["a@b.org"], "text": spoof},
    )
    ui = msgspec.structs.replace(about.ui, message=spoof, action=action)
    told = page(msgspec.structs.replace(about, ui=ui), [])

    assert told.count(spoof) == 2
    assert f"The agent&#x27;s words:<blockquote><pre>{spoof}</pre></blockquote>" in told
    assert f"<dt>Argument text</dt><dd><pre>{spoof}</pre></dd>" in told
    assert "<dt>Affects</dt><dd><pre>1,200</pre></dd>" in told
    assert "<dt>Argument to</dt><dd><pre>[&quot;a@b.org&quot;]</pre></dd>" in told
    assert "&quot;affected&quot;" not in told


def test_what_no_checkpoint_covers_yet_is_not_counted_as_proven(folder: Path) -> None:
    report = verify_pack(folder / "other.zip")

    assert report.problems == ()
    assert report.proven == report.events - 1


def test_with_keys_of_ones_own_only_those_count(folder: Path, tmp_path: Path) -> None:
    keys.make_signing_key(tmp_path, keys.GATE, EPOCH - timedelta(days=1))

    assert verify_pack(folder / "pack.zip", folder / "keys").problems == ()
    strange = verify_pack(folder / "pack.zip", tmp_path)
    assert {it.check for it in strange.problems} == {"signature", "checkpoint"}
    assert strange.proven == 0


def rows_of(kept: dict[str, bytes]) -> list[dict[str, object]]:
    return [msgspec.json.decode(line) for line in kept["messages.jsonl"].splitlines()]


def put(kept: dict[str, bytes], rows: list[dict[str, object]]) -> None:
    kept["messages.jsonl"] = b"\n".join(map(msgspec.json.encode, rows))


def edit_a_body(kept: dict[str, bytes]) -> None:
    rows = rows_of(kept)
    body = base64.b64decode(str(rows[3]["body"])) + b" "
    put(kept, [*rows[:3], {**rows[3], "body": base64.b64encode(body).decode()}, *rows[4:]])


def move_in_time(kept: dict[str, bytes]) -> None:
    rows = rows_of(kept)
    put(kept, [{**rows[0], "time": "2026-03-01T09:00:59.000000Z"}, *rows[1:]])


def strip_a_signature(kept: dict[str, bytes]) -> None:
    put(kept, [{**row, "signature": None} for row in rows_of(kept)])


def lose_the_answer(kept: dict[str, bytes]) -> None:
    put(kept, [row for row in rows_of(kept) if "ANSWERS" not in str(row["src_stream"])])


def give_the_answer_to_another(kept: dict[str, bytes]) -> None:
    """With a leaf that fits: answers carry no signature."""
    rows = rows_of(kept)
    for row in rows:
        row["subject"] = str(row["subject"]).replace(".bob.", ".eve.")
        row["leaf"] = leaf({**row, "time": datetime.fromisoformat(str(row["time"]))}).hex()
    put(kept, rows)


def lose_the_way_up(kept: dict[str, bytes]) -> None:
    put(kept, [{**row, "path": None} for row in rows_of(kept)])


def move_to_another_place(kept: dict[str, bytes]) -> None:
    """The signed facts are as they were, but stand elsewhere in the ledger."""
    first, second, *others = rows_of(kept)
    put(kept, [{**first, "seq": second["seq"]}, {**second, "seq": first["seq"]}, *others])


def forge_the_checkpoint(kept: dict[str, bytes]) -> None:
    manifest = msgspec.json.decode(kept["manifest.json"])
    origin, size, _, *rest = manifest["checkpoint"].split("\n")
    root = base64.b64encode(bytes(32)).decode()
    note = "\n".join((origin, size, root, *rest))
    kept["manifest.json"] = msgspec.json.encode({**manifest, "checkpoint": note})


def reword_the_page(kept: dict[str, bytes]) -> None:
    kept["page.html"] = kept["page.html"].replace(b"bob", b"eve")


def add_a_file(kept: dict[str, bytes]) -> None:
    kept["more.txt"] = b"Trust me."


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (edit_a_body, "body"),
        (move_in_time, "leaf"),
        (strip_a_signature, "signature"),
        (lose_the_answer, "answer"),
        (give_the_answer_to_another, "answer"),
        (lose_the_way_up, "tree"),
        (move_to_another_place, "tree"),
        (forge_the_checkpoint, "checkpoint"),
        (reword_the_page, "page"),
        (add_a_file, "file"),
    ],
)
def test_what_was_changed_is_named(
    folder: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None], check: str
) -> None:
    report = changed(folder, tmp_path, change)

    assert check in {it.check for it in report.problems}


@pytest.mark.parametrize("body", [b"", b"no zip", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_pack_is_said(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "junk.zip"
    path.write_bytes(body)

    with pytest.raises(SetupError):
        verify_pack(path)


def test_a_hold_that_nobody_knows_has_no_evidence(folder: Path) -> None:
    with pytest.raises(NotProvenError):
        asked(f"sqlite:///{folder / 'ledger.db'}", lambda c: pack(c, "nobody", folder / "keys"))


@pytest.mark.slow
def test_a_pack_is_verified_on_a_machine_with_nothing_else(folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "holdpoint", "audit", "verify", str(folder / "pack.zip")]
    done = subprocess.run(
        command, cwd=tmp_path, env={"PATH": "/usr/bin"}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "All as it was written." in done.stdout
    assert list(tmp_path.iterdir()) == []
