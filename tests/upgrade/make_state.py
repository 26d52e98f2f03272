"""Make a state folder of an earlier release: one call ran in it, and one waits for a yes.

How to, in a clone of this repository, with the commit of the release that is to be stored:

    git worktree add /tmp/earlier COMMIT
    export PYTHONPATH=/tmp/earlier/services
    .venv/bin/python tests/upgrade/make_state.py /tmp/earlier tests/upgrade/DATE.tar.gz

Its keys and passwords are of people who exist only in tests. Its messages are kept for ever and its
deadline is far away, so that the file does not age.
"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from holdpoint.runtime.broker.connection import connect, login
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security import credentials

PASSWORD = "correct horse"  # noqa: S105  # of people who exist only in tests
CHEAP = credentials.WorkFactor(passes=1, memory_bytes=64 * 1024)
FAR_AWAY = "deadline_s: 3155760000"  # a hundred years
NO_LONGEST = "import holdpoint.core.policy_check as it; it.LONGEST_S = 10**10"
"""No policy may ask for so long: what the file is for is none of the release's business."""

AGENT = ("--as", "sample-agent", "--json")
LEFT_OUT = {"run", "compiled"}
HOLDPOINT = (sys.executable, "-m", "holdpoint")
STARTS_WITHIN_S = 120


def main(release: Path, file: Path) -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(release / "deploy" / "config", folder / "config")
        policy = folder / "config" / "policy" / "default.yaml"
        shipped = policy.read_text()
        policy.write_text(shipped.replace("deadline_s: 900", FAR_AWAY))
        (folder / "sitecustomize.py").write_text(NO_LONGEST)
        environment = {
            "PYTHONPATH": f"{folder}:{release / 'services'}",
            "HP_STATE_DIR": str(folder / "var"),
            "HP_CONFIG_DIR": str(folder / "config"),
            "HP_NATS_PORT": "0",
            "HP_MONITOR_PORT_BASE": "0",
            "HP_CONSOLE_PORT": "0",
            "HP_STREAM_MAX_BYTES": str(64 * 1024 * 1024),
        }
        os.environ.update(environment)
        settings = Settings()
        for person in ("ann", "ben"):
            credentials.create_person_key(
                settings.people_dir, person, PASSWORD, CHEAP, must_change=False
            )
        story = _played(settings)
        (folder / "story.json").write_text(json.dumps(story, indent=2))
        policy.write_text(shipped)
        with tarfile.open(file, "w:gz") as packed:
            for part in ("config", "story.json", "var"):
                packed.add(folder / part, part, filter=_kept)


def _played(settings: Settings) -> dict[str, str]:
    up = subprocess.Popen([*HOLDPOINT, "up", "--no-sample", "--json"], stdout=subprocess.PIPE)
    try:
        for line in up.stdout or ():
            if json.loads(line)["event"] == "ready":
                break
        (settings.state_dir / "sample" / "scratch-space" / "old-reports").mkdir(exist_ok=True)
        done = _said("call", "list_directory", *AGENT)
        waits = _said(
            "call", "run_command", "--arg", "command=rm -r old-reports", "--no-wait", *AGENT
        )
        asyncio.run(_keep_for_ever(Settings()))
    finally:
        up.send_signal(signal.SIGINT)
        up.communicate(timeout=STARTS_WITHIN_S)
    return {"done": done["hold_id"], "waits": waits["hold_id"]}


def _said(*words: str) -> dict[str, Any]:
    ended = subprocess.run([*HOLDPOINT, *words], stdout=subprocess.PIPE, check=False)
    said: dict[str, Any] = json.loads(ended.stdout)
    return said


async def _keep_for_ever(settings: Settings) -> None:
    client = await connect(login(settings, credentials.PROVISIONER))

    async def asked(verb: str, body: dict[str, Any]) -> dict[str, Any]:
        reply = await client.request(f"$JS.API.STREAM.{verb}", json.dumps(body).encode())
        told: dict[str, Any] = json.loads(reply.data)
        assert "error" not in told, told
        return told

    for name in (await asked("NAMES", {}))["streams"]:
        found = (await asked(f"INFO.{name}", {}))["config"]
        if found.get("max_age"):
            await asked(f"UPDATE.{name}", found | {"max_age": 0})
    await client.close()


def _kept(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    parts = entry.name.split("/")
    if len(parts) > 1 and parts[0] == "var" and parts[1] in LEFT_OUT:
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
