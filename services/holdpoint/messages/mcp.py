"""MCP servers as an operator declares them, and the tools that they say they have."""

from enum import StrEnum

from holdpoint.messages.base import JsonObject, Value
from holdpoint.messages.catalog import UNLEVELLED

MCP_DOMAIN = "mcp"
"""The domain whose workers call MCP servers."""


class Transport(StrEnum):
    """Connection to a server."""

    STDIO = "stdio"
    """A child process."""

    HTTP = "http"
    """Streamable HTTP."""


class McpServer(Value, frozen=True, kw_only=True):
    """An MCP server, as an operator declares it. Only the operator's levels count."""

    name: str
    transport: Transport = Transport.STDIO
    command: str = ""
    args: tuple[str, ...] = ()
    working_dir: str = ""
    env: dict[str, str] = {}
    """Variables that it is started with, besides the usual ones such as PATH and HOME."""

    url: str = ""
    enabled: bool = True
    domains: tuple[str, ...] = ()
    """The domains whose agents may use its tools, besides `mcp`."""

    prefix: str = ""
    """Stands before each of its tools' names in the catalog."""

    level: int = UNLEVELLED
    """Operation level of each tool that `levels` does not name."""

    levels: dict[str, int] = {}
    """Operation levels, by the tool's own name."""

    idempotent: tuple[str, ...] = ()
    """Tools that may run again after a crash."""

    timeout_s: float = 300.0
    """Seconds that one call may take."""


class McpListing(Value, frozen=True, kw_only=True):
    """A server as its worker last saw it."""

    up: bool
    problem: str = ""
    """Why it is away; empty while it is up."""

    tools: tuple[JsonObject, ...] = ()
    """Its tools, as it describes them."""


class McpState(Value, frozen=True, kw_only=True):
    """A declared server, what it offers now, and what the operator adopted."""

    server: McpServer
    listing: McpListing = McpListing(up=False)
    adopted: dict[str, str] = {}
    """The version of each tool that the operator adopted, by its own name."""
