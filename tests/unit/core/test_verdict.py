"""Assessment, catalog, access list and policy become one verdict, and nothing talks it down."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import AGENT, METADATA, a_policy, a_tool

from holdpoint.core.verdict import (
    Facts,
    Verdict,
    judge,
    judge_sentence,
    killed_by,
    needs_plan,
    repeat_of,
    unanswerable,
)
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.hold import Requirement
from holdpoint.messages.policy import LevelRule, Method, OnSilence, VerdictKind, Voices
from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.messages.state import EVERYONE

PASS, WITNESS, HOLD, DENY = VerdictKind


def facts(level: int = 1, risk: RiskLevel = RiskLevel.LOW, **fields: Any) -> Facts:
    given: dict[str, Any] = {
        "agent": AGENT,
        "tool": a_tool(level=level),
        "assessment": Assessment(level=risk),
        "planned": True,
    }
    return Facts(**{**given, **fields})


def judged(*args: Any, **fields: Any) -> Verdict:
    return judge(facts(*args, **fields), a_policy())


@pytest.mark.parametrize(
    ("level", "kind"), [(1, PASS), (2, WITNESS), (3, HOLD), (4, HOLD), (5, DENY)]
)
def test_the_level_decides(level: int, kind: VerdictKind) -> None:
    assert (judged(level).kind, judged(level).level) == (kind, level)


@pytest.mark.parametrize(
    ("level", "risk", "at"),
    [
        (1, RiskLevel.MEDIUM, 1),
        (1, RiskLevel.HIGH, 3),
        (1, RiskLevel.CRITICAL, 4),
        (4, RiskLevel.LOW, 4),
        (5, RiskLevel.HIGH, 5),
    ],
)
def test_risk_raises_the_level_and_never_lowers_it(level: int, risk: RiskLevel, at: int) -> None:
    assert judged(level, risk).level == at


def a_read(risk: RiskLevel = RiskLevel.LOW) -> Assessment:
    return Assessment(level=risk, reads_only=True)


def test_a_tool_by_risk_passes_what_is_proven_to_only_read() -> None:
    by_risk = a_tool(level=3, by_risk=True)

    def level(assessment: Assessment, **fields: Any) -> int:
        return judged(tool=by_risk, assessment=assessment, **fields).level

    assert level(a_read()) == level(a_read(), planned=False) == 1
    assert level(Assessment(level=RiskLevel.LOW)) == 3
    assert level(Assessment(level=RiskLevel.LOW), planned=False) == 4
    assert level(a_read(RiskLevel.MEDIUM)) == level(a_read(RiskLevel.HIGH)) == 3
    assert judged(3, assessment=a_read()).level == 3


def test_a_tool_by_risk_passes_a_small_change_that_the_parse_proves_without_a_dry_run() -> None:
    by_risk = a_tool(level=3, by_risk=True)
    little = Assessment(level=RiskLevel.LOW, changes_little=True)
    risky = replace(little, level=RiskLevel.MEDIUM)

    for planned in (True, False):
        assert judged(tool=by_risk, assessment=little, planned=planned).level == 2
        assert judged(tool=by_risk, assessment=risky, planned=planned).level >= 3
        assert judged(3, assessment=little, planned=planned).level >= 3


def test_a_read_runs_again_after_its_worker_died() -> None:
    by_risk = a_tool(level=3, by_risk=True, repeat=Repeat.MANUAL)

    assert repeat_of(by_risk, a_read()) is Repeat.IDEMPOTENT
    assert repeat_of(by_risk, a_read(RiskLevel.MEDIUM)) is Repeat.MANUAL
    assert repeat_of(replace(by_risk, by_risk=False), a_read()) is Repeat.MANUAL


def test_an_action_that_could_not_be_planned_counts_as_one_level_up() -> None:
    assert judged(2, planned=False).level == 3
    assert judged(5, planned=False).level == 5
    assert judged(2, RiskLevel.CRITICAL, planned=False).level == 4


def test_only_what_a_plan_could_save_waits_for_one() -> None:
    def waits(level: int, **fields: Any) -> bool:
        return needs_plan(facts(level, **fields), a_policy())

    assert waits(4, planned=False)
    assert not waits(4, planned=True)
    assert not waits(5, planned=False)
    assert waits(3, planned=False)
    assert not waits(2, planned=False)
    assert not waits(4, planned=False, killed="The agent runs wild.")
    assert not waits(4, planned=False, agent=replace(AGENT, tools=("read_file",)))


@given(st.integers(1, 5), st.sampled_from(RiskLevel))
def test_a_missing_plan_never_makes_it_easier(level: int, risk: RiskLevel) -> None:
    order = [PASS, WITNESS, HOLD, DENY]
    with_plan, without = (judged(level, risk, planned=planned) for planned in (True, False))

    assert order.index(without.kind) >= order.index(with_plan.kind)


@given(st.integers(1, 5), st.sampled_from(RiskLevel), st.booleans())
def test_the_level_is_never_below_the_tool_s_own(
    level: int, risk: RiskLevel, planned: bool
) -> None:
    assert level <= judged(level, risk, planned=planned).level <= 5


def test_deny_beats_pass() -> None:
    stopped = judged(1, killed="The agent runs wild.")
    stranger = judged(1, agent=replace(AGENT, tools=("read_file",)))

    assert (stopped.kind, stranger.kind) == (DENY, DENY)
    assert stopped.reason == "The kill switch is on: The agent runs wild."
    assert "`delete_rows` is not in the list" in stranger.reason


@pytest.mark.parametrize("level", [0, 6, -1])
def test_a_level_that_the_policy_does_not_name_is_denied(level: int) -> None:
    known = a_policy()
    policy = replace(known, levels={at: known.levels[at] for at in (1, 2)}, risk_levels={})

    assert judge(facts(level), policy).kind is DENY


def test_a_denied_level_says_why() -> None:
    silent = a_policy(levels={5: LevelRule(verdict=DENY)})

    assert judged(5).reason == "It cannot be undone."
    assert judge(facts(5), silent).reason == "The policy denies level 5."


def test_what_the_level_asks_for_is_frozen_with_its_people() -> None:
    rule = LevelRule(
        verdict=HOLD,
        all_of=(Voices(group="finance", voices=2), Voices(group="ghosts")),
        proofs=(Method.PASSKEY,),
        four_eyes=True,
        deadline_s=60,
        cooling_off_s=3600,
        on_silence=OnSilence.PARK,
    )
    verdict = judge(facts(3), a_policy(levels={3: rule}))

    assert verdict.deadline_s == 60
    assert verdict.requirement == Requirement(
        level=3,
        all_of=rule.all_of,
        proofs=rule.proofs,
        four_eyes=True,
        cooling_off_s=3600,
        on_silence=OnSilence.PARK,
        deadline_s=60,
        approvers={"finance": ("ann", "bob", "olga"), "ghosts": ()},
    )


def test_a_sentence_that_asks_for_nothing_passes() -> None:
    silent = replace(METADATA, confirmation_required=False)

    assert judge_sentence(silent, a_policy(), "").kind is PASS


@pytest.mark.parametrize(
    ("risk", "level"),
    [
        (RiskLevel.LOW, 3),
        (RiskLevel.MEDIUM, 3),
        (RiskLevel.HIGH, 3),
        (RiskLevel.CRITICAL, 4),
    ],
)
def test_a_sentence_that_asks_waits_for_people(risk: RiskLevel, level: int) -> None:
    verdict = judge_sentence(replace(METADATA, risk_level=risk), a_policy(), "")

    assert (verdict.kind, verdict.level) == (HOLD, level)


def test_a_stopped_agent_says_nothing() -> None:
    silent = replace(METADATA, confirmation_required=False)

    assert judge_sentence(silent, a_policy(), "Stop.").kind is DENY


@pytest.mark.parametrize(
    ("stopped", "why"),
    [
        ({}, ""),
        ({"other-agent": "Wild."}, ""),
        ({"crm-agent": "Wild."}, "Wild."),
        ({EVERYONE: "Fire drill."}, "Fire drill."),
        ({EVERYONE: "Fire drill.", "crm-agent": "Wild."}, "Fire drill."),
        ({"crm-agent": ""}, "no reason was given"),
        ({EVERYONE: "", "crm-agent": "Wild."}, "no reason was given"),
    ],
)
def test_the_kill_switch_stops_one_or_everyone(stopped: dict[str, str], why: str) -> None:
    assert killed_by(stopped, "crm-agent") == why


def told_of(people: tuple[str, ...], **rule: Any) -> list[str]:
    asked = LevelRule(verdict=HOLD, proofs=(Method.CHAT,), **rule)
    policy = a_policy(levels={3: asked}, groups={"finance": people})
    return list(unanswerable(policy, [replace(AGENT, acts_for=("ann",))]))


@pytest.mark.parametrize(
    ("people", "voices", "four_eyes", "can_be_confirmed"),
    [
        (("ann",), 1, False, True),
        (("ann", "ben"), 2, False, True),
        (("ann",), 2, False, False),
        ((), 1, False, False),
        (("ann", "ben", "cid"), 2, True, True),
        (("ann", "ben"), 2, True, False),
        (("ann", "ben"), 1, True, False),
    ],
)
def test_a_level_that_nobody_could_confirm_is_told(
    people: tuple[str, ...], voices: int, four_eyes: bool, can_be_confirmed: bool
) -> None:
    told = told_of(people, all_of=(Voices(group="finance", voices=voices),), four_eyes=four_eyes)

    assert bool(told) is not can_be_confirmed
    assert all(line.startswith("levels.3: nobody could confirm what ") for line in told)


def test_two_groups_of_the_same_one_person_are_too_few() -> None:
    groups = (Voices(group="finance"), Voices(group="legal"))
    asked = LevelRule(verdict=HOLD, proofs=(Method.CHAT,), all_of=groups)
    policy = a_policy(levels={3: asked}, groups={"finance": ("ann",), "legal": ("ann",)})

    assert len(list(unanswerable(policy, [AGENT]))) == 1
