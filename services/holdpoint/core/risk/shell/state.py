"""State of a simulated shell: files written, things moved, traps, and findings found so far."""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

import msgspec

from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.data_transfer import is_secret
from holdpoint.core.risk.shell.lexer import MAX_PIECES, MAX_TANGLED
from holdpoint.core.risk.shell.model import (
    HOLE,
    HOLE_END,
    Command,
    Flow,
    Origin,
    Redirect,
    hole,
    is_stream,
    joined,
)
from holdpoint.core.risk.shell.scope import RUNS_OR_NOT, UNKNOWN, Choice, Left, Part, Scope
from holdpoint.core.risk.words import word_set

MAX_COMMANDS = 350
"""Commands that are judged in one text; two that are ordinary count as one."""

DEAR = {
    **dict.fromkeys(word_set("curl curlie wget wget2 http https xh xhs"), 6),
    **dict.fromkeys(word_set("python python2 python3 perl ruby node php"), 2),
    "cling": 3,
    **dict.fromkeys(word_set("psql mysql mariadb sqlite3 sqlcmd clickhouse-client"), 2),
    **dict.fromkeys(word_set("sed gsed foreach-object ForEach-Object"), 1),
}
"""As how many more these count, which are read as the request, code or SQL that they hold."""

SENT = 11
"""The same of a request that may change something: it is judged as a call of its own."""

PATTERN = 9
"""The same of a program that is named by a pattern: every known one is tried."""

GROUP = 16
"""The same of a group that looks like a sum: one is read again in each around it."""

MAX_TURNS = 3 * MAX_COMMANDS
"""Turns of all loops: more than commands are judged, whatever stands in them."""

MAX_WORDS = 8_192
"""Words of all commands together, each time that one is handed on: more than 16 KiB hold."""

MAX_READ = 40_960
"""Characters of all texts together, those inside of others again."""

BROKEN = 4
"""How often a text counts that the grammar refused: it is read twice, and slowly."""

INSIDE = 16
"""As how many more commands a broken text counts that stands in another."""

MAX_DEPTH = 14
"""Wrappers and scripts inside each other."""

MAX_BODIES = 4
"""Bodies of one function of which any may count."""

MAX_FOUND = 40
MAX_TARGETS = 32


class State(msgspec.Struct):
    """Grows while commands are read, in the order in which they would run."""

    scope: Scope
    found: list[tuple[Finding, Command]] = []
    targets: dict[str, int] = {}
    """What is touched, and how grave that is."""

    sql: list[str] = []
    tellers: dict[str, Command | None] = {}
    """The one command that hands a statement to a database; None where several do."""

    sent: list[Mapping[str, Any]] = []
    """Requests that its commands send, and that may change something."""

    functions: dict[str, tuple[str, ...]] = {}
    """Their bodies; one that may not be defined stands behind the one before."""

    unsure: set[str] = set()
    """Functions that may not be defined, or no longer."""

    aliases: dict[str, str] = {}
    files: dict[str, Flow] = {}
    """What was written or fetched into which file."""

    places: dict[str, str] = {}
    """The whole names of those that were named with a folder."""

    here: str = ""
    """Where the shell stands, if that is a place of the system or a private one."""

    moved: dict[str, str] = {}
    """Where things were that lie among temporary files now."""

    settings: dict[str, None] = {}
    """What git is set to besides its command line, as `KEY=VALUE`."""

    remotes: set[str] = set()
    """Names that were given to repositories elsewhere."""

    streams: dict[str, Flow] = {}
    """What an open file descriptor reads."""

    sinks: dict[str, str] = {}
    """Files that are named for what reads them: `>(sh)`."""

    printing: tuple[str, ...] = ()
    """Files that the shell itself prints to: `exec >FILE`."""

    later: dict[str, None] = {}
    """Texts that wait for the end of the shell: `trap`."""

    waiting: dict[str, int] = {}
    """Variables that only such a text names yet, and how many commands had run then."""

    commands: int = 0
    ordinary: int = 0
    """Those of them about which no family has anything to say."""

    dear: int = 0
    """As how many more commands those count that were read as a request, or as code."""

    words: int = 0
    read: int = 0
    """Words and characters that were read, of all commands and texts."""

    turns: int = 0
    """Of all loops together."""

    reads_only: bool = True
    stuck: str = ""
    """Why a part was not read."""

    ended: bool = False
    """Whether it has more commands than are judged: what is left is not read at all."""

    programs: set[str] = set()
    """The programs that were run."""

    in_full: list[str] = []
    """Commands with short names, with the long ones in their place."""

    run: list[str] = []
    """The commands, in order, as they are run; those that were passed by, only where they are
    written in another way than people do."""

    masked: bool = False
    """Whether a text inside of it has characters in it that are not what they look like."""

    broken: bool = False
    """Whether the grammar refused a part, so that a lenient reading had to do."""

    @property
    def pieces(self) -> int:
        """Of how many pieces a text is read that no grammar takes."""
        return MAX_TANGLED if self.stuck else MAX_PIECES

    @property
    def only_reads(self) -> bool:
        """Return whether there are commands, and each is proven to change nothing."""
        return (
            self.reads_only
            and self.commands > 0
            and not (self.stuck or self.broken or self.scope.loads_code)
        )

    @property
    def is_full(self) -> bool:
        """Return whether it has more commands, words or characters than are judged."""
        many = self.commands + self.dear - self.ordinary // 2 > MAX_COMMANDS
        return many or self.words > MAX_WORDS or self.read > MAX_READ

    def broken_at(self, depth: int, size: int) -> None:
        """Note that the grammar refused a text of this size, so many others around it."""
        self.broken = True
        self.read += (BROKEN - 1) * size
        self.dear += INSIDE if depth else 0

    def grouped(self, size: int) -> None:
        """Note a group of this size that looks like a sum, before it is read."""
        self.read += BROKEN * size
        self.dear += GROUP

    def send(self, request: Mapping[str, Any] | None) -> None:
        """Note a request that it sends, if that may change something."""
        if request:
            self.sent.append(request)
            self.dear += SENT

    def tried(self, values: list[str]) -> Iterator[str]:
        """The values of a loop, one by one: loops inside each other have turns without end."""
        for value in values:
            self.turns += 1
            if self.is_full or self.turns > MAX_TURNS:
                self.stuck = self.stuck or "it is nested too deep or too long"
                return
            yield value

    def define(self, name: str, body: str, *, sure: bool) -> None:
        """Let a name stand for a function."""
        if sure:
            self.unsure.discard(name)
            self.functions[name] = (body,)
            return
        self.unsure.add(name)
        bodies = (*self.functions.get(name, ()), body)
        if len(bodies) > MAX_BODIES:
            self.stuck = self.stuck or "it defines a function again and again"
        self.functions[name] = bodies[-MAX_BODIES:]

    def input_of(
        self, given: Flow | None, redirects: tuple[Redirect, ...], words: list[str]
    ) -> Flow | None:
        """Return what a command reads; where it reads a descriptor by name, the worst of all."""
        read = self._read_by(redirects) if redirects else []
        flow = given or (read[0] if read else self.streams.get("0"))
        if given and read:
            flow = _worse(given, read[-1])
        if not (read or self.streams) or not any(map(is_stream, words)):
            return flow
        every = [one for one in (flow, *read, *self.streams.values()) if one is not None]
        return max(every, key=lambda one: one.origin)

    def _read_by(self, redirects: tuple[Redirect, ...]) -> list[Flow]:
        """Return what each redirection of an input reads, in order."""
        return [
            self._held(one) if one.sign == "<&" else self._file(one.target)
            for one in redirects
            if one.sign in {"<", "<&"}
        ]

    def _held(self, one: Redirect) -> Flow:
        unknown = self.streams.get("*", Flow(Origin.UNKNOWN))
        return self.streams.get(one.target.strip(HOLE + HOLE_END), unknown)

    def _file(self, target: str) -> Flow:
        if target.startswith(f"{HOLE}(fetched)"):
            return Flow(Origin.REMOTE)
        kept = Flow(Origin.SECRET if is_secret(target) else Origin.FILE)
        return self.files.get(target.rpartition("/")[2], kept)

    def sink(self, script: str) -> str:
        """A file that hands what is written to it to this script."""
        name = f"/dev/fd/o{len(self.sinks)}"
        self.sinks[name] = script
        return name

    def add(self, other: "State") -> None:
        """What another reading of the same text found."""
        known = set(self.found)
        for finding, command in other.found:
            if (finding, command) not in known:
                self.note(finding, command)
        for target, rank in other.targets.items():
            self.touch(target, rank)
        self.sql += [one for one in other.sql if one not in self.sql]
        self.tellers = {}
        self.sent += [one for one in other.sent if one not in self.sent]
        self.reads_only &= other.reads_only
        self.scope.loads_code |= other.scope.loads_code
        self.stuck = self.stuck or other.stuck
        self.masked |= other.masked
        self.programs |= other.programs
        self.run = list(dict.fromkeys((*self.run, *other.run)))
        self.in_full = list(dict.fromkeys((*self.in_full, *other.in_full)))

    def note(self, finding: Finding, command: Command) -> None:
        """Remember a finding, and the command that carries it."""
        if len(self.found) < MAX_FOUND:
            self.found.append((finding, command))

    def tell(self, statements: tuple[str, ...], command: Command) -> None:
        """Remember statements that a command hands to a database."""
        self.sql.extend(statements)
        for sql in statements:
            self.tellers[sql] = command if sql not in self.tellers else None

    def touch(self, target: str, rank: int = 0) -> None:
        """Remember a thing that is touched, and how grave that is."""
        if target and len(self.targets) < MAX_TARGETS:
            self.targets[target] = max(rank, self.targets.get(target, 0))


def _worse(given: Flow, read: Flow) -> Flow:
    """Of what comes down a pipe and what a redirection reads in its place: the worse, or both."""
    worst = max(given, read, key=lambda one: one.origin)
    if worst.origin > Origin.FILE:
        return worst
    return joined([read, given]) if given.text is not None or read.text is not None else given


SET = 0
"""Instead of a number of commands: the variable was set at once."""

_named = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_AT_THE_END = ({"EXIT"}, {"0"})


def is_deferred(text: str, command: Command, state: State) -> bool:
    """Return whether it names one variable that nothing has set yet, and runs at the end only."""
    names = {one or other for one, other in _named.findall(text)}
    if len(names) != 1 or text.count("$") != len(_named.findall(text)) or "`" in text:
        return False
    if command.depth or command.many or {*command.args[1:]} not in _AT_THE_END:
        return False
    (name,) = names
    if state.scope.names or state.scope.values.get(name) or name in state.waiting:
        return False
    state.waiting[name] = state.commands
    return True


def forget_deferred(name: str, state: State) -> None:
    """Note that a variable is set: all that ran since is what made its value."""
    if state.commands <= state.waiting[name] + 1:
        state.waiting[name] = SET


def trap_scripts(state: State) -> list[str]:
    """The texts that wait; what was set too late, or again, may hold anything by now."""
    scope = state.scope
    for name, since in state.waiting.items():
        if since != SET or len(scope.values.get(name, ())) != 1 or name in scope.doubted:
            scope.put(name, hole(name))
    return [*state.later]


MAX_READINGS = 8
"""Readings of one text with its doubts settled in every way; of more doubts only some are."""


class Doubt:
    """What doubtful parts leave, in one reading."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.before: list[tuple[str, dict[str, Flow]]] = []

    def begin(self) -> None:
        """Here begins a part."""
        self.state.scope.begin()
        self.before.append((self.state.here, dict(self.state.files)))

    @property
    def is_open(self) -> bool:
        """Return whether what is read now stands in such a part."""
        return bool(self.before)

    def undo(self) -> Left:
        """Here it ends; what it set is undone. A shell that may stand in two places is in both."""
        here, _ = self.before.pop()
        self.state.here = here or self.state.here
        return self.state.scope.undo()

    def end(self, part: Part) -> None:
        """Here it ends; it may have run, or not."""
        here, files = self.before[-1]
        if not (here or files or self.state.scope.marks[-1]):
            self.before.pop()
            self.state.scope.marks.pop()
            return
        left = self.undo()
        self.written(files, part)
        self.settle(part, [left, {}])

    def written(self, files: dict[str, Flow], part: Part) -> None:
        """Files that it wrote over hold what they held before, if it did not run."""
        changed = [name for name, flow in files.items() if self.state.files.get(name) != flow]
        if not changed:
            return
        if not self.state.scope.runs(part):
            self.state.files.update({name: files[name] for name in changed})

    def settle(self, part: Part, branches: list[Left]) -> None:
        """Of these branches one has run; give the variables what it left."""
        names = {name for left in branches for name in left}
        if not names:
            return
        scope, chosen = self.state.scope, self.state.scope.choice.of(part)
        if chosen is None:
            for left in branches:
                scope.redo(left)
        elif chosen == UNKNOWN:
            scope.redo({name: [hole(name)] for name in names})
        else:
            scope.redo(branches[min(chosen, len(branches) - 1)])
        scope.branches[part] = tuple(range(len(branches))) if any(branches[1:]) else RUNS_OR_NOT
        for name in names:
            scope.doubt(name, part)

    def others(self) -> Iterator[Choice]:
        """The other readings of which somebody must know."""
        scope = self.state.scope
        asked = [(part, scope.branches[part]) for part in scope.asked]
        if prod(len(branches) for _, branches in asked) > MAX_READINGS:
            most = max(len(branches) for _, branches in asked)
            yield from (Choice(others=chosen) for chosen in (UNKNOWN, *range(min(most, 4))))
            return
        for chosen in product(*(branches for _, branches in asked)):
            picked = {part: at for (part, _), at in zip(asked, chosen, strict=True)}
            settled = {part: at for part, at in picked.items() if at is not None}
            if settled:
                yield Choice(settled)


class Chain:
    """Commands between `&&` and `||`: each behind the first may run, or not.

    Behind `&&` those before it have run; what is left of them is in doubt where the chain ends.
    """

    def __init__(self, doubt: Doubt) -> None:
        self.doubt = doubt
        self.opened = ""
        self.part = ("", 0)

    def behind(self, sign: str, part: Part) -> None:
        """The next command is this, behind this sign; an empty one begins another chain."""
        if sign == "&&" == self.opened:
            return
        self.end()
        self.opened, self.part = sign, part
        if sign:
            self.doubt.begin()

    def end(self) -> None:
        """No more of them."""
        if self.opened:
            self.doubt.end(self.part)
        self.opened = ""
