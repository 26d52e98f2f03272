"""Words that variables and settings add to a program's own: `TF_CLI_ARGS_apply=-destroy`."""

import msgspec

from holdpoint.core.risk.shell.assignments import planted
from holdpoint.core.risk.shell.expand import Expander
from holdpoint.core.risk.shell.made import plain
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.plugged import split
from holdpoint.core.risk.shell.settings import FILES, in_environment, written_in
from holdpoint.core.risk.shell.state import State
from holdpoint.core.risk.shell.traps import set_at_once

PLANNERS = frozenset({"terraform", "tofu", "terragrunt"})
PRESET = PLANNERS | {"git"}
"""Programs that take words from elsewhere."""


SLOW = 8
"""How often a text counts that is parted for each command again."""


def preset(command: Command, state: State) -> Command:
    """A command with the words that it gets besides those that were written."""
    args = _set(command, state) if command.name == "git" else _planned(command, state)
    if args == command.args:
        return command
    state.dear += 1
    state.words += len(args)
    return msgspec.structs.replace(command, args=args)


def plant(state: State, expander: Expander, name: str, span: tuple[int, int]) -> None:
    """Note what an assigned variable makes other programs run, or how it sets them."""
    if name.startswith("GIT_CONFIG_"):
        state.settings |= in_environment(state.scope)
        file = state.files.get(plain(state.scope.get(name) or "")) if name in FILES else None
        state.settings |= written_in(file.text or "") if file else {}
    if name in state.waiting:
        set_at_once(name, state)
    danger = planted(expander, name)
    if danger:
        state.note(danger, Command(name="", path=name, span=span))
        state.reads_only = False


def _set(command: Command, state: State) -> tuple[str, ...]:
    """Settings as `-c KEY=VALUE`; of `--config-env` the value that its variable holds."""
    told = [*state.settings]
    for arg in command.args:
        if arg.startswith("--config-env="):
            key, _, name = arg.partition("=")[2].partition("=")
            told.append(f"{key}={state.scope.get(name) or ''}")
    return (*(word for one in told for word in ("-c", one)), *command.args)


def _planned(command: Command, state: State) -> tuple[str, ...]:
    """`TF_CLI_ARGS` for every order, `TF_CLI_ARGS_apply` for this one, behind it."""
    args = command.args
    at = next((at for at, arg in enumerate(args) if arg[:1] != "-"), None)
    if at is None:
        return args
    names = "TF_CLI_ARGS", f"TF_CLI_ARGS_{args[at]}"
    told = " ".join(filter(None, map(state.scope.get, names)))
    if not told:
        return args
    state.read += SLOW * len(told)
    added = [] if state.is_full else split(told)
    return (*args[: at + 1], *added, *args[at + 1 :])
