"""People's hours: from when on they are asked. What comes outside of them waits, or goes on to the
backup group; it is never a yes.
"""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from holdpoint.core.quorum import suffice
from holdpoint.messages.catalog import WEEKDAYS, Hours, Person
from holdpoint.messages.hold import Requirement

FURTHEST_DAYS = 8
"""A week from any time on, every weekday has come."""

MIDNIGHT = "24:00"

Zones: TypeAlias = Callable[[str], tzinfo]
"""Each time zone, by its IANA name."""


class Asked(NamedTuple):
    """Times at which people, and then the backup group, are asked."""

    begins: datetime
    escalates: datetime | None


def asked_at(
    asked: Requirement,
    barred: AbstractSet[str],
    at: datetime,
    people: Mapping[str, Person],
    zones: Zones,
) -> Asked:
    """Return when enough people have had their hours come; or the backup group's, if sooner.

    `barred` never say the yes. Without anybody's hours that is at once.
    """

    def ready(group: Requirement) -> datetime:
        names = {name for each in group.approvers.values() for name in each} - barred
        return _enough(group, {name: _from(people.get(name), at, zones) for name in names}, at)

    first = ready(asked)
    if asked.escalate is None:
        return Asked(begins=first, escalates=None)
    backup = ready(replace(asked, approvers=dict.fromkeys(asked.approvers, asked.backup)))
    if backup < first:
        return Asked(begins=backup, escalates=backup)
    return Asked(begins=first, escalates=first + timedelta(seconds=asked.escalate.after_s))


def _enough(asked: Requirement, begins: Mapping[str, datetime], at: datetime) -> datetime:
    """Return the earliest time by which those whose hours came could give every voice."""
    for moment in sorted({at, *begins.values()}):
        if suffice(asked, {name for name, begun in begins.items() if begun <= moment}):
            return moment
    return at


def _from(person: Person | None, at: datetime, zones: Zones) -> datetime:
    """Return from when on a person is asked: now, or when their hours begin next."""
    if person is None or not person.hours:
        return at
    zone = zones(person.zone)
    today = at.astimezone(zone).date()
    days = (today + timedelta(days=ahead) for ahead in range(-1, FURTHEST_DAYS + 1))
    spans = (span for day in days for span in _on(day, person.hours, zone))
    return min((max(at, since) for since, until in spans if at < until), default=at)


def _on(day: date, hours: Iterable[Hours], zone: tzinfo) -> Iterable[tuple[datetime, datetime]]:
    for it in hours:
        if WEEKDAYS[day.weekday()] in it.days:
            yield _moment(day, it.since, zone), _moment(day, it.until, zone)


def _moment(day: date, said: str, zone: tzinfo) -> datetime:
    if said == MIDNIGHT:
        return _moment(day + timedelta(days=1), "00:00", zone)
    return datetime.combine(day, time.fromisoformat(said), zone).astimezone(UTC)
