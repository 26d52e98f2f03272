"""What the fault runs themselves say: when a run fails, and what proves that a guard is missed."""

from collections import Counter

import pytest
from tests.faults.fault_system import QUIET_S
from tests.faults.guards import GUARDS, Guard, proof
from tests.faults.run import KILLS, Asked, Tally, report

FULL = Asked(kills=KILLS, only_kills=False)
SHORT = Asked(kills=KILLS - 1, only_kills=False)
ONLY_KILLS = Asked(kills=KILLS, only_kills=True)
A_CRASH = """\
tests/faults/checker_holds.py:40: in s4_each_answer_counts_once_or_is_refused
tests/faults/checker.py:58: in s2_each_effect_happens_once
>       for hold, times in s1_each_effect(it).items():
E       KeyError: 's3_nothing_begins_too_early_or_too_late'
tests/integration/test_forged_grants.py::test_what_is_signed[other_digest-flaw4] FAILED
>       assert settled(eyes)
"""


def a_tally(asked: Asked, *missed: str, slowest_s: float = 1.0) -> Tally:
    """Everybody died everywhere else."""
    return Tally(seed=7, kills=Counter(asked.steps() - {*missed}), slowest_s=slowest_s)


def guard(name: str) -> Guard:
    (found,) = [it for it in GUARDS if it.name == name]
    return found


@pytest.mark.parametrize("asked", [FULL, SHORT, ONLY_KILLS])
def test_a_run_without_a_breach_passes(asked: Asked) -> None:
    assert report(a_tally(asked), 1.0, asked) == 0


@pytest.mark.parametrize("missed", ["gate publish.halt.before", "gate publish.barred.after"])
def test_a_full_run_that_missed_a_step_fails(
    missed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(a_tally(FULL, missed), 1.0, FULL) == 1
    assert f"not died at          {missed}" in capsys.readouterr().out


def test_a_full_run_that_moved_on_too_slowly_fails() -> None:
    assert report(a_tally(FULL, slowest_s=QUIET_S + 0.1), 1.0, FULL) == 1
    assert report(a_tally(ONLY_KILLS, slowest_s=QUIET_S + 0.1), 1.0, ONLY_KILLS) == 1


def test_a_short_run_only_tells_what_it_missed(capsys: pytest.CaptureFixture[str]) -> None:
    missed = "audit commit.within"

    assert report(a_tally(SHORT, missed, slowest_s=QUIET_S + 0.1), 1.0, SHORT) == 0
    said = capsys.readouterr().out
    assert f"not died at          {missed}" in said
    assert "too slow" in said


@pytest.mark.parametrize("asked", [FULL, SHORT])
def test_a_breach_fails_every_run(asked: Asked) -> None:
    tally = a_tally(asked)
    tally.violations.append("s2: twice")

    assert report(tally, 1.0, asked) == 1


@pytest.mark.parametrize("each", GUARDS, ids=lambda it: it.name)
def test_a_crash_inside_a_check_proves_nothing(each: Guard) -> None:
    assert proof(each, A_CRASH) == ""


def test_a_breach_that_the_checker_printed_proves_it() -> None:
    told = f"{A_CRASH}E       AssertionError: HP_SEED=7\nE       s2_each_effect: h1 took 2 times\n"

    assert proof(guard("claim"), told).startswith("s2_each_effect")
    assert proof(guard("nonce"), told) == ""
    assert proof(guard("signature"), told) == ""


def test_what_ran_on_another_digest_proves_it() -> None:
    told = ">       assert not (road.scratch / name).exists()\nE       assert not True\n"

    assert proof(guard("digest"), told).startswith("assert not")
