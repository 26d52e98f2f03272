"""Answers count in the order in which the broker stored them, whichever gate has them in hand."""

from collections.abc import Callable

from holdpoint.gate.acknowledged import acknowledged
from holdpoint.gate.context import Gate
from holdpoint.messages.hold import Hold
from holdpoint.messages.subjects import ANSWERS, answer_subject, command_id, stream
from holdpoint.runtime.broker.streams import ANY
from holdpoint.runtime.store.journal import Revision, Stored

WAIT_S = 0.1
"""Before what has to wait for an answer is looked at again."""


async def was_all_heard(gate: Gate, up_to: Revision) -> bool:
    """Return whether every answer of any hold up to this one was counted or refused.

    Where this gate had them all, as the only one always has, nothing is read.
    """
    if gate.answers.up_to < up_to:
        gate.answers.reach(await acknowledged(gate, ANSWERS))
    return gate.answers.up_to >= up_to


async def is_unheard(
    gate: Gate,
    agent: str,
    hold_id: str,
    is_before: Callable[[Stored], bool],
    hears: Callable[[Hold], bool],
) -> bool:
    """Return whether an answer that came before was neither counted nor refused so far.

    A gate that died with it in hand leaves it to another one, which gets it seconds later. `hears`
    tells whether it may still change the hold: no answer does once the hold has gone on.
    """
    subject = answer_subject(gate.tenant, ANY, ANY, agent, hold_id)
    found = await gate.journal.reader.next(ANSWERS, subject, 1)
    if found is None or not is_before(found):
        return False
    loaded = await gate.holds.load(agent, hold_id)
    if loaded is None or not hears(loaded.hold):
        return False
    dealt_with = await acknowledged(gate, ANSWERS)
    if found.seq <= dealt_with:
        found = await gate.journal.reader.next(ANSWERS, subject, dealt_with + 1)
    while found is not None and is_before(found):
        cause, person = command_id(stream(gate.tenant, ANSWERS), found.seq), _person(found)
        if cause not in loaded.hold.causes and await gate.holds.refusal(person, cause) is None:
            return True
        found = await gate.journal.reader.next(ANSWERS, subject, found.seq + 1)
    return False


def _person(answer: Stored) -> str:
    return answer.subject.split(".")[4]
