"""What is known while a text is read: variables, functions, files, what was found so far."""

from collections.abc import Iterator

import msgspec

from holdpoint.core.risk.shell.expand import Scope
from holdpoint.core.risk.shell.model import (
    HOLE,
    HOLE_END,
    Command,
    Danger,
    Flow,
    Origin,
    Redirect,
)
from holdpoint.core.risk.shell.secrets import is_secret

MAX_COMMANDS = 350
"""Commands that are judged in one text; two that are ordinary count as one."""

MAX_TURNS = 3 * MAX_COMMANDS
"""Turns of all loops: more than commands are judged, whatever stands in them."""

MAX_DEPTH = 14
"""Wrappers and scripts inside each other."""

MAX_FOUND = 40
MAX_TARGETS = 32


class State(msgspec.Struct):
    """Grows while commands are read, in the order in which they would run."""

    scope: Scope
    found: list[tuple[Danger, Command]] = []
    targets: dict[str, None] = {}
    sql: list[str] = []
    functions: dict[str, str] = {}
    aliases: dict[str, str] = {}
    files: dict[str, Flow] = {}
    """What was written or fetched into which file."""

    here: str = ""
    """Where the shell stands, if that is a place of the system or a private one."""

    remotes: set[str] = set()
    """Names that were given to repositories elsewhere."""

    streams: dict[str, Flow] = {}
    """What an open file descriptor reads."""

    sinks: dict[str, str] = {}
    """Files that are named for what reads them: `>(sh)`."""

    commands: int = 0
    ordinary: int = 0
    """Those of them about which no family has anything to say."""

    turns: int = 0
    """Of all loops together."""

    reads_only: bool = True
    stuck: str = ""
    """Why a part was not read."""

    programs: set[str] = set()
    """The programs that were run."""

    broken: bool = False
    """Whether the grammar refused a part, so that a lenient reading had to do."""

    @property
    def is_full(self) -> bool:
        """Whether it has more commands than are judged."""
        return self.commands - self.ordinary // 2 > MAX_COMMANDS

    @property
    def is_untouched(self) -> bool:
        """Whether nothing that was read changes what the commands after it mean."""
        return not (self.files or self.aliases or self.functions or self.here or self.streams)

    def tried(self, values: list[str]) -> Iterator[str]:
        """The values of a loop, one by one: loops inside each other have turns without end."""
        for value in values:
            self.turns += 1
            if self.is_full or self.turns > MAX_TURNS:
                self.stuck = self.stuck or "it is nested too deep or too long"
                return
            yield value

    def redefines(self, program: str) -> bool:
        """Whether a function or an alias stands for it."""
        return program in self.functions or program in self.aliases

    def read_by(self, redirects: tuple[Redirect, ...]) -> Flow | None:
        """What the first redirection of an input reads; None without one."""
        for one in redirects:
            if one.sign == "<&":
                unknown = self.streams.get("*", Flow(Origin.UNKNOWN))
                return self.streams.get(one.target.strip(HOLE + HOLE_END), unknown)
            if one.sign == "<":
                if one.target.startswith(f"{HOLE}(fetched)"):
                    return Flow(Origin.REMOTE)
                kept = Flow(Origin.SECRET if is_secret(one.target) else Origin.FILE)
                return self.files.get(one.target.rpartition("/")[2], kept)
        return None

    def sink(self, script: str) -> str:
        """A file that hands what is written to it to this script."""
        name = f"/dev/fd/o{len(self.sinks)}"
        self.sinks[name] = script
        return name

    def note(self, danger: Danger, command: Command) -> None:
        """Remember a danger, and the command that carries it."""
        if len(self.found) < MAX_FOUND:
            self.found.append((danger, command))

    def touch(self, target: str) -> None:
        """Remember a thing that is touched."""
        if target and len(self.targets) < MAX_TARGETS:
            self.targets[target] = None
