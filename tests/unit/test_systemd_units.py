"""The units of deploy/systemd: valid, for every service there is, and installed as documented."""

import shutil
import subprocess
from pathlib import Path

import pytest

from holdpoint.runtime.process.supervisor import names
from holdpoint.runtime.security.credentials import API, COORDINATOR, NOTICES, SLACK

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy" / "systemd"
SERVICES = names(("shell", "database", "bank", "tasks"))
BY_CHOICE = (API, SLACK, NOTICES)
EVERY = (*SERVICES, *BY_CHOICE, COORDINATOR)
ANALYZE = shutil.which("systemd-analyze")


@pytest.mark.skipif(ANALYZE is None, reason="this machine has no systemd")
@pytest.mark.parametrize("unit", ["holdpoint-nats", *(f"holdpoint@{it}" for it in EVERY)])
def test_systemd_has_no_complaint(unit: str, tmp_path: Path) -> None:
    shutil.copytree(UNITS, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.glob("*.service"):
        path.write_text(path.read_text().replace("/opt/holdpoint/.venv", str(ROOT / ".venv")))

    ended = subprocess.run(
        [str(ANALYZE), "verify", f"{tmp_path / unit}.service"],
        capture_output=True,
        text=True,
        env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, "")


def test_every_service_has_a_user_and_is_started() -> None:
    users = (UNITS / "holdpoint.sysusers").read_text()
    installation = (ROOT / "docs" / "operate.md").read_text()
    carried = (UNITS / "carry.sh").read_text()

    assert "systemctl enable --now holdpoint-nats\n" in installation
    for service in EVERY:
        assert f"u holdpoint-{service} " in users
        assert service in carried
    started = installation.partition("systemctl enable --now holdpoint@{")[2].partition("}")[0]
    assert set(started.split(",")) == {*SERVICES, COORDINATOR}
    assert all(f"systemctl enable --now holdpoint@{it}`" in installation for it in BY_CHOICE)


def test_every_file_is_installed() -> None:
    installation = (ROOT / "docs" / "operate.md").read_text()
    for path in UNITS.iterdir():
        is_copied = path.name.endswith((".service", ".service.d"))
        assert is_copied or f"deploy/systemd/{path.name}" in installation
