"""The complete walk: every promise on every road, and no objection that could be left out."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from itertools import islice

import pytest
from msgspec.structs import replace
from tests.unit.core.invariants import PROPERTIES
from tests.unit.core.state_walk import (
    STARTS,
    Decide,
    Step,
    beginning,
    walk,
)

from holdpoint.core import hold as machine
from holdpoint.core.commands import (
    Command,
    Confirm,
    Objected,
)
from holdpoint.core.objections import OBJECTIONS, Objection
from holdpoint.messages.hold import (
    AnyHoldFact,
    Hold,
    Outcome,
    Resumed,
)

Steps = Sequence[Step]


@cache
def every_step(name: str) -> Steps:
    return tuple(walk(beginning(name), machine.decide))


@pytest.fixture(params=STARTS, scope="module")
def steps(request: pytest.FixtureRequest) -> Steps:
    return every_step(request.param)


@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda it: it.__name__)
def test_on_every_road(steps: Steps, holds: Callable[[Steps], None]) -> None:
    holds(steps)


@pytest.mark.parametrize("name", [name for name, (kind, _) in STARTS.items() if kind == "hold"])
def test_every_ending_can_be_reached(name: str) -> None:
    facts = [step.fact for step in every_step(name)]

    assert {fact.hold.outcome for fact in facts if isinstance(fact, Resumed)} == set(Outcome)


@pytest.mark.parametrize("name", [name for name in STARTS if "its yes is" in name])
def test_a_weaker_yes_to_a_sentence_stands_for_no_call(name: str) -> None:
    assert not any(_confirms(step) for step in every_step(name))


@pytest.mark.parametrize("name", [name for name in STARTS if "stands for it" in name])
def test_a_yes_as_strong_stands_for_the_call(name: str) -> None:
    assert any(_confirms(step) for step in every_step(name))


def _confirms(step: Step) -> bool:
    return isinstance(step.command, Confirm) and not isinstance(step.fact, Objected)


def test_a_denied_call_gets_nothing() -> None:
    assert all(isinstance(step.fact, Objected) for step in every_step("denied"))


@pytest.mark.parametrize("objection", OBJECTIONS, ids=lambda it: it.__name__.strip("_"))
def test_each_objection_is_needed(objection: Objection) -> None:
    assert any(_is_caught(name, _without(objection)) for name in STARTS)


def _is_caught(name: str, decide: Decide) -> bool:
    """Whether some property turns red on this machine."""
    steps = walk(beginning(name), decide)
    try:
        while some := tuple(islice(steps, 1_000)):
            for holds in PROPERTIES:
                holds(some)
    except AssertionError:
        return True
    return False


def _without(objection: Objection) -> Decide:
    """The same machine with one objection less."""
    rest = [ask for ask in OBJECTIONS if ask is not objection]

    def decide(hold: Hold, command: Command, now: datetime) -> AnyHoldFact | Objected:
        for ask in rest:
            if reason := ask(hold, command, now):
                return Objected(reason=reason)
        return machine._accept(replace(hold, causes=(*hold.causes, command.cause)), command, now)

    return decide


def test_the_picture_shows_every_step_there_is_and_no_other() -> None:
    found: dict[str, set[str]] = {"begin": {beginning(name).hold.stage.value for name in STARTS}}
    for step in (step for name in STARTS for step in every_step(name)):
        if not isinstance(step.fact, Objected):
            before = found.setdefault(step.before.hold.stage.value, set())
            before.add(step.fact.hold.stage.value)

    drawn = re.findall(r"(?m)^    ([a-z]+) ─▶ ([a-z, ]+?)(?: \(.*\))?$", machine.__doc__ or "")
    assert {before: set(after.split(", ")) for before, after in drawn} == found
