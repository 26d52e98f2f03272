"""The built wheel, installed with pip into an environment of its own, works without a checkout."""

import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).parents[2]
WITHIN_S = 120.0
ANY_PORTS = {"HP_NATS_PORT": "0", "HP_MONITOR_PORT_BASE": "0", "HP_CONSOLE_PORT": "0"}

pytestmark = [pytest.mark.nats, pytest.mark.slow]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a fresh environment: the wheel, and dependencies already on this machine."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ("wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder)
    done(sys.executable, "-m", "pip", *build, ROOT)
    done(sys.executable, "-m", "venv", folder / "fresh")
    (packages,) = (folder / "fresh" / "lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    (wheel,) = folder.glob("*.whl")
    python = folder / "fresh" / "bin" / "python"
    done(python, "-m", "pip", "install", "--no-deps", "--no-index", "--force-reinstall", wheel)
    return python.with_name("holdpoint")


@pytest.fixture
def up(installed: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`holdpoint up` in an empty folder."""
    process = subprocess.Popen(
        [installed, "up", "--no-sample", "--json"],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    yield process
    process.terminate()
    process.communicate(timeout=WITHIN_S)


def test_up_runs_in_an_empty_folder(
    installed: Path, up: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    assert up.stdout is not None
    told = iter(map(msgspec.json.decode, up.stdout))
    ready = next(news for news in told if news["event"] == "ready")

    status = subprocess.run(
        [installed, "status"], cwd=tmp_path, env=environment(), check=False, timeout=WITHIN_S
    )
    up.send_signal(signal.SIGINT)

    assert "worker-shell" in ready["services"]
    assert any("holdpoint init" in step for step in ready["next_steps"])
    assert status.returncode == 0
    assert up.wait(WITHIN_S) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["var"]


def test_init_writes_a_copy_to_edit_and_never_writes_over_one(
    installed: Path, tmp_path: Path
) -> None:
    said = done(installed, "init", cwd=tmp_path)
    config = tmp_path / "deploy" / "config"
    shipped = ROOT / "deploy" / "config"
    names = {path.relative_to(shipped) for path in shipped.rglob("*.yaml")}
    agents = config / "agents.yaml"
    agents.write_text(agents.read_text().replace("demo-agent", "other-agent"))
    again = subprocess.run(
        [installed, "init"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
        timeout=WITHIN_S,
    )

    assert "deploy/config" in said
    assert {path.relative_to(config) for path in config.rglob("*.yaml")} == names
    assert "deploy/config: all files" in done(installed, "config", "check", cwd=tmp_path)
    assert again.returncode == 1
    assert b"exists already" in again.stderr
    assert "other-agent" in agents.read_text()


def done(*words: object, cwd: Path | None = None) -> str:
    """What a command printed, once it ended well."""
    ended = subprocess.run(
        list(map(str, words)),
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=WITHIN_S,
    )
    assert ended.returncode == 0, ended
    return ended.stdout


def environment() -> dict[str, str]:
    """Nothing of this shell that an office machine would not have."""
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HP_", "PYTHON", "VIRTUAL_ENV"))
    }
    return own | ANY_PORTS
