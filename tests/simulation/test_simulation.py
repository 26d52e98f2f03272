"""The simulation itself: what it promises to whoever reads a failing seed, and a few seeds of it.

`make simulate` plays as many as there is time for.
"""

import gc
from collections.abc import Iterator

import pytest
from tests.simulation.run import Played, play
from tests.simulation.world import Setup, set_up

from holdpoint.runtime.broker.connection import OnStored, Requests
from holdpoint.workers import grants

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SEEDS = range(1, 41)
FEW = range(1, 30)
MORE = range(1, 100)


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
    assert sum(it.deaths for it in played) > len(SEEDS) / 2


def test_a_seed_is_the_same_run_again(setup: Setup) -> None:
    first, again = play(setup, 7), play(setup, 7)

    assert list(first.trace) == list(again.trace)


def test_a_worker_that_acts_without_a_claim_is_found(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A simulation that finds nothing proves nothing: this safety check is taken out of it."""
    monkeypatch.setattr(grants, "_needs_no_claim", lambda *_: True)

    assert any(_says(play(setup, seed), "nobody claimed it") for seed in FEW)


def test_facts_without_a_compare_and_set_are_found(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = Requests.begin_publish

    def unguarded(
        self: Requests,
        subject: str,
        body: bytes,
        stream: str,
        headers: dict[str, str],
        on: OnStored,
    ) -> str:
        left = {name: it for name, it in headers.items() if "Subject-Sequence" not in name}
        return begin(self, subject, body, stream, left, on)

    monkeypatch.setattr(Requests, "begin_publish", unguarded)

    assert any(_says(play(setup, seed), "was claimed more than once") for seed in MORE)


def _says(played: Played, words: str) -> bool:
    return any(words in it for it in played.wrong)
