"""The dry run of a change to a task names it, and the change counts for that task alone."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from holdpoint.core.tool import PlanContext, RunContext
from holdpoint.domains.settings import TasksSettings
from holdpoint.domains.tasks import plans, tools
from holdpoint.domains.tasks.schemas import AddTask, ListTasks, OfTask, UpdateTask
from holdpoint.domains.tasks.store import Tasks, opened
from holdpoint.messages.run import RunStatus

MILK = OfTask(user_id="ann", task_id=1)


@pytest.fixture
async def tasks(tmp_path: Path) -> AsyncIterator[Tasks]:
    async with opened(settings(tmp_path)) as database:
        await tools.add_task(AddTask(user_id="ann", title="milk"), run(database, "add"))
        yield database


def settings(folder: Path) -> TasksSettings:
    return TasksSettings(url=f"sqlite+aiosqlite:///{folder}/tasks.db")


def run(database: Tasks, key: str, preconditions: dict[str, Any] | None = None) -> RunContext:
    return RunContext(
        hold_id=key,
        nonce=key,
        preconditions=preconditions or {},
        idempotency_key=key,
        settings=TasksSettings(url="sqlite://"),
        resource=database,
    )


def plan(database: Tasks) -> PlanContext:
    return PlanContext(settings=TasksSettings(url="sqlite://"), resource=database)


async def test_the_plan_names_the_one_task(tasks: Tasks) -> None:
    found = await plans.deletion(MILK, plan(tasks))
    assert (found.affected, found.unit, found.summary) == (1, "tasks", "delete task 1: milk")
    change = UpdateTask(user_id="ann", task_id=1, title="oat milk")
    renamed = await plans.update(change, plan(tasks))
    assert renamed.summary == "change task 1: milk → oat milk"


async def test_a_task_that_is_not_there_is_asked_about_by_nobody(tasks: Tasks) -> None:
    found = await plans.completion(OfTask(user_id="ben", task_id=1), plan(tasks))
    assert found.impossible == "There is no task 1 on this list."


async def test_a_task_that_changed_since_its_card_is_left_alone(tasks: Tasks) -> None:
    shown = await plans.deletion(MILK, plan(tasks))
    conditions = {"affected": shown.affected, "conditions": shown.conditions}
    renaming = UpdateTask(user_id="ann", task_id=1, title="passport")
    await tools.update_task(renaming, run(tasks, "rename"))
    told = await tools.delete_task(MILK, run(tasks, "delete", conditions))
    assert told.status is RunStatus.PRECONDITION_FAILED
    left = await tools.list_tasks(ListTasks(user_id="ann"), run(tasks, "list"))
    assert left.formatted == "You have 1 task:\n- 1. passport"


async def test_an_empty_list_is_told_once(tasks: Tasks) -> None:
    done = ListTasks(user_id="ann", status="completed")
    told = await tools.list_tasks(done, run(tasks, "list"))
    assert told.formatted == told.message_for_user == "You have no completed tasks."
