"""A project with Holdpoint's hooks in its settings."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.conformance.claude_code import ClaudeCode
from tests.running_system import LONG_S, Road, fresh

CONSOLE = "https://holdpoint.example"
HOLDPOINT = str(Path(sys.executable).with_name("holdpoint"))


def install(folder: Path, road: Road, wait_s: float = 1.0, url: str = "") -> ClaudeCode:
    """A session with Holdpoint installed, where every Bash command is allowed otherwise."""
    environment = _environment(folder, road, url)
    host = ClaudeCode(folder=folder, environment=environment, session=fresh("session"))
    host.settings_path.parent.mkdir(exist_ok=True)
    host.settings_path.write_text(json.dumps({"permissions": {"allow": ["Bash"]}}))
    install_again(host, wait_s)
    return host


def install_for(name: str, folder: Path, road: Road, *, url: str = "") -> Mapping[str, str]:
    """Install for a host of this name; the environment of its hooks."""
    environment = _environment(folder, road, url)
    _installed(name, folder, environment, 1.0)
    return environment


def install_again(host: ClaudeCode, wait_s: float, *more: str) -> str:
    """Install over what is there; what the command printed."""
    return _installed("claude-code", host.folder, host.environment, wait_s, *more)


def _environment(folder: Path, road: Road, url: str) -> dict[str, str]:
    return {
        "HP_STATE_DIR": str(road.settings.state_dir),
        "HP_CONFIG_DIR": str(road.settings.config_dir),
        "HP_NATS_URL": url or road.supervisor.url,
        "HP_HOOK_DIR": str(folder / "hooks"),
        "HP_CONSOLE_ORIGIN": CONSOLE,
    }


def _installed(
    name: str, folder: Path, environment: Mapping[str, str], wait_s: float, *more: str
) -> str:
    done = subprocess.run(
        [HOLDPOINT, "hook", "install", name, "--as", "coder", "--wait", str(wait_s), *more],
        cwd=folder,
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
        timeout=LONG_S,
    )
    return done.stdout
