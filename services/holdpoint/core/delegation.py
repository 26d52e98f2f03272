"""Delegations: who may answer in whose place. Bounded in time and in length; circles end."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from holdpoint.messages.catalog import LONGEST_DELEGATION, Delegation

MOST_HOPS = 2
"""A delegate's own delegate may answer too, and nobody further on."""

FURTHEST = timedelta(days=366)
"""From the order to the end of the delegation."""

KEPT = timedelta(days=31)
"""An ended one stays so long: cards that a delegate saw are still redrawn for them."""

MOST = 20
"""Delegations of one person, ended ones included."""

Delegations = Mapping[str, Sequence[Delegation]]
"""By the person who made them."""


def delegates(person: str, at: datetime, known: Delegations) -> frozenset[str]:
    """Return everybody who may answer in this person's place at that time."""
    found, reached = {person}, {person}
    for _ in range(MOST_HOPS):
        reached = {
            it.to
            for name in reached
            for it in known.get(name, ())
            if it.since <= at < it.until and it.to not in found
        }
        found |= reached
    return frozenset(found - {person})


def touched(person: str, since: datetime, known: Delegations) -> frozenset[str]:
    """Return everybody who could answer in this person's place at any time since then."""
    found, reached = {person}, {person}
    for _ in range(MOST_HOPS):
        reached = {it.to for name in reached for it in known.get(name, ()) if it.until > since}
        found |= reached
    return frozenset(found - {person})


def unfit(wanted: Delegation, person: str, at: datetime) -> str:
    """Return why this person cannot delegate like this; empty where nothing speaks against it."""
    if wanted.to == person:
        return "Nobody answers in their own place: name somebody else."
    if wanted.until <= wanted.since or wanted.until <= at:
        return "A delegation ends after it begins, and in the future."
    if wanted.until - wanted.since > LONGEST_DELEGATION or wanted.until - at > FURTHEST:
        return f"A delegation lasts at most {LONGEST_DELEGATION.days} days, and ends within a year."
    return ""


def with_another(
    made: Iterable[Delegation], wanted: Delegation, at: datetime
) -> tuple[Delegation, ...]:
    """Return what stands then: one for each delegate, and what ended not long ago."""
    kept = (it for it in made if it.until > at - KEPT and (it.to != wanted.to or it.until <= at))
    return (*kept, wanted)


def ended(made: Iterable[Delegation], at: datetime) -> tuple[Delegation, ...]:
    """Return what stands once every delegation ends at this time."""
    return tuple(
        it if it.until <= at else Delegation(
            to=it.to, since=it.since, until=at, away=it.away, reason=it.reason
        )
        for it in made
        if it.since < at and it.until > at - KEPT
    )  # fmt: skip
