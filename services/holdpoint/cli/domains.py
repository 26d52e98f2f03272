"""Domains: the built-in ones, loaded only when they are asked for, and yours."""

import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from holdpoint.core.catalog import Catalog
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.tool import spec_of
from holdpoint.domains.settings import BANK, BANK_DOMAINS, DOMAINS_FILE, TASKS, DomainsSettings
from holdpoint.gate.tool_catalog import ToolCatalog
from holdpoint.messages.catalog import Tool
from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.runtime.config.catalog_files import CATALOG_FOLDER
from holdpoint.runtime.config.mcp_servers import McpFiles
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.config.yaml_files import read
from holdpoint.runtime.errors import SetupError

BUILT_IN: Mapping[str, str] = {
    "shell": "holdpoint.domains.shell.tools",
    "database": "holdpoint.domains.database.tools",
    TASKS: "holdpoint.domains.tasks.tools",
    **{name: f"holdpoint.domains.bank.{name}.tools" for name in BANK_DOMAINS},
}
"""The module of each domain with its `TOOLS`."""

OPENING: Mapping[str, str] = {
    "shell": BUILT_IN["shell"],
    "database": BUILT_IN["database"],
    BANK: "holdpoint.domains.bank.opening",
    TASKS: "holdpoint.domains.tasks.store",
}
"""The module that opens each part of `domains.yaml`."""


def domain_names(settings: Settings) -> tuple[str, ...]:
    """Every domain, without loading one."""
    return tuple(dict.fromkeys((*coded_domains(settings), MCP_DOMAIN)))


def coded_domains(settings: Settings) -> tuple[str, ...]:
    """Every domain with a module; bank and tasks only where `domains.yaml` offers them."""
    bank = BANK_DOMAINS if _offers(settings, BANK) else ()
    tasks = (TASKS,) if _offers(settings, TASKS) else ()
    usual = (name for name in BUILT_IN if name not in {*BANK_DOMAINS, TASKS})
    known = (*usual, *bank, *tasks)
    return (*known, *(name for name in settings.domains if name not in known))


def part_of(settings: Settings, domain: str) -> str:
    """The part of `domains.yaml` that a domain belongs to, and the worker that runs it."""
    is_bank = domain in BANK_DOMAINS and domain not in settings.domains
    return BANK if is_bank else domain


def parts(settings: Settings) -> tuple[str, ...]:
    """The parts of `domains.yaml`, each with a worker of its own; and MCP, once it has servers."""
    coded = dict.fromkeys(part_of(settings, it) for it in coded_domains(settings))
    return (*coded, *((MCP_DOMAIN,) if has_mcp_servers(settings) else ()))


def part_not_offered(settings: Settings, tool: str) -> str:
    """The part of `domains.yaml` that would have this tool and is left out; empty if none is."""
    for name in BUILT_IN.keys() - set(coded_domains(settings)):
        tools = (spec_of(run).tool for run in import_module(BUILT_IN[name]).TOOLS)
        if any(tool in (it.name, *it.aliases) for it in tools):
            return part_of(settings, name)
    return ""


def has_mcp_servers(settings: Settings) -> bool:
    """Whether a worker for MCP servers is needed: where the file has a mistake, it says which."""
    try:
        return bool(McpFiles.of(settings).declared())
    except SetupError:
        return True


def _offers(settings: Settings, part: str) -> bool:
    """Return whether the file has this part; true if it cannot be read, as its reader tells."""
    try:
        file = read(settings.config_dir / DOMAINS_FILE, DomainsSettings)
        return getattr(file, part) is not None
    except SetupError:
        return True


def load_domain(settings: Settings, name: str) -> ModuleType:
    """A domain's module with its `TOOLS`; a file of yours comes before a built-in one."""
    path = settings.domains.get(name)
    return _own(name, path) if path else import_module(BUILT_IN[name])


def every_tool(settings: Settings) -> tuple[Tool, ...]:
    """Every tool of every domain."""
    domains = {name: load_domain(settings, name) for name in coded_domains(settings)}
    return tuple(tool for name, domain in domains.items() for tool in _tools_of(domain, name))


def _tools_of(domain: ModuleType, name: str) -> Iterator[Tool]:
    """Yield the tools that a domain's module offers. Raises SetupError where it offers none."""
    if not isinstance(tools := getattr(domain, "TOOLS", None), tuple):
        raise SetupError(f"{domain.__file__}: export TOOLS, a tuple of the domain's tools.")
    try:
        offered = [spec_of(run).tool for run in tools]
    except TypeError as error:
        raise SetupError(f"{domain.__file__}: {error}.") from None
    for tool in offered:
        if tool.domain != name:
            raise SetupError(f"{domain.__file__}: {in_other_domain(tool, name)}.")
    yield from offered


def in_other_domain(tool: Tool, name: str) -> str:
    """Return what is wrong with a tool of another domain: no worker would run its calls."""
    return f"{tool.name} says domain {tool.domain}, and HP_DOMAINS says {name}: use one name"


def catalog(settings: Settings) -> Catalog:
    """The catalog: every tool, with the names that catalog files give. Raises SetupError."""
    folder = settings.config_dir / CATALOG_FOLDER
    return ToolCatalog(every_tool(settings), folder, mcp=McpFiles.of(settings)).current


def find_tool(settings: Settings) -> Callable[[str], Tool | None]:
    """Return how the catalog finds a tool by name or alias; read when it is first asked."""
    once = lru_cache(lambda: catalog(settings))
    return lambda name: once().find(name) if name else None


def _own(name: str, path: Path) -> ModuleType:
    """A domain of yours: a Python file with `TOOLS`, without settings of ours."""
    spec = importlib.util.spec_from_file_location(f"holdpoint_domain_{name}", path)
    if spec is None or spec.loader is None or not path.exists():
        raise SetupError(f"HP_DOMAINS: {path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # noqa: BLE001  # whatever a file of yours raises
        del sys.modules[spec.name]
        why = one_line(visible(str(error))) or type(error).__name__
        place = f"{path}:{_line(error, path)}"
        raise SetupError(f"{place}: it cannot be loaded: {why}.") from None
    return module


def _line(error: Exception, path: Path) -> int:
    """Return the line of a file that an error comes from; of a syntax error its own."""
    if isinstance(error, SyntaxError) and error.lineno:
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((it.lineno for it in reversed(frames) if it.filename == str(path)), 1) or 1
