"""Delegation: an agent answers a query under a dispatch, and may delegate in its turn."""

from collections.abc import Mapping, Sequence

from holdpoint.client import Holdpoint, Status
from holdpoint.coordinator.calls import Calls, told
from holdpoint.coordinator.workflows import AgentStep, filled
from holdpoint.core.dispatch import AgentDelegation
from holdpoint.messages.request import waits
from holdpoint.runtime.process import crash

ENDED = frozenset({Status.DONE, Status.ALREADY_PROCESSED})


class NotDelegatedError(Exception):
    """The gate lets nobody answer this query, or it was not answered; the text says why."""


async def delegated(
    calls: Calls,
    agents: Mapping[str, Holdpoint],
    delegation: AgentDelegation,
    steps: Sequence[AgentStep],
    by: Holdpoint | None = None,
) -> str:
    """Return what the target agent answers, now or when this was asked for the first time.

    While people are asked about a call of its own, its dispatch stays open: the same request later
    goes on from there.

    Raises NotDelegatedError when the access matrix does not allow it.
    """
    target = agents.get(delegation.target_agent)
    if target is None:
        raise NotDelegatedError(f"No agent {delegation.target_agent} runs here.")
    key, outcome = await calls.dispatch(delegation, by)
    if outcome.status in ENDED:
        return str(outcome.data.get("text", ""))
    if outcome.status is not Status.APPROVED:
        is_lapsed = outcome.status is Status.LAPSED
        raise NotDelegatedError(outcome.message_for_user if is_lapsed else told(outcome))
    group, begun = calls.request.request_id, len(calls.made)
    async with target.cycle(
        delegation.query, dispatched_by=outcome.hold_id, group_id=group
    ) as cycle:
        with calls.below(key):
            texts = [await _step(calls, agents, delegation, it, target) for it in steps]
        answer = "\n".join(filter(None, texts)) or "Nothing was found."
        if any(waits(it) for it in calls.made[begun:]):
            await cycle.pause(answer)
            return answer
        crash.passing("coordinator", "answer", "before")
        await cycle.answer(answer)
    return answer


async def _step(
    calls: Calls,
    agents: Mapping[str, Holdpoint],
    delegation: AgentDelegation,
    step: AgentStep,
    agent: Holdpoint,
) -> str:
    """A tool of the agent's own, or a query to another agent that has it."""
    if step.agent == agent.agent:
        outcome = await calls.call(step.tool, filled(step.arguments, delegation.context), agent)
        return told(outcome)
    below = AgentDelegation(
        target_agent=step.agent,
        query=delegation.query,
        context=delegation.context,
        return_to=agent.agent,
    )
    return await delegated(calls, agents, below, [step], agent)
