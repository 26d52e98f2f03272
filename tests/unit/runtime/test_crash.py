"""Crash points: named by an environment variable, and only of use against the process itself."""

import os
import signal
import subprocess
import sys

import pytest

from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process.crash import VARIABLE, point_of

PASSES_TWICE = """
from holdpoint.runtime.process.crash import passing
for turn in (1, 2):
    passing("publish", "halt", "before")
    print(turn, flush=True)
"""


def passed(crash: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PASSES_TWICE],
        env=os.environ | {VARIABLE: crash},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_a_process_dies_at_its_step_and_its_turn() -> None:
    ended = passed("publish.halt.before:2")

    assert ended.returncode == -signal.SIGKILL
    assert ended.stdout == "1\n"


@pytest.mark.parametrize("crash", ["", "publish.halt.after:1", "publish.halt.before:3"])
def test_no_other_step_ends_it(crash: str) -> None:
    ended = passed(crash)

    assert (ended.returncode, ended.stdout) == (0, "1\n2\n")


def test_a_process_may_stand_still_instead() -> None:
    point = point_of("effect.before:1:stop")

    assert point is not None
    assert point.how is signal.SIGSTOP


@pytest.mark.parametrize("told", ["effect.before", "effect.before:", "effect.before:x", "e:1:run"])
def test_a_point_that_says_nothing_is_refused(told: str) -> None:
    with pytest.raises(SetupError, match="step:n"):
        point_of(told)
