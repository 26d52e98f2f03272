"""The demo tells its whole story, and says by name what broke it."""

import os
import signal
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from tests.integration.cli.long_commands import Lasting, is_gone, lasting, private

from holdpoint.cli.demo.script import ANSWERS
from holdpoint.cli.output import ExitCode
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process.supervisor import BROKER

pytestmark = pytest.mark.nats

LAST_FACTS = {
    "look": "finished",
    "note": "finished",
    "leads": "finished",
    "scratch": "resume",
    "lead": "denied",
    "silence": "resume",
}
"""After which nothing more happens to this step."""

KILLED_AT_THE_START = ["gate", "audit", "worker-shell", "worker-database", BROKER]


@pytest.mark.slow
def test_the_demo_tells_every_step_to_its_end(tmp_path: Path) -> None:
    with lasting(private(tmp_path), "demo") as demo:
        ended = demo.ended()

    assert ended.code == ExitCode.OK, ended
    assert demo.told[-1] == {"event": "ended", "ok": True, "failures": []}
    facts = facts_by_step(demo)
    assert {step: LAST_FACTS[step] in told for step, told in facts.items()} == dict.fromkeys(
        LAST_FACTS, True
    )
    assert all("halt" in facts[step] for step in ANSWERS)


@pytest.mark.slow
@pytest.mark.parametrize("service", KILLED_AT_THE_START)
def test_a_service_that_dies_ends_the_demo_and_is_named(service: str, tmp_path: Path) -> None:
    settings = private(tmp_path)
    with lasting(settings, "demo") as demo:
        ready = demo.tells("ready")
        os.kill(pid_of(service, ready, settings), signal.SIGKILL)
        ended = demo.ended()

    assert ended.code == ExitCode.FAILED, ended
    assert demo.told[-1]["failures"] == [f"{service} died (exit code -9)."]
    assert all(is_gone(pid) for pid in ready["services"].values())


def facts_by_step(demo: Lasting) -> dict[str, list[str]]:
    """What happened after each proposal, and before the next one."""
    step = ""

    def belongs_to(news: dict[str, Any]) -> str:
        nonlocal step
        step = news["step"] if news["event"] == "proposed" else step
        return step

    return {
        name: [news["fact"] for news in told if news["event"] == "happened"]
        for name, told in groupby(demo.told, key=belongs_to)
        if name
    }


def pid_of(service: str, ready: dict[str, Any], settings: Settings) -> int:
    if service == BROKER:
        return int((settings.state_dir / "demo" / "run" / "nats.pid").read_text())
    return int(ready["services"][service])
