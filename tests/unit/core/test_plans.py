"""Plans: what their yes lets pass, and what asks for itself whatever was confirmed."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import (
    ACTION,
    FOUND,
    ONE_VOICE,
    T0,
    a_hold,
    a_sentence,
    a_voice,
    an_action,
    asked_of,
)

from holdpoint.core.plans import (
    is_confirmed_by,
    outside,
    shown_steps,
    step_of,
    title_of_plan,
    together,
    why_outside,
)
from holdpoint.messages.hold import Hold, Outcome, Stage
from holdpoint.messages.policy import Method, Voices
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

OTHER = an_action(arguments={"to": "shop-1"}, preconditions={})
STEPS = (
    step_of(ACTION, 3, FOUND, (), "Delete 40 rows in crm.leads"),
    step_of(OTHER, 3, FOUND, ("/to",), ""),
)
ALARM = Signal(
    rule="tally.day", heuristic=Heuristic.TALLY, level=RiskLevel.HIGH, reason="it is a lot"
)


def a_plan(**fields: Any) -> Hold:
    said = a_sentence(
        stage=Stage.RESUMED,
        outcome=Outcome.CONFIRMED,
        steps=STEPS,
        agent=ACTION.agent,
        on_behalf_of=ACTION.on_behalf_of,
        tenant=ACTION.tenant,
        voices=(a_voice("ann", Method.TOTP),),
        resolved_at=T0,
        requirement=ONE_VOICE,
    )
    return replace(said, **fields)


def a_call(**fields: Any) -> Hold:
    return replace(a_hold(requirement=ONE_VOICE, assessment=FOUND, level=3), **fields)


def test_only_the_next_step_is_inside_and_each_once() -> None:
    plan = a_plan()

    assert why_outside(plan, ACTION, T0) == ""
    assert "not step 1" in why_outside(plan, OTHER, T0)
    assert why_outside(replace(plan, taken=("h2",)), OTHER, T0) == ""
    assert "not step 2" in why_outside(replace(plan, taken=("h2",)), ACTION, T0)
    assert "every step" in why_outside(replace(plan, taken=("h2", "h3")), OTHER, T0)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"outcome": Outcome.CANCELLED}, "not confirmed"),
        ({"stage": Stage.RESOLVED}, "not confirmed"),
        ({"agent": "rival"}, "somebody else"),
        ({"on_behalf_of": "ben"}, "somebody else"),
        ({"tenant": "other"}, "somebody else"),
        ({"steps": ()}, "no plan"),
    ],
)
def test_a_plan_counts_for_its_own_agent_once_it_is_confirmed(
    fields: dict[str, Any], why: str
) -> None:
    assert why in why_outside(a_plan(**fields), ACTION, T0)


def test_a_plan_ends_with_its_time() -> None:
    plan = a_plan(valid_for_s=60)

    assert why_outside(plan, ACTION, T0 + timedelta(seconds=59)) == ""
    assert "time" in why_outside(plan, ACTION, T0 + timedelta(seconds=60))


def test_a_dry_run_that_counts_otherwise_is_outside() -> None:
    more = replace(ACTION, preconditions={**ACTION.preconditions, "affected": 413})

    assert "not step 1" in why_outside(a_plan(), more, T0)


def test_its_yes_is_enough_for_a_step_of_level_3_as_people_saw_it() -> None:
    assert is_confirmed_by(a_plan(), STEPS[0], a_call())


@pytest.mark.parametrize(
    "fields",
    [
        {"level": 4},
        {"level": 5},
        {"requirement": None},
        {"requirement": replace(ONE_VOICE, cooling_off_s=60)},
        {"requirement": asked_of(Voices(group="finance", voices=2))},
        {"requirement": asked_of(Voices(group="security"), approvers={"security": ("eve",)})},
        {"requirement": replace(ONE_VOICE, proofs=(Method.PASSKEY,))},
        {"assessment": replace(FOUND, level=RiskLevel.CRITICAL)},
        {"assessment": replace(FOUND, signals=(*FOUND.signals, ALARM))},
    ],
    ids=repr,
)
def test_what_asks_for_more_than_people_saw_or_gave_asks_for_itself(fields: dict[str, Any]) -> None:
    assert not is_confirmed_by(a_plan(), STEPS[0], a_call(**fields))


def test_a_plan_is_as_risky_as_its_worst_step_and_tells_each_ones_reasons() -> None:
    calm = replace(FOUND, level=RiskLevel.LOW, signals=())
    worst = replace(FOUND, level=RiskLevel.CRITICAL, signals=(ALARM,))

    found = together(calm, (calm, worst))

    assert found.level is RiskLevel.CRITICAL
    assert [it.reason for it in found.signals] == ["step 2: it is a lot"]


def test_a_card_lists_the_steps_and_knows_where_secrets_lie() -> None:
    shown, secret = shown_steps(a_plan())

    first, second = f"step 1: {ACTION.tool}", f"step 2: {OTHER.tool}"
    assert shown == {first: ACTION.arguments, second: OTHER.arguments}
    assert secret == (f"/{second}/to",)
    assert title_of_plan(a_plan()) == (
        f"Take 2 steps: (1) Delete 40 rows in crm.leads; (2) {OTHER.tool}"
    )


def test_a_call_outside_of_its_plan_says_why() -> None:
    told = outside(replace(FOUND, level=RiskLevel.LOW, signals=()), "it is not step 1")

    assert told.level is RiskLevel.MEDIUM
    assert [it.reason for it in told.signals] == ["it is not step 1."]
