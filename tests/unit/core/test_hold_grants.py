"""When a grant begins and ends: never before the yes or its cooling-off, never after the yes."""

from datetime import timedelta

import msgspec
import pytest
from tests.builders import (
    T0,
    a_confirmed_hold,
    a_passed_hold,
    accepted,
    asked_of,
    begin_with,
    mint,
    resume,
)

from holdpoint.core.commands import Command
from holdpoint.core.hold import begin, decide
from holdpoint.messages.hold import (
    Hold,
    Outcome,
    Passed,
    Reserved,
    Resumed,
    Stage,
    Witnessed,
)
from holdpoint.messages.policy import VerdictKind, Voices

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
FINANCE = Voices(group="finance")


def test_a_process_clock_may_delay_a_grant() -> None:
    fact = accepted(a_confirmed_hold(), resume(at=T0 + MINUTE))

    assert isinstance(fact, Resumed)
    assert fact.grant is not None
    assert fact.grant.nbf == T0 + MINUTE


def test_a_process_clock_never_hurries_a_grant() -> None:
    cooling = asked_of(FINANCE, cooling_off_s=60)
    hold = a_confirmed_hold(requirement=cooling)
    fact = accepted(hold, resume(at=T0 - DAY), T0 + MINUTE)

    assert isinstance(fact, Resumed)
    assert fact.grant is not None
    assert fact.grant.nbf == T0 + MINUTE


def test_no_grant_outlives_the_yes_that_it_came_from() -> None:
    fact = accepted(a_confirmed_hold(), resume(at=T0 + DAY))

    assert isinstance(fact, Resumed)
    assert fact.grant is not None
    assert fact.grant.exp == T0 + timedelta(seconds=900)


def test_a_pass_that_was_judged_late_still_has_time_to_run() -> None:
    late = begin_with(VerdictKind.PASS, a_passed_hold(proposed_at=T0 - DAY))
    fact = begin(late)

    assert isinstance(fact, Passed)
    assert fact.grant is not None
    assert fact.grant.exp == T0 + timedelta(seconds=300)


def test_a_pass_begins_with_its_call_where_the_gates_clock_is_slow() -> None:
    fact = begin(begin_with(VerdictKind.PASS, a_passed_hold(proposed_at=T0 + MINUTE)))

    assert isinstance(fact, Passed)
    assert fact.grant is not None
    assert fact.grant.nbf == T0 + MINUTE


@pytest.mark.parametrize(
    ("hold", "kind"),
    [
        (a_passed_hold(), Passed),
        (a_passed_hold(stage=Stage.WITNESSED), Witnessed),
        (a_confirmed_hold(stage=Stage.RESUMED), Resumed),
    ],
    ids=["passed", "witnessed", "resumed"],
)
def test_a_fresh_grant_is_the_same_fact_again(hold: Hold, kind: type) -> None:
    later = T0 + 10 * MINUTE
    fact = accepted(hold, mint(at=later), later)

    assert type(fact) is kind
    assert isinstance(fact, Passed | Witnessed | Resumed)
    assert fact.grant is not None
    assert (fact.grant.nonce, fact.grant.iat) == ("n3", later)
    assert fact.hold.stage is hold.stage


def test_a_yes_counts_where_it_goes_on_and_anything_else_where_it_did() -> None:
    """Else nobody could give back exactly what was reserved."""
    before = (Reserved(subject="hp.acme.tally.k.900-1", amount=5, bucket_s=900),)
    after = (msgspec.structs.replace(before[0], subject="hp.acme.tally.k.900-2"),)
    moves = msgspec.structs.replace(resume(), reserved=after)
    yes = a_confirmed_hold(reserved=before)
    no = msgspec.structs.replace(yes, outcome=Outcome.CANCELLED)

    def then(hold: Hold, command: Command) -> tuple[Reserved, ...]:
        fact = decide(hold, command, T0)
        assert isinstance(fact, Resumed)
        return fact.hold.reserved

    assert then(yes, moves) == after
    assert then(yes, resume()) == before
    assert then(no, moves) == before
