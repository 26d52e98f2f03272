"""Hostile messages of every party: nobody dies, nothing runs, everything is told and recorded.

HP_SEED repeats a run's messages. `make fuzz-wire` sends ten thousand.
"""

import os
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a message can be made again

import pytest
from tests.faults.fault_system import AGENTS, PEOPLE, scene
from tests.faults.fuzz_wire import fuzz
from tests.faults.wire_messages import Target, hostile

SEED = int(os.environ.get("HP_SEED", "7"))
SOME = 300
TARGET = Target(agent="alba", hold_id="h1", digest="d1", render_digest="r1")


def test_the_same_dice_make_the_same_messages() -> None:
    first, again = (
        [hostile(dice, AGENTS, PEOPLE, TARGET) for _ in range(SOME)]
        for dice in (Random(SEED), Random(SEED))  # noqa: S311  # messages, no secrets
    )

    assert first == again
    assert len({it.body for it in first}) > SOME // 2
    assert {it.user.partition("_")[0] for it in first} == {"agent", "person", "worker"}


@pytest.mark.nats
@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_hostile_messages_stop_nobody_and_run_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path, SEED) as made:
        heard = await fuzz(made, SOME)

    assert not heard.wrong, f"HP_SEED={SEED}\n" + "\n".join(heard.wrong)
    assert heard.replies["answer"] > SOME / 2
