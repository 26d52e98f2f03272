"""How many yeses are enough: distinct people, each in one place only."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import a_hold, a_voice, asked_of

from holdpoint.core.quorum import approvers, enough, needed
from holdpoint.messages.policy import Voices

FINANCE, SECURITY = Voices(group="finance"), Voices(group="security")
PEOPLE = ("ann", "bob", "cem", "dee", "eve")
GROUPS = ("f", "g", "h")


def heard(*people: str, **fields: object) -> bool:
    return enough(a_hold(voices=tuple(a_voice(one) for one in people), **fields))


@pytest.mark.parametrize(
    ("people", "is_enough"),
    [
        ((), False),
        (("ann",), False),
        (("ann", "ann"), False),
        (("bob", "olga"), False),
        (("bob", "eve"), True),
        (("ann", "bob"), True),
        (("ann", "eve"), True),
        (("bob", "olga", "eve"), True),
    ],
)
def test_two_groups_need_two_people(people: tuple[str, ...], *, is_enough: bool) -> None:
    assert heard(*people, requirement=asked_of(FINANCE, SECURITY)) is is_enough


def test_one_group_named_twice_needs_two_people() -> None:
    assert not heard("ann", requirement=asked_of(FINANCE, FINANCE))
    assert heard("ann", "bob", requirement=asked_of(FINANCE, FINANCE))


def test_who_is_in_both_groups_moves_on_for_who_is_in_one() -> None:
    groups: dict[str, tuple[str, ...]] = {"finance": ("ann", "bob"), "security": ("ann",)}
    asked = asked_of(FINANCE, SECURITY, approvers=groups)

    assert heard("ann", "bob", requirement=asked)
    assert not heard("bob", "eve", requirement=asked)


def test_who_can_stand_nowhere_else_keeps_the_place() -> None:
    groups: dict[str, tuple[str, ...]] = {"finance": ("ann",), "security": ("ann", "bob")}
    asked = asked_of(FINANCE, SECURITY, approvers=groups)

    assert heard("ann", "bob", requirement=asked)
    assert not heard("ann", "eve", requirement=asked)


def test_nobody_asked_is_never_enough() -> None:
    assert not heard("ann", requirement=None)


def test_no_groups_are_not_no_voices() -> None:
    assert not heard(requirement=asked_of(approvers={"finance": ("ann",)}))
    assert not heard(requirement=asked_of(Voices(group="finance", voices=0)))


def test_four_eyes_are_two_people() -> None:
    asked = asked_of(FINANCE, four_eyes=True)

    assert needed(asked) == 2
    assert not heard("ann", requirement=asked)
    assert heard("ann", "bob", requirement=asked)


def test_a_group_that_nobody_is_in_is_never_enough() -> None:
    asked = asked_of(FINANCE, approvers={"finance": ()})

    assert not heard("ann", "bob", requirement=asked)


def test_needed_is_the_sum_over_the_groups() -> None:
    assert needed(asked_of(Voices(group="finance", voices=2), SECURITY)) == 3
    assert needed(asked_of(FINANCE)) == 1
    assert needed(None) == 0


def test_who_was_asked_is_told_by_group() -> None:
    assert approvers(a_hold()) == {"finance": ("ann", "bob", "olga")}
    assert approvers(a_hold(requirement=None)) == {}


@given(
    st.lists(st.tuples(st.sampled_from(GROUPS), st.integers(0, 2)), min_size=1, max_size=3),
    st.dictionaries(st.sampled_from(GROUPS), st.sets(st.sampled_from(PEOPLE))),
    st.sets(st.sampled_from(PEOPLE)),
)
def test_it_agrees_with_trying_out_every_order(
    asked: list[tuple[str, int]], groups: dict[str, set[str]], people: set[str]
) -> None:
    all_of = tuple(Voices(group=group, voices=voices) for group, voices in asked)
    known = {group: tuple(sorted(members)) for group, members in groups.items()}
    slots = [group for group, voices in asked for _ in range(voices)]
    dealt = any(
        all(one in groups.get(group, ()) for group, one in zip(slots, order, strict=True))
        for order in permutations(people, len(slots))
    )

    asked_for = asked_of(*all_of, approvers=known or {"nobody": ()})
    assert heard(*people, requirement=asked_for) == (dealt and bool(people))


def test_many_voices_take_no_time() -> None:
    crowd = tuple(f"person-{at}" for at in range(30))
    asked = asked_of(
        Voices(group="f", voices=29), SECURITY, approvers={"f": crowd, "security": ("eve",)}
    )

    assert not heard(*crowd, requirement=asked)
    assert heard(*crowd, "eve", requirement=asked)
