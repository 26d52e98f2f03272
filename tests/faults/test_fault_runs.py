"""Faults of every kind, on real processes; what is left to read afterwards is judged.

HP_SEED repeats a plan. `make faults` runs hundreds of kills, and each fault for longer.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.faults import disk, scenarios
from tests.faults.bad_network import Weather
from tests.faults.fault_system import SHIPPED, Scene, Timings, scene
from tests.faults.kill_rounds import decks, round_of_kills
from tests.faults.processes import PLAYERS
from tests.faults.run import ALONE, Act

pytestmark = [pytest.mark.nats, pytest.mark.timeout(240)]

SEED = int(os.environ.get("HP_SEED", "7"))
A_DOZEN = 12
LOCKED_S = 8.0
BAD_S = 6.0


async def holds_under(
    folder: Path,
    act: Act,
    players: Mapping[str, str] = PLAYERS,
    timings: Timings | None = None,
) -> int:
    """Play it, judge it; how many kills it took."""
    async with scene(folder, SEED, timings, players) as made:
        await act(made)
        breaches = await made.judged()
        assert not breaches, f"HP_SEED={SEED}\n" + "\n".join(breaches)
        return len(made.cast.kills)


@pytest.mark.slow
async def test_a_dozen_kills_at_any_step_break_nothing(tmp_path: Path) -> None:
    async def act(made: Scene) -> None:
        drawn = decks(made.dice)
        while len(made.cast.kills) < A_DOZEN:
            await round_of_kills(made, drawn)
        assert made.heads, "nobody wrote down where the ledger's tree ended"

    assert await holds_under(tmp_path, act) >= A_DOZEN


@pytest.mark.slow
async def test_a_dozen_kills_with_the_shipped_times_break_nothing(tmp_path: Path) -> None:
    """L1: what a dead process had in hand comes to the next one after 20 s, and moves on by 30."""

    async def act(made: Scene) -> None:
        await round_of_kills(made, decks(made.dice))

    await holds_under(tmp_path, act, timings=SHIPPED)


@pytest.mark.slow
async def test_a_zombie_worker_past_its_lease_does_nothing(tmp_path: Path) -> None:
    await holds_under(
        tmp_path, lambda it: scenarios.zombie_worker(it, "publish.started.after"), ALONE
    )


@pytest.mark.slow
@pytest.mark.parametrize("step", ["publish.resolve.before", "publish.resume.before"])
async def test_a_zombie_gate_changes_nothing_that_another_one_wrote(
    tmp_path: Path, step: str
) -> None:
    await holds_under(tmp_path, lambda it: scenarios.zombie_gate(it, step), ALONE)


@pytest.mark.slow
async def test_two_of_one_group_do_not_speak_for_another(tmp_path: Path) -> None:
    await holds_under(tmp_path, scenarios.two_of_one_group, ALONE)


@pytest.mark.slow
async def test_what_is_delivered_again_while_it_is_in_hand_happens_once(tmp_path: Path) -> None:
    await holds_under(tmp_path, scenarios.again_at_once)


@pytest.mark.slow
async def test_everything_delivered_again_from_the_beginning_happens_once(tmp_path: Path) -> None:
    await holds_under(tmp_path, scenarios.all_again)


@pytest.mark.slow
async def test_what_is_poisoned_too_large_or_forged_stops_nobody(tmp_path: Path) -> None:
    await holds_under(tmp_path, scenarios.poison)


@pytest.mark.slow
@pytest.mark.parametrize("step", ["publish.barred", "publish.lapsed"])
async def test_workers_that_are_away_leave_grants_that_are_barred_or_lapse(
    tmp_path: Path, step: str
) -> None:
    async def act(made: Scene) -> None:
        await scenarios.workers_away(made, step)
        died = made.cast.steps()
        assert all(died[f"gate {step}.{side}"] for side in ("before", "after")), died

    await holds_under(tmp_path, act)


@pytest.mark.slow
async def test_a_locked_ledger_stops_nobody_and_misses_nothing(tmp_path: Path) -> None:
    await holds_under(tmp_path, lambda it: scenarios.ledger_locked(it, LOCKED_S))


@pytest.mark.slow
async def test_a_ledger_that_is_gone_for_a_while_misses_nothing(tmp_path: Path) -> None:
    await holds_under(tmp_path, lambda it: scenarios.ledger_gone(it, LOCKED_S / 2))


@pytest.mark.slow
async def test_an_audit_that_dies_before_its_commit_misses_nothing(tmp_path: Path) -> None:
    await holds_under(tmp_path, scenarios.audit_dies_before_its_commit)


@pytest.mark.slow
async def test_a_network_that_loses_and_doubles_bytes_lets_nothing_run_and_loses_nothing(
    tmp_path: Path,
) -> None:
    async with scene(tmp_path, SEED, through_proxy=True) as made:
        await scenarios.bad_network(made, Weather.BAD, BAD_S)
        breaches = await made.judged()

    assert not breaches, f"HP_SEED={SEED}\n" + "\n".join(breaches)


@pytest.mark.slow
async def test_a_full_disk_lets_nothing_run_and_loses_nothing(tmp_path: Path) -> None:
    try:
        with disk.small(tmp_path / "var"):
            await holds_under(tmp_path, disk.full)
    except disk.CannotMountError as why:
        pytest.skip(str(why))
