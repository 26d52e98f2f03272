"""Filters that name something: an alias becomes its name, and what is not there is said."""

from collections.abc import Callable, Mapping

import msgspec
import typer
from sqlalchemy import Column, Connection, select

from holdpoint.cli.domains import catalog, domain_names
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import answers, confirmation_events, decisions, events
from holdpoint.messages.answer import CLIENT_FORM
from holdpoint.runtime.config.registry import AGENTS_FILE, PEOPLE_FILE, load_agents, load_people
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security.credentials import SLACK
from holdpoint.runtime.security.permissions import CHANNELS, CLI, TERMINAL

OTHER_NAMES = {CLI: TERMINAL}
"""Channels as reads call them."""


def with_known(connection: Connection, search: Search) -> Search:
    """Return the search with canonical names; typer.BadParameter for what nobody knows."""
    channel = OTHER_NAMES.get(search.channel or "", search.channel)
    tool = _tool(connection, search.tool)
    found = msgspec.structs.replace(search, tool=tool, channel=channel)
    for name, columns in _COLUMNS.items():
        value = getattr(found, name)
        if value and not any(_stands_in(connection, it, value) for it in columns):
            _check(name, value, {*_declared(name), *_values(connection, columns[0])})
    if found.rule:
        fired = {rule for rules in _values(connection, decisions.c.rules) for rule in _list(rules)}
        _check("rule", found.rule, fired)
    return found


_COLUMNS: Mapping[str, tuple[Column[str], ...]] = {
    "tool": (decisions.c.tool,),
    "agent": (events.c.agent,),
    "channel": (answers.c.channel,),
    "person": (answers.c.person, confirmation_events.c.resolved_by, events.c.principal),
    "domain": (decisions.c.domain,),
    "policy": (decisions.c.policy_version,),
}
"""Columns in which a name stands; those of the first one are listed."""


def _tool(connection: Connection, said: str | None) -> str | None:
    if not said or _stands_in(connection, decisions.c.tool, said):
        return said
    try:
        tool = catalog(Settings()).find(said)
    except SetupError:
        return said
    return tool.name if tool else said


def _declared(name: str) -> tuple[str, ...]:
    """Return what the configuration here has, used or not; nothing where it cannot be read."""
    try:
        return _DECLARED[name](Settings())
    except SetupError:
        return ()


_DECLARED: Mapping[str, Callable[[Settings], tuple[str, ...]]] = {
    "tool": lambda settings: tuple(it.name for it in catalog(settings).entries),
    "agent": lambda settings: tuple(
        it.name for it in load_agents(settings.config_dir / AGENTS_FILE)
    ),
    "channel": lambda _: (*CHANNELS, SLACK, CLIENT_FORM),
    "person": lambda settings: tuple(
        it.name for it in load_people(settings.config_dir / PEOPLE_FILE)
    ),
    "domain": domain_names,
    "policy": lambda _: (),
}


def _stands_in(connection: Connection, column: Column[str], value: str) -> bool:
    return connection.scalar(select(column).where(column == value).limit(1)) is not None


def _values(connection: Connection, column: Column[str]) -> list[str]:
    return [it for it in connection.scalars(select(column).distinct()) if it]


def _list(text: str) -> list[str]:
    return msgspec.json.decode(text, type=list[str])


def _check(name: str, value: str, known: set[str]) -> None:
    if value not in known:
        there_are = ", ".join(sorted(known)) or "none yet"
        nowhere = f"There is no {name} {value!r} in the ledger or the configuration."
        text = f"{nowhere} There are: {there_are}."
        raise typer.BadParameter(text, param_hint=f"--{name}")
