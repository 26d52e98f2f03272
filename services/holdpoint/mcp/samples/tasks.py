"""A to-do list as an MCP server: the five tools that seed 003 names, on a SQLite file of its own.

python -m holdpoint.mcp.samples.tasks FILE.db
"""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ToolAnnotations

from holdpoint.mcp.samples.answers import READS, answer, lines

TABLE = """
    CREATE TABLE IF NOT EXISTS tasks (
        task_id INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL, title TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '', status TEXT NOT NULL DEFAULT 'pending')"""
FIND = "SELECT * FROM tasks WHERE task_id = :task_id AND user_id = :user_id"
CHANGE = """
    UPDATE tasks SET title = :title, description = :description, status = :status
    WHERE task_id = :task_id"""
DELETE = "DELETE FROM tasks WHERE task_id = :task_id"
DESTROYS = ToolAnnotations(destructive_hint=True)
CHANGES = ToolAnnotations(destructive_hint=False)


class TaskList:
    """Tasks of each person, in one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._open() as file:
            file.execute(TABLE)

    def add_task(self, user_id: str, title: str, description: str = "") -> CallToolResult:
        """Add a task to a person's list."""
        if not title.strip():
            raise ToolError("A task has a title.")
        with self._open() as file:
            made = file.execute(
                "INSERT INTO tasks (user_id, title, description) VALUES (?, ?, ?)",
                (user_id, title, description),
            )
            task = _task(file, user_id, made.lastrowid or 0)
        return answer(f"Added task {task['task_id']}: {title}.", task)

    def list_tasks(
        self, user_id: str, status: Literal["all", "pending", "completed"] = "all"
    ) -> CallToolResult:
        """List a person's tasks: all, pending or completed."""
        with self._open() as file:
            every = file.execute("SELECT * FROM tasks WHERE user_id = ? ORDER BY 1", (user_id,))
            rows = [dict(row) for row in every if status in {"all", row["status"]}]
        said = [f"{it['task_id']}. {it['title']} ({it['status']})" for it in rows]
        return answer(lines("Tasks", said), {"tasks": rows})

    def complete_task(self, user_id: str, task_id: int) -> CallToolResult:
        """Mark a task as completed."""
        with self._open() as file:
            task = _task(file, user_id, task_id) | {"status": "completed"}
            file.execute(CHANGE, task)
        return answer(f"Completed task {task_id}: {task['title']}.", task)

    def update_task(
        self, user_id: str, task_id: int, title: str = "", description: str = ""
    ) -> CallToolResult:
        """Change a task's title, its description, or both."""
        said = {"title": title.strip(), "description": description.strip()}
        changes = {name: value for name, value in said.items() if value}
        if not changes:
            raise ToolError("Say what is to change: title, description, or both.")
        with self._open() as file:
            task = _task(file, user_id, task_id) | changes
            file.execute(CHANGE, task)
        return answer(f"Updated task {task_id}: {task['title']}.", task)

    def delete_task(self, user_id: str, task_id: int) -> CallToolResult:
        """Delete a task from a person's list."""
        with self._open() as file:
            task = _task(file, user_id, task_id)
            file.execute(DELETE, task)
        return answer(f"Deleted task {task_id}: {task['title']}.", task)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A transaction that counts when the block ends without an error."""
        with closing(sqlite3.connect(self._path)) as file, file:
            file.row_factory = sqlite3.Row
            yield file


def _task(file: sqlite3.Connection, user_id: str, task_id: int) -> dict[str, Any]:
    row = file.execute(FIND, {"task_id": task_id, "user_id": user_id}).fetchone()
    if row is None:
        raise ToolError(f"There is no task {task_id} on this list.")
    return dict(row)


def server_of(path: Path) -> MCPServer:
    """Return the server with its five tools."""
    server, its = MCPServer("Tasks", version="1"), TaskList(path)
    server.add_tool(its.list_tasks, annotations=READS, structured_output=False)
    for changing in (its.add_task, its.complete_task, its.update_task):
        server.add_tool(changing, annotations=CHANGES, structured_output=False)
    server.add_tool(its.delete_task, annotations=DESTROYS, structured_output=False)
    return server


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004  # its name and the file
        raise SystemExit(
            "Name the file of the tasks: python -m holdpoint.mcp.samples.tasks FILE.db"
        )
    server_of(Path(sys.argv[1])).run("stdio")
