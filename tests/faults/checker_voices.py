"""People's voices under any fault: S5 of INVARIANTS.md."""

from collections.abc import Iterator
from itertools import combinations

from tests.faults.evidence import Evidence

from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.hold import Hold, Outcome, Requirement, Resolved, Voice
from holdpoint.runtime.store.journal import Stored

TWO_PEOPLE = 2
"""What four eyes means, whatever the groups ask for."""


def s5_enough_of_the_right_people_said_yes(it: Evidence) -> Iterator[str]:
    for hold in _confirmed(it):
        yield from (f"{hold.hold_id}: {wrong}" for wrong in _unfit(hold))


def s5_each_voice_is_an_answer_of_that_person(it: Evidence) -> Iterator[str]:
    """The gate's own word for who spoke is not believed: what people stored is looked at."""
    for hold in _confirmed(it):
        counted = [it.said[cause] for cause in hold.causes if cause in it.said]
        for voice in hold.voices:
            if not any(_is_the_yes(*each, hold, voice) for each in counted):
                yield f"{hold.hold_id}: {voice.person} never said yes to it"


def _confirmed(it: Evidence) -> Iterator[Hold]:
    """Each hold as it stood when its yes was complete."""
    for facts in it.holds.values():
        for _, fact in facts:
            if isinstance(fact, Resolved) and fact.outcome is Outcome.CONFIRMED:
                yield fact.hold


def _is_the_yes(at: Stored, message: object, hold: Hold, voice: Voice) -> bool:
    """Whether this is that person's yes to this very action, on this very card.

    Who spoke stands in the subject, which the broker enforces.
    """
    place = at.subject.split(".")[2:]
    return (
        isinstance(message, Answer)
        and place[:1] + place[2:] == ["answer", voice.person, hold.agent, hold.hold_id]
        and message.answer is Choice.PROCEED
        and (message.hold_id, message.digest) == (hold.hold_id, hold.digest)
        and message.render_digest == hold.render_digest
    )


def _unfit(hold: Hold) -> Iterator[str]:
    """What is wrong with the yes of a confirmed hold."""
    asked, people = hold.requirement, [voice.person for voice in hold.voices]
    if asked is None:
        yield "it was confirmed, and nobody was asked"
        return
    allowed = {person for group in asked.all_of for person in asked.approvers[group.group]}
    authors = set(hold.modified.authors) if hold.modified else set()
    barred = {hold.agent, hold.on_behalf_of, *authors} if asked.four_eyes else {hold.agent}
    if len(set(people)) < len(people) or not set(people) <= allowed - barred:
        yield f"these may not say yes together: {people}"
    yield from _too_few(asked, set(people) - barred)
    carried = [set(voice.methods or (voice.method,)) for voice in hold.voices]
    least = len(asked.proofs) if asked.every_proof else 1
    if any(len(proofs.intersection(asked.proofs)) < least for proofs in carried):
        yield "a proof is weaker than its level asks for"


def _too_few(asked: Requirement, people: set[str]) -> Iterator[str]:
    """Each group has its own voices, and so has every choice of groups: nobody fills two seats."""
    if len(people) < (TWO_PEOPLE if asked.four_eyes else 1):
        yield f"too few said yes: {sorted(people)}"
    for size in range(1, len(asked.all_of) + 1):
        for groups in combinations(asked.all_of, size):
            able = people & {one for each in groups for one in asked.approvers[each.group]}
            if len(able) < sum(each.voices for each in groups):
                names = " and ".join(each.group for each in groups)
                yield f"too few of {names} said yes: {sorted(able)}"
