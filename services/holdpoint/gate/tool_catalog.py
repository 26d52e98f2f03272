"""The gate's catalog: its tools, and catalog files that are read anew once they change."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from holdpoint.core.catalog import Catalog
from holdpoint.messages.catalog import Tool
from holdpoint.runtime.config.catalog_files import catalog_files, load_naming
from holdpoint.runtime.errors import SetupError

log = structlog.get_logger(__name__)

Stamp = tuple[tuple[str, int, int], ...]


@dataclass
class ToolCatalog:
    """The catalog that counts now."""

    tools: tuple[Tool, ...]
    """Of every domain."""

    folder: Path
    current: Catalog = field(init=False)
    _read: Stamp = field(init=False)

    def __post_init__(self) -> None:
        """Read it. Raises SetupError for a file with a mistake."""
        self._read = _stamp(self.folder)
        self.current = self._loaded()

    async def ensure_fresh(self) -> Catalog:
        """Read again what changed; while a changed file has a mistake, the last good one counts."""
        stamp = await asyncio.to_thread(_stamp, self.folder)
        if stamp == self._read:
            return self.current
        self._read = stamp
        try:
            self.current = await asyncio.to_thread(self._loaded)
        except SetupError as error:
            log.warning("catalog_not_read", why=str(error))
        return self.current

    def _loaded(self) -> Catalog:
        try:
            return Catalog(self.tools, load_naming(self.folder))
        except ValueError as error:
            raise SetupError(f"{self.folder}: {error}") from None


def _stamp(folder: Path) -> Stamp:
    """Name, size and time of change of each file."""
    stats = ((path, path.stat()) for path in catalog_files(folder) if path.exists())
    return tuple((path.name, it.st_size, it.st_mtime_ns) for path, it in stats)
