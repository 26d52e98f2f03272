"""Names that people type: a hold's id or its beginning, and the command for an instance."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.runtime.config.settings import Settings

SHORTEST_PREFIX = 4
"""Characters: a key's author chooses a hold id's beginning, so one letter names nothing."""

PLACES = ("tenant", "state_dir", "config_dir")
"""The settings that decide which instance a command talks to."""


def command(settings: Settings, words: str) -> str:
    """The command as it is typed in this folder, with the variables that this instance needs."""
    script = Path(sys.executable).with_name("holdpoint")
    found = shutil.which("holdpoint")
    if found and Path(found).resolve() == script.resolve():
        program = "holdpoint"
    else:
        program = str(script.relative_to(Path.cwd()) if Path.cwd() in script.parents else script)
    chosen = [name for name in PLACES if name in settings.model_fields_set]
    values = {name: shlex.quote(str(getattr(settings, name))) for name in chosen}
    return " ".join((*(f"HP_{name.upper()}={it}" for name, it in values.items()), program, words))


def check_length(prefix: str, see: str) -> None:
    """Refuse what names nothing; `see` is the command that lists ids."""
    if len(prefix) < SHORTEST_PREFIX:
        text = f"Give at least {SHORTEST_PREFIX} characters of the id. See: {see}"
        raise CommandError(ExitCode.USAGE, "short_id", text)


def the_only(ids: Sequence[str], prefix: str, see: str) -> str:
    """The one id that begins so."""
    if prefix in ids:
        return prefix
    if len(ids) > 1:
        text = f"More than one begins so: {', '.join(ids)}"
        raise CommandError(ExitCode.NOT_FOUND, "ambiguous_id", text)
    if not ids:
        text = f"Nothing here begins with {prefix}. See: {see}"
        raise CommandError(ExitCode.NOT_FOUND, "unknown_id", text)
    return ids[0]
