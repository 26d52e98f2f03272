"""Agents and people: agents.yaml and people.yaml, read and checked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AwareDatetime, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from holdpoint.messages import catalog
from holdpoint.messages.base import ID_PATTERN, MAX_MESSAGE_BYTES, is_id
from holdpoint.messages.catalog import Role
from holdpoint.messages.state import EVERYONE
from holdpoint.runtime.config.yaml_files import (
    CLOCK_TIME,
    Part,
    below,
    composed,
    line_at,
    listed,
    read,
)
from holdpoint.runtime.errors import SetupError

AGENTS_FILE = "agents.yaml"
PEOPLE_FILE = "people.yaml"

_USUAL = catalog.Budget()

Id = Annotated[str, Field(pattern=ID_PATTERN)]


class _Strict(Part):
    model_config = ConfigDict(strict=True)


class BudgetEntry(_Strict):
    """Budget of one agent; what is left out is as for any agent."""

    calls_per_second: float = Field(default=_USUAL.calls_per_second, gt=0, allow_inf_nan=False)
    calls_at_once: int = Field(default=_USUAL.calls_at_once, ge=1)
    bytes_per_day: int = Field(default=_USUAL.bytes_per_day, ge=MAX_MESSAGE_BYTES)
    """At least one call of the largest size."""

    holds_per_day: float = Field(default=_USUAL.holds_per_day, gt=0, allow_inf_nan=False)
    holds_at_once: int = Field(default=_USUAL.holds_at_once, ge=1)


class AgentEntry(_Strict):
    """One agent, as a person writes it."""

    model_config = ConfigDict(
        json_schema_extra={
            "allOf": [
                {"anyOf": [{"required": ["tools"]}, {"required": ["domains"]}]},
                {
                    "anyOf": [
                        {"required": ["agent_id"]},
                        {"properties": {"name": {"pattern": ID_PATTERN}}},
                    ]
                },
            ]
        }
    )

    agent_id: Id | None = None
    """What it is called on the bus; left out, `name` is that."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    domains: list[Id] = []
    """It may use the tools of these domains; a domain that there is not has none."""

    tools: list[str] | None = Field(default=None, validate_default=True)
    """The tools that it may use; beside `domains`, those of them that it may use."""

    capabilities: list[str] = []
    acts_for: list[Id] = []
    may_call: list[Id] | None = None
    """The agents that it may dispatch to, with the tool `dispatch`."""

    user_facing: bool = True
    """False where it acts only while a dispatch to it is open."""

    started_by: Id | None = None
    """The agent that starts it: both and their like are summed as one tree."""

    budget: BudgetEntry = BudgetEntry()

    @field_validator("name")
    @classmethod
    def _names_a_subject(cls, name: str, around: ValidationInfo) -> str:
        if not around.data.get("agent_id") and not is_id(name):
            raise PydanticCustomError("no_name", "not a valid name", {"pattern": ID_PATTERN})
        return name

    @field_validator("tools")
    @classmethod
    def _says_what_it_may(cls, tools: list[str] | None, around: ValidationInfo) -> list[str] | None:
        if tools is None and not around.data.get("domains"):
            raise PydanticCustomError("missing", "it is missing")
        return tools

    @property
    def id(self) -> str:
        """Return its name on the bus."""
        return self.agent_id or self.name


class DelegationEntry(Part):
    """A time in which somebody else answers in a person's place."""

    to: Id
    since: AwareDatetime
    until: AwareDatetime
    away: bool = False
    reason: str = ""


ClockTime = Annotated[str, Field(pattern=CLOCK_TIME)]


Weekday = Annotated[str, Field(pattern=f"^(?:{'|'.join(catalog.WEEKDAYS)})$")]


class HoursEntry(Part):
    """A time of the day in which a person is asked."""

    days: Annotated[list[Weekday], Field(min_length=1)] = list(catalog.WEEKDAYS)
    since: ClockTime
    until: ClockTime


class PersonEntry(_Strict):
    """One person, as a person writes them."""

    name: Id
    groups: list[Id] = []
    admin: bool = False
    roles: list[Annotated[Role, Field(strict=False)]] | None = None
    """Left out: approver and auditor, and admin where `admin` says so."""

    delegations: list[DelegationEntry] = []
    hours: Annotated[list[HoursEntry], Field(max_length=21)] = []
    """When they are asked; left out, at any time."""

    zone: str = "UTC"
    """Their time zone, like Europe/Berlin."""

    email: str = ""
    """Their address at the identity provider; it has to be verified there."""

    subject: str = ""
    """Their `sub` at the identity provider, which is safer than an address."""

    slack: Annotated[str, Field(pattern=r"^(?:[UW][A-Z0-9]{2,20})?$")] = ""
    """Their member id in Slack, such as U024BE7LH."""

    mcp_clients: list[Id] = []
    """The agents at whose MCP clients they sit; docs/mcp.md says what that lets them do."""


class AgentsFile(_Strict):
    """agents.yaml."""

    agents: list[AgentEntry]


class PeopleFile(_Strict):
    """people.yaml."""

    people: list[PersonEntry]


@dataclass(frozen=True, kw_only=True)
class Registry:
    """Agents and people that may speak on the bus."""

    agents: tuple[catalog.Agent, ...]
    people: tuple[catalog.Person, ...]


def load_registry(config_dir: Path) -> Registry:
    """Read both files and check them against each other."""
    registry = Registry(
        agents=load_agents(config_dir / AGENTS_FILE), people=load_people(config_dir / PEOPLE_FILE)
    )
    _check_disjoint(registry, config_dir)
    _check_principals(registry, config_dir / AGENTS_FILE)
    _check_clients(registry, config_dir / PEOPLE_FILE)
    return registry


def groups_of(registry: Registry) -> dict[str, tuple[str, ...]]:
    """Return who answers in which group."""
    names = sorted({group for person in registry.people for group in person.groups})
    return {
        name: tuple(
            person.name
            for person in registry.people
            if name in person.groups and catalog.may_answer(person)
        )
        for name in names
    }


def load_agents(path: Path) -> tuple[catalog.Agent, ...]:
    """Read agents.yaml."""
    entries = read(path, AgentsFile).agents
    _check_names(path, "agents", [entry.id for entry in entries])
    starters = {entry.id: entry.started_by for entry in entries}
    roots = {it.id: _root(path, it.id, starters) if it.started_by else "" for it in entries}
    calls = _calls(path, entries)
    return tuple(
        catalog.Agent(
            name=entry.id,
            title=entry.name if entry.name != entry.id else "",
            domains=tuple(entry.domains),
            tools=tuple(entry.tools or ()),
            narrowed=entry.tools is not None,
            capabilities=tuple(entry.capabilities),
            acts_for=tuple(entry.acts_for),
            may_call=calls[entry.id],
            user_facing=entry.user_facing,
            tree=roots[entry.id],
            budget=catalog.Budget(**entry.budget.model_dump()),
        )
        for entry in entries
    )


def _calls(path: Path, entries: Sequence[AgentEntry]) -> dict[str, tuple[str, ...]]:
    """Return whom each may call: as it says itself, else those that it starts."""
    known = {entry.id for entry in entries}
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        started = tuple(it.id for it in entries if it.started_by == entry.id)
        if entry.may_call is None:
            found[entry.id] = started
            continue
        if strangers := sorted(set(entry.may_call) - known):
            raise SetupError(
                f"{_line(path, 'agents', entry.id, 'may_call')}: "
                f"{entry.id} may call {', '.join(strangers)}, who is not in this file; "
                "add them, or take them out of `may_call`."
            )
        if missing := sorted(set(started) - set(entry.may_call)):
            raise SetupError(
                f"{_line(path, 'agents', missing[0], 'started_by')}: "
                f"{', '.join(missing)} is started by {entry.id}, who may not call it; "
                "add it to `may_call`, or take `started_by` out."
            )
        found[entry.id] = tuple(dict.fromkeys(entry.may_call))
    return found


def load_people(path: Path) -> tuple[catalog.Person, ...]:
    """Read people.yaml."""
    people = tuple(_person(entry) for entry in read(path, PeopleFile).people)
    _check_names(path, "people", [person.name for person in people])
    for told in ("email", "subject", "slack"):
        if twice := _repeated(filter(None, (getattr(it, told).casefold() for it in people))):
            text = f"{path}: {', '.join(twice)} is the {told} of more than one person."
            raise SetupError(text)
    _check_delegations(path, people)
    _check_hours(path, people)
    return people


def _person(entry: PersonEntry) -> catalog.Person:
    usual = catalog.Person(name=entry.name)
    roles = usual.roles if entry.roles is None else tuple(dict.fromkeys(entry.roles))
    return catalog.Person(
        name=entry.name,
        groups=tuple(entry.groups),
        admin=entry.admin or Role.ADMIN in roles,
        roles=tuple(role for role in roles if role is not Role.ADMIN),
        delegations=tuple(catalog.Delegation(**it.model_dump()) for it in entry.delegations),
        hours=tuple(
            catalog.Hours(days=tuple(it.days), since=it.since, until=it.until) for it in entry.hours
        ),
        zone=entry.zone,
        email=entry.email,
        subject=entry.subject,
        slack=entry.slack,
        mcp_clients=tuple(dict.fromkeys(entry.mcp_clients)),
    )


def _check_hours(path: Path, people: tuple[catalog.Person, ...]) -> None:
    for person in people:
        try:
            ZoneInfo(person.zone)
        except (ValueError, OSError, ZoneInfoNotFoundError) as error:
            raise _no_zone(path, person) from error
        for it in person.hours:
            if it.since >= it.until:
                raise SetupError(
                    f"{_line(path, 'people', person.name, 'hours')}: "
                    f"{person.name}'s hours from {it.since} to {it.until} end before they "
                    "begin; write those after midnight as hours of the next day."
                )


def _no_zone(path: Path, person: catalog.Person) -> SetupError:
    return SetupError(
        f"{_line(path, 'people', person.name, 'zone')}: "
        f"{person.name}'s time zone {person.zone!r} is not known on this machine; use an "
        "IANA name like Europe/Berlin, and install tzdata if it has none."
    )


def _check_delegations(path: Path, people: tuple[catalog.Person, ...]) -> None:
    able = {it.name for it in people if it.groups and catalog.may_answer(it)}
    for person in people:
        for it in person.delegations:
            if it.to not in able:
                raise SetupError(
                    f"{_line(path, 'people', person.name, 'delegations')}: "
                    f"{person.name} delegates to {it.to}, who answers no cards: a delegate "
                    "is an approver in a group of their own."
                )
            if why := _unfit(it, person.name):
                where = _line(path, "people", person.name, "delegations")
                raise SetupError(f"{where}: {person.name} delegates to {it.to}: {why}")


def _unfit(wanted: catalog.Delegation, person: str) -> str:
    if wanted.to == person:
        return "nobody answers in their own place."
    if not wanted.since < wanted.until <= wanted.since + catalog.LONGEST_DELEGATION:
        return f"it ends after it begins, within {catalog.LONGEST_DELEGATION.days} days."
    return ""


def _check_names(path: Path, part: str, names: list[str]) -> None:
    """Each name once, also for file systems that know no case; `_` means everyone."""
    if EVERYONE in names:
        where = _where(path, part, names.index(EVERYONE))
        raise SetupError(f"{where}: the name {EVERYONE!r} means everyone; choose another one.")
    folded = [name.lower() for name in names]
    if twice := _repeated(folded):
        again = next(at for at, name in enumerate(folded) if name in folded[:at])
        named = ", ".join(twice)
        where = _where(path, part, again)
        raise SetupError(f"{where}: {named} stands more than once. Give each its own name.")


def _where(path: Path, part: str, at: int) -> str:
    return f"{path}:{line_at(composed(path), (part, at))}"


def _line(path: Path, part: str, name: str, field: str) -> str:
    """Return `file:line` of a field of the entry with this name."""
    node = composed(path)
    names = [
        next((it.value for key in ("agent_id", "name") if (it := below(entry, key))), "")
        for entry in listed(node, part)
    ]
    loc = (part, names.index(name), field) if name in names else (part,)
    return f"{path}:{line_at(node, loc)}"


def _root(path: Path, name: str, starters: Mapping[str, str | None]) -> str:
    """The agent that nobody starts, at the end of the chain that begins here."""
    chain = [name]
    while starter := starters[chain[-1]]:
        if starter not in starters:
            raise SetupError(
                f"{_line(path, 'agents', chain[-1], 'started_by')}: "
                f"{chain[-1]} is started by {starter}, who is not in this file; add them, "
                "or take `started_by` out."
            )
        if starter in chain:
            raise SetupError(
                f"{_line(path, 'agents', name, 'started_by')}: "
                f"{', '.join(chain)} start each other in a circle; one is started by none."
            )
        chain.append(starter)
    return chain[-1]


def _check_disjoint(registry: Registry, config_dir: Path) -> None:
    """An agent and a person share the lane of refusals, so they may not share a name."""
    agents = [agent.name.lower() for agent in registry.agents]
    both = _repeated([*agents, *(person.name.lower() for person in registry.people)])
    if both:
        raise SetupError(
            f"{', '.join(both)} is an agent in {config_dir / AGENTS_FILE} and a person in "
            f"{config_dir / PEOPLE_FILE}; rename one of them."
        )


def _check_principals(registry: Registry, path: Path) -> None:
    people = {person.name for person in registry.people}
    for agent in registry.agents:
        strangers = sorted(set(agent.acts_for) - people)
        if strangers:
            raise SetupError(
                f"{_line(path, 'agents', agent.name, 'acts_for')}: "
                f"{agent.name} acts for {', '.join(strangers)}, who is not in "
                f"{PEOPLE_FILE}; add them there or take them out here."
            )


def _check_clients(registry: Registry, path: Path) -> None:
    """Who answers at an agent's client is somebody whom that agent acts for."""
    acts_for = {agent.name: agent.acts_for for agent in registry.agents}
    for person in registry.people:
        for name in person.mcp_clients:
            if person.name not in acts_for.get(name, ()):
                raise SetupError(
                    f"{_line(path, 'people', person.name, 'mcp_clients')}: "
                    f"no agent {name} acts for {person.name}; add {person.name} to its `acts_for` "
                    f"in {AGENTS_FILE}, or take it out here."
                )


def _repeated(names: Iterable[str]) -> list[str]:
    all_names = list(names)
    return sorted({name for name in all_names if all_names.count(name) > 1})
