"""How far a gate knows that every message was dealt with: never past one that was not."""

from itertools import permutations

import pytest

from holdpoint.gate.fact_cache import MOST_AHEAD, InHand


@pytest.mark.parametrize("order", list(permutations(range(1, 5))))
def test_it_reaches_as_far_as_all_were_dealt_with(order: tuple[int, ...]) -> None:
    hand, dealt = InHand(), set[int]()
    for seq in order:
        hand.settle(f"ANSWERS:{seq}", seq)
        dealt.add(seq)
        assert set(range(1, hand.up_to + 1)) <= dealt
        assert hand.up_to + 1 not in dealt


def test_what_another_gate_dealt_with_is_passed_over() -> None:
    hand = InHand()
    hand.settle("ANSWERS:2", 2)
    hand.settle("ANSWERS:4", 4)
    assert hand.up_to == 0

    hand.reach(1)
    assert hand.up_to == 2
    hand.reach(1)
    assert hand.up_to == 2
    hand.reach(3)
    assert hand.up_to == 4


def test_what_it_forgets_is_not_taken_as_dealt_with() -> None:
    hand = InHand()
    for seq in range(2, MOST_AHEAD + 10):
        hand.settle(f"ANSWERS:{seq}", seq)
    assert hand.up_to == 0

    hand.settle("ANSWERS:1", 1)
    assert hand.up_to < MOST_AHEAD
