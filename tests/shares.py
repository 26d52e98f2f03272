"""Tests over long lists: a quick run takes a share of each list, and `make test-all` all of it."""

import pytest

ONE_IN = 7
"""A prime, so that a share of all pairs of two lists has something of each."""

in_shares = pytest.mark.parametrize(
    "step", [pytest.param(ONE_IN, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)]
)
