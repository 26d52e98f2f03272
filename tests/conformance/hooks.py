"""A project with Holdpoint's hooks in its settings."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.conformance.claude_code import ClaudeCode
from tests.running_system import LONG_S, Road, fresh

HOLDPOINT = str(Path(sys.executable).with_name("holdpoint"))


def install(folder: Path, road: Road, wait_s: float = 1.0, url: str = "") -> ClaudeCode:
    """A session with Holdpoint installed, where every Bash command is allowed otherwise."""
    environment = {
        "HP_STATE_DIR": str(road.settings.state_dir),
        "HP_CONFIG_DIR": str(road.settings.config_dir),
        "HP_NATS_URL": url or road.supervisor.url,
        "HP_HOOK_DIR": str(folder / "hooks"),
    }
    host = ClaudeCode(folder=folder, environment=environment, session=fresh("session"))
    host.settings_path.parent.mkdir(exist_ok=True)
    host.settings_path.write_text(json.dumps({"permissions": {"allow": ["Bash"]}}))
    install_again(host, wait_s)
    return host


def install_again(host: ClaudeCode, wait_s: float, *more: str) -> str:
    """Install over what is there; what the command printed."""
    command = [HOLDPOINT, "hook", "install", "claude-code", "--as", "coder", "--wait", str(wait_s)]
    done = subprocess.run(
        [*command, *more],
        cwd=host.folder,
        env={**os.environ, **host.environment},
        check=True,
        capture_output=True,
        text=True,
        timeout=LONG_S,
    )
    return done.stdout
