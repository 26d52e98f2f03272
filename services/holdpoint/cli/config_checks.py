"""Problems of the configuration: each problem with its file, its place and the change."""

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path

import msgspec

from holdpoint.cli.domains import catalog as every_tool
from holdpoint.cli.domains import part_not_offered
from holdpoint.cli.parity import mistakes
from holdpoint.cli.policy_files import files_at
from holdpoint.coordinator.workflows import COORDINATOR_FILE, load_workflows
from holdpoint.core.access_matrix import CyclicError, matrix_of
from holdpoint.core.agent_tools import with_tools
from holdpoint.core.catalog import Catalog
from holdpoint.core.policy_faults import policy_faults
from holdpoint.core.risk import commits
from holdpoint.core.verdict import STEP_UP_LEVEL
from holdpoint.domains.settings import DOMAINS_FILE, offered
from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.messages.policy import Policy
from holdpoint.runtime.config.api_files import API_FILE, load_api
from holdpoint.runtime.config.catalog_files import CATALOG_FOLDER, catalog_files
from holdpoint.runtime.config.channel_files import (
    NOTICES_FILE,
    SLACK_FILE,
    load_notices,
    load_slack,
)
from holdpoint.runtime.config.mcp_servers import MCP_SERVERS_FILE, load_servers
from holdpoint.runtime.config.parity_files import PARITY_FOLDER, load_parity, parity_files
from holdpoint.runtime.config.policy import (
    DEFAULT,
    ENVIRONMENTS,
    POLICY_FOLDER,
    load_policy,
    merged,
    places,
)
from holdpoint.runtime.config.registry import (
    AGENTS_FILE,
    PEOPLE_FILE,
    Registry,
    groups_of,
    load_agents,
    load_people,
    load_registry,
)
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.config.witness_files import WITNESSES_FILE, load_witnesses
from holdpoint.runtime.config.yaml_files import composed, line_at
from holdpoint.runtime.errors import SetupError

ALIKE = 0.8
"""Similarity from which on one name is taken for a misspelling of another."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to mend."""

    file: str
    place: str
    """A line, or the name of a tool; empty when it is about the whole file."""

    text: str

    @property
    def line(self) -> str:
        """For people: `people.yaml: people.0.name: …`."""
        return ": ".join(part for part in (self.file, self.place, self.text) if part)


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a check of files, for programs."""

    ok: bool
    problems: list[Problem]


def problems(settings: Settings) -> list[Problem]:
    """Everything that is wrong in the configuration folder, each once."""
    folder = settings.config_dir
    found = (
        *_registry_problems(settings),
        *policy_problems(settings),
        *_domain_problems(settings),
        *levels_too_low(settings),
        *_coordinator_problems(settings),
        *_parity_problems(settings),
        *_api_problems(settings),
        *_tried(lambda: load_slack(folder), [folder / SLACK_FILE]),
        *_tried(lambda: load_notices(folder), [folder / NOTICES_FILE]),
        *_tried(lambda: load_witnesses(folder), [folder / WITNESSES_FILE]),
        *_tried(lambda: load_servers(folder / MCP_SERVERS_FILE), [folder / MCP_SERVERS_FILE]),
    )
    return list(dict.fromkeys(found))


def _api_problems(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with api.yaml, and each name in it that nobody has."""
    path = settings.config_dir / API_FILE
    try:
        api = load_api(settings.config_dir)
    except SetupError as error:
        yield from (_placed(line, [path]) for line in str(error).splitlines())
        return
    for part, names, file, load in (
        ("agents", api.agents, AGENTS_FILE, load_agents),
        ("people", api.people, PEOPLE_FILE, load_people),
    ):
        try:
            known = {it.name for it in load(settings.config_dir / file)}
        except SetupError:
            continue  # told where that file is checked
        for at, name in enumerate(names):
            if name not in known:
                line = line_at(composed(path), (part, at, part.removesuffix("s")))
                text = f"{name} is not in {file}; check the spelling, or take it out"
                yield Problem(file=str(path), place=str(line), text=text)


def _coordinator_problems(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with the workflows, where there are any."""
    path = settings.config_dir / COORDINATOR_FILE
    if not path.exists():
        return
    try:
        load_workflows(settings.config_dir)
    except SetupError as error:
        yield from (_placed(line, [path]) for line in str(error).splitlines())


def _parity_problems(settings: Settings) -> Iterator[Problem]:
    """Yield what is wrong with the parity files, each by itself."""
    for path in parity_files(settings.config_dir / PARITY_FOLDER):
        try:
            actions = load_parity(path)
        except SetupError as error:
            yield from (_placed(line, [path]) for line in str(error).splitlines())
        else:
            yield from (Problem(file=str(path), place="", text=it) for it in mistakes(actions))


def policy_problems(settings: Settings, path: Path | None = None) -> list[Problem]:
    """Return what is wrong with the policy, its packs, its inline lines and the environments.

    With a path: of the policy there, for the people of this configuration.

    Where the people cannot be read, that is told and no level is judged by who may answer.
    """
    people: list[Problem] = []
    registry = Registry(agents=(), people=())
    try:
        registry = load_registry(settings.config_dir)
    except SetupError as error:
        theirs = _registry_files(settings)
        people = [_placed(line, theirs) for line in str(error).splitlines()]
    try:
        files, environments = files_at(path, settings.config_dir)
        policy = merged(files, environments, groups_of(registry))
    except SetupError as error:
        written = _written(path, settings.config_dir)
        return [*people, *(_placed(line, written) for line in str(error).splitlines())]
    lines = policy_faults(policy, registry.agents, settings.passkey_from_level)
    judged = [_judged(line, files) for line in lines]
    return people or [*judged, *_misspelt_groups(settings, registry, policy)]


def _written(path: Path | None, config_dir: Path) -> list[Path]:
    """The files that a policy at a path is made of, as a mistake names them."""
    folder = config_dir / POLICY_FOLDER
    own = [] if path is None else sorted(path.rglob("*.y*ml")) if path.is_dir() else [path]
    return [*own, *sorted(folder.glob("*.y*ml")), config_dir / ENVIRONMENTS, folder / DEFAULT]


def _misspelt_groups(settings: Settings, registry: Registry, policy: Policy) -> Iterator[Problem]:
    """Yield each group of a person that nobody asks, and that is almost one that is asked."""
    path = settings.config_dir / PEOPLE_FILE
    rules = policy.levels.values()
    asked = {it.group for rule in rules for it in rule.all_of}
    asked |= {rule.escalate.group for rule in rules if rule.escalate}
    for at, person in enumerate(registry.people):
        for number, group in enumerate(person.groups):
            near = [] if group in asked else get_close_matches(group, sorted(asked), 1, ALIKE)
            if near:
                line = line_at(composed(path), ("people", at, "groups", number))
                text = f"the policy asks nobody of the group {group}; is it {near[0]}?"
                yield Problem(file=str(path), place=str(line), text=text)


def _registry_files(settings: Settings) -> list[Path]:
    return [settings.config_dir / AGENTS_FILE, settings.config_dir / PEOPLE_FILE]


def _registry_problems(settings: Settings) -> Iterator[Problem]:
    """Each file by itself, so that a mistake in one does not hide those in the other."""
    agents, people = _registry_files(settings)
    alone = [
        *_tried(lambda: load_agents(agents), [agents]),
        *_tried(lambda: load_people(people), [people]),
    ]
    yield from alone or _together(settings)


def _together(settings: Settings) -> Iterator[Problem]:
    files = _registry_files(settings)
    named = catalog_files(settings.config_dir / CATALOG_FOLDER)
    others = [settings.config_dir / name for name in (DOMAINS_FILE, CATALOG_FOLDER)]
    try:
        registry = load_registry(settings.config_dir)
        catalog = every_tool(settings)
    except SetupError as error:
        known = [*files, *named, *others, *settings.domains.values()]
        yield from (_placed(line, known) for line in str(error).splitlines())
        return
    try:
        matrix_of(with_tools(registry.agents, catalog))
    except CyclicError as error:
        yield Problem(file=str(files[0]), place="", text=str(error))
    yield from _unknown_tools(settings, registry, catalog)
    yield from unknown_sources(settings, catalog)


def _unknown_tools(settings: Settings, registry: Registry, catalog: Catalog) -> Iterator[Problem]:
    for at, agent in enumerate(registry.agents):
        for number, tool in enumerate(agent.tools):
            if catalog.find(tool) is not None:
                continue
            if part := part_not_offered(settings, tool):
                text = (
                    f"{AGENTS_FILE} lets agents use tools of `{part}`, which is not offered here; "
                    f"add `{part}:`, or take those tools out of {AGENTS_FILE}"
                )
                yield Problem(file=str(settings.config_dir / DOMAINS_FILE), place="", text=text)
                continue
            text = f"no domain has a tool {tool}; remove it, or check its spelling"
            path = settings.config_dir / AGENTS_FILE
            line = line_at(composed(path), ("agents", at, "tools", number))
            yield Problem(file=str(path), place=str(line), text=text)


def unknown_sources(settings: Settings, catalog: Catalog) -> Iterator[Problem]:
    """A tool that the policy calls untrusted and nobody has: its content would come in unseen."""
    try:
        policy = load_policy(settings.config_dir, {})
    except SetupError:
        return
    for tool in policy.untrusted.tools:
        if catalog.find(tool) is None:
            text = f"no domain has a tool {tool}; remove it, or check its spelling"
            path = settings.config_dir / POLICY_FOLDER / DEFAULT
            line = line_at(composed(path), ("untrusted", "tools", tool))
            yield Problem(file=str(path), place=str(line), text=text)


def levels_too_low(settings: Settings) -> Iterator[Problem]:
    """Tools that by their names move money, charge somebody or bind them, below level 4."""
    try:
        tools = every_tool(settings).entries
    except (SetupError, ValueError):
        return
    for tool in tools:
        if tool.level < STEP_UP_LEVEL and any(map(commits, (tool.name, *tool.aliases))):
            file, advice = _where_levelled(settings, tool.domain)
            text = (
                f"{tool.name} is level {tool.level}. What moves money, charges somebody or binds "
                f"them is level {STEP_UP_LEVEL} at any amount: {advice}"
            )
            yield Problem(file=str(file), place=tool.name, text=text)


def _where_levelled(settings: Settings, domain: str) -> tuple[Path, str]:
    """Return the file that gives a domain's tools their levels, and how to raise one."""
    if domain == MCP_DOMAIN:
        advice = (
            "set it under `levels` of its server, or with --level TOOL="
            f"{STEP_UP_LEVEL} where `holdpoint mcp gateway` or `holdpoint mcp add` names the server"
        )
        return settings.config_dir / MCP_SERVERS_FILE, advice
    advice = "say so in its @tool, or give a tool that does no such thing another name"
    return settings.domains.get(domain) or settings.config_dir / DOMAINS_FILE, advice


def _domain_problems(settings: Settings) -> list[Problem]:
    return _tried(lambda: offered(settings), [settings.config_dir / DOMAINS_FILE])


def _tried(load: Callable[[], object], files: list[Path]) -> list[Problem]:
    try:
        load()
    except SetupError as error:
        return [_placed(line, files) for line in str(error).splitlines()]
    return []


def _placed(text: str, files: list[Path]) -> Problem:
    """A loader's sentence taken apart: it begins with the file, and often has a line."""
    for path in files:
        if text.startswith(str(path)):
            rest = text.removeprefix(str(path))
            found = re.match(r":(\d+): ", rest)
            place = found.group(1) if found else ""
            return Problem(file=str(path), place=place, text=rest[found.end() :] if found else
                           rest.lstrip(": "))  # fmt: skip
    return Problem(file=str(files[0]), place="", text=text)


def _judged(text: str, files: list[Path]) -> Problem:
    """A problem of the policy itself, at its rule, or at its field in the main file."""
    first, *others = places(text, files)
    also = f" (also {', '.join(':'.join(place) for place in others)})" if others else ""
    return Problem(file=first[0], place=first[1], text=f"{text}{also}")
