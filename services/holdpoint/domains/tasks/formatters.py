"""The tasks' results: as data, as text, for voices, and with the next steps."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from holdpoint.core.spoken import counted, spoken
from holdpoint.core.tool import Result
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction
from holdpoint.messages.run import RunStatus

DONE_WORDS: Mapping[str, str] = {
    "added": "I added task {task_id}: {title}.",
    "completed": "Task {task_id} is completed: {title}.",
    "updated": "Task {task_id} is updated: {title}.",
    "deleted": "Task {task_id} is deleted: {title}.",
}


def listing(user_id: str, found: Iterable[Mapping[str, Any]], status: str) -> Result:
    """A person's tasks."""
    rows = [shown(row) for row in found]
    kind = "" if status == "all" else f"{status} "
    lines = [_line(it, with_status=not kind) for it in rows]
    names = ", ".join(it["title"] for it in rows)
    said = f"You have {counted(len(rows), f'{kind}task', f'{kind}tasks')}"
    told = f"You have {len(rows) or 'no'} {kind}task{'' if len(rows) == 1 else 's'}"
    return _done(
        {"tasks": rows},
        "\n".join((f"{told}:", *lines)) if rows else f"{told}.",
        f"{said}: {names}." if names else f"{told}.",
        f"{told}.",
        *(_complete(user_id, it) for it in rows[:3] if it["status"] == "pending"),
    )


def _line(task: Mapping[str, Any], *, with_status: bool) -> str:
    """Return a task of a list: `3. Buy milk (completed)`."""
    is_done = with_status and task["status"] != "pending"
    return f"- {task['task_id']}. {task['title']}{' (' + task['status'] + ')' if is_done else ''}"


def changed(user_id: str, what: str, outcome: JsonObject) -> Result:
    """A task was added, completed, updated or deleted."""
    text = DONE_WORDS[what].format(**outcome)
    next_steps = [_list(user_id)]
    if what == "added":
        next_steps.append(_complete(user_id, outcome))
    return _done(outcome, text, text, text, *next_steps)


def refused(error: Exception, *, known: bool) -> Result:
    """Say that nothing was changed, and why."""
    text = str(error) if known else "The task list could not do this now; nothing was changed."
    return Result(
        status=RunStatus.FAILED,
        formatted=text,
        formatted_spoken=spoken(text),
        message_for_user=text,
        error=text,
    )


def no_longer_so(error: Exception) -> Result:
    """Say that the task is no longer the one on the card."""
    return replace(refused(error, known=True), status=RunStatus.PRECONDITION_FAILED)


def shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """A task as it is told."""
    return {name: row[name] for name in ("task_id", "title", "description", "status")}


def _done(data: JsonObject, text: str, said: str, message: str, *steps: AvailableAction) -> Result:
    return Result(
        status=RunStatus.DONE,
        data=data,
        formatted=text,
        formatted_spoken=spoken(said),
        message_for_user=message,
        available_actions=steps,
    )


def _list(user_id: str) -> AvailableAction:
    return AvailableAction(
        tool="list_tasks", params={"user_id": user_id}, label="List tasks",
        description="See all tasks",
    )  # fmt: skip


def _complete(user_id: str, task: Mapping[str, Any]) -> AvailableAction:
    return AvailableAction(
        tool="complete_task", params={"user_id": user_id, "task_id": task["task_id"]},
        label=f"Complete: {task['title']}", description="Mark this task as done",
    )  # fmt: skip
