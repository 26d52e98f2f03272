"""The times of a hold: what rings for it, and what the policy may not say."""

from datetime import timedelta

import pytest
from msgspec.structs import replace
from tests.builders import (
    DEADLINE,
    ONE_VOICE,
    T0,
    a_confirmed_hold,
    a_hold,
    a_policy,
    a_tool,
    accepted,
    escalate,
    expire,
    extend,
    proceed,
    remind,
)

from holdpoint.core.card import Shown, card_of
from holdpoint.core.card_facts import told_so_far
from holdpoint.core.objections import LONGEST_PARK, MOST_EXTENSIONS, alarms, extendable_s
from holdpoint.core.policy_check import check_policy
from holdpoint.core.quorum import answers_to
from holdpoint.core.verdict import unanswerable
from holdpoint.messages.catalog import Agent
from holdpoint.messages.policy import Escalate, LevelRule, OnSilence, Policy
from holdpoint.messages.state import TimerKind

ASKED = replace(
    ONE_VOICE,
    deadline_s=900,
    remind_after_s=(300, 600),
    escalate=Escalate(group="backup", after_s=400),
    backup=("eve",),
    extend_up_to_s=1800,
)
WAITING = a_hold(requirement=ASKED, escalates_at=T0 + timedelta(seconds=400))
AGENTS = (Agent(name="crm-agent", tools=(), acts_for=("olga",)),)


def after(seconds: int) -> timedelta:
    return timedelta(seconds=seconds)


def test_an_open_hold_has_its_deadline_its_reminder_and_its_escalation() -> None:
    assert alarms(WAITING) == {
        TimerKind.EXPIRE: DEADLINE,
        TimerKind.REMIND: T0 + after(300),
        TimerKind.ESCALATE: T0 + after(400),
    }


def test_a_late_reminder_stands_for_all_that_were_due() -> None:
    late = accepted(WAITING, remind(), T0 + after(700))

    assert late.hold.reminded == 1
    assert TimerKind.REMIND not in alarms(late.hold)


def test_what_cools_off_has_its_end_and_its_notices() -> None:
    cooling = replace(ONE_VOICE, cooling_off_s=3600, notice_before_s=(600, 4000))

    assert alarms(a_confirmed_hold(requirement=cooling)) == {
        TimerKind.RESUME: T0 + after(3600),
        TimerKind.REMIND: T0 + after(3000),
    }


def test_extensions_end_with_what_the_policy_allows() -> None:
    once = accepted(WAITING, extend("ann", 1000), T0).hold
    twice = accepted(once, replace(extend("bob", 800), cause="ANSWERS:16"), T0).hold

    assert (extendable_s(WAITING), extendable_s(once), extendable_s(twice)) == (1800, 800, 0)
    assert twice.expires_at == DEADLINE + after(1800)
    assert [it.by for it in twice.extensions] == ["ann", "bob"]


def test_a_hold_is_extended_only_so_often() -> None:
    hold = WAITING
    for number in range(MOST_EXTENSIONS):
        hold = accepted(hold, replace(extend("ann", 1), cause=f"ANSWERS:{number}"), T0).hold

    assert extendable_s(hold) == 0


def test_what_is_parked_or_not_extendable_is_not_extended() -> None:
    parks = replace(ASKED, on_silence=OnSilence.PARK)
    parked = accepted(replace(WAITING, requirement=parks), expire(), DEADLINE).hold

    assert extendable_s(parked) == 0
    assert extendable_s(a_hold()) == 0
    assert parked.expires_at == T0 + LONGEST_PARK


def test_an_extension_is_no_voice() -> None:
    later = accepted(WAITING, extend("ann"), T0).hold
    confirmed = accepted(later, proceed("ann"), T0 + after(1000)).hold

    assert [voice.person for voice in confirmed.voices] == ["ann"]
    assert answers_to(confirmed) == ("ANSWERS:3",)


def test_the_card_says_what_became_of_its_time() -> None:
    asked = accepted(WAITING, escalate(), T0 + after(400)).hold
    later = accepted(asked, extend("eve"), T0 + after(450)).hold
    again = accepted(later, remind(), T0 + after(500)).hold
    card = card_of(
        again, a_tool(), Shown(group="backup", state="rendered", seal_key="", revision=1)
    )

    assert told_so_far(card) == (
        ("Asked too", "backup, as nobody had answered"),
        ("Told again", "1 time"),
        ("More time", "eve moved the deadline to 2026-01-01 00:30 UTC: ann is on a train"),
    )
    assert card.called_at == T0 + after(500)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"remind_after_s": (900,)}, "remind_after_s: 900 s is not before the deadline"),
        ({"notice_before_s": (60,)}, "notice_before_s: 60 s is not within the cooling-off"),
        ({"extend_up_to_s": -1}, "extend_up_to_s: -1 is not between"),
        ({"escalate": Escalate(group="finance", after_s=900)}, "escalate.after_s: 900 s is not"),
        ({"escalate": Escalate(group="ghosts", after_s=60)}, "nobody answers in `ghosts`"),
    ],
)
def test_a_time_that_never_comes_is_a_problem(change: dict[str, object], problem: str) -> None:
    assert any(problem in told for told in check_policy(with_rule(change)))


def test_times_within_the_deadline_and_the_cooling_off_are_no_problem() -> None:
    rule = with_rule({"remind_after_s": (60,), "notice_before_s": (60,), "cooling_off_s": 300})

    assert check_policy(rule) == []


def with_rule(change: dict[str, object]) -> Policy:
    policy = a_policy()
    rule: LevelRule = replace(policy.levels[3], **change)
    return replace(policy, levels={**policy.levels, 3: rule})


def test_a_backup_group_must_be_able_to_give_every_voice() -> None:
    backed = with_rule({"four_eyes": True, "escalate": Escalate(group="backup", after_s=60)})
    few = replace(backed, groups={"finance": ("ann", "bob"), "backup": ("eve",)})
    enough = replace(backed, groups={"finance": ("ann", "bob"), "backup": ("eve", "max")})

    assert [told.split(":")[0] for told in unanswerable(few, AGENTS)] == ["levels.3.escalate"]
    assert [*unanswerable(enough, AGENTS)] == []
