"""MCP servers: those of `mcp_servers.yaml`, those that `holdpoint mcp add` registered, their tools.

In the state folder `mcp/servers` is written by the command line, `mcp/tools` by the worker, and
`mcp/adopted` by the one who adopts: the worker when it first sees a server, then the command line.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

import msgspec
from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from holdpoint.messages.base import ID_PATTERN, Value
from holdpoint.messages.catalog import UNLEVELLED
from holdpoint.messages.mcp import McpListing, McpServer, McpState, Transport
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.config.yaml_files import Part, Text, read
from holdpoint.runtime.errors import SetupError

MCP_SERVERS_FILE = "mcp_servers.yaml"
MCP_FOLDER = "mcp"
SERVERS, TOOLS, ADOPTED = "servers", "tools", "adopted"

T = TypeVar("T")
Id = Annotated[str, Field(pattern=ID_PATTERN)]
Level = Annotated[int, Field(ge=1, le=5)]
Stamp = tuple[tuple[str, int, int], ...]


class ServerEntry(Part):
    """One MCP server, as a person writes it."""

    model_config = ConfigDict(strict=True)

    transport: Literal["stdio", "http"] = "stdio"
    """`stdio` starts `command`; `http` is streamable HTTP at `url`."""

    command: str = ""
    args: list[str] = []
    working_dir: str = ""
    env: dict[str, str] = {}
    url: str = ""
    enabled: bool = True
    domains: list[Id] = []
    """The domains whose agents may use its tools; an agent of the domain `mcp` may use all."""

    prefix: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_-]{0,32}$")
    """Stands before each tool's name. Left out: `<server>_`, and nothing where `domains` are."""

    level: Level = UNLEVELLED
    """Operation level of each tool that `levels` does not name."""

    levels: dict[Text, Level] = {}
    idempotent: list[Text] = []
    """Tools that may run again after a crash; those of level 1 may anyway."""

    timeout_s: Annotated[float, Field(gt=0, le=3600, strict=False)] = 300.0

    @model_validator(mode="after")
    def _is_reachable(self) -> Self:
        if self.transport == "stdio" and not self.command:
            raise PydanticCustomError("no_command", "a stdio server has a `command`")
        if self.transport == "http" and not self.url.startswith(("http://", "https://")):
            raise PydanticCustomError("no_url", "an http server has a `url`")
        return self


class McpServersFile(Part):
    """mcp_servers.yaml."""

    servers: dict[Id, ServerEntry] = {}


@dataclass(frozen=True, kw_only=True)
class McpFiles:
    """Files about the MCP servers known on this machine."""

    config_dir: Path
    state_dir: Path

    @classmethod
    def of(cls, settings: Settings) -> "McpFiles":
        """The files of these settings."""
        return cls(config_dir=settings.config_dir, state_dir=settings.state_dir)

    @property
    def folder(self) -> Path:
        """The folder of what is written here."""
        return self.state_dir / MCP_FOLDER

    def stamp(self) -> Stamp:
        """Name, size and time of change of each file: another stamp is another content."""
        found = []
        for path in (self.config_dir / MCP_SERVERS_FILE, *sorted(self.folder.glob("*/*.json"))):
            try:
                seen = path.stat()
            except FileNotFoundError:
                continue
            found.append((f"{path.parent.name}/{path.name}", seen.st_size, seen.st_mtime_ns))
        return tuple(found)

    def declared(self) -> tuple[McpServer, ...]:
        """Every server: the file's come before registered ones. Raises SetupError."""
        written = load_servers(self.config_dir / MCP_SERVERS_FILE)
        names = {it.name for it in written}
        registered = (it for it in self._registered() if it.name not in names)
        return (*written, *registered)

    def states(self) -> tuple[McpState, ...]:
        """Every server, with its tools. Raises SetupError."""
        return tuple(self.state_of(server) for server in self.declared())

    def state_of(self, server: McpServer) -> McpState:
        """Return what is known of a server."""
        listing = self._read(TOOLS, server.name, McpListing)
        adopted = self.adopted(server.name)
        if listing is None:
            return McpState(server=server, adopted=adopted or {})
        return McpState(server=server, listing=listing, adopted=adopted or {})

    def adopted(self, name: str) -> dict[str, str] | None:
        """The adopted version of each tool; None for a server that was never seen."""
        return self._read(ADOPTED, name, dict[str, str])

    def register(self, server: McpServer) -> None:
        """Keep a server. Its environment may hold secrets, so the file is its owner's alone."""
        self._write(SERVERS, server.name, server)

    def forget(self, name: str) -> bool:
        """Forget a registered server and its tools; False, and no change, if there is none."""
        if not self._path(SERVERS, name).exists():
            return False
        for kind in (SERVERS, TOOLS, ADOPTED):
            self._path(kind, name).unlink(missing_ok=True)
        return True

    def list_tools(self, name: str, listing: McpListing) -> None:
        """Write down what a server offers now."""
        if self._read(TOOLS, name, McpListing) != listing:
            self._write(TOOLS, name, listing)

    def adopt(self, name: str, versions: dict[str, str]) -> None:
        """Write down the versions that the operator's levels are about."""
        self._write(ADOPTED, name, versions)

    def _registered(self) -> Iterator[McpServer]:
        for path in sorted((self.folder / SERVERS).glob("*.json")):
            found = self._read(SERVERS, path.stem, McpServer)
            if found is not None and found.name == path.stem:
                yield found

    def _path(self, kind: str, name: str) -> Path:
        return self.folder / kind / f"{name}.json"

    def _read(self, kind: str, name: str, type_: type[T]) -> T | None:
        path = self._path(kind, name)
        try:
            return msgspec.json.decode(path.read_bytes(), type=type_)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            raise SetupError(
                f"{path} cannot be read ({error}). Remove the server and add it again: "
                f"holdpoint mcp remove {name}"
            ) from None

    def _write(self, kind: str, name: str, content: Value | dict[str, str]) -> None:
        folder = files.private_folder(self.folder / kind)
        files.replace(folder / f"{name}.json", msgspec.json.encode(content), files.PRIVATE)


def load_servers(path: Path) -> tuple[McpServer, ...]:
    """Read mcp_servers.yaml; without the file there are none. Raises SetupError."""
    if not path.exists():
        return ()
    return tuple(_server(name, entry) for name, entry in read(path, McpServersFile).servers.items())


def _server(name: str, entry: ServerEntry) -> McpServer:
    usual = "" if entry.domains else f"{name}_"
    return McpServer(
        name=name,
        transport=Transport(entry.transport),
        command=entry.command,
        args=tuple(entry.args),
        working_dir=entry.working_dir,
        env=entry.env,
        url=entry.url,
        enabled=entry.enabled,
        domains=tuple(entry.domains),
        prefix=usual if entry.prefix is None else entry.prefix,
        level=entry.level,
        levels=entry.levels,
        idempotent=tuple(entry.idempotent),
        timeout_s=entry.timeout_s,
    )
