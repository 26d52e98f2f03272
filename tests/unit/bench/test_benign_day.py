"""A benign day asks seldom: the hundred everyday commands, by the shipped policy."""

from bench.benign_day import MOST_COMMANDS, commands, of_commands
from bench.score import ROOT

from holdpoint.runtime.config.policy import load_policy


def test_everyday_commands_ask_at_most_ten_times_in_a_hundred() -> None:
    day = of_commands(load_policy(ROOT / "deploy" / "config", {}))

    assert day.count == len(set(commands())) == 100
    assert day.share <= MOST_COMMANDS, day.asked
