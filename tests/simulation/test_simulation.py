"""The simulation itself: what it promises to whoever reads a failing seed, and a few seeds of it.

`make simulate` plays as many as there is time for.
"""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.guards import GUARDS, ROOT, taken_away
from tests.simulation.run import play
from tests.simulation.world import Setup, set_up

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SEEDS = range(1, 41)
FOUND = (
    ("compare-and-set", "1..20", ""),
    ("nonce", "41..80", "s2_"),
    ("directly behind", "1..30", ""),
    ("acknowledge after the fact", "1..30", "d1_"),
    ("silence is no no", "1..30", "l2_"),
)
"""Guards of `make guards`, seeds of which a fifth and more do not hold without it, and what each
breaks first; empty where that is one line here and another there.
"""


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> Setup:
    return set_up(tmp_path_factory.mktemp("simulation"))


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    """What dead processes left is taken apart once no loop runs."""
    gc.disable()
    yield
    gc.enable()
    gc.collect()


def test_some_seeds_hold(setup: Setup) -> None:
    played = [play(setup, seed) for seed in SEEDS]

    assert [(it.seed, it.wrong) for it in played if it.wrong] == []
    assert sum(it.deaths > 0 for it in played) > len(SEEDS) / 10


def test_a_seed_is_the_same_run_again(setup: Setup) -> None:
    first, again = play(setup, 7), play(setup, 7)

    assert list(first.trace) == list(again.trace)


@pytest.mark.parametrize(("name", "seeds", "breach"), FOUND)
def test_a_guard_that_is_gone_is_missed(name: str, seeds: str, breach: str, tmp_path: Path) -> None:
    """A simulation that finds nothing proves nothing: some seed turns red without the guard."""
    guard = next(it for it in GUARDS if it.name == name)
    taken_away(guard, tmp_path)

    told = subprocess.run(
        [sys.executable, "-m", "tests.simulation.run", "--seeds", seeds, "--jobs", "1"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}:{ROOT}", "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert told.returncode == 1, told.stdout + told.stderr
    assert "does not hold" in told.stdout, told.stderr
    assert f"\n  {breach}" in told.stdout, told.stdout
