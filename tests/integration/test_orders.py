"""Orders: their sender learns what became of them, and gates follow them without a restart."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.running_system import Road, fresh
from tests.unit.risk.builders import a_pattern
from tests.waiting import eventually

from holdpoint.core.digest import policy_digest
from holdpoint.ledger.queries import events_found
from holdpoint.ledger.search import Search
from holdpoint.messages import subjects as s
from holdpoint.messages.base import Message
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Denied, Passed
from holdpoint.messages.policy import LevelRule, Policy, VerdictKind
from holdpoint.messages.state import EVERYONE, AdoptPolicy, Kill, PolicyBody
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.registry import groups_of, load_registry

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


def on_disk(road: Road) -> Policy:
    """As the gate read it when it started."""
    folder = road.settings.config_dir
    return load_policy(folder, groups_of(load_registry(folder)))


def denying(policy: Policy, version: str) -> Policy:
    """The same, but that nothing may be created."""
    rule = LevelRule(verdict=VerdictKind.DENY, why="Nothing new this week.")
    return replace(policy, version=version, levels={**policy.levels, 2: rule})


def adoption(policy: Policy) -> AdoptPolicy:
    return AdoptPolicy(version=policy.version, digest=policy_digest(policy), policy=policy)


async def carried_out(person: PersonVoice, order: Message, word: str) -> None:
    told = await person.told(await person.order(order, word))
    assert told.status is Status.DONE, told


async def created(agent: AgentVoice) -> Status:
    """What becomes of a call that creates something."""
    call = await agent.propose("create_file", {"path": f"{fresh('f')}.txt", "content": "x"})
    return (await agent.hears(call, Status.DONE, Status.DENIED)).status


async def test_whoever_orders_hears_that_it_was_carried_out(
    ann: PersonVoice, guests: Guests
) -> None:
    """Once that is said, it holds: nothing is left to be waited for."""
    doomed = await guests.agent("doomed")
    _, call = await doomed.command()
    await doomed.pending(call)
    try:
        await carried_out(ann, Kill(on=True, agent="doomed", reason="enough"), "kill")
        assert (await doomed.ask(call)).status is Status.CANCELLED
        assert await created(doomed) is Status.DENIED
    finally:
        await carried_out(ann, Kill(on=False, agent="doomed"), "kill")
    assert await created(doomed) is Status.DONE


def bad_orders(road: Road) -> list[tuple[str, str, Message]]:
    """The refusal's code, the word, and what is ordered."""
    policy = on_disk(road)
    other = adoption(denying(policy, "2"))
    toothless = replace(policy, version="3", levels={})
    levels = {**policy.levels, 3: replace(policy.levels[3], four_eyes=True)}
    unanswerable = replace(policy, version="5", levels=levels)  # ann and ben, one of them barred
    unsigned = {**policy.levels, 5: replace(policy.levels[5], every_proof=False)}
    uncompiled = replace(policy, version="4", patterns=(a_pattern(pattern="(?=a)"),))
    return [
        ("unknown_agent", "kill", Kill(on=True, agent="nobody")),
        ("reason_too_large", "kill", Kill(on=True, agent=EVERYONE, reason="x" * 3000)),
        ("no_policy", "policy", replace(other, policy=None)),
        ("other_policy", "policy", replace(other, digest="0" * 64)),
        ("other_policy", "policy", replace(other, version="1")),
        ("bad_policy", "policy", adoption(toothless)),
        ("bad_policy", "policy", adoption(uncompiled)),
        ("bad_policy", "policy", adoption(unanswerable)),
        ("bad_policy", "policy", adoption(replace(policy, version="6", levels=unsigned))),
        ("wrong_subject", "kill", PolicyBody(policy=policy, cause="")),
    ]


async def test_whoever_orders_hears_that_it_was_refused_and_so_does_the_auditor(
    road: Road, ann: PersonVoice, robot: AgentVoice, eyes: StreamEyes
) -> None:
    orders = bad_orders(road)
    state = await eyes.on(s.STATE, ">")

    sent = [await ann.order(order, word) for _, word, order in orders]
    told = [await ann.told(seq) for seq in sent]

    assert [(it.status, it.code) for it in told] == [(Status.REFUSED, code) for code, *_ in orders]
    assert all(it.reason for it in told)
    assert await eyes.on(s.STATE, ">") == state
    assert [len(await eyes.refusals("ann", f"ADMIN:{seq}")) for seq in sent] == [1] * len(sent)
    subjects = {s.refusal_subject("acme", "ann", f"ADMIN:{seq}") for seq in sent}
    assert await eventually(lambda: _stand_in_the_ledger(road, subjects))
    assert await created(robot) is Status.DONE


async def _stand_in_the_ledger(road: Road, subjects: set[str]) -> bool:
    found = road.ledger(lambda it: events_found(it, Search(limit=100_000)))
    return subjects <= {it.subject for it in found}


async def test_an_order_that_nobody_carried_out_yet_is_not_said_to_be(
    road: Road, ann: PersonVoice, guests: Guests
) -> None:
    doomed = await guests.agent("doomed")
    with road.paused("gate"):
        seq = await ann.order(Kill(on=True, agent="doomed"), "kill")
        asking = asyncio.create_task(ann.told(seq))
        done, _ = await asyncio.wait([asking], timeout=1.0)
        assert not done
    try:
        assert (await asking).status is Status.DONE
        assert await created(doomed) is Status.DENIED
    finally:
        await carried_out(ann, Kill(on=False, agent="doomed"), "kill")


async def test_a_question_about_an_order_that_was_never_given_waits_in_vain(
    ann: PersonVoice,
) -> None:
    for seq in (0, 10**9):
        assert (await ann.told(seq, wait_s=0.0)).status is Status.WAITING


@pytest.mark.slow
async def test_gates_judge_by_a_new_policy_as_soon_as_it_is_adopted(
    own: Road, visitors: Guests
) -> None:
    """What waited keeps the version it was judged by; a gate that comes later follows as well."""
    robot, ann, eyes = (
        await visitors.agent(), await visitors.person(), await visitors.eyes(),
    )  # fmt: skip
    pid = own.supervisor.pid("gate")
    assert await created(robot) is Status.DONE
    mark, held = await robot.command()
    card = await ann.card((await robot.pending(held)).hold_id)

    second = denying(on_disk(own), "2")
    await carried_out(ann, adoption(second), "policy")

    assert await created(robot) is Status.DENIED
    assert own.supervisor.pid("gate") == pid
    await ann.proceed(card)
    await robot.hears(held, Status.DONE)
    versions = {fact.hold.policy.version for fact in await eyes.facts(card.hold_id)}
    assert (versions, own.runs_of(mark)) == ({"1"}, 1)

    own.supervisor.kill("gate")
    own.supervisor.start("gate")
    await own.supervisor.ready("gate")
    assert await created(robot) is Status.DENIED
    bodies = await eyes.on(s.STATE, s.state_subject("acme", "policy_body", "*"))
    assert [it.message.policy for it in bodies] == [on_disk(own), second]  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_each_call_is_judged_by_one_policy_while_they_change(
    own: Road, visitors: Guests
) -> None:
    robot, ann, eyes = (
        await visitors.agent(), await visitors.person(), await visitors.eyes(),
    )  # fmt: skip
    first = on_disk(own)
    policies = [denying(first, "2"), replace(first, version="3"), denying(first, "4"), first]

    async def change() -> None:
        for policy in policies:
            await carried_out(ann, adoption(policy), "policy")

    changing = asyncio.create_task(change())
    calls = []
    while not changing.done():
        names = [f"{fresh('f')}.txt" for _ in range(10)]
        files = [robot.propose("create_file", {"path": it, "content": "x"}) for it in names]
        calls += await asyncio.gather(*files)
        told = await asyncio.gather(*(robot.hears(it, *ENDED) for it in calls[-10:]))
        facts = [(await eyes.facts(it.hold_id))[0] for it in told]
        kinds = {(type(fact), fact.hold.policy.version) for fact in facts}
        assert kinds <= {(Passed, "1"), (Denied, "2"), (Passed, "3"), (Denied, "4")}
    await changing
    assert await created(robot) is Status.DONE


ENDED = (Status.DONE, Status.DENIED)


@pytest.mark.slow
async def test_a_file_on_disk_changes_nothing_until_a_person_adopts_it(
    own: Road, visitors: Guests
) -> None:
    robot = await visitors.agent()
    assert await created(robot) is Status.DONE
    file = own.settings.config_dir / "policy" / "default.yaml"
    file.write_text(
        file.read_text()
        .replace('version: "1"', 'version: "2"')
        .replace("  2: {verdict: pass}", "  2: {verdict: deny, why: nothing new}")
    )
    assert on_disk(own).levels[2].verdict is VerdictKind.DENY

    own.supervisor.kill("gate")
    own.supervisor.start("gate")
    await own.supervisor.ready("gate")

    assert await created(robot) is Status.DONE
