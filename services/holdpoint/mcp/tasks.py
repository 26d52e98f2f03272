"""Tasks (extension `io.modelcontextprotocol/tasks`): a call that waits, as a handle to ask about.

A task's id is its hold's, so it outlives the gateway. What a client sends about one is never a yes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from holdpoint.client import Holdpoint, Outcome, RefusedError, UnavailableError
from holdpoint.mcp.asking import is_modern
from holdpoint.mcp.replies import POLL_AFTER_MS, pending_text, reply_to
from holdpoint.messages.ask import JUDGED_BY_S
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import Status
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.lru_cache import Recent

TASKS = "io.modelcontextprotocol/tasks"
MOST_TASKS = 4_096
LOOK_S = JUDGED_BY_S + 2.0
"""The gate tells at once how a hold stands, and by then that there is none."""

UNKNOWN_HOLD = "unknown_hold"

Context = ServerRequestContext[Any, Any]


class TaskParams(types.RequestParams):
    """Which task a request is about; answers that come with it are not read."""

    task_id: str


def takes_tasks(ctx: Context) -> bool:
    """Return whether the client says, with this request, that it asks about tasks."""
    capabilities = ctx.session.client_capabilities
    return is_modern(ctx) and TASKS in ((capabilities and capabilities.extensions) or {})


@dataclass(eq=False, kw_only=True)
class Tasks:
    """Holds of one agent, as its clients' tasks."""

    hp: Holdpoint
    heard: Callable[[Outcome], None]
    """Told of each outcome: the same call, once it has ended, is another one."""

    began: Recent[str] = field(default_factory=lambda: Recent(MOST_TASKS))
    """When each became a task; after a restart, when it was first asked about."""

    def handle(self, outcome: Outcome, review_url: str) -> JsonObject:
        """The result of a call that waits: a handle in place of what the tool returns."""
        return self._task(outcome.hold_id, outcome, review_url) | {"resultType": "task"}

    async def get(self, task_id: str, review_url: str) -> JsonObject:
        """Answer `tasks/get`. Raises MCPError."""
        try:
            outcome = await self.hp.resume(task_id, wait=False, timeout=LOOK_S, on_cancel="leave")
        except RefusedError as error:
            raise MCPError(types.INVALID_PARAMS, error.text) from error
        except UnavailableError as error:
            raise MCPError(types.INTERNAL_ERROR, f"Ask again: {error}.") from error
        self.heard(outcome)
        return self._task(task_id, outcome, review_url)

    async def cancel(self, task_id: str) -> JsonObject:
        """Answer `tasks/cancel`: taken back where nothing has run yet. Raises MCPError."""
        try:
            self.heard(await self.hp.withdraw(task_id, "The MCP client cancelled its task."))
        except RefusedError as error:
            if error.code == UNKNOWN_HOLD:
                raise MCPError(types.INVALID_PARAMS, error.text) from error
        except UnavailableError as error:
            raise MCPError(types.INTERNAL_ERROR, f"Cancel it again: {error}.") from error
        return {}

    def _task(self, task_id: str, outcome: Outcome, review_url: str) -> JsonObject:
        now = clock.now().isoformat()
        began = self.began.get(task_id) or now
        self.began.put(task_id, began)
        task: JsonObject = {
            "taskId": task_id,
            "createdAt": began,
            "lastUpdatedAt": now,
            "ttlMs": None,
            "pollIntervalMs": POLL_AFTER_MS,
        }
        if outcome.is_pending:
            return task | {"status": "working", "statusMessage": pending_text(outcome, review_url)}
        if outcome.status is Status.WITHDRAWN:
            return task | {"status": "cancelled", "statusMessage": outcome.reason}
        result = reply_to(outcome, review_url, is_strict=False)
        told = result.model_dump(by_alias=True, exclude_none=True, mode="json")
        return task | {"status": "completed", "result": told}


def serve_tasks(server: Server[Any], tasks: Tasks, review_url: Callable[[str], str]) -> None:
    """Have the server answer about tasks, and say that it does."""

    async def get(_: Context, params: TaskParams) -> JsonObject:
        return await tasks.get(params.task_id, review_url(params.task_id))

    async def cancel(_: Context, params: TaskParams) -> JsonObject:
        return await tasks.cancel(params.task_id)

    async def update(_: Context, params: TaskParams) -> JsonObject:
        """Nothing is asked of a client, so nothing that it answers counts."""
        await tasks.get(params.task_id, "")
        return {}

    server.extensions[TASKS] = {}
    server.add_request_handler("tasks/get", TaskParams, get)
    server.add_request_handler("tasks/cancel", TaskParams, cancel)
    server.add_request_handler("tasks/update", TaskParams, update)
