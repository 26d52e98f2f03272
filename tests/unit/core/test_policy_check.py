"""A policy with a fault is told, in words that say what to change."""

import msgspec
import pytest
from tests.unit.risk.builders import a_pattern, the_policy

from holdpoint.core.policy_check import check_policy
from holdpoint.messages.policy import (
    LevelRule,
    Measure,
    Method,
    TallyBy,
    TallyRule,
    Thresholds,
    Untrusted,
    VerdictKind,
    Voices,
)
from holdpoint.messages.risk import RiskLevel

HOLD = LevelRule(
    verdict=VerdictKind.HOLD, all_of=(Voices(group="operators"),), proofs=(Method.CHAT,)
)
TALLY = TallyRule(id="t", of=Measure.AMOUNT, by=(TallyBy.AGENT,), window_s=60, limit="1000.00")


def untrusted(window_s: int = 3600) -> Untrusted:
    return Untrusted(tools={"browse": "a web page"}, window_s=window_s)


def test_untrusted_content_that_asks_somebody_is_no_fault() -> None:
    assert check_policy(msgspec.structs.replace(the_policy(), untrusted=untrusted(900))) == []


def test_the_policy_that_is_shipped_has_no_fault() -> None:
    assert check_policy(the_policy()) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"grant_s": 301}, "grant_s: 301"),
        ({"grant_s": 0}, "grant_s: 0"),
        ({"valid_for_s": 5}, "valid_for_s"),
        ({"valid_for_s": 10**12}, "is more than 30 days"),
        ({"confidence_below": 1.5}, "confidence_below"),
        ({"levels": {}}, "levels: 1 is missing"),
        ({"levels": {6: HOLD}}, "levels.6"),
        (
            {
                "groups": {"operators": ("olivia",)},
                "levels": {3: msgspec.structs.replace(HOLD, four_eyes=True)},
            },
            "levels.3.four_eyes: needs two people who may answer, and there are 1",
        ),
        ({"risk_levels": {RiskLevel.HIGH: 9, RiskLevel.CRITICAL: 3}}, "risk_levels.high: 9"),
        ({"risk_levels": {RiskLevel.HIGH: 3}}, "risk_levels.critical: is missing"),
        ({"thresholds": Thresholds(amount="much")}, "thresholds.amount"),
        ({"thresholds": Thresholds(rates={"EUR": "0"})}, "thresholds.rates.EUR"),
        ({"tallies": (TALLY, TALLY)}, "tallies.t: two tallies"),
        ({"tallies": (msgspec.structs.replace(TALLY, by=()),)}, "tallies.t.by"),
        ({"tallies": (msgspec.structs.replace(TALLY, by=(*TALLY.by, *TALLY.by)),)}, "each once"),
        ({"tallies": (msgspec.structs.replace(TALLY, window_s=59),)}, "tallies.t.window_s: 59"),
        ({"tallies": (msgspec.structs.replace(TALLY, window_s=604_801),)}, "and 7 days"),
        ({"tallies": (msgspec.structs.replace(TALLY, limit="much"),)}, "tallies.t.limit"),
        ({"risk_levels": {RiskLevel.HIGH: 2, RiskLevel.CRITICAL: 3}}, "tallies: a sum above"),
        ({"untrusted": Untrusted(tools={"browse": " "})}, "untrusted.tools.browse: say what"),
        ({"untrusted": Untrusted(tools={"browse": "x" * 33})}, "in 1 to 32 characters"),
        ({"untrusted": Untrusted(window_s=59)}, "untrusted.window_s: 59"),
        ({"untrusted": untrusted(window_s=899)}, "untrusted.window_s: 899"),
        ({"untrusted": untrusted(window_s=604_801)}, "untrusted.window_s: 604801"),
        (
            {
                "untrusted": untrusted(),
                "risk_levels": {RiskLevel.HIGH: 2, RiskLevel.CRITICAL: 3},
            },
            "untrusted: what content may steer",
        ),
        ({"high_risk_commands": (" ",)}, "high_risk_commands"),
        ({"patterns": (a_pattern(), a_pattern())}, "two patterns"),
        (
            {"patterns": (a_pattern(pattern="(?=a)"),)},
            "pattern test: RE2 refuses it: invalid perl operator: (?=",
        ),
        ({"patterns": (a_pattern(pattern="a*"),)}, "fires even on an empty text"),
        ({"patterns": (a_pattern(must_fire=()),)}, "at least one `must_fire`"),
        ({"patterns": (a_pattern(must_fire=("peace",)),)}, "does not fire on its own"),
        ({"patterns": (a_pattern(must_not=("Boom",)),)}, "fires on its own must_not"),
        ({"patterns": (a_pattern(reason="x" * 200_000),)}, "cannot be adopted: remove rules"),
    ],
)
def test_a_fault_is_told(changes: dict[str, object], told: str) -> None:
    problems = check_policy(msgspec.structs.replace(the_policy(), **changes))

    assert any(told in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (LevelRule(verdict=VerdictKind.DENY), "levels.3.why"),
        (msgspec.structs.replace(HOLD, all_of=()), "name at least one group"),
        (msgspec.structs.replace(HOLD, all_of=(Voices(group="nobody"),)), "can never say yes"),
        (
            msgspec.structs.replace(HOLD, all_of=(Voices(group="operators", voices=3),)),
            "3 of `operators` can never say yes",
        ),
        (msgspec.structs.replace(HOLD, deadline_s=0), "deadline_s"),
        (msgspec.structs.replace(HOLD, deadline_s=10**12), "levels.3.deadline_s: 1000000000000"),
        (msgspec.structs.replace(HOLD, cooling_off_s=10**12), "levels.3.cooling_off_s"),
        (msgspec.structs.replace(HOLD, proofs=()), "name how people prove"),
        (msgspec.structs.replace(HOLD, proofs=(Method.TOTP, Method.TOTP)), "name each proof once"),
    ],
)
def test_a_rule_that_could_never_let_go_is_told(rule: LevelRule, told: str) -> None:
    levels = the_policy().levels | {3: rule}
    problems = check_policy(msgspec.structs.replace(the_policy(), levels=levels))

    assert any(told in problem for problem in problems), problems


@pytest.mark.parametrize("verdict", [VerdictKind.PASS, VerdictKind.WITNESS])
@pytest.mark.parametrize("level", [3, 4, 5])
def test_what_workers_refuse_without_a_yes_cannot_be_let_run_unasked(
    verdict: VerdictKind, level: int
) -> None:
    levels = the_policy().levels | {level: LevelRule(verdict=verdict)}
    problem, *_ = check_policy(msgspec.structs.replace(the_policy(), levels=levels))

    assert problem.startswith(f"levels.{level}.verdict: workers run nothing of level {level}")


@pytest.mark.parametrize("named", ["shop a", "shop\x1b[31m", "", ".a", "ä"])
def test_an_id_that_would_not_stand_on_a_terminal_is_told(named: str) -> None:
    policy = msgspec.structs.replace(the_policy(), patterns=(a_pattern(id=named),))

    assert any("an id is made of" in told for told in check_policy(policy))


@pytest.mark.parametrize("reason", ["", "x" * 91, "it foos\nand more", "it \x1b[31mfoos"])
def test_a_reason_that_is_no_line_of_a_card_is_told(reason: str) -> None:
    policy = msgspec.structs.replace(the_policy(), patterns=(a_pattern(reason=reason),))

    assert any("a reason is one line of" in told for told in check_policy(policy))
