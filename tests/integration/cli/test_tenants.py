"""A further tenant on a machine: it has a folder, starts from it, and ends as a backup."""

import shlex
from pathlib import Path

import pytest
from tests.integration.cli.command_line import alone
from tests.integration.cli.long_commands import lasting, private

from holdpoint.cli.output import ExitCode
from holdpoint.runtime.config.settings import Settings

pytestmark = [pytest.mark.nats, pytest.mark.slow]


def settings_in(folder: Path) -> Settings:
    """The tenant's settings, as a shell reads them from its file."""
    lines = shlex.split((folder / "tenant.env").read_text())
    chosen = {name.removeprefix("HP_").lower(): value for name, _, value in map(split, lines)}
    return private(folder).model_copy(
        update=chosen | {it: Path(chosen[it]) for it in ("state_dir", "config_dir")}
    )


def split(line: str) -> tuple[str, str, str]:
    return line.partition("=")


def test_a_tenant_is_added_started_and_removed_with_a_backup(tmp_path: Path) -> None:
    here, folder, kept = private(tmp_path / "here"), tmp_path / "be ta", tmp_path / "beta.tar.gz"
    assert alone(here, "tenant", "add", "beta", str(folder)).code == ExitCode.OK
    again = alone(here, "tenant", "add", "gamma", str(folder))
    beta = settings_in(folder)
    assert (again.code, beta.tenant) == (ExitCode.FAILED, "beta")

    words = ("tenant", "remove", str(folder), "--yes", "--backup")
    with lasting(beta, "up", "--no-sample") as up:
        up.tells("ready")
        running = alone(here, *words, str(kept))
        assert running.code == ExitCode.SETUP, running
        up.interrupted()
    inside = alone(here, *words, str(folder / "beta.tar.gz"))
    assert (inside.code, folder.exists()) == (ExitCode.SETUP, True)

    removed = alone(here, *words, str(kept))

    assert (removed.code, folder.exists()) == (ExitCode.OK, False), removed
    again = alone(beta, "restore", str(kept))
    assert again.code == ExitCode.OK, again
    assert (beta.state_dir / "tenant").read_text() == "beta"


def test_what_is_no_tenant_is_neither_made_nor_removed(tmp_path: Path) -> None:
    here, folder = private(tmp_path / "here"), tmp_path / "mine"
    folder.mkdir()

    named = alone(here, "tenant", "add", "be.ta", str(tmp_path / "new"))
    removed = alone(here, "tenant", "remove", str(folder), "--yes", "--backup", "x.tar.gz")

    assert (named.code, (tmp_path / "new").exists()) == (ExitCode.USAGE, False)
    assert (removed.code, folder.exists()) == (ExitCode.SETUP, True)
