"""An MCP server with one tool, which runs a command in the folder that is its argument."""

import subprocess
import sys

from mcp.server import MCPServer

server = MCPServer("Shell", version="1")


@server.tool()
def run(command: str) -> str:
    """Run a shell command."""
    done = subprocess.run(command, shell=True, cwd=sys.argv[1], check=False, capture_output=True)  # noqa: S602
    return f"exit code {done.returncode}"


if __name__ == "__main__":
    server.run("stdio")
