"""Delegations: bounded in time and length, circles end, and never more than the delegator may."""

from datetime import timedelta

import pytest
from msgspec.structs import replace
from tests.builders import (
    T0,
    UI,
    a_halted_hold,
    a_voice,
    asked_of,
    cancel,
    proceed,
)

from holdpoint.core.commands import Objected
from holdpoint.core.delegation import KEPT, delegates, ended, touched, unfit, with_another
from holdpoint.core.hold import decide
from holdpoint.core.quorum import carries, enough
from holdpoint.messages.catalog import LONGEST_DELEGATION, Delegation
from holdpoint.messages.hold import Answered, Hold, Outcome, Reason, Resolved, Stage
from holdpoint.messages.policy import Voices

DAY = timedelta(days=1)
FINANCE, SECURITY = Voices(group="finance"), Voices(group="security")


def to(name: str, since: int = 0, until: int = 2) -> Delegation:
    return Delegation(to=name, since=T0 + since * DAY, until=T0 + until * DAY)


def test_a_delegation_counts_from_its_beginning_and_not_at_its_end() -> None:
    known = {"ann": (to("ben", 1, 2),)}

    found = [delegates("ann", T0 + hours * timedelta(hours=1), known) for hours in (23, 24, 47, 48)]

    assert found == [frozenset(), {"ben"}, {"ben"}, frozenset()]


def test_a_delegates_delegate_answers_too_and_nobody_further_on() -> None:
    known = {"ann": (to("ben"),), "ben": (to("cem"),), "cem": (to("dee"),)}

    assert delegates("ann", T0, known) == {"ben", "cem"}


def test_a_circle_ends() -> None:
    known = {"ann": (to("ben"),), "ben": (to("ann"), to("ben"))}

    assert delegates("ann", T0, known) == {"ben"}
    assert touched("ann", T0, known) == {"ben"}


def test_whoever_saw_a_card_is_told_how_it_ended() -> None:
    known = {"ann": (to("ben", 0, 1),)}

    assert touched("ann", T0, known) == {"ben"}
    assert touched("ann", T0 + DAY, known) == frozenset()


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (to("ann"), "their own place"),
        (to("ben", 2, 2), "ends after it begins"),
        (to("ben", -3, 0), "in the future"),
        (to("ben", 0, LONGEST_DELEGATION.days + 1), "at most"),
        (to("ben", 360, 367), "within a year"),
        (to("ben", 0, LONGEST_DELEGATION.days), ""),
    ],
)
def test_a_delegation_is_bounded(wanted: Delegation, says: str) -> None:
    assert says in unfit(wanted, "ann", T0)
    assert bool(says) is bool(unfit(wanted, "ann", T0))


def test_another_time_for_the_same_delegate_takes_the_place_of_the_first() -> None:
    made = with_another((to("ben"), to("cem")), to("ben", 0, 5), T0)

    assert made == (to("cem"), to("ben", 0, 5))


def test_what_is_ended_ends_at_once_and_what_never_began_is_gone() -> None:
    at = T0 + DAY
    made = ended((to("ben", 0, 5), to("cem", 3, 5), to("dee", 0, 1)), at)

    assert made == (to("ben", 0, 1), to("dee", 0, 1))
    assert ended(made, at + KEPT) == ()


def asked(*groups: Voices, four_eyes: bool = False) -> Hold:
    asks = replace(asked_of(*groups), four_eyes=four_eyes)
    return a_halted_hold(stage=Stage.RENDERED, requirement=asks, render_digest="r1", ui=UI)


def test_a_delegates_yes_fills_the_approvers_place_and_both_are_named() -> None:
    fact = decide(asked(SECURITY), proceed("zoe", on_behalf_of="eve"), T0)

    assert isinstance(fact, Resolved)
    (voice,) = fact.hold.voices
    assert (voice.person, voice.on_behalf_of) == ("zoe", "eve")
    assert (fact.hold.closed_by, fact.hold.closed_for) == ("zoe", "eve")


def test_a_delegates_no_names_both() -> None:
    fact = decide(asked(SECURITY), cancel("zoe", on_behalf_of="eve"), T0)

    assert isinstance(fact, Resolved)
    assert fact.outcome is Outcome.CANCELLED
    assert (fact.by, fact.hold.closed_for) == ("zoe", "eve")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (proceed("zoe"), Reason.NOT_AN_APPROVER),
        (proceed("zoe", on_behalf_of="stranger"), Reason.NOT_AN_APPROVER),
        (proceed("zoe", on_behalf_of="olga"), Reason.OWN_ACTION),
        (proceed("olga", on_behalf_of="eve"), Reason.OWN_ACTION),
    ],
)
def test_a_delegation_never_widens_what_its_maker_may_answer(said: object, reason: Reason) -> None:
    hold = asked(Voices(group="finance", voices=2), four_eyes=True)
    groups = {"finance": ("bob", "eve", "olga")}
    assert hold.requirement is not None
    hold = replace(hold, requirement=replace(hold.requirement, approvers=groups))

    assert decide(hold, said, T0) == Objected(reason=reason)  # type: ignore[arg-type]


def test_four_eyes_are_those_of_real_people() -> None:
    """One person in the places of two is one person; an approver's voice is given once."""
    hold = asked(FINANCE, SECURITY, four_eyes=True)
    first = decide(hold, proceed("zoe", on_behalf_of="bob"), T0)

    assert isinstance(first, Answered)
    again = decide(first.hold, proceed("zoe", on_behalf_of="eve"), T0)
    assert again == Objected(reason=Reason.SECOND_VOICE)
    assert decide(first.hold, proceed("bob"), T0) == Objected(reason=Reason.SECOND_VOICE)
    twice = tuple(
        replace(a_voice("zoe"), on_behalf_of=seat) for seat in ("bob", "eve")
    )  # as nobody can give them
    assert not enough(replace(hold, voices=twice))


def test_a_delegates_yes_to_a_sentence_is_not_the_acted_fors() -> None:
    hold = asked(SECURITY, four_eyes=True)
    own = replace(a_voice("olga"), on_behalf_of="eve")

    assert not carries(hold, (own, a_voice("bob")))
