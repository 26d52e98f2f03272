"""The sample MCP servers of `holdpoint up`: a cloud, databases and tasks."""

import sys
from importlib.util import find_spec
from typing import Any

from holdpoint.cli.demo.sample_agent import crm
from holdpoint.cli.events import Problem, Tell
from holdpoint.messages.mcp import McpServer
from holdpoint.runtime.config import files
from holdpoint.runtime.config.mcp_servers import McpFiles
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

TASK_LEVELS = {"list_tasks": 1, "add_task": 2}
"""The other three change or delete what is there: level 3."""


async def offer_sample_servers(settings: Settings, tell: Tell) -> None:
    """Register the samples, once for a state folder: one that was removed stays away."""
    mark = settings.state_dir / "sample" / "mcp-servers"
    if find_spec("mcp") is None or mark.exists():
        return
    known = McpFiles.of(settings)
    try:
        taken = {it.name for it in known.declared()}
        for server in sample_servers(settings):
            if server.name not in taken:
                known.register(server)
    except SetupError as error:
        tell(Problem(who="mcp", text=str(error)))
        return
    files.create(mark, b"", files.PRIVATE)


def sample_servers(settings: Settings) -> tuple[McpServer, ...]:
    """Three servers on data made for them; the agents of agents.yaml use the first two."""
    tasks = settings.state_dir / "sample" / "mcp-tasks.db"
    return (
        _server(
            "oci-unified",
            level=1,
            domains=("identity", "compute", "network", "cost", "security", "observability"),
        ),
        _server(
            "database-observatory",
            f"crm=sqlite:///{crm(settings).resolve()}",
            level=1,
            levels={"oci_database_execute_sql": 3},
            domains=("database", "opsi"),
        ),
        _server("tasks", str(tasks.resolve()), level=3, levels=TASK_LEVELS, prefix="tasks_"),
    )


def _server(name: str, *args: str, **said: Any) -> McpServer:
    module = f"holdpoint.mcp.samples.{name.replace('-', '_')}"
    return McpServer(name=name, command=sys.executable, args=("-m", module, *args), **said)
