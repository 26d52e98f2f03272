"""Calls that name the sentence which announced them: one risky action asks once.

While the sentence is open, the call is asked about in its place, at the sentence's level at least
(`lifecycle.py` supersedes the sentence). A yes that the sentence got stands for the call where it
was for exactly this action, is as strong as the call asks for, and was not used before.
"""

import dataclasses

from holdpoint.core.announced import announced_by, is_exactly, may_stand_for, vouched_by
from holdpoint.core.commands import Spend
from holdpoint.core.grant import is_from
from holdpoint.core.objections import OPEN
from holdpoint.core.quorum import answers_to, is_vouched_for
from holdpoint.core.verdict import by_level
from holdpoint.gate.context import Gate, RefusedError, believed
from holdpoint.gate.first_fact import Draft, first_fact
from holdpoint.gate.lifecycle import advance
from holdpoint.messages.hold import Hold
from holdpoint.messages.policy import VerdictKind
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.store.history import LoadedHold


async def with_sentence(gate: Gate, delivery: Delivery, draft: Draft) -> Draft:
    """The draft beside the sentence that the agent names; a yes that stands for it is spent first.

    What people are not asked about needs no sentence, and another's sentence counts for nothing.
    Where workers verify passkeys themselves, people are asked again: theirs signed the sentence.
    """
    if draft.verdict.kind is not VerdictKind.HOLD or not draft.intent:
        return draft
    found = await believed(gate, draft.agent, draft.intent)
    if found is None or found.hold.action or found.hold.on_behalf_of != draft.on_behalf_of:
        return draft
    shown = dataclasses.replace(draft, announced=announced_by(found.hold))
    if found.hold.stage in OPEN:
        return _raised(shown, found.hold)
    return await _vouched(gate, delivery, draft, found) or shown


def _raised(draft: Draft, sentence: Hold) -> Draft:
    """Raise the level by what the agent says about its call; never lower it."""
    if sentence.level <= draft.verdict.level:
        return draft
    verdict = by_level(sentence.level, draft.basis.policy)
    return dataclasses.replace(draft, verdict=verdict)


async def _vouched(gate: Gate, delivery: Delivery, draft: Draft, found: LoadedHold) -> Draft | None:
    sentence, action, level = found.hold, draft.action, draft.verdict.level
    if action is None or not may_stand_for(sentence, action, level, delivery.at):
        return None
    may_call = agent.tools if (agent := gate.agents.get(draft.agent)) else ()
    if not is_exactly(sentence.claim, action, gate.catalog, may_call):
        return None
    raised = _raised(draft, sentence)
    vouched = dataclasses.replace(raised, announced=vouched_by(sentence, answers_to(sentence)))
    hold, tool = first_fact(gate, delivery, vouched).hold, draft.tool
    if not is_vouched_for(hold) or tool is None or is_from(gate.passkey_from_level, hold, tool):
        return None
    command = Spend(cause=delivery.id, by=draft.agent, hold_id=draft.hold_id)
    try:
        stands = await advance(gate, found, command, delivery.at)
    except RefusedError:
        return None
    return vouched if stands.hold.used_by == draft.hold_id else None
