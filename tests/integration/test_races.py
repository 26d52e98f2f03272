"""Everybody at once: whoever is first wins, once, and everyone else is told."""

import asyncio
import dataclasses
from collections import Counter
from datetime import timedelta

import pytest
from msgspec.structs import replace
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.builders import a_passed_hold, an_action
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.running_system import LONG_S, Road, fresh
from tests.waiting import eventually
from tests.world import World

from holdpoint.core.digest import hold_id
from holdpoint.gate.runs import bar, lapse
from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Hold, Outcome, Resolved, Resumed
from holdpoint.messages.run import Barred, Finished, Started
from holdpoint.messages.subject_parts import run_place
from holdpoint.messages.subjects import RUNS, run_facts, stream
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.errors import ConflictError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import Keyset, Signer, worker_role
from holdpoint.runtime.store.history import Runs
from holdpoint.runtime.store.journal import Journal

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures",)

RACES = 1000
AT_ONCE = 50
QUEUE = 200
"""Answers that stand before the right one, so that the alarm is heard first."""
ENDED = tuple(set(Status) - {Status.WAITING, Status.APPROVED})


@pytest.mark.parametrize(
    "rounds", [1, pytest.param(100, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])]
)
async def test_of_two_hundred_answers_over_two_channels_one_resolves_it(
    road: Road, robot: AgentVoice, guests: Guests, eyes: StreamEyes, rounds: int
) -> None:
    voices = [
        dataclasses.replace(await guests.person(name), channel=channel)
        for name in ("ann", "ben")
        for channel in ("terminal", "console", "terminal")
    ]
    for _ in range(rounds):
        await one_resolves_it(road, robot, voices, eyes)


async def one_resolves_it(
    road: Road, robot: AgentVoice, voices: list[PersonVoice], eyes: StreamEyes
) -> None:
    """Two hundred answers to one hold, all at once."""
    ann = voices[0]
    mark, call = await robot.command()
    hold = (await robot.pending(call)).hold_id
    card = await ann.card(hold)
    choices = (Choice.PROCEED, Choice.CANCEL)

    async def answer(turn: int) -> str:
        voice = voices[turn % len(voices)]
        told = await voice.heard(card, await voice.answer(card, choices[turn // 2 % 2]))
        return told.code if told.status is Status.REFUSED else "counted"

    told = Counter(await asyncio.gather(*(answer(turn) for turn in range(200))))
    ended = await robot.hears(call, Status.DONE, Status.CANCELLED)

    async def is_resumed() -> bool:
        return any(isinstance(fact, Resumed) for fact in await eyes.facts(hold))

    await eventually(is_resumed)
    facts = await eyes.facts(hold)
    (resolved,) = [fact for fact in facts if isinstance(fact, Resolved)]
    (resumed,) = [fact for fact in facts if isinstance(fact, Resumed)]
    taken_back = resolved.outcome is Outcome.CONFIRMED and not resumed.confirmed
    counted = 2 if taken_back else 1
    assert told == {"counted": counted, "already_closed": 200 - counted}
    row = await road.ended(hold)
    assert row.outcome == resolved.outcome.value
    assert resumed.confirmed is row.resumed is (ended.status is Status.DONE)
    assert road.runs_of(mark) == int(ended.status is Status.DONE)


async def _runs(world: World, connected: Connect) -> Runs:
    """A worker's own."""
    login, folder = world.login("worker_shell"), world.settings.keys_dir
    signer = Signer(folder, worker_role("shell"), Keyset(folder))
    return Runs(Journal(await connected(login), login, "acme", "holdpoint/worker", signer))


async def _claimed(runs: Runs, hold: Hold) -> bool:
    """What a worker does first."""
    started = Started(
        hold_id=hold.hold_id,
        digest=hold.digest,
        cause="HOLDS:1",
        nonce="n",
        owner="worker/1",
        lease_until=clock.now() + timedelta(seconds=90),
    )
    try:
        await runs.append(started, hold, after=0)
    except ConflictError:
        return False
    return True


async def test_withdrawal_kill_switch_lapse_and_claim_race_and_one_of_them_wins(
    world: World, connected: Connect
) -> None:
    gate, runs = await a_gate(world, connected), await _runs(world, connected)
    eyes = jetstream(await connected(world.login("provisioner")), world.login("gate"))

    async def race(turn: int) -> str:
        action = an_action(agent="robot", domain="shell")
        hold = a_passed_hold(hold_id=fresh("race"), agent="robot", action=action)
        rivals = [
            ("started", _claimed(runs, hold)),
            ("withdrawn", bar(gate, hold, "The agent withdrew it.", "CALLS:1")),
            ("killed", bar(gate, hold, "Kill switch: enough", "ADMIN:1")),
            ("lapsed", lapse(gate, hold, "HOLDS:1")),
        ]
        rivals = rivals[turn % 4 :] + rivals[: turn % 4]
        won = await asyncio.gather(*(rival for _, rival in rivals))
        told = [word for (word, _), one in zip(rivals, won, strict=True) if one]
        assert len(told) == 1
        winner = told[0]
        subject = run_facts("acme", "shell", "robot", hold.hold_id)
        info = await eyes.stream_info(stream("acme", RUNS), subjects_filter=subject)
        ((where, count),) = (info.state.subjects or {}).items()
        word = {"withdrawn": "barred", "killed": "barred"}.get(winner, winner)
        assert (run_place(where).word, count) == (word, 1)
        return winner

    winners: Counter[str] = Counter()
    for batch in range(RACES // AT_ONCE):
        turns = range(batch * AT_ONCE, (batch + 1) * AT_ONCE)
        winners += Counter(await asyncio.gather(*map(race, turns)))

    assert winners.total() == RACES
    assert set(winners) == {"started", "withdrawn", "killed", "lapsed"}


async def test_real_withdrawals_race_real_workers(
    road: Road, robot: AgentVoice, eyes: StreamEyes
) -> None:
    """Twenty rounds: it runs and the agent hears that it was too late, or it does not run."""

    async def round_of() -> str:
        name, key = f"{fresh('file')}.txt", fresh("key")
        hold = hold_id("acme", "robot", "ann", "create_file", key)
        call, taken = await asyncio.gather(
            robot.propose("create_file", {"path": name, "content": "x"}, key=key),
            robot.withdraw(hold),
        )
        told = await robot.hears(call, *ENDED)
        back = await robot.hears(taken, *ENDED)
        facts = [type(fact) for fact in await eyes.runs(hold)]
        ran = (road.scratch / name).exists()
        assert facts == ([Started, Finished] if ran else [Barred])
        assert told.status is (Status.DONE if ran else Status.BARRED)
        assert back.code == ("already_started" if ran else "barred")
        return back.code

    for _ in range(4):
        await asyncio.gather(*(round_of() for _ in range(5)))


@pytest.mark.parametrize("choice", [Choice.PROCEED, Choice.CANCEL])
async def test_an_answer_in_time_counts_even_when_the_alarm_is_heard_first(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes, choice: Choice
) -> None:
    deadline = clock.now() + timedelta(seconds=6)
    _, call = await robot.command(deadline=deadline)
    hold = (await robot.pending(call)).hold_id
    card = await ann.card(hold)
    with road.paused("gate"):
        for wrong in [replace(card, digest="0")] * QUEUE:
            await ann.answer(wrong, choice)
        seq = await ann.answer(card, choice)
        await eventually(lambda: _has_rung(eyes, hold), LONG_S)

    told = await ann.heard(card, seq)
    ended = await robot.hears(call, Status.DONE, Status.CANCELLED, Status.EXPIRED)

    assert told.status is not Status.REFUSED
    assert ended.status is (Status.DONE if choice is Choice.PROCEED else Status.CANCELLED)


async def test_an_answer_after_the_deadline_is_too_late_even_when_it_is_heard_first(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    deadline = clock.now() + timedelta(seconds=2)
    mark, call = await robot.command(deadline=deadline)
    hold = (await robot.pending(call)).hold_id
    card = await ann.card(hold)
    with road.paused("gate"):
        await eventually(lambda: _has_rung(eyes, hold), LONG_S)
        seq = await ann.answer(card, Choice.PROCEED)

    told = await ann.heard(card, seq)
    ended = await robot.hears(call, Status.DONE, Status.EXPIRED)

    assert told.status is Status.REFUSED
    assert told.code in {"too_late", "already_closed"}
    assert ended.status is Status.EXPIRED
    assert road.runs_of(mark) == 0


async def _has_rung(eyes: StreamEyes, hold: str) -> bool:
    return bool(await eyes.on("TIMERS", f"hp.acme.timer.due.*.{hold}.expire"))
