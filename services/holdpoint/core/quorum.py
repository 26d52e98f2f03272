"""Quorum of a hold: an AND of groups, nobody counted twice."""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta

from msgspec.structs import replace

from holdpoint.messages.hold import Hold, Requirement, Voice
from holdpoint.messages.policy import Method
from holdpoint.messages.subjects import ANSWERS

LEAST_VOICES: Mapping[int, int] = {1: 0, 2: 0, 3: 1, 4: 1, 5: 1}
"""Number of people who must have said yes before a worker runs anything of this operation level."""

FOUR_EYES = 2
"""People, whatever the groups ask for."""


def enough(hold: Hold) -> bool:
    """Return whether each group's voices can be given by people of their own."""
    asked, people = hold.requirement, {voice.person for voice in hold.voices}
    seats = set(map(seat_of, hold.voices))
    return asked is not None and len(people) >= needed(asked) and suffice(asked, seats)


def seat_of(voice: Voice) -> str:
    """The approver whose voice it is, also where another person gave it."""
    return voice.on_behalf_of or voice.person


def suffice(asked: Requirement, people: AbstractSet[str]) -> bool:
    """Return whether a yes of each of these people would be enough."""
    if len(people) < needed(asked):
        return False
    groups = [each.group for each in asked.all_of for _ in range(each.voices)]
    able = [[one for one in asked.approvers.get(group, ()) if one in people] for group in groups]
    taken: dict[str, int] = {}
    return all(_seated(slot, able, taken, set()) for slot in range(len(able)))


def needed(asked: Requirement | None) -> int:
    """Return how many people have to say yes: at least one, and two for four eyes."""
    if asked is None:
        return 0
    least = FOUR_EYES if asked.four_eyes else 1
    return max(least, sum(each.voices for each in asked.all_of))


def proves(asked: Requirement, methods: Collection[Method]) -> bool:
    """Return whether these proofs are what a yes takes: one of those asked for, or every one."""
    given = [proof in methods for proof in asked.proofs]
    return bool(given) and (all(given) if asked.every_proof else any(given))


def carries(hold: Hold, voices: Sequence[Voice]) -> bool:
    """Whether these voices are the yes that the hold asks for: of people who may give it, each with
    a proof that is asked for, and enough of them.
    """
    asked = hold.requirement
    if asked is None:
        return False
    barred = {hold.agent} | (owners(hold) if asked.four_eyes else set())
    may = {person for people in asked.approvers.values() for person in people} - barred
    good = all(
        proves(asked, each.methods or (each.method,))
        and seat_of(each) in may
        and each.person not in barred
        for each in voices
    )
    return good and enough(replace(hold, voices=tuple(voices)))


def owners(hold: Hold) -> set[str]:
    """Return whose action it is where four eyes are asked: whom the agent acts for, and everybody
    who changed it.
    """
    return {hold.on_behalf_of, *(hold.modified.authors if hold.modified else ())}


def is_vouched_for(hold: Hold) -> bool:
    """Return whether the yes that its sentence got is as strong as the one that the hold asks for.

    What cools off is seen by people meanwhile: a yes that is not old enough stands for nothing.
    """
    said, asked = hold.announced, hold.requirement
    if said is None or asked is None or said.resolved_at is None:
        return False
    cooled = said.resolved_at + timedelta(seconds=asked.cooling_off_s) <= hold.proposed_at
    return cooled and carries(hold, said.voices)


def answers_to(hold: Hold) -> tuple[str, ...]:
    """Return the ids of the answers that it counted; more time for it is none, nor is a change."""
    later = {it.answer for it in hold.extensions}
    later |= {hold.modified.answer} if hold.modified else set()
    said = (cause for cause in hold.causes if cause.startswith(f"{ANSWERS}:"))
    return tuple(cause for cause in said if cause not in later)


def approvers(hold: Hold) -> Mapping[str, tuple[str, ...]]:
    """Return who was asked, by group."""
    return hold.requirement.approvers if hold.requirement else {}


def _seated(
    slot: int, able: Sequence[Sequence[str]], taken: dict[str, int], tried: set[str]
) -> bool:
    """Give the slot to somebody, moving others on (Kuhn's matching: no orders are tried out)."""
    for person in able[slot]:
        if person not in tried:
            tried.add(person)
            if person not in taken or _seated(taken[person], able, taken, tried):
                taken[person] = slot
                return True
    return False
