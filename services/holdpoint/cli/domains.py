"""Domains: the built-in ones, loaded only when they are asked for, and yours."""

import importlib.util
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

from holdpoint.core.catalog import Catalog
from holdpoint.core.tool import spec_of
from holdpoint.gate.tool_catalog import ToolCatalog
from holdpoint.messages.catalog import Tool
from holdpoint.runtime.config.catalog_files import CATALOG_FOLDER
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

BUILT_IN: Mapping[str, str] = {
    "shell": "holdpoint.domains.shell.tools",
    "database": "holdpoint.domains.database.tools",
}
"""The module of each; its part of `domains.yaml` has its name."""


def domain_names(settings: Settings) -> tuple[str, ...]:
    """Every domain, without loading one."""
    return (*BUILT_IN, *(name for name in settings.domains if name not in BUILT_IN))


def load_domain(settings: Settings, name: str) -> ModuleType:
    """A domain's module with its `TOOLS`; a file of yours comes before a built-in one."""
    path = settings.domains.get(name)
    return _own(name, path) if path else import_module(BUILT_IN[name])


def every_tool(settings: Settings) -> tuple[Tool, ...]:
    """Every tool of every domain."""
    domains = [load_domain(settings, name) for name in domain_names(settings)]
    return tuple(spec_of(run).tool for domain in domains for run in domain.TOOLS)


def catalog(settings: Settings) -> Catalog:
    """The catalog: every tool, with the names that catalog files give. Raises SetupError."""
    return ToolCatalog(every_tool(settings), settings.config_dir / CATALOG_FOLDER).current


def _own(name: str, path: Path) -> ModuleType:
    """A domain of yours: a Python file with `TOOLS`, without settings of ours."""
    spec = importlib.util.spec_from_file_location(f"holdpoint_domain_{name}", path)
    if spec is None or spec.loader is None or not path.exists():
        raise SetupError(f"HP_DOMAINS: {path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
