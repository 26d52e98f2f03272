"""Catalog files: canonical names of tools, their aliases, and the domains that agents name."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from holdpoint.messages.base import ID_PATTERN
from holdpoint.messages.catalog import DeclaredTool, Naming
from holdpoint.runtime.config.yaml_files import Part, Text, read
from holdpoint.runtime.errors import SetupError

CATALOG_FOLDER = "catalog"

Id = Annotated[str, Field(pattern=ID_PATTERN)]


class DeclaredEntry(Part):
    """One tool, as a person writes it: its name is `{namespace}_{domain}_{action}`."""

    domain: Id
    action: Id
    level: int = Field(ge=1, le=5)
    by_risk: bool = False
    description: str = ""
    arguments: dict[str, Any] = {}
    """JSON Schema, for the domain `host`: tools that the asking program runs itself."""

    template: str = ""


class CatalogFile(Part):
    """A file of the catalog folder."""

    model_config = ConfigDict(strict=True)

    namespace: Id
    tools: list[DeclaredEntry] = []
    tool_aliases: dict[Id, Id] = {}
    domain_prefixes: dict[Id, Annotated[list[Text], Field(min_length=1)]] = {}


def catalog_files(folder: Path) -> list[Path]:
    """Every file of the folder, in the order in which they count."""
    return sorted(folder.glob("*.y*ml"))


def load_naming(folder: Path) -> Naming:
    """Read every catalog file; raises SetupError, one line for each mistake."""
    tools: list[DeclaredTool] = []
    aliases: dict[str, str] = {}
    prefixes: dict[str, tuple[str, ...]] = {}
    for path in catalog_files(folder):
        file = read(path, CatalogFile)
        tools += [_declared(file.namespace, entry) for entry in file.tools]
        for old, new in file.tool_aliases.items():
            if aliases.setdefault(old, new) != new or old == new:
                raise SetupError(f"{path}: the alias {old} stands for two names. Keep one.")
        for domain, starts in file.domain_prefixes.items():
            prefixes[domain] = (*prefixes.get(domain, ()), *starts)
    return Naming(tools=tuple(tools), aliases=aliases, prefixes=prefixes)


def _declared(namespace: str, entry: DeclaredEntry) -> DeclaredTool:
    return DeclaredTool(
        name=f"{namespace}_{entry.domain}_{entry.action}",
        domain=entry.domain,
        level=entry.level,
        by_risk=entry.by_risk,
        description=entry.description,
        schema=entry.arguments,
        template=entry.template,
    )
