"""Arguments of the tasks' tools."""

from typing import Annotated, Literal

import msgspec

UserId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
TaskId = Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
Title = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
Description = Annotated[str, msgspec.Meta(max_length=2000, pattern=r"^[^\x00]*$")]


class AddTask(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new task of a person."""

    user_id: UserId
    title: Title
    description: Description = ""


class ListTasks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's tasks, all of them or those of one status."""

    user_id: UserId
    status: Literal["all", "pending", "completed"] = "all"


class OfTask(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One task of a person."""

    user_id: UserId
    task_id: TaskId


class UpdateTask(OfTask, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task's new title, description, or both."""

    title: Title | None = None
    description: Description | None = None
