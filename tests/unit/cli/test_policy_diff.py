"""What an admin reads before a policy is adopted: each difference once, the looser ones first."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.risk.builders import a_pattern, the_policy

from holdpoint.messages.policy import (
    EnvironmentRule,
    LevelRule,
    Measure,
    Policy,
    TallyBy,
    TallyRule,
    Thresholds,
    Untrusted,
    VerdictKind,
)
from holdpoint.messages.risk import Environment, RiskLevel
from holdpoint.policy_lab.diff import changes

TALLY = TallyRule(id="day", of=Measure.AMOUNT, by=(TallyBy.TREE,), window_s=86400, limit="1000.00")
BASE = Policy(
    version="1",
    levels={
        4: LevelRule(verdict=VerdictKind.HOLD, four_eyes=True, cooling_off_s=60, why="a"),
    },
    risk_levels={RiskLevel.HIGH: 3},
    thresholds=Thresholds(rates={"EUR": "1.08"}),
    tallies=(TALLY,),
    untrusted=Untrusted(tools={"fetch": "a web page"}),
    patterns=(a_pattern(id="own.boom"),),
    environments=(
        EnvironmentRule(match="env:dev", environment=Environment.SANDBOX),
        EnvironmentRule(match="env:live", environment=Environment.PRODUCTION),
    ),
    own_domains=("acme.example",),
    groups={"operators": ("ann", "ben")},
    high_risk_commands=("rm", "launch"),
)


def level(**fields: Any) -> dict[str, Any]:
    return {"levels": {4: replace(BASE.levels[4], **fields)}}


def thresholds(**fields: Any) -> dict[str, Any]:
    return {"thresholds": replace(BASE.thresholds, **fields)}


def tally(**fields: Any) -> dict[str, Any]:
    return {"tallies": (replace(TALLY, **fields),)}


def pattern(**fields: Any) -> dict[str, Any]:
    return {"patterns": (a_pattern(id="own.boom", **fields),)}


LOOSER: list[tuple[dict[str, Any], str]] = [
    (tally(limit="5000"), 'tallies.day.limit: "1000.00" -> "5000"'),
    (tally(window_s=3600), "tallies.day.window_s: 86400 -> 3600"),
    ({"tallies": ()}, "tallies.day: removed"),
    ({"patterns": ()}, "patterns.own.boom: removed"),
    (pattern(level=RiskLevel.LOW), 'patterns.own.boom.level: "high" -> "low"'),
    ({"high_risk_commands": ("rm",)}, 'high_risk_commands: removed "launch"'),
    (thresholds(records=101), "thresholds.records: 100 -> 101"),
    (thresholds(amount="1000.01"), 'thresholds.amount: "1000.00" -> "1000.01"'),
    (thresholds(rates={"EUR": "1.07"}), 'thresholds.rates.EUR: "1.08" -> "1.07"'),
    (
        thresholds(rates={"EUR": "1.08", "CHF": "1"}),
        'thresholds.rates.CHF: nothing -> "1"',
    ),
    (level(verdict=VerdictKind.PASS), 'levels.4.verdict: "hold" -> "pass"'),
    (level(four_eyes=False), "levels.4.four_eyes: true -> false"),
    (level(cooling_off_s=0), "levels.4.cooling_off_s: 60 -> 0"),
    ({"risk_levels": {RiskLevel.HIGH: 1}}, "risk_levels.high: 3 -> 1"),
    ({"risk_levels": {}}, "risk_levels.high: 3 -> nothing"),
    ({"untrusted": Untrusted()}, 'untrusted.tools.fetch: "a web page" -> nothing'),
    ({"environments": BASE.environments[:1]}, 'environments, production: removed "env:live"'),
    (
        {
            "environments": (
                *BASE.environments,
                EnvironmentRule(match="*:x", environment=Environment.SANDBOX),
            )
        },
        'environments, sandbox: added "*:x"',
    ),
    (
        {"own_domains": ("acme.example", "shop.example")},
        'own_domains: added "shop.example"',
    ),
    ({"own_domains": ()}, 'own_domains: removed "acme.example"'),
    ({"confidence_below": 0.4}, "confidence_below: 0.5 -> 0.4"),
    ({"valid_for_s": 901}, "valid_for_s: 900 -> 901"),
]


@pytest.mark.parametrize(("fields", "text"), LOOSER)
def test_what_lets_more_through_is_marked_and_the_way_back_is_not(
    fields: dict[str, Any], text: str
) -> None:
    other = replace(BASE, **fields)

    assert changes(BASE, other) == [f"{text} (looser)"]
    (back,) = changes(other, BASE)
    assert "looser" not in back


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (pattern(pattern="bo+m"), 'patterns.own.boom.pattern: "boom" -> "bo+m"'),
        (pattern(commands=True), "patterns.own.boom.commands: false -> true"),
        (tally(by=(TallyBy.AGENT,)), 'tallies.day.by: ["tree"] -> ["agent"]'),
        ({"groups": {"operators": ("ann", "ben", "cem")}}, 'groups.operators: added "cem"'),
        (thresholds(currency="EUR"), 'thresholds.currency: "USD" -> "EUR"'),
    ],
)
def test_what_cannot_be_compared_is_marked_as_perhaps(fields: dict[str, Any], text: str) -> None:
    assert changes(BASE, replace(BASE, **fields)) == [f"{text} (perhaps looser)"]


def test_a_level_that_is_missing_is_denied() -> None:
    gone = changes(BASE, replace(BASE, levels={}))

    assert 'levels.4.verdict: "hold" -> nothing' in gone
    back = changes(replace(BASE, levels={}), BASE)
    assert back[0] == 'levels.4.verdict: nothing -> "hold" (looser)'


def test_a_list_is_told_by_what_came_and_went_and_a_new_rule_in_a_line() -> None:
    other = replace(
        BASE,
        version="2",
        tallies=(*BASE.tallies, replace(TALLY, id="hour", window_s=3600)),
        patterns=(a_pattern(id="own.bang", pattern="bang"), *BASE.patterns),
        high_risk_commands=("launch", "shred"),
    )

    assert changes(BASE, other) == [
        'high_risk_commands: removed "rm" (looser)',
        'high_risk_commands: added "shred"',
        'patterns.own.bang: added, high, "bang": it explodes',
        "tallies.hour: added, amount by tree above 1000.00 in 1 h",
        'version: "1" -> "2"',
    ]


def test_nothing_is_told_of_the_same_policy() -> None:
    assert changes(the_policy(), the_policy()) == []
    assert changes(BASE, replace(BASE, high_risk_commands=("launch", "rm"))) == []
