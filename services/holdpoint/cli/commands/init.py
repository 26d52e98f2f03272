"""`holdpoint init`: a copy of the built-in configuration, to edit."""

from pathlib import Path

import msgspec
import typer

from holdpoint.cli import output
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import JsonOption, begun
from holdpoint.runtime.config.settings import OWN_CONFIG, Settings
from holdpoint.runtime.config.shipped import copy_shipped
from holdpoint.runtime.errors import SetupError


class Initialized(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `holdpoint init`."""

    config_dir: str


def init(*, as_json: JsonOption = False) -> None:
    """Write a copy of the built-in configuration to edit: deploy/config, or HP_CONFIG_DIR."""
    folder = _target(begun())
    try:
        copy_shipped(folder)
    except FileExistsError:
        text = f"{folder} exists already. Nothing was written."
        raise CommandError(ExitCode.FAILED, "config_exists", text) from None
    except OSError as error:
        raise SetupError(f"{folder} cannot be written: {error}.") from None
    if as_json:
        output.emit(Initialized(config_dir=str(folder)))
        return
    output.say(
        f"{folder} has the agents, the people and the policy. After a change: holdpoint config "
        "check, then holdpoint provision (agents, people) or holdpoint policy adopt (policy)."
    )


def _target(settings: Settings) -> Path:
    return settings.config_dir if "config_dir" in settings.model_fields_set else OWN_CONFIG


def mount(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(init)
