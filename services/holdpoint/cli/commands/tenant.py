"""`holdpoint tenant`: a folder for a further tenant on this machine, and its end."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from holdpoint.cli import output
from holdpoint.cli.commands.backup import write_backup
from holdpoint.cli.commands.reset import alone, ask_to_remove
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import JsonOption
from holdpoint.messages.base import ID_PATTERN
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.config.shipped import copy_shipped
from holdpoint.runtime.errors import SetupError

ENV_FILE = "tenant.env"
"""The variables of every command for a tenant, in its folder."""


class Tenancy(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `tenant add` and `tenant remove`."""

    tenant: str
    folder: str
    backup: str = ""
    """Place where everything of a removed tenant is kept; empty where there was nothing."""


tenant_app = typer.Typer(no_args_is_help=True, help="Add and remove tenants of this machine.")

FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="The tenant's folder.")]


@tenant_app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the tenant, as in its subjects.")],
    folder: FolderArgument,
    *,
    as_json: JsonOption = False,
) -> None:
    """Make a tenant's folder, with a configuration to edit and the variables of its commands."""
    if not re.fullmatch(ID_PATTERN, name):
        text = f"{name!r} is no name of a tenant: letters, digits, _ and -, at most 64."
        raise CommandError(ExitCode.USAGE, "bad_name", text)
    if folder.exists():
        raise CommandError(
            ExitCode.FAILED, "exists", f"{folder} exists already, and stays as it is."
        )
    folder = folder.absolute()
    files.private_folder(folder)
    copy_shipped(folder / "config")
    values = {"TENANT": name, "STATE_DIR": folder / "state", "CONFIG_DIR": folder / "config"}
    text = "".join(f"HP_{it}={shlex.quote(str(value))}\n" for it, value in values.items())
    files.replace(folder / ENV_FILE, text.encode(), files.PRIVATE)
    if as_json:
        output.emit(Tenancy(tenant=name, folder=str(folder)))
        return
    variables = shlex.quote(str(folder / ENV_FILE))
    output.say(
        f"{folder} is the tenant {name}'s. Edit the agents and people in its config, and start it: "
        f"(set -a; . {variables}; holdpoint up)"
    )


@tenant_app.command()
def remove(
    folder: FolderArgument,
    backup: Annotated[
        Path, typer.Option("--backup", metavar="FILE", help="Keep everything in this file.")
    ],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Back up a tenant that does not run, and remove its folder. Asks on the terminal."""
    settings = _settings_in(folder)
    if backup.absolute().is_relative_to(folder.absolute()):
        raise SetupError(f"{backup} would be removed with {folder}. Name a file elsewhere.")
    has_begun = settings.keys_dir.is_dir()
    if has_begun:
        with alone(settings):
            if not yes:
                ask_to_remove(folder)
            write_backup(settings, backup, with_ledger=False)
    elif not yes:
        ask_to_remove(folder)
    shutil.rmtree(folder)
    kept = str(backup) if has_begun else ""
    if as_json:
        output.emit(Tenancy(tenant=settings.tenant, folder=str(folder), backup=kept))
        return
    output.say(f"{folder} is gone." + (f" Everything is kept in {kept}." if kept else ""))


def _settings_in(folder: Path) -> Settings:
    """Return a tenant's settings. SetupError where the folder is none that `tenant add` made."""
    try:
        words = shlex.split((folder / ENV_FILE).read_text())
    except (OSError, ValueError):
        words = []
    found = dict(word.split("=", 1) for word in words if "=" in word)
    try:
        return Settings(
            tenant=found["HP_TENANT"],
            state_dir=Path(found["HP_STATE_DIR"]),
            config_dir=Path(found["HP_CONFIG_DIR"]),
        )
    except KeyError:
        raise SetupError(f"{folder} is no folder of a tenant: it has no {ENV_FILE}.") from None


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(tenant_app, name="tenant")
