"""A sentence: assessed for what it announces; its RESUME is a boolean and nothing else."""

from holdpoint.core.catalog import SENTENCE_TOOL
from holdpoint.core.claims import wrong_claim
from holdpoint.core.digest import hold_id, sentence_digest
from holdpoint.core.plans import plan_digest
from holdpoint.core.risk import Context, Sentence, assess, metadata_of
from holdpoint.core.verdict import judge_sentence, killed_by
from holdpoint.gate import plans, sentence_reader
from holdpoint.gate.context import Gate, RefusedError, check_confidence
from holdpoint.gate.denials import check_back_off
from holdpoint.gate.first_fact import Draft, open_hold
from holdpoint.gate.idempotency import check_first, key_of
from holdpoint.gate.identity import principal_of
from holdpoint.gate.policy import Basis, current_basis
from holdpoint.messages.base import MAX_REASONING_BYTES, Event
from holdpoint.messages.call import Intent
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.risk import Assessment
from holdpoint.runtime.broker.lanes import Delivery


async def say(gate: Gate, delivery: Delivery, agent: str, event: Event, call: Intent) -> None:
    """Halt a sentence that announces a danger or asks for a yes; let any other pass."""
    _check(call)
    who, hold = who_and_hold(gate, agent, event, call)
    digest = _digest(gate, agent, who, call)
    if not await check_first(gate, delivery, agent, hold, digest):
        return
    async with gate.turns.of(agent, len(delivery.data)):
        basis = await current_basis(gate)
        if basis.policy.intents.reader:
            await sentence_reader.read(call.text)
        found = _assess(basis, call)
        metadata = metadata_of(found)
        verdict = judge_sentence(metadata, basis.policy, killed_by(basis.kills.stopped, agent))
        if basis.policy.intents.reader and verdict.kind is VerdictKind.HOLD:
            found = await sentence_reader.worded(found, call.text)
    draft = Draft(
        agent=agent,
        on_behalf_of=who,
        hold_id=hold,
        digest=digest,
        call_digest=digest,
        assessment=found,
        metadata=metadata,
        verdict=verdict,
        basis=basis,
        says=call.text,
        idempotency_key=call.idempotency_key,
        claim=call.action_detail,
        deadline=call.deadline,
        lineage=call.lineage,
    )
    if call.steps:
        judged = await plans.judged_steps(gate, delivery, agent, hold, call)
        draft = plans.draft_of(gate, delivery, draft, call, judged)
    check_back_off(gate, draft, delivery.at)
    await open_hold(gate, delivery, draft)


def _digest(gate: Gate, agent: str, who: str, call: Intent) -> str:
    if call.steps:
        steps = [[step.tool, step.arguments] for step in call.steps]
        return plan_digest(gate.tenant, agent, who, call, steps)
    said = {"text": call.text, "action_detail": call.action_detail}
    return sentence_digest(gate.tenant, agent, who, said)


def _check(call: Intent) -> None:
    """Refuse what cannot be shown to a person, or says nothing."""
    if len(call.text.encode()) + len(call.reasoning.encode()) > MAX_REASONING_BYTES:
        raise RefusedError("text_too_large", "Text and reasoning have at most 32 KiB together.")
    if not call.text.strip():
        raise RefusedError("empty_text", "The sentence is empty: say what you are about to do.")
    check_confidence(call.confidence)
    if wrong := wrong_claim(call.action_detail):
        raise RefusedError("bad_detail", wrong)
    affected = call.action_detail.get("affected", 0)
    if not isinstance(affected, int) or isinstance(affected, bool) or affected < 0:
        text = "`affected` in the action's detail is a number of things, 0 or more."
        raise RefusedError("bad_detail", text)


def who_and_hold(gate: Gate, agent: str, event: Event, call: Intent) -> tuple[str, str]:
    """For whom the sentence is said, and the id of its hold."""
    who = principal_of(gate, agent, call.on_behalf_of)
    key = key_of(call.idempotency_key, event.id)
    return who, hold_id(gate.tenant, agent, who, SENTENCE_TOOL, key)


def _assess(basis: Basis, call: Intent) -> Assessment:
    sentence = Sentence(
        text=call.text,
        claim=call.metadata,
        action_detail=call.action_detail,
        confidence=call.confidence,
    )
    context = Context(reasoning=call.reasoning, confidence=call.confidence)
    return assess(sentence, context, basis.policy)
