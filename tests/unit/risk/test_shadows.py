"""A rule that another one always stands before is named."""

from typing import Any

import pytest
from tests.unit.risk.builders import a_pattern

from holdpoint.core.risk.patterns import BadPatternError
from holdpoint.core.risk.policy_check import Shadow, fires_on_everything, shadowed_rules
from holdpoint.messages.policy import Pattern
from holdpoint.messages.risk import Heuristic, RiskLevel

NARROW = a_pattern(id="narrow", pattern="big boom", must_fire=("A BIG boom", "big boom!"))


def wide(**fields: Any) -> Pattern:
    return a_pattern(**({"id": "wide", "pattern": "boom", "must_fire": ("boom",)} | fields))


@pytest.mark.parametrize("level", [RiskLevel.HIGH, RiskLevel.CRITICAL])
def test_a_rule_is_in_the_shadow_of_a_wider_one_at_its_level_or_above(level: RiskLevel) -> None:
    assert shadowed_rules([NARROW, wide(level=level)]) == (Shadow(rule="narrow", by=("wide",)),)


@pytest.mark.parametrize(
    "fields",
    [
        {"level": RiskLevel.MEDIUM},
        {"pattern": "boom!"},
        {"commands": True},
        {"must_fire": (), "pattern": "silence"},
    ],
)
def test_it_decides_where_the_other_cannot(fields: dict[str, Any]) -> None:
    assert shadowed_rules([NARROW, wide(**fields)]) == ()


def test_a_doubt_stands_only_in_the_shadow_of_a_doubt() -> None:
    doubt = a_pattern(id="doubt", pattern="maybe boom", heuristic=Heuristic.UNCERTAINTY,
                      must_fire=("maybe boom",))  # fmt: skip

    assert shadowed_rules([doubt, wide(level=RiskLevel.CRITICAL)]) == ()
    assert shadowed_rules([doubt, wide(heuristic=Heuristic.UNCERTAINTY)]) == (
        Shadow(rule="doubt", by=("wide",)),
    )


def test_a_rule_without_lines_stands_in_no_shadow() -> None:
    found = shadowed_rules([a_pattern(id="mute", must_fire=()), wide()])

    assert [one.rule for one in found] == ["wide"]


def test_two_that_are_alike_stand_in_each_others_shadow() -> None:
    assert {one.rule for one in shadowed_rules([wide(id="a"), wide(id="b")])} == {"a", "b"}


def test_what_does_not_compile_is_refused() -> None:
    with pytest.raises(BadPatternError):
        shadowed_rules([wide(pattern="(?=x)")])


@pytest.mark.parametrize("pattern", [".", r"\S+", "[a-z]", r"(?s)^."])
def test_what_fires_on_texts_that_share_nothing_fires_on_everything(pattern: str) -> None:
    assert fires_on_everything(a_pattern(pattern=pattern))


@pytest.mark.parametrize("pattern", ["e|o", "boom", " "])
def test_what_is_silent_on_one_of_them_does_not(pattern: str) -> None:
    assert not fires_on_everything(a_pattern(pattern=pattern))
