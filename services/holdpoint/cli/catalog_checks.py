"""Rules of bounded contexts (seed 000) for every domain, yours included."""

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from holdpoint.cli.config_checks import Problem, levels_too_low
from holdpoint.cli.domains import catalog, coded_domains, in_other_domain, load_domain
from holdpoint.core.ask_tools import is_ask_only
from holdpoint.core.catalog import MOST_TOOLS
from holdpoint.core.tool import spec_of
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

BUILT_IN_DOMAINS = "holdpoint.domains"


def catalog_problems(settings: Settings, *, legacy_ask: bool = False) -> list[Problem]:
    """Everything that is wrong with domains and the names of their tools."""
    found = [it for name in coded_domains(settings) for it in _of_domain(settings, name)]
    if found:
        return found
    try:
        catalog(settings)
    except (SetupError, ValueError) as error:
        return [Problem(file=str(settings.config_dir), place="catalog", text=str(error))]
    refused = [] if legacy_ask else ask_only_tools(settings)
    return [*levels_too_low(settings), *refused]


def ask_only_tools(settings: Settings) -> list[Problem]:
    """Tools that only ask a person: the confirmation is the system's (docs/migrate.md)."""
    try:
        tools = catalog(settings).entries
    except (SetupError, ValueError):
        return []  # another check says why
    return [
        Problem(
            file=tool.domain,
            place=tool.name,
            text="it only asks a person: take it out, and level the tools that it guards",
        )
        for tool in tools
        if is_ask_only(tool.name, tool.domain)
    ]


def _of_domain(settings: Settings, name: str) -> Iterator[Problem]:
    try:
        module = load_domain(settings, name)
    except SetupError as error:
        yield Problem(file=name, place="", text=str(error))
        return
    path = module.__file__ or name
    own = settings.domains.get(name)
    crossing = cross_calls(own, name, settings) if own else ()
    for text in (*_wrong_tools(module, name), *crossing):
        yield Problem(file=path, place=name, text=text)


def _wrong_tools(module: ModuleType, name: str) -> Iterator[str]:
    tools = getattr(module, "TOOLS", None)
    if not isinstance(tools, tuple):
        yield "export TOOLS, a tuple of the domain's tools"
        return
    if len(tools) > MOST_TOOLS:
        yield f"{len(tools)} tools; at most {MOST_TOOLS}: split the domain"
    for function in tools:
        try:
            tool = spec_of(function).tool
        except TypeError as error:
            yield str(error)
            continue
        if tool.domain != name:
            yield in_other_domain(tool, name)


def cross_calls(path: Path, name: str, settings: Settings) -> Iterator[str]:
    """Imports of another domain: tools never call each other across domains."""
    others = {file.stem for each, file in settings.domains.items() if each != name}
    for imported in _imports(path):
        built_in = f"{imported}.".startswith(f"{BUILT_IN_DOMAINS}.")
        if built_in or imported.partition(".")[0] in others:
            yield f"it imports {imported}: a domain never calls another domain"


def _imports(path: Path) -> Iterator[str]:
    """Every module that the file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{each.name}" for each in names)
            case _:
                pass
