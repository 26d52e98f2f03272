"""A backup holds everything that is kept; it is restored whole and unchanged, or not at all."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest
from tests.running_system import CONFIG

from holdpoint.cli.commands.backup import backup, restore
from holdpoint.cli.output import CommandError
from holdpoint.runtime.config import files, remembered
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process.supervisor import only_one

HELD = {
    "keys/gate-1.key": b"secret",
    "keys/keyset.json": b"{}",
    "nats/jetstream/CORE/streams/HP_HOLDS_acme/msgs/1.blk": b"held",
    "ledger.db": b"rows",
    "tenant": b"acme",
}


@pytest.fixture
def var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "var"))
    monkeypatch.setenv("HP_CONFIG_DIR", str(CONFIG))
    folder = tmp_path / "var"
    for name, content in {**HELD, "run/gate.log": b"line"}.items():
        files.private_folder((folder / name).parent)
        files.replace(folder / name, content, files.PRIVATE)
    return folder


@pytest.mark.usefixtures("var")
def test_a_backup_comes_back_as_it_was_on_an_empty_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.tar.gz"
    backup(copy)
    there = tmp_path / "elsewhere" / "var"
    monkeypatch.setenv("HP_STATE_DIR", str(there))
    monkeypatch.setenv("HP_CONFIG_DIR", str(tmp_path / "elsewhere" / "config"))

    restore(copy)

    assert copy.stat().st_mode & 0o077 == 0
    assert {name: (there / name).read_bytes() for name in HELD} == HELD
    assert not (there / "run").exists()
    assert (tmp_path / "elsewhere" / "config" / "agents.yaml").exists()
    for path in (there, there / "keys", there / "keys" / "gate-1.key"):
        assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="not empty"):
        restore(copy)


@pytest.mark.usefixtures("var")
def test_a_ledger_that_lies_elsewhere_is_kept_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = tmp_path / "far" / "audit.sqlite"
    far.parent.mkdir()
    far.write_bytes(b"rows")
    far.with_name("audit.sqlite-wal").write_bytes(b"more")
    monkeypatch.setenv("HP_LEDGER_URL", f"sqlite:///{far}")
    backup(tmp_path / "copy.tar.gz")
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "new"))
    with pytest.raises(SetupError, match="exists already"):
        restore(tmp_path / "copy.tar.gz")
    monkeypatch.setenv("HP_LEDGER_URL", f"sqlite:///{tmp_path}/near/ledger.db")

    restore(tmp_path / "copy.tar.gz")

    assert (tmp_path / "near" / "ledger.db").read_bytes() == b"rows"
    assert (tmp_path / "near" / "ledger.db-wal").read_bytes() == b"more"


@pytest.mark.usefixtures("var")
def test_a_restored_folder_takes_no_ledger_that_another_one_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = tmp_path / "far.db"
    far.write_bytes(b"rows")
    remembered.write(tmp_path / "var", {"ledger_url": f"sqlite:///{far}", "broker_nodes": 3})
    backup(tmp_path / "copy.tar.gz")
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "new"))

    restore(tmp_path / "copy.tar.gz")

    assert (tmp_path / "new" / "ledger.db").read_bytes() == b"rows"
    assert remembered.read(tmp_path / "new") == {"broker_nodes": 3}


def test_nothing_is_copied_while_it_runs(var: Path, tmp_path: Path) -> None:
    with only_one(var / "run"), pytest.raises(SetupError, match="Stop it first"):
        backup(tmp_path / "copy.tar.gz")
    assert not (tmp_path / "copy.tar.gz").exists()


@pytest.mark.usefixtures("var")
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_a_damaged_backup_restores_nothing(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.tar.gz"
    backup(copy)
    plain = gzip.decompress(copy.read_bytes())
    new = plain[: len(plain) // 2] if damage == "cut" else plain.replace(b"secret", b"forged")
    copy.write_bytes(gzip.compress(new))
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "new"))

    with pytest.raises(SetupError, match="Nothing was restored"):
        restore(copy)

    assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("var")
def test_a_backup_of_another_tenant_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(tmp_path / "copy.tar.gz")
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "new"))
    monkeypatch.setenv("HP_TENANT", "beta")

    with pytest.raises(SetupError, match="HP_TENANT=acme"):
        restore(tmp_path / "copy.tar.gz")


@pytest.mark.parametrize("name", ["../out", "/out", "state/../../out"])
def test_a_backup_that_leads_out_of_the_folder_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tarfile.open(tmp_path / "evil.tar.gz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo(name), io.BytesIO())
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "new"))

    with pytest.raises(SetupError, match="no file of a backup"):
        restore(tmp_path / "evil.tar.gz")
