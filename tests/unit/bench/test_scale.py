"""Gates and workers share calls at the broker: four of each end nearly four times as many."""

import pytest
from bench.scale import calls_per_second


@pytest.mark.parametrize("count", [2, 4])
def test_gates_and_workers_scale_nearly_in_line(count: int) -> None:
    assert calls_per_second(count, count) > 0.9 * count * calls_per_second(1, 1)


def test_workers_alone_help_nothing_where_the_gate_is_busy() -> None:
    assert calls_per_second(1, 4) < 1.1 * calls_per_second(1, 1)
