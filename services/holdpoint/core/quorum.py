"""How many yeses are enough, and whose: an AND of groups, nobody counted twice."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from holdpoint.messages.hold import Hold, Requirement

FOUR_EYES = 2
"""People, whatever the groups ask for."""


def enough(hold: Hold) -> bool:
    """Whether each group's voices can be given by people of their own."""
    people = {voice.person for voice in hold.voices}
    return hold.requirement is not None and suffice(hold.requirement, people)


def suffice(asked: Requirement, people: AbstractSet[str]) -> bool:
    """Whether a yes of each of these people would be enough."""
    if len(people) < needed(asked):
        return False
    groups = [each.group for each in asked.all_of for _ in range(each.voices)]
    able = [[one for one in asked.approvers.get(group, ()) if one in people] for group in groups]
    taken: dict[str, int] = {}
    return all(_seated(slot, able, taken, set()) for slot in range(len(able)))


def needed(asked: Requirement | None) -> int:
    """How many people have to say yes in all: one at least, and two where four eyes are asked."""
    if asked is None:
        return 0
    least = FOUR_EYES if asked.four_eyes else 1
    return max(least, sum(each.voices for each in asked.all_of))


def approvers(hold: Hold) -> Mapping[str, tuple[str, ...]]:
    """Who was asked, by group."""
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
