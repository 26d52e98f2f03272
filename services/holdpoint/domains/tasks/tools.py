"""The tasks' tools: the five of seed 003."""

import msgspec
from sqlalchemy import insert, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from holdpoint.core.tool import Result, Run, RunContext, tool, what_ran
from holdpoint.domains.tasks import formatters, plans
from holdpoint.domains.tasks.schemas import AddTask, ListTasks, OfTask, UpdateTask
from holdpoint.domains.tasks.store import (
    ChangedError,
    TaskError,
    Work,
    once,
    outcome_of,
    task_of,
    tasks,
)
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Repeat
from holdpoint.runtime.process import clock

DOMAIN = "tasks"
UNDO = "An operator of the task list can restore it."


async def _happened(arguments: msgspec.Struct, context: RunContext) -> Result | None:
    """The result of the first time, if there was one."""
    try:
        found = await outcome_of(context.resource, context.idempotency_key, _timeout(context))
    except (DBAPIError, OSError, TimeoutError) as error:
        return formatters.refused(error, known=False)
    return None if found is None else _told(arguments, found)


@tool(
    domain=DOMAIN,
    level=2,
    template="add the task: {title}",
    schema=AddTask,
    repeat=Repeat.LOOKUP,
    lookup=_happened,
)
async def add_task(arguments: AddTask, context: RunContext) -> Result:
    """Add a task to a person's list."""

    async def work(connection: AsyncConnection) -> JsonObject:
        values = {name: getattr(arguments, name) for name in ("user_id", "title", "description")}
        made = await connection.execute(insert(tasks).values(values))
        (task_id,) = made.inserted_primary_key or (0,)
        row = await task_of(connection, arguments.user_id, int(task_id))
        return formatters.shown(row) | {"did": "added"}

    return await _changed(arguments, context, work)


@tool(
    domain=DOMAIN,
    level=1,
    template="list the {status} tasks of {user_id}",
    schema=ListTasks,
    repeat=Repeat.IDEMPOTENT,
)
async def list_tasks(arguments: ListTasks, context: RunContext) -> Result:
    """List a person's tasks: all, pending or completed."""
    query = select(tasks).where(tasks.c.user_id == arguments.user_id, tasks.c.deleted_at.is_(None))
    if arguments.status != "all":
        query = query.where(tasks.c.status == arguments.status)
    try:
        async with context.resource.engine.connect() as connection:
            rows = await connection.execute(query.order_by(tasks.c.task_id))
            found = [dict(row) for row in rows.mappings()]
    except (DBAPIError, OSError) as error:
        return formatters.refused(error, known=False)
    return formatters.listing(arguments.user_id, found, arguments.status)


@tool(
    domain=DOMAIN,
    level=3,
    template="complete task {task_id} of {user_id}",
    schema=OfTask,
    repeat=Repeat.LOOKUP,
    plan=plans.completion,
    lookup=_happened,
    undo="Set its status back to pending.",
    effect="marks a task as done",
)
async def complete_task(arguments: OfTask, context: RunContext) -> Result:
    """Mark a task as completed."""
    return await _set(arguments, context, {"status": "completed"}, "completed")


@tool(
    domain=DOMAIN,
    level=3,
    template="update task {task_id} of {user_id}",
    schema=UpdateTask,
    repeat=Repeat.LOOKUP,
    plan=plans.update,
    lookup=_happened,
    undo="Update it again with its old text.",
    effect="replaces what a task says",
)
async def update_task(arguments: UpdateTask, context: RunContext) -> Result:
    """Change a task's title or description."""
    values = {
        name: value
        for name in ("title", "description")
        if (value := getattr(arguments, name)) is not None
    }
    if not values:
        return formatters.refused(TaskError("Say what is to change: title or text."), known=True)
    return await _set(arguments, context, values, "updated")


@tool(
    domain=DOMAIN,
    level=3,
    template="delete task {task_id} of {user_id}",
    schema=OfTask,
    repeat=Repeat.LOOKUP,
    plan=plans.deletion,
    lookup=_happened,
    undo=UNDO,
    effect="deletes a task from somebody's list",
)
async def delete_task(arguments: OfTask, context: RunContext) -> Result:
    """Delete a task from a person's list."""
    return await _set(arguments, context, {"deleted_at": clock.now().isoformat()}, "deleted")


async def _set(arguments: OfTask, context: RunContext, values: dict[str, str], did: str) -> Result:
    async def work(connection: AsyncConnection) -> JsonObject:
        before = await task_of(connection, arguments.user_id, arguments.task_id)
        if context.preconditions not in ({}, _expected(before)):
            raise ChangedError(
                f"Task {arguments.task_id} has changed since the card was shown. Nothing was done."
            )
        change = update(tasks).where(tasks.c.task_id == arguments.task_id).values(values)
        await connection.execute(change)
        return formatters.shown(before | values) | {"did": did}

    return await _changed(arguments, context, work)


def _expected(task: JsonObject) -> JsonObject:
    """Return the preconditions under which a plan was made for this task as it is now."""
    return {"affected": 1, "conditions": plans.conditions_of(task)}


async def _changed(arguments: msgspec.Struct, context: RunContext, work: Work) -> Result:
    key, timeout_s = context.idempotency_key, _timeout(context)
    try:
        outcome = await once(context.resource, key, timeout_s, work)
    except ChangedError as error:
        return formatters.no_longer_so(error)
    except TaskError as error:
        return formatters.refused(error, known=True)
    except (DBAPIError, OSError, TimeoutError) as error:
        return formatters.refused(error, known=False)
    return _told(arguments, outcome)


def _told(arguments: msgspec.Struct, outcome: JsonObject) -> Result:
    did = str(outcome["did"])
    told = formatters.changed(getattr(arguments, "user_id", ""), did, outcome)
    verb = {"added": "add", "completed": "complete", "updated": "update", "deleted": "delete"}[did]
    return msgspec.structs.replace(told, executed=what_ran(f"{verb}_task", arguments))


def _timeout(context: RunContext) -> float:
    return float(context.settings.timeout_s)


TOOLS: tuple[Run, ...] = (add_task, list_tasks, complete_task, update_task, delete_task)
"""All of the domain's tools."""
