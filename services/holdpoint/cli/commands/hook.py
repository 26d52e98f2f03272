"""`hook`: what a coding host runs before and after each of its tools, and its installation."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from holdpoint.adapters.hook_install import PLACES, with_hooks
from holdpoint.adapters.hook_supervisor import MARGIN_S, supervised
from holdpoint.cli import output
from holdpoint.cli.acting_as import Who
from holdpoint.cli.agent_session import AgentOption
from holdpoint.cli.session import JsonOption, agent_of, begun
from holdpoint.messages.base import JsonObject
from holdpoint.runtime.config.files import read_text
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

commands = typer.Typer(help="Ask before a coding host runs a tool.", no_args_is_help=True)

WAIT_S = 45.0
"""For people, within one call of the host: it is short, because an approval waits for the next."""


class HostName(StrEnum):
    """A coding host whose hooks are known."""

    CLAUDE_CODE = "claude-code"
    GEMINI = "gemini"
    CODEX = "codex"


WaitOption = Annotated[
    float,
    typer.Option(
        "--wait", min=0, max=540, help="Seconds to wait for people before a deny with a reference."
    ),
]
AlwaysJson = Annotated[bool, typer.Option("--json", help="The answer is JSON in any case.")]


@commands.command("claude-code")
def claude_code(
    *, as_agent: AgentOption = "", wait: WaitOption = WAIT_S, as_json: AlwaysJson = True
) -> None:
    """Answer Claude Code about one tool call, which it sends on standard input."""
    del as_json
    _answer(HostName.CLAUDE_CODE, as_agent, wait)


@commands.command("gemini")
def gemini(
    *, as_agent: AgentOption = "", wait: WaitOption = WAIT_S, as_json: AlwaysJson = True
) -> None:
    """Answer Gemini CLI about one tool call, which it sends on standard input."""
    del as_json
    _answer(HostName.GEMINI, as_agent, wait)


@commands.command("codex")
def codex(
    *, as_agent: AgentOption = "", wait: WaitOption = WAIT_S, as_json: AlwaysJson = True
) -> None:
    """Answer Codex about one tool call, which it sends on standard input."""
    del as_json
    _answer(HostName.CODEX, as_agent, wait)


@commands.command("install")
def install(  # each is one option
    host: Annotated[HostName, typer.Argument(metavar="HOST", help="The coding host.")],
    *,
    file: Annotated[
        Path | None,
        typer.Option(help="The host's settings. Default: those of the project in this folder."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show them, and write nothing.")] = (
        False
    ),
    as_agent: AgentOption = "",
    wait: WaitOption = WAIT_S,
    as_json: JsonOption = False,
) -> None:
    """Write the hooks into a host's settings; what was there stays, and twice is once."""
    path = file or PLACES[host.value].path
    settings = begun()
    agent = agent_of(settings, as_agent)
    known = _settings_in(path)
    command = (*_program(settings), "hook", host.value, "--as", agent, "--wait", f"{wait:g}")
    try:
        wanted = with_hooks(known, host.value, command, wait + MARGIN_S)
    except ValueError as error:
        raise SetupError(f"{path}: {error} Mend it, then install again.") from None
    text = msgspec.json.format(msgspec.json.encode(wanted), indent=2).decode() + "\n"
    if not dry_run and wanted != known:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if as_json:
        changed = wanted != known
        output.emit({"path": str(path), "changed": changed, "written": changed and not dry_run})
    elif dry_run:
        output.document(text)
    else:
        output.say(f"{path} asks Holdpoint, as the agent {agent}." if wanted != known else
                   f"{path} asked Holdpoint already: nothing was changed.")  # fmt: skip


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(commands, name="hook")


def _answer(host: HostName, as_agent: str, wait: float) -> None:
    """Answer on standard output. An error here ends in no answer, which the shell makes a no."""
    agent = as_agent or Who().agent
    if not agent:
        raise SetupError("Say which agent asks: --as, or HP_AGENT.")
    body = sys.stdin.buffer.read()
    os.write(1, supervised(host.value, agent, wait, _folder(), body))


def _folder() -> Path:
    """Where the hook keeps ids of holds: a folder of the user's own, not of Holdpoint's."""
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(os.environ.get("HP_HOOK_DIR") or f"{state}/holdpoint/hooks")


def _program(settings: Settings) -> tuple[str, ...]:
    """The command line as it runs now, in whatever folder the host starts it."""
    program = Path(sys.argv[0])
    state = f"HP_STATE_DIR={settings.state_dir.resolve()}"
    config = f"HP_CONFIG_DIR={settings.config_dir.resolve()}"
    return ("env", state, config, str(program.absolute()) if program.exists() else "holdpoint")


def _settings_in(path: Path) -> JsonObject:
    if not path.exists():
        return {}
    try:
        found = msgspec.json.decode(read_text(path) or "{}")
    except (OSError, msgspec.DecodeError) as error:
        raise SetupError(f"{path}: no JSON can be read there ({error}). Mend it first.") from None
    if not isinstance(found, dict):
        raise SetupError(f"{path}: it is no JSON object. Mend it first.")
    return found
