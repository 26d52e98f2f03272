import itertools

import pytest
from tests.unit.risk.shell.disguises import DISGUISES, SAMPLES, layered
from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

SHARE = 0.99
STEPS = {2: 3, 3: 211}
"""Every so many combinations are tried, so that all disguises meet."""


def lost(texts: list[str]) -> list[str]:
    return [text for text in texts if level(text) < RiskLevel.HIGH]


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguise_hides_nothing(name: str) -> None:
    assert lost([DISGUISES[name](text) for text in SAMPLES]) == []


@pytest.mark.parametrize("depth", [2, 3])
def test_disguises_over_each_other_hide_nothing(depth: int) -> None:
    layers = itertools.product(DISGUISES, repeat=depth)
    some = itertools.islice(layers, 0, None, STEPS[depth])
    texts = [layered(names, SAMPLES[at % len(SAMPLES)]) for at, names in enumerate(some)]
    found = lost(texts)
    assert len(found) <= (1 - SHARE) * len(texts), found[:30]
