"""Judging memory over a soak: what warms up and stays is well, what keeps growing is a leak."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

from tests.faults.soak import Soak

from holdpoint.runtime.config.settings import MEBIBYTE


def _soaked(samples: Sequence[int]) -> Soak:
    memory = defaultdict(list, {"gate-1": [it * MEBIBYTE for it in samples]})
    return Soak(made=cast("Any", None), until=0.0, memory=memory)


def test_caches_that_fill_are_no_leak() -> None:
    assert _soaked([60, 90, *[120] * 30]).leaks() == []


def test_a_process_that_keeps_growing_leaks() -> None:
    (told,) = _soaked(range(100, 220, 4)).leaks()

    assert told.startswith("gate-1 grew from ")
