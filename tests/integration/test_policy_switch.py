"""A policy is adopted while calls flow through two gates: each has one judge."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.payment_system import another_gate
from tests.running_system import Road, fresh

from holdpoint.core.digest import policy_digest
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import Denied, Halted, HoldFact, Passed
from holdpoint.messages.policy import LevelRule, Pattern, Policy, VerdictKind
from holdpoint.messages.risk import Heuristic, RiskLevel
from holdpoint.messages.state import AdoptPolicy
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.registry import groups_of, load_registry

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures",)

RULES = 120
"""So many more take an automaton seconds to compile."""

ENDED = (Status.DONE, Status.DENIED)
CALLS = 200
AT_ONCE = 10


def on_disk(road: Road) -> Policy:
    folder = road.settings.config_dir
    return load_policy(folder, groups_of(load_registry(folder)))


def denying(policy: Policy, version: str) -> Policy:
    """Nothing may be created, and there are many rules more."""
    rule = LevelRule(verdict=VerdictKind.DENY, why="Nothing new this week.")
    many = tuple(_rule(f"{version}.{at}") for at in range(RULES))
    return replace(
        policy,
        version=version,
        levels={**policy.levels, 2: rule},
        patterns=(*policy.patterns, *many),
    )


def _rule(name: str) -> Pattern:
    return Pattern(
        id=name,
        pattern=rf"\bexplode (?:all|every) thing{name}\b",
        heuristic=Heuristic.MAGNITUDE,
        level=RiskLevel.HIGH,
        reason="it explodes",
        must_fire=(f"explode all thing{name}",),
    )


async def ordered(person: PersonVoice, policy: Policy) -> int:
    order = AdoptPolicy(version=policy.version, digest=policy_digest(policy), policy=policy)
    return await person.order(order, "policy")


async def adopted(person: PersonVoice, policy: Policy) -> None:
    told = await person.told(await ordered(person, policy))
    assert told.status is Status.DONE, told


async def created(agent: AgentVoice) -> Envelope:
    """What becomes of a call that creates something."""
    call = await agent.propose("create_file", {"path": f"{fresh('f')}.txt", "content": "x"})
    return await agent.hears(call, *ENDED)


async def judged(agent: AgentVoice, eyes: StreamEyes) -> HoldFact:
    """The first fact of such a call's hold."""
    told = await created(agent)
    fact = (await eyes.facts(told.hold_id))[0]
    assert isinstance(fact, HoldFact)
    return fact


async def test_each_of_many_calls_has_one_judge_whichever_gate_it_comes_to(
    own: Road, visitors: Guests
) -> None:
    """And what was halted before keeps its own through the answer and the run."""
    robot, ann, eyes = (
        await visitors.agent(), await visitors.person(), await visitors.eyes(),
    )  # fmt: skip
    first, second = on_disk(own), denying(on_disk(own), "2")
    verdicts = {
        (Passed, first.version, policy_digest(first)),
        (Denied, second.version, policy_digest(second)),
    }
    pid = own.supervisor.pid("gate")
    async with another_gate(own):
        mark, held = await robot.command()
        card = await ann.card((await robot.pending(held)).hold_id)
        adopting = asyncio.create_task(adopted(ann, second))
        facts: list[HoldFact] = []
        while len(facts) < CALLS or not isinstance(facts[-1], Denied):
            is_in_force = adopting.done()
            found = await asyncio.gather(*(judged(robot, eyes) for _ in range(AT_ONCE)))
            assert not is_in_force or {type(fact) for fact in found} == {Denied}
            facts += found
        await adopting

        assert {_verdict(fact) for fact in facts} == verdicts
        await ann.proceed(card)
        await robot.hears(held, Status.DONE)
    story = await eyes.facts(card.hold_id)
    assert isinstance(story[0], Halted)
    assert {fact.hold.policy.digest for fact in story} == {policy_digest(first)}
    assert (own.runs_of(mark), own.supervisor.pid("gate")) == (1, pid)


def _verdict(fact: HoldFact) -> tuple[type[HoldFact], str, str]:
    return type(fact), fact.hold.policy.version, fact.hold.policy.digest
