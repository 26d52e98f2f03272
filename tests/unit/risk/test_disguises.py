"""A dangerous thing asks in every disguise; a harmless one asks in no plain wrapper."""

from collections.abc import Iterator
from itertools import islice
from random import Random  # noqa: TID251  # seeded: a run can be repeated

import pytest
from tests.fuzz.cases import DANGEROUS, HARMLESS
from tests.fuzz.layers import BY_KIND, DEPTH, layered, once
from tests.shares import in_shares
from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

SEED = 7
FALLEN = 0.01
"""The share that may fall."""

OPAQUE = frozenset(
    {
        "alias of the head",
        "base64",
        "base64 herestring",
        "base64 source",
        "hex",
        "invisible",
        "joiner",
        "look-alike",
        "nothing inside",
        "openssl",
        "python base64",
        "reversed",
        "rot13",
        "soft hyphen",
        "nul",
        "return",
    }
)
"""What nobody does without a reason: these may make harmless things ask.

A shell that runs a script expands no alias: its name is judged as the program that would run.
"""


def asks(line: Line) -> bool:
    return judged(line, the_policy()).level >= RiskLevel.HIGH


def some(kind: LineKind, times: int) -> Iterator[tuple[tuple[str, ...], Line]]:
    dice = Random(SEED)  # noqa: S311
    for line in (one for one in DANGEROUS if one.kind is kind):
        for depth in range(2, DEPTH + 1):
            for _ in range(times):
                yield layered(line, depth, dice)


def test_there_are_enough_cases_and_disguises() -> None:
    assert len(DANGEROUS) >= 40
    assert sum(map(len, BY_KIND.values())) >= 150
    assert all(len(disguises) >= 25 for disguises in BY_KIND.values())
    assert all(map(asks, DANGEROUS))
    assert not any(map(asks, HARMLESS))


@pytest.mark.parametrize("line", DANGEROUS, ids=lambda line: line.id[:50])
@in_shares
def test_no_disguise_hides_a_danger(line: Line, step: int) -> None:
    changes = islice(once(line), 0, None, step)
    assert [name for name, changed in changes if not asks(changed)] == []


@pytest.mark.parametrize("kind", LineKind)
def test_disguises_over_each_other_hide_less_than_one_in_a_hundred(kind: LineKind) -> None:
    found = list(some(kind, times=8))
    fallen = [(names, changed) for names, changed in found if not asks(changed)]

    assert len(fallen) <= FALLEN * len(found), (SEED, fallen)


@pytest.mark.slow
@pytest.mark.parametrize("kind", LineKind)
def test_many_disguises_over_each_other_hide_less_than_one_in_a_hundred(kind: LineKind) -> None:
    found = list(some(kind, times=200))
    fallen = [(names, changed) for names, changed in found if not asks(changed)]

    assert len(fallen) <= FALLEN * len(found), (SEED, fallen)


@in_shares
@pytest.mark.parametrize("line", HARMLESS, ids=lambda line: line.id[:50])
def test_a_harmless_thing_asks_nobody_in_a_plain_wrapper(line: Line, step: int) -> None:
    changes = islice(once(line), 0, None, step)
    asking = [name for name, changed in changes if name not in OPAQUE and asks(changed)]

    assert asking == []
