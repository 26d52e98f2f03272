"""Plans at the gate: judged call by call, and put on one card at the worst one's level."""

import dataclasses
from collections.abc import Sequence

from holdpoint.core.card_title import title_of
from holdpoint.core.plans import (
    digests_of,
    metadata_of_plan,
    plan_digest,
    step_of,
    together,
)
from holdpoint.core.verdict import SENTENCE_LEVEL, Verdict, asking, by_level
from holdpoint.gate.context import Gate, RefusedError
from holdpoint.gate.first_fact import Draft, hold_of
from holdpoint.gate.policy import Basis
from holdpoint.gate.proposals import Judged, judged_alone, proposal_under
from holdpoint.messages.call import Intent, PlannedStep, Propose
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.risk import Assessment
from holdpoint.runtime.broker.lanes import Delivery


async def judged_steps(
    gate: Gate, delivery: Delivery, agent: str, hold: str, call: Intent
) -> list[Judged]:
    """Judge each step as if it were called now. Raises RefusedError naming the step."""
    judged = []
    for number, step in enumerate(call.steps, 1):
        try:
            proposal = proposal_under(gate, agent, _propose(call, step), hold, hold)
            judged.append(await judged_alone(gate, delivery, proposal))
        except RefusedError as why:
            raise RefusedError(why.code, f"Step {number}: {why.text}", hold) from None
    return judged


def draft_of(
    gate: Gate, delivery: Delivery, said: Draft, call: Intent, judged: Sequence[Judged]
) -> Draft:
    """The plan's draft, from its sentence's: every step, and the yes that the worst one takes."""
    steps = tuple(
        step_of(
            it.draft.action,
            it.draft.verdict.level,
            it.draft.assessment,
            it.draft.tool.secret if it.draft.tool else (),
            title_of(hold_of(gate, delivery, it.draft), it.draft.tool),
        )
        for it in judged
        if it.draft.action is not None
    )
    found = together(said.assessment, [it.draft.assessment for it in judged])
    named = (gate.tenant, said.agent, said.on_behalf_of, call)
    return dataclasses.replace(
        said,
        digest=plan_digest(*named, digests_of(steps)),
        assessment=found,
        metadata=metadata_of_plan(found, steps),
        verdict=_verdict(said.basis, found, judged),
        claim={},
        steps=steps,
        valid_for_s=call.lasts_s,
    )


def _propose(call: Intent, step: PlannedStep) -> Propose:
    return Propose(
        tool=step.tool,
        arguments=step.arguments,
        on_behalf_of=call.on_behalf_of,
        confidence=call.confidence,
    )


def _verdict(basis: Basis, found: Assessment, judged: Sequence[Judged]) -> Verdict:
    """Deny the plan where one of its steps is denied; otherwise ask people, always."""
    verdicts = [it.draft.verdict for it in judged]
    level = max(SENTENCE_LEVEL, *(it.level for it in verdicts))
    for number, each in enumerate(verdicts, 1):
        if each.kind is VerdictKind.DENY:
            return Verdict(
                kind=VerdictKind.DENY, level=level, reason=f"Step {number}: {each.reason}"
            )
    level = max(level, basis.policy.risk_levels.get(found.level, 0))
    return asking(by_level(level, basis.policy), basis.policy)
