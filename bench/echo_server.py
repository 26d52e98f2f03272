"""An MCP server with one tool, which gives back what it was given."""

from mcp.server import MCPServer

server = MCPServer("bench", version="1")


@server.tool()
def echo(note: str) -> str:
    """Give it back."""
    return note


if __name__ == "__main__":
    server.run("stdio")
