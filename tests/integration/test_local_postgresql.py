"""A ledger in a PostgreSQL server that stops with the command it was started for."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

LOCAL = Path(__file__).parents[2] / "deploy" / "postgresql" / "local.sh"
HOLDPOINT = (sys.executable, "-m", "holdpoint")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where also the user can look that root starts the server as."""
    made = Path(tempfile.mkdtemp(prefix="hp-local-"))
    yield made
    shutil.rmtree(made)


def test_a_command_has_a_ledger_in_postgresql_and_its_exit_code_is_told(folder: Path) -> None:
    def told(*command: str) -> int:
        return subprocess.run([LOCAL, folder, *command], check=False).returncode

    assert told(*HOLDPOINT, "audit", "migrate") == 0
    assert told("sh", "-c", "exit 7") == 7
    assert told(*HOLDPOINT, "audit", "query", "--limit", "1") == 0
    assert not (folder / "data" / "postmaster.pid").exists()
    assert not list(folder.glob(".s.PGSQL.*"))
