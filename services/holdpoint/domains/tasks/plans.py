"""The dry run of a change: names the one task that it is about, and changes nothing."""

import asyncio

from sqlalchemy.exc import DBAPIError

from holdpoint.core.tool import PlanContext
from holdpoint.domains.tasks.schemas import OfTask, UpdateTask
from holdpoint.domains.tasks.store import TaskError, task_of
from holdpoint.messages.action import Plan
from holdpoint.messages.base import JsonObject


async def completion(arguments: OfTask, context: PlanContext) -> Plan:
    """Plan to complete a task."""
    return await _plan("complete task {task_id}: {title}", arguments, context)


async def update(arguments: UpdateTask, context: PlanContext) -> Plan:
    """Plan to change a task."""
    words = "the description of " if arguments.title is None else ""
    text = f"change {words}task {{task_id}}: {{title}}"
    return await _plan(text, arguments, context, arguments.title or "")


async def deletion(arguments: OfTask, context: PlanContext) -> Plan:
    """Plan to delete a task."""
    return await _plan("delete task {task_id}: {title}", arguments, context)


def conditions_of(task: JsonObject) -> JsonObject:
    """Return what has to be true of the task when it is changed: that it still says the same."""
    return {"title": task["title"]}


async def _plan(text: str, arguments: OfTask, context: PlanContext, title: str = "") -> Plan:
    """Return the plan; one task is affected, and its title stands in the summary."""
    try:
        async with (
            asyncio.timeout(context.settings.timeout_s),
            context.resource.engine.connect() as connection,
        ):
            task = await task_of(connection, arguments.user_id, arguments.task_id)
    except TaskError as error:
        return Plan(error=str(error), impossible=str(error))
    except (DBAPIError, OSError, TimeoutError):
        return Plan(error="the task list could not be read")
    summary = text.format_map(task)
    return Plan(
        affected=1,
        unit="tasks",
        conditions=conditions_of(task),
        summary=f"{summary} → {title}" if title else summary,
    )
