"""Filters that name something: an alias becomes its name, and what is not there is said."""

from collections.abc import Callable, Mapping

import msgspec
import typer
from sqlalchemy import Column, Connection, select

from holdpoint.cli.domains import catalog
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import answers, decisions, events
from holdpoint.messages.answer import CLIENT_FORM
from holdpoint.runtime.config.registry import AGENTS_FILE, load_agents
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
    for name, column in _COLUMNS.items():
        value = getattr(found, name)
        if value and not _stands_in(connection, column, value):
            _check(name, value, {*_declared(name), *_values(connection, column)})
    if found.rule:
        fired = {rule for rules in _values(connection, decisions.c.rules) for rule in _list(rules)}
        _check("rule", found.rule, fired)
    return found


_COLUMNS: Mapping[str, Column[str]] = {
    "tool": decisions.c.tool,
    "agent": events.c.agent,
    "channel": answers.c.channel,
}


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
        text = f"There is no {name} {value!r}. There are: {there_are}."
        raise typer.BadParameter(text, param_hint=f"--{name}")
