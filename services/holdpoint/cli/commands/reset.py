"""`holdpoint reset`, and the only place that throws state away."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from holdpoint.cli import output, terminal
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import JsonOption, settings_here
from holdpoint.cli.terminal import NoTerminalError
from holdpoint.runtime.broker.server import running_pids
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process.supervisor import LOCK_FILE, only_one

YES = frozenset({b"y", b"yes"})


class Discarded(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `holdpoint reset`."""

    state_dir: str
    removed: bool
    """False when there was nothing."""


def reset(
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Throw away all local state: keys, streams, ledger, sample things. Asks on the terminal."""
    settings = settings_here()
    found = settings.state_dir.exists()
    if found:
        _check_ours(settings)
        with alone(settings):
            if not yes:
                ask_to_remove(settings.state_dir)
            _remove(settings.state_dir)
    if as_json:
        output.emit(Discarded(state_dir=str(settings.state_dir), removed=found))
        return
    output.say(
        f"{settings.state_dir} is gone." if found else f"There is nothing in {settings.state_dir}."
    )


def discard(settings: Settings) -> None:
    """Throw away what the last demo left, unless one still runs there."""
    if settings.state_dir.exists():
        with alone(settings):
            _remove(settings.state_dir)


def _check_ours(settings: Settings) -> None:
    """Nothing is removed that Holdpoint did not make."""
    ours = settings.keys_dir.is_dir() or (settings.run_dir / LOCK_FILE).exists()
    if not ours and any(settings.state_dir.iterdir()):
        text = f"{settings.state_dir} does not look like a state directory of Holdpoint."
        raise SetupError(text)


@contextmanager
def alone(settings: Settings) -> Iterator[None]:
    """Nothing runs on the state directory, and nothing starts on it meanwhile."""
    with only_one(settings.run_dir):
        if pids := running_pids(settings.run_dir):
            text = " ".join(map(str, pids))
            raise SetupError(f"A broker runs on {settings.state_dir}. Stop it first: kill {text}")
        yield


def ask_to_remove(state: Path) -> None:
    """Go on only after a yes that a person typed."""
    try:
        with terminal.opened() as tty:
            said = tty.line(f"Throw away {state}, with its keys and its ledger? [y/N] ")
    except NoTerminalError:
        text = f"There is no terminal to ask on. Throw away {state} unasked with: --yes"
        raise CommandError(ExitCode.NO_TERMINAL, "no_terminal", text) from None
    if said.strip().lower() not in YES:
        raise CommandError(ExitCode.FAILED, "declined", f"{state} stays. Nothing was done.")


def _remove(state: Path) -> None:
    try:
        shutil.rmtree(state)
    except OSError as error:
        text = f"{error.filename} cannot be removed: {error.strerror}. Remove it, then reset again."
        raise SetupError(text) from None
