"""A writer that is killed at any moment leaves a valid ledger, and the next one completes it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.ledger_files import derived_by_name, entered, new_ledger, rows_of
from tests.integration.ledger_stories import batches, every_story

from holdpoint.audit.verify import verify
from holdpoint.ledger.tables import events

ROOT = Path(__file__).parents[2]
TIMES = 70
SIZE = 23
KILLS = 15
STEP_S = 0.0007
PATIENCE_S = 30


@pytest.mark.slow
def test_a_killed_writer_leaves_a_valid_ledger_that_the_next_one_completes(tmp_path: Path) -> None:
    stories = every_story(TIMES)
    url = new_ledger(tmp_path)
    reached = []
    for kill in range(KILLS):
        said = _killed(url, commits=1 + kill % 3, then_s=STEP_S * kill)
        kept = len(rows_of(url, events)[0])
        reached.append(kept)
        assert kept >= said, "what was reported as committed is there"
        assert {problem.check for problem in verify(url).problems} <= {"gap"}
    entered(url, stories)
    whole = new_ledger(tmp_path, "whole")
    entered(whole, stories)

    assert sorted({*reached}) == reached, "each writer went on where the last one was killed"
    assert reached[-1] < len(stories), "each one was killed at work"
    assert len(rows_of(url, events)[0]) == len(stories)
    assert verify(url).problems == ()
    assert derived_by_name(url) == derived_by_name(whole)


def _killed(url: str, *, commits: int, then_s: float) -> int:
    """Start a writer, kill it soon after so many commits; returns how much it said is stored."""
    with subprocess.Popen(
        [sys.executable, __file__, url],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as child:
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(commits)]
        try:
            child.wait(then_s)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
        said += child.stdout.read().splitlines()
        child.wait(PATIENCE_S)
    return int(said[-1])


def _write(url: str) -> None:
    """What the child does: enter what is missing, and say after each commit how far it is."""
    known = len(rows_of(url, events)[0])
    for batch in batches(every_story(TIMES)[known:], SIZE):
        known += entered(url, batch)
        print(known, flush=True)  # noqa: T201  # how the parent hears


if __name__ == "__main__":
    _write(sys.argv[1])
