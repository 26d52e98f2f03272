"""Answers count in the order in which the broker stored them, whichever gate has them in hand."""

from collections.abc import Callable

from holdpoint.core.objections import OPEN
from holdpoint.gate.acknowledged import acknowledged
from holdpoint.gate.context import Gate
from holdpoint.messages.hold import Stage
from holdpoint.messages.subjects import ANSWERS, answer_subject, command_id, stream
from holdpoint.runtime.broker.streams import ANY
from holdpoint.runtime.store.journal import Stored

HEARS = OPEN | {Stage.RESOLVED}

WAIT_S = 0.1
"""Before what has to wait for an answer is looked at again."""


async def is_unheard(
    gate: Gate, agent: str, hold_id: str, is_before: Callable[[Stored], bool]
) -> bool:
    """Return whether an answer that came before was neither counted nor refused so far.

    A gate that died with it in hand leaves it to another one, which gets it seconds later. A hold
    that went on hears none any more: what was found of its run is no part of it.
    """
    subject = answer_subject(gate.tenant, ANY, ANY, agent, hold_id)
    causes: tuple[str, ...] | None = None
    seq = await acknowledged(gate, ANSWERS)
    while (found := await gate.journal.reader.next(ANSWERS, subject, seq + 1)) is not None:
        if not is_before(found):
            return False
        if causes is None:
            loaded = await gate.holds.load(agent, hold_id)
            if loaded is None or loaded.hold.stage not in HEARS:
                return False
            causes = loaded.hold.causes
        seq, person = found.seq, found.subject.split(".")[4]
        cause = command_id(stream(gate.tenant, ANSWERS), seq)
        if cause not in causes and await gate.holds.refusal(person, cause) is None:
            return True
    return False
