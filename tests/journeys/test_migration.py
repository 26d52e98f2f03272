"""docs/migrate.md, step by step: its files are written, its diffs applied, its commands run."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from holdpoint.testing.world import World, started

pytest_plugins = ("tests.system_fixtures",)
pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.usefixtures("forked_worlds")]

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "migrate.md").read_text("utf-8")
STEPS = re.split(r"^## ", DOCUMENT, flags=re.MULTILINE)[1:]
BLOCK = re.compile(r"^```(\w+)(?: title=(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
AGENT = "sample-agent"
WITHIN_S = 60


@dataclass(frozen=True, kw_only=True)
class Desk:
    """The help desk's folder, as far as it is migrated."""

    folder: Path

    def follow(self, step: int) -> None:
        """Do what a section says; what a command prints begins as it stands there."""
        for language, title, body in BLOCK.findall(STEPS[step]):
            if title:
                (self.folder / title).write_text(body)
            elif language == "diff":
                self.run(["patch", "-p0"], body)
                self.configure()
            elif language == "console":
                command, *expected = body.splitlines()
                said = self.holdpoint(command.removeprefix("$ "))
                assert said.startswith(" ".join(expected))

    def configure(self) -> None:
        """Give the agent the tools that the domain has now."""
        path = self.folder / "config" / "agents.yaml"
        agents = yaml.safe_load((ROOT / "deploy/config/agents.yaml").read_text("utf-8"))
        tools = next(it for it in agents["agents"] if it["name"] == AGENT)["tools"]
        has = (self.folder / "helpdesk.py").read_text()
        tools += [name for name in ("ask", "close_tickets") if f"async def {name}(" in has]
        path.write_text(yaml.safe_dump(agents), "utf-8")

    def holdpoint(self, line: str) -> str:
        """Run a command of the document, its variables before it; return what it prints."""
        words = re.findall(r'"[^"]*"|\S+', line)
        variables = dict(it.split("=") for it in words if re.match(r"HP_\w+=", it))
        arguments = [it.strip('"') for it in words[len(variables) + 1 :]]
        return self.run([sys.executable, "-m", "holdpoint", *arguments], "", **variables)

    def run(self, command: list[str], typed: str = "", **variables: str) -> str:
        """Run a program in the folder; it has to succeed."""
        done = subprocess.run(
            command,
            input=typed,
            cwd=self.folder,
            env=self.environment | variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=WITHIN_S,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return " ".join(done.stdout.split())

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {
            "HP_STATE_DIR": str(self.folder / "var"),
            "HP_CONFIG_DIR": str(self.folder / "config"),
            "HP_DOMAINS": json.dumps({"helpdesk": str(self.folder / "helpdesk.py")}),
        }


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(ROOT / "deploy" / "config", folder / "config")
    made = Desk(folder=folder)
    made.follow(0)
    made.configure()
    return made


@pytest.fixture(scope="module")
def world(desk: Desk) -> Iterator[World]:
    """Everything that runs, once the tools are migrated."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HP_DOMAINS", desk.environment["HP_DOMAINS"])
        with started(desk.folder, desk.folder / "config") as running:
            yield running


def test_step_1_names_the_tool_that_asks_and_refuses_it_without_the_flag(desk: Desk) -> None:
    with pytest.raises(AssertionError, match="it only asks a person"):
        desk.holdpoint("holdpoint catalog check")

    desk.follow(1)


def test_step_2_detects_what_the_agent_says(desk: Desk) -> None:
    desk.follow(2)


def test_step_4_halts_what_the_agent_asked_about_itself(desk: Desk) -> None:
    desk.follow(4)

    assert 'hp.call("ask"' not in (desk.folder / "agent.py").read_text()
    assert "level=3" in (desk.folder / "helpdesk.py").read_text()


def test_step_3_shows_what_waits_and_a_yes_runs_it(desk: Desk, world: World) -> None:
    desk.follow(3)
    with world.somebody("ann") as ann:
        ann.proceeds()
        said = desk.run([sys.executable, "agent.py"], HP_NATS_URL=world.url)

    assert said == "done The tickets of 2024 are closed."


def test_step_5_teaches_the_agent(desk: Desk, world: World) -> None:
    assert world.url
    desk.follow(5)

    assert "tool ask" not in (desk.folder / "prompt.txt").read_text()
