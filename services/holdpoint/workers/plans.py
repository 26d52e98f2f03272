"""Dry runs: what an action would do, provably without doing it."""

import asyncio

from msgspec.structs import replace

from holdpoint.core.tool import ArgumentsError, PlanContext, arguments_of
from holdpoint.messages.action import Action, Plan
from holdpoint.messages.ask import AskPlan, PlanAnswer
from holdpoint.messages.codec import decode
from holdpoint.runtime import clock
from holdpoint.workers.parts import Worker

LONGEST_S = 1.8
"""Below the 2 s that the gate waits."""


async def on_plan(worker: Worker, _: str, body: bytes) -> PlanAnswer:
    """Answer the gate's question; no answer would count as one level up."""
    return PlanAnswer(plan=await _plan(worker, decode(body, AskPlan).action))


async def _plan(worker: Worker, action: Action) -> Plan:
    spec = worker.specs.get(action.tool)
    if spec is None or spec.plan is None:
        return Plan(error=f"There is no dry run of {action.tool}.")
    try:
        arguments = arguments_of(spec, action.arguments)
        context = PlanContext(settings=worker.settings, resource=worker.resource)
        async with asyncio.timeout(LONGEST_S):
            plan = await spec.plan(arguments, context)
    except ArgumentsError as error:
        return Plan(error=str(error))
    except TimeoutError:
        return Plan(error="The dry run took too long.")
    return replace(plan, at=clock.now())
