"""docs/cli.md has every command, option, exit code and variable of the command line."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from holdpoint.cli.acting_as import Who
from holdpoint.cli.app import app_for
from holdpoint.cli.events import Event
from holdpoint.cli.output import MEANINGS, ExitCode

app = app_for([])

TEXT = (Path(__file__).parents[3] / "docs" / "cli.md").read_text()


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    inside = getattr(command, "commands", None)
    if not inside:
        yield " ".join(path), command
        return
    for name, each in inside.items():
        yield from commands(each, (*path, name))


EVERY = dict(commands(typer.main.get_command(app)))
SECTIONS = {
    re.sub(r"( --)?( [A-Z]+)+( -- [A-Z]+)?$", "", title): body
    for title, body in re.findall(r"(?ms)^## holdpoint ([^\n]+)\n(.*?)(?=^## |\Z)", TEXT)
}

EVENTS = {kind.__struct_config__.tag: kind for kind in Event.__subclasses__()}
EVENT_ROWS = dict(re.findall(r"(?m)^\| `(\w+)` \| [^|]+ \| ([^|]*) \|$", TEXT))


def test_every_command_has_a_section_and_every_section_a_command() -> None:
    assert set(SECTIONS) == set(EVERY)


@pytest.mark.parametrize("name", EVERY)
def test_every_option_is_told(name: str) -> None:
    names = [word for param in EVERY[name].params for word in (*param.opts, *param.secondary_opts)]
    options = [word for word in names if word.startswith("-")]

    assert [option for option in options if f"`{option}`" not in SECTIONS[name]] == []


@pytest.mark.parametrize("name", EVERY)
def test_every_command_has_json(name: str) -> None:
    assert any("--json" in param.opts for param in EVERY[name].params)


def test_every_event_is_told_with_its_fields() -> None:
    told = {name: set(re.findall(r"`(\w+)`", fields)) for name, fields in EVENT_ROWS.items()}

    assert told == {name: set(kind.__struct_fields__) for name, kind in EVENTS.items()}


@pytest.mark.parametrize("name", EVERY)
def test_every_option_and_argument_has_a_help_text(name: str) -> None:
    assert [param.name for param in EVERY[name].params if not param.help] == []


def test_the_table_of_exit_codes_is_the_codes() -> None:
    rows = re.findall(r"(?m)^\| (\d+) \| ([A-Z_]+) \| (.+) \|$", TEXT)

    assert [(int(code), name, text) for code, name, text in rows] == [
        (code.value, code.name, text) for code, text in MEANINGS.items()
    ]
    assert set(MEANINGS) == set(ExitCode)


def test_every_variable_is_told() -> None:
    assert [name for name in Who.model_fields if f"`HP_{name.upper()}`" not in TEXT] == []


@pytest.mark.parametrize("name", EVERY)
def test_an_option_that_has_to_be_given_says_so(name: str) -> None:
    needed = [it.opts[0] for it in EVERY[name].params if it.required and it.opts[0].startswith("-")]

    assert [it for it in needed if not re.search(rf"`{it}`[^\n]*[Rr]equired", SECTIONS[name])] == []
