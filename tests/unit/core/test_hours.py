"""People's hours: when they are asked, and when a backup group is."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace
from tests.builders import asked_of

from holdpoint.core.hours import Asked, asked_at
from holdpoint.messages.catalog import Hours, Person
from holdpoint.messages.hold import Requirement
from holdpoint.messages.policy import Escalate, Voices

WEEK = ("mon", "tue", "wed", "thu", "fri")
DAYTIME = Hours(days=WEEK, since="09:00", until="17:00")
PEOPLE = {
    "ann": Person(name="ann", hours=(DAYTIME,), zone="Europe/Berlin"),
    "bob": Person(name="bob", hours=(Hours(days=WEEK, since="13:00", until="24:00"),)),
    "eve": Person(name="eve"),
}
FRIDAY_NIGHT = datetime(2026, 11, 27, 23, 0, tzinfo=UTC)
MONDAY_IN_BERLIN = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
"""Nine o'clock there."""

ONE = asked_of(Voices(group="finance"), approvers={"finance": ("ann",)})
TWO = asked_of(Voices(group="finance", voices=2), approvers={"finance": ("ann", "bob")})


def asked(requirement: Requirement, at: datetime, barred: frozenset[str] = frozenset()) -> Asked:
    return asked_at(requirement, barred, at, PEOPLE, ZoneInfo)


def test_in_their_hours_people_are_asked_at_once() -> None:
    noon = datetime(2026, 11, 27, 11, 0, tzinfo=UTC)

    assert asked(ONE, noon) == Asked(begins=noon, escalates=None)


def test_outside_of_them_they_are_asked_when_they_begin() -> None:
    assert asked(ONE, FRIDAY_NIGHT).begins == MONDAY_IN_BERLIN


def test_two_voices_are_asked_when_both_have_had_hours() -> None:
    assert asked(TWO, FRIDAY_NIGHT - timedelta(hours=4)).begins == MONDAY_IN_BERLIN
    assert asked(TWO, MONDAY_IN_BERLIN).begins == datetime(2026, 11, 30, 13, 0, tzinfo=UTC)


def test_whoever_has_no_hours_is_asked_at_any_time() -> None:
    both = replace(ONE, approvers={"finance": ("ann", "eve")})

    assert asked(both, FRIDAY_NIGHT).begins == FRIDAY_NIGHT
    assert asked(both, FRIDAY_NIGHT, barred=frozenset({"eve"})).begins == MONDAY_IN_BERLIN


def test_a_backup_group_that_is_there_is_asked_instead_of_waiting() -> None:
    backed = replace(ONE, escalate=Escalate(group="night", after_s=600), backup=("eve",))

    assert asked(backed, FRIDAY_NIGHT) == Asked(begins=FRIDAY_NIGHT, escalates=FRIDAY_NIGHT)


def test_a_backup_group_that_sleeps_too_is_asked_after_the_first() -> None:
    backed = replace(ONE, escalate=Escalate(group="night", after_s=600), backup=("bob",))

    assert asked(backed, FRIDAY_NIGHT + timedelta(hours=2)) == Asked(
        begins=MONDAY_IN_BERLIN, escalates=MONDAY_IN_BERLIN + timedelta(seconds=600)
    )


def test_summer_time_is_the_zone_s_own() -> None:
    """On Sunday, 28 March 2027 the clocks go forward in Berlin."""
    saturday = datetime(2027, 3, 27, 20, 0, tzinfo=UTC)

    assert asked(ONE, saturday).begins == datetime(2027, 3, 29, 7, 0, tzinfo=UTC)
