"""The examples and the README's own code, run as a reader would run them, on a real world."""

import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from holdpoint.messages.envelope import FINAL, Status
from holdpoint.testing.world import World, started

pytest_plugins = ("tests.system_fixtures",)
pytestmark = pytest.mark.usefixtures("forked_worlds")

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
README = (ROOT / "README.md").read_text("utf-8")
AGENT = "sample-agent"
WITHIN_S = 40


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A world whose sample agent may also greet, with the example's own domain."""
    folder = tmp_path_factory.mktemp("examples")
    config = shutil.copytree(ROOT / "deploy" / "config", folder / "config")
    agents = yaml.safe_load((config / "agents.yaml").read_text("utf-8"))
    next(it for it in agents["agents"] if it["name"] == AGENT)["tools"].append("greet")
    (config / "agents.yaml").write_text(yaml.safe_dump(agents), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HP_DOMAINS", json.dumps({"greeter": str(EXAMPLES / "own_domain.py")}))
        with started(folder, config) as running:
            yield running


def environment(world: World) -> dict[str, str]:
    return os.environ | {
        "HP_STATE_DIR": str(world.settings.state_dir),
        "HP_CONFIG_DIR": str(world.settings.config_dir),
        "HP_NATS_URL": world.url,
    }


def said(world: World, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        env=environment(world),
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def folder_of(world: World, name: str) -> Path:
    made = world.settings.state_dir / "sample" / "scratch-space" / name
    made.mkdir()
    (made / "report.txt").write_text("old")
    return made


def test_publish_from_python(world: World) -> None:
    reports = folder_of(world, "old-reports")
    with world.somebody("ann") as ann:
        ann.proceeds()
        told = said(world, str(EXAMPLES / "publish.py"), "rm -r old-reports")

    assert "waits for a person" in told
    assert "done" in told.splitlines()[-1]
    assert not reports.exists()


@pytest.mark.parametrize("name", ["publish.py", "publish_raw.py"])
def test_an_example_without_its_arguments_says_how_it_is_run(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        capture_output=True, text=True, timeout=WITHIN_S, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert f"python examples/{name} " in done.stderr
    assert "Traceback" not in done.stderr


def test_publish_raw_json(world: World) -> None:
    credential = world.settings.credentials_dir / f"agent_{AGENT}.nk"
    told = said(world, str(EXAMPLES / "publish_raw.py"), world.url, str(credential))

    assert told.splitlines()[-1] != ""
    assert "done" in told


def test_every_status_that_is_not_open_is_final_in_the_raw_example() -> None:
    (written,) = re.findall(r"OPEN = (\{.*?\})", (EXAMPLES / "publish_raw.py").read_text("utf-8"))

    assert set(Status) - set(json.loads(written.replace("{", "[").replace("}", "]"))) == FINAL


def test_two_buttons_in_a_terminal(world: World) -> None:
    kept = folder_of(world, "kept-reports")
    with world.connect_sync(AGENT) as hp:
        pending = hp.call("run_command", {"command": "rm -r kept-reports"}, wait=False)
        shown = answered_at_the_terminal(world, "rm -r kept-reports", "yes", "")
        ended = hp.resume(pending.hold_id, timeout=WITHIN_S)

    assert "Proceed (type it) or Cancel (Enter)" in shown
    assert ended.status == "cancelled"
    assert kept.exists()


def test_a_wrong_password_is_told_in_a_sentence(world: World) -> None:
    screen, process = two_buttons(world)
    try:
        screen.until("Password of ben")
        screen.type("wrong horse\n")
        shown = screen.until("does not open the key of ben")
        assert process.wait(WITHIN_S) == 1
    finally:
        process.kill()
        screen.close()

    assert "Traceback" not in shown


def answered_at_the_terminal(world: World, title: str, *typed: str) -> str:
    """Run the example under a terminal of its own, as a person who types these in turn."""
    screen, process = two_buttons(world)
    try:
        screen.until("Password of ben")
        screen.type(f"{world.passwords['ben']}\n")
        screen.until(title)
        for line in typed:
            shown = screen.until("(Enter):")
            screen.type(f"{line}\n")
        screen.until("cancelled")
    finally:
        process.kill()
        process.wait()
        screen.close()
    return shown


def two_buttons(world: World) -> tuple["Screen", subprocess.Popen[bytes]]:
    """The example at a terminal of its own, and our end of it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "two_buttons.py")],
        env=environment(world) | {"HP_PERSON": "ben"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    return Screen(ours), process


class Screen:
    """Our end of a terminal; what came with the words that were waited for is kept."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._unread = ""

    def until(self, words: str) -> str:
        """What stood there up to these words; the test's own timeout bounds the wait."""
        while words not in self._unread:
            self._unread += os.read(self._terminal, 1024).decode(errors="replace")
        shown, _, self._unread = self._unread.partition(words)
        return shown + words

    def type(self, text: str) -> None:
        """As if at its keyboard."""
        os.write(self._terminal, text.encode())

    def close(self) -> None:
        """Let go of it."""
        os.close(self._terminal)


def test_a_domain_of_your_own(world: World) -> None:
    with world.connect_sync(AGENT) as hp:
        outcome = hp.call("greet", {"name": "Ada"})

    assert outcome.ok
    assert outcome.formatted == "Hello, Ada!"


def test_the_auditor_s_three_questions(world: World) -> None:
    script = (EXAMPLES / "auditor.sql").read_text("utf-8")
    path = world.settings.state_dir / "ledger.db"
    questions = [part for part in script.split(";") if "SELECT" in part]
    assert len(questions) == 3

    ledger = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        _, _, missing = (ledger.execute(question).fetchall() for question in questions)
    finally:
        ledger.close()
    assert missing
    assert all(gap == 0 for _, _, gap in missing)


def test_the_readme_s_python_runs(world: World, tmp_path: Path) -> None:
    world.settings.console_file.parent.mkdir(parents=True, exist_ok=True)
    world.settings.console_file.write_text("http://localhost:8471")
    folder_of(world, "old-reports")
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "readme.py").write_text(code, "utf-8")
    with world.somebody("ann") as ann:
        ann.proceeds()
        told = said(world, str(tmp_path / "readme.py"))

    first, last = told.strip().splitlines()
    assert first.startswith("Answer it: http://localhost:8471/holds/sample-agent/")
    assert last.startswith("done")


def test_the_readme_s_raw_message_is_one_that_counts() -> None:
    (document,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    schema = json.loads((ROOT / "schemas" / "v1" / "propose.json").read_text("utf-8"))

    proposal = json.loads(document)
    assert proposal["type"] == "holdpoint.v1.propose"
    assert set(schema["required"]) <= set(proposal)
