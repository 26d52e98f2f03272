"""The gate's catalog: its tools, and catalog files that are read again once they change."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from msgspec.structs import replace

from holdpoint.core.catalog import SENTENCE_TOOL, Catalog
from holdpoint.core.mcp_tools import tools_of
from holdpoint.messages.catalog import Naming, Tool
from holdpoint.messages.mcp import MCP_DOMAIN, McpState
from holdpoint.runtime.config.catalog_files import catalog_files, load_naming
from holdpoint.runtime.config.mcp_servers import McpFiles
from holdpoint.runtime.errors import SetupError

log = structlog.get_logger(__name__)

EVERY_S = 0.5
"""Between two looks at the files."""

Stamp = tuple[tuple[str, int, int], ...]


@dataclass
class ToolCatalog:
    """The catalog that counts now."""

    tools: tuple[Tool, ...]
    """Of every domain."""

    folder: Path
    mcp: McpFiles | None = None
    """The MCP servers whose tools stand in it too."""

    on_change: Callable[[Catalog], None] | None = None
    """Called with each new catalog."""

    current: Catalog = field(init=False)
    _read: Stamp = field(init=False)
    _has_servers: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        """Read it. Raises SetupError for a file with a mistake."""
        self._read = self._stamp()
        self.current = self._loaded()

    async def ensure_fresh(self) -> Catalog:
        """Read again what changed; while a changed file has a mistake, the last good one counts."""
        stamp = await asyncio.to_thread(self._stamp)
        if stamp == self._read:
            return self.current
        self._read = stamp
        try:
            self.current = await asyncio.to_thread(self._loaded)
        except SetupError as error:
            log.warning("catalog_not_read", why=str(error))
        else:
            self._tell()
        return self.current

    def domains(self) -> tuple[str, ...]:
        """Every domain with workers, also while no MCP server is up."""
        servers = {MCP_DOMAIN} if self._has_servers else set()
        return tuple(sorted({*self.current.domains(), *servers}))

    async def keep_fresh(self) -> None:
        """Notice for ever which tools MCP servers offer; they come and go."""
        while True:
            await self.ensure_fresh()
            await asyncio.sleep(EVERY_S)

    def _tell(self) -> None:
        if self.on_change is not None:
            self.on_change(self.current)

    def _stamp(self) -> Stamp:
        return (*_stamp(self.folder), *(self.mcp.stamp() if self.mcp else ()))

    def _loaded(self) -> Catalog:
        try:
            naming = load_naming(self.folder)
            known = Catalog(self.tools, naming)
            if self.mcp is None:
                return known
            states = _states(self.mcp)
            self._has_servers = self._has_servers or bool(states)
            more = tools_of(states, {*known.tools, *naming.aliases, SENTENCE_TOOL})
            return Catalog((*self.tools, *more), _without_taken(naming, known)) if more else known
        except ValueError as error:
            raise SetupError(f"{self.folder}: {error}") from None


def _without_taken(naming: Naming, known: Catalog) -> Naming:
    """The names without aliases that are a built-in tool's own: a server's tool gets no such."""
    free = {
        old: new
        for old, new in naming.aliases.items()
        if (tool := known.find(old)) is None or tool.name == new
    }
    return replace(naming, aliases=free)


def _states(mcp: McpFiles) -> tuple[McpState, ...]:
    """Every MCP server; a mistake in their files costs their tools, and no other tool."""
    try:
        return mcp.states()
    except SetupError as error:
        log.warning("mcp_servers_not_read", why=str(error))
        return ()


def _stamp(folder: Path) -> Stamp:
    """Name, size and time of change of each file."""
    stats = ((path, path.stat()) for path in catalog_files(folder) if path.exists())
    return tuple((path.name, it.st_size, it.st_mtime_ns) for path, it in stats)
