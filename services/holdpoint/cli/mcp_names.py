"""Names and options of MCP servers at the command line."""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.messages.base import is_id
from holdpoint.messages.catalog import UNLEVELLED
from holdpoint.messages.mcp import McpServer, Transport

LEVEL = re.compile(r"(?:(?P<tool>[^=]{1,128})=)?(?P<level>[1-5])")
RUNNERS = frozenset(
    {"uvx", "npx", "pipx", "uv", "bunx", "python", "python3", "node", "run", "tool"}
)
"""Programs that start a server which is named behind them."""

AFFIX = re.compile(r"^(?:mcp-?server-|server-|mcp-)|(?:-mcp-server|-server|-mcp)$")


def server_at(  # each is one option
    command: Sequence[str],
    *,
    url: str,
    name: str,
    levels: Sequence[str],
    idempotent: Sequence[str],
    env: Sequence[str],
) -> McpServer:
    """The server that a command line names. Raises CommandError."""
    if bool(command) is bool(url):
        raise _usage("Name the server after `--`, as in: -- uvx mcp-server-git. Or give its --url.")
    chosen = name or name_of(command, url)
    if not is_id(chosen):
        raise _usage(f"{chosen!r} is no server's name: letters, digits, `_` and `-`, at most 64.")
    default, by_tool = _levels(levels)
    return McpServer(
        name=chosen,
        transport=Transport.HTTP if url else Transport.STDIO,
        command=_program(command[0]) if command else "",
        args=tuple(command[1:]),
        working_dir=str(Path.cwd()) if command else "",
        env=dict(map(_variable, env)),
        url=url,
        prefix=f"{chosen}_",
        level=default,
        levels=by_tool,
        idempotent=tuple(idempotent),
    )


def name_of(command: Sequence[str], url: str) -> str:
    """A short name of a server: `uvx mcp-server-git` is `git`."""
    words = [it for it in command if not it.startswith("-")] or [urlsplit(url).hostname or ""]
    named = [Path(it).name for it in words]
    first = next((it for it in named if not _is_runner(it)), named[0])
    plain = re.sub(
        r"[^A-Za-z0-9]+", "-", re.split(r"[@=:?]", first.lstrip("@"))[0].removesuffix(".py")
    )
    short = AFFIX.sub("", plain.strip("-").lower())
    return (short or "server")[:24].strip("-")


def _is_runner(word: str) -> bool:
    return re.sub(r"[0-9.]+$", "", word) in RUNNERS


def _program(command: str) -> str:
    """Where the program lies: the worker starts it, from another folder and with another PATH."""
    found = shutil.which(command)
    if found is None:
        raise _usage(f"There is no program {command!r} here.")
    return str(Path(found).absolute())


def _levels(said: Sequence[str]) -> tuple[int, dict[str, int]]:
    default, by_tool = UNLEVELLED, {}
    for one in said:
        fits = LEVEL.fullmatch(one)
        if fits is None:
            raise _usage(f"--level {one!r} is neither a level from 1 to 5 nor TOOL=LEVEL.")
        if fits["tool"]:
            by_tool[fits["tool"]] = int(fits["level"])
        else:
            default = int(fits["level"])
    return default, by_tool


def _variable(said: str) -> tuple[str, str]:
    name, equals, value = said.partition("=")
    if not name or (not equals and name not in os.environ):
        raise _usage(f"--env {name}: there is no such variable here. Write {name or 'NAME'}=VALUE.")
    return name, value if equals else os.environ[name]


def _usage(text: str) -> CommandError:
    return CommandError(ExitCode.USAGE, "bad_server", text)
