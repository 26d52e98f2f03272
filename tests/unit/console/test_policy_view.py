"""The policy in words, and rules whose every firing was approved."""

from tests.builders import a_confirmed_hold, a_hold

from holdpoint.console.policy_view import levels_of, rules_of, silent_of
from holdpoint.ledger.figures import counted
from holdpoint.messages.hold import Hold, Outcome, Resolved
from holdpoint.messages.policy import LevelRule, Method, Pattern, Policy, VerdictKind, Voices
from holdpoint.messages.risk import Assessment, Heuristic, RiskLevel, Signal

SILENT = Pattern(
    id="own.silent",
    pattern="never",
    heuristic=Heuristic.MAGNITUDE,
    level=RiskLevel.HIGH,
    reason="it never comes",
)
POLICY = Policy(
    version="1",
    risk_levels={},
    patterns=(SILENT,),
    levels={
        1: LevelRule(verdict=VerdictKind.PASS),
        5: LevelRule(
            verdict=VerdictKind.HOLD,
            all_of=(Voices(group="operators", voices=2),),
            proofs=(Method.TOTP, Method.PASSKEY),
            every_proof=True,
            deadline_s=3600,
            cooling_off_s=86_400,
        ),
    },
)


FOUND = Assessment(
    level=RiskLevel.HIGH,
    signals=(
        Signal(
            rule="sql.rows",
            heuristic=Heuristic.MAGNITUDE,
            level=RiskLevel.HIGH,
            reason="many rows",
        ),
    ),
)


def ended(hold: Hold, outcome: Outcome) -> Resolved:
    return Resolved(hold=hold, cause="ANSWERS:1", outcome=outcome)


def test_a_level_says_what_it_asks() -> None:
    first, second, *_, last = levels_of(POLICY)

    assert (first.asks, second.asks) == ("runs without asking", "is refused")
    assert last.asks == "2 of operators"
    assert last.takes == "a one-time code and a passkey"
    assert last.time == "expires after 1 h; a yes cools off for 1 d"


def test_a_rule_that_is_always_approved_may_be_a_false_alarm() -> None:
    approved = [ended(a_confirmed_hold(assessment=FOUND), Outcome.CONFIRMED)] * 5
    always = rules_of(POLICY, counted(approved))
    once_not = rules_of(
        POLICY, counted([*approved, ended(a_hold(assessment=FOUND), Outcome.CANCELLED)])
    )

    assert always
    assert all(it.may_be_false and it.asked == it.approved == 5 for it in always)
    assert not any(it.may_be_false for it in once_not)
    assert {(it.asked, it.cancelled) for it in once_not} == {(6, 1)}


def test_patterns_that_did_not_fire_are_named() -> None:
    assert silent_of(POLICY, counted([])) == (SILENT,)
