"""Branches, loops and declarations: commands that may run, or run again."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from math import prod
from typing import Any, Protocol

from holdpoint.core.risk.shell.assignments import HISTORY_OFF, are_many, assign, declare, turns
from holdpoint.core.risk.shell.expansion import Expander
from holdpoint.core.risk.shell.lexer import RawCommand
from holdpoint.core.risk.shell.machine_commands import UNVERIFIED, exports
from holdpoint.core.risk.shell.model import (
    FILL,
    HOLE,
    Command,
    Danger,
    Flow,
    Origin,
    Redirect,
    hole,
)
from holdpoint.core.risk.shell.output import joined
from holdpoint.core.risk.shell.scope import RUNS_OR_NOT, UNKNOWN, Choice, Left, Part, substitutes
from holdpoint.core.risk.shell.state import State
from holdpoint.messages.risk import RiskLevel

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
        """Whether what is read now stands in such a part."""
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


class Walker(Protocol):
    """Who runs commands in mind."""

    state: State
    doubt: Doubt
    expander: Expander
    many: int
    depth: int
    wrapped: bool

    def simple(self, raw: RawCommand, stdin: Flow | None, here: Flow | None = None) -> Flow:
        """Run one command."""
        ...

    def stand(self, start: int, end: int) -> None:
        """Note where the command stands that is read now."""
        ...

    def nested(self, text: str, stdin: Flow | None = None) -> Flow:
        """Run a text that another shell runs, perhaps."""
        ...

    def within(self, text: str, stdin: Flow | None = None) -> Flow:
        """Run a text inside another."""
        ...

    def run(
        self,
        words: tuple[str, ...],
        redirects: tuple[Redirect, ...] = (),
        stdin: Flow | None = None,
    ) -> Flow:
        """Judge a command, and everything that it runs."""
        ...

    def judged(self, command: Command) -> Flow:
        """Ask every family about it."""
        ...

    def plant(self, name: str) -> None:
        """Note what an assigned variable makes other programs run."""
        ...


class Reader(Protocol):
    """Who reads a tree."""

    walk: Walker

    def text(self, start: int, end: int) -> str:
        """A stretch of the source."""
        ...

    def visit(self, node: Any, stdin: Flow | None) -> Flow:
        """Read a node."""
        ...

    def stand(self, node: Any) -> None:
        """Note where this node stands."""
        ...

    def note(self, node: Any, danger: Danger, path: str, *args: str) -> None:
        """Remember a danger that stands here."""
        ...

    def children(self, node: Any, stdin: Flow | None) -> Flow:
        """Read each of its parts."""
        ...


Visit = Callable[[Any, Flow | None], Flow]


_falls = re.compile(r";;?&")
"""In `case`: the next branch is run as well."""

_ends = re.compile(r"\b(?:break|continue|return|exit)\b")
"""What leaves a loop before its end."""


MAX_LOOPS = 4
"""Loops inside each other of which a second turn is read."""


def maybe_run(reader: Reader, node: Any, stdin: Flow | None, visit: Visit) -> Flow:
    """A part that may not run, or not in this shell."""
    reader.walk.doubt.begin()
    flow = visit(node, stdin)
    reader.walk.doubt.end(_part(reader, node))
    return flow


def _part(reader: Reader, node: Any) -> Part:
    return reader.text(node.start_byte, node.end_byte), node.start_byte


def branch(reader: Reader, node: Any, stdin: Flow | None) -> Flow:
    """`if` and `case`: each branch begins with what was known before, and one of them counts."""
    doubt, part = reader.walk.doubt, _part(reader, node)
    if _falls.search(part[0]):
        return maybe_run(reader, node, stdin, reader.children)
    files = dict(reader.walk.state.files)
    flows: list[Flow] = []
    branches: list[Left] = []
    every = False
    for sure, group in _groups(node):
        if sure:
            flows += [reader.visit(child, stdin) for child in group]
            continue
        doubt.begin()
        flows += [reader.visit(child, stdin) for child in group]
        branches.append(doubt.undo())
        every |= _is_default(reader, group[0])
    doubt.written(files, part)
    doubt.settle(part, branches if every else [*branches, {}])
    return joined(flows)


def _groups(node: Any) -> Iterator[tuple[bool, list[Any]]]:
    """What is always read of it; then each branch."""
    sure = True
    group: list[Any] = []
    for child in node.children:
        if child.type in _BRANCHES or child.type == "then":
            if group:
                yield sure, group
            sure, group = False, []
            if child.type in _BRANCHES:
                yield False, [child]
        elif child.is_named:
            group.append(child)
    if group:
        yield sure, group


_BRANCHES = frozenset({"elif_clause", "else_clause", "case_item"})


def _is_default(reader: Reader, node: Any) -> bool:
    """Whether it runs where no other branch does."""
    if node.type == "else_clause":
        return True
    pattern = reader.text(node.start_byte, node.end_byte).lstrip(" (")
    return node.type == "case_item" and pattern.startswith("*)")


def and_or_list(reader: Reader, node: Any, stdin: Flow | None) -> Flow:
    """`a && b || c`."""
    chain = Chain(reader.walk.doubt)
    flows: list[Flow] = []
    sign = ""
    for child in _flat(node):
        if child.is_named:
            chain.behind(sign, (reader.text(node.start_byte, child.end_byte), child.start_byte))
            flows.append(reader.visit(child, stdin))
        else:
            sign = child.type if child.type in {"&&", "||"} else "||"
    chain.end()
    return joined(flows)


def _flat(node: Any) -> list[Any]:
    """The parts of a list, and the signs between them; a list begins with another list."""
    behind: list[Any] = []
    while node.type == "list" and node.children:
        behind += reversed(node.children[1:])
        node = node.children[0]
    return [node, *reversed(behind)]


def loop_body(reader: Reader, node: Any, stdin: Flow | None) -> Flow:
    """A loop that may have no turn, or some: what one leaves, the next begins with."""
    state = reader.walk.state
    text, start = _part(reader, node)
    reader.walk.doubt.begin()
    flow = reader.children(node, stdin)
    carried = any(_is_carried(name, text) for name in state.scope.set_now())
    if carried and reader.walk.many > MAX_LOOPS:
        state.stuck = state.stuck or "its loops are nested too deep"
    elif carried and list(state.tried([text])):
        flow = reader.children(node, stdin)
    reader.walk.doubt.end((text, start))
    return flow


def _is_carried(name: str, text: str) -> bool:
    """Whether a turn may read what the one before set: not where each sets it anew, at once."""
    read = min((at for sign in ("$", "${") if (at := text.find(sign + name)) >= 0), default=-1)
    if read < 0:
        return False
    return not 0 <= text.find(f"{name}=") < read or _branches.search(text) is not None


_branches = re.compile(r"\b(?:if|case|while|until|for|eval)\b|&&|\|\||\(\)")
"""What makes it doubtful whether something in a loop's body is set in each turn."""


def may_break(text: str) -> bool:
    """Whether a loop with this text may end within a turn."""
    return _ends.search(text) is not None


_NOTHING = Flow(Origin.UNKNOWN)

_ends_at_once = re.compile(r"&\s*(?:exit|break|wait)\b")

BOMB = Danger("shell.fork-bomb", RiskLevel.CRITICAL, "starts processes without end", "start")


def loop(reader: Reader, node: Any, stdin: Flow | None) -> Flow:
    """`for x in …`: the variable has each value, the body runs again and again."""
    name, values, bodies, flow = "", [], [], _NOTHING
    for child in node.children:
        if child.type == "variable_name":
            name = reader.text(child.start_byte, child.end_byte)
        elif child.type == "do_group":
            bodies.append(child)
        elif child.is_named:
            values += reader.walk.expander.words(reader.text(child.start_byte, child.end_byte))
    listed = turns(values)
    runs = node.children[0].type == "for" and not any(HOLE in value for value in listed)
    for value in reader.walk.state.tried(listed):
        reader.walk.expander.scope.put(name, value)
        many = value.endswith(FILL) or are_many(values)
        reader.walk.many += many
        for body in bodies:
            flow = _turn(reader, body, stdin, runs=runs and bool(values))
        reader.walk.many -= many
    return flow


def _turn(reader: Reader, body: Any, stdin: Flow | None, *, runs: bool) -> Flow:
    """One turn of a loop; unless its values are written out, there may be none."""
    if not runs:
        return loop_body(reader, body, stdin)
    if may_break(reader.text(body.start_byte, body.end_byte)):
        return maybe_run(reader, body, stdin, reader.visit)
    return reader.visit(body, stdin)


def while_loop(reader: Reader, node: Any, stdin: Flow | None) -> Flow:
    """`while`, `until` and `for ((;;))`; one that starts jobs for ever is a bomb."""
    text = reader.text(node.start_byte, node.end_byte)
    head, _, body = text.partition("do")
    if "((" in head:
        reader.walk.expander.evaluated(head)
    words = head.replace(";", " ").replace("(", " ").replace(")", " ").split()
    idle = not words[1:] or words[1] in {"true", ":", "1", "/usr/bin/true", "/bin/true"} or (
        words[0] == "until" and words[1].rpartition("/")[2] == "false"
    )  # fmt: skip
    ends = _ends_at_once.search(body)
    if idle and not ends and "&" in body.replace("&&", "").replace(">&", "").replace("&>", ""):
        reader.note(node, BOMB, "a fork bomb")
    reader.walk.many += 1
    flow = loop_body(reader, node, stdin)
    reader.walk.many -= 1
    return flow


_fixes = re.compile(r"readonly\b|\w+\s.*-\w*r")
"""What makes a variable read-only: to give it a value fails."""


def assignment(reader: Reader, node: Any, _stdin: Flow | None) -> Flow:
    """`x=…`."""
    name = reader.text(node.start_byte, node.end_byte).partition("=")[0].rstrip("+")
    if name in reader.walk.expander.scope.fixed:
        return maybe_run(reader, node, None, partial(_set, reader))
    _assigned(reader, node)
    return _NOTHING


def _set(reader: Reader, node: Any, _stdin: Flow | None) -> Flow:
    _assigned(reader, node)
    return _NOTHING


def _assigned(reader: Reader, node: Any) -> str:
    reader.stand(node)
    children = node.children[-1].children
    elements = [reader.text(one.start_byte, one.end_byte) for one in children if one.is_named]
    name = assign(reader.walk.expander, reader.text(node.start_byte, node.end_byte), elements)
    reader.walk.plant(name)
    return name


def declaration(reader: Reader, node: Any, _stdin: Flow | None) -> Flow:
    """`declare -l x=RM`, `export`, `local`."""
    text = reader.text(node.start_byte, node.end_byte)
    head = _head(reader, node)
    for child in node.children:
        name = ""
        if child.type == "variable_assignment":
            name = _assigned(reader, child)
            declare(reader.walk.expander, name, head)
        elif child.is_named:
            name = _named(reader, child, head)
        if name and _fixes.match(head):
            reader.walk.expander.scope.fixed.add(name)
    if exports(text):
        reader.note(node, UNVERIFIED, *text.split()[:4])
    return _NOTHING


def _head(reader: Reader, node: Any) -> str:
    """`declare -l`: what stands before the first name that is given a value."""
    first = next((one for one in node.children if one.type == "variable_assignment"), None)
    return reader.text(node.start_byte, first.start_byte if first else node.end_byte)


def unset(reader: Reader, node: Any, _stdin: Flow | None) -> Flow:
    """`unset HISTFILE`; a value may be unset on a way that is not taken, and so it stays."""
    names = [_named(reader, child, "") for child in node.children[1:]]
    reader.walk.state.unsure.update(names)
    if "HISTFILE" in names:
        reader.note(node, HISTORY_OFF, "unset", *names)
    return _NOTHING


def _named(reader: Reader, node: Any, options: str) -> str:
    """A name without a value, however it is quoted; its subscript is evaluated."""
    expander = reader.walk.expander
    name = expander.text(reader.text(node.start_byte, node.end_byte))
    if substitutes(name):
        expander.evaluated(name)
    if " -i" in options:
        expander.scope.counted.add(name)
    return name


def set_for(reader: Reader, assigned: list[Any], raw: RawCommand, run: Callable[[], Flow]) -> Flow:
    """`x=1 command` sets x for that command only, and its words do not know it yet."""
    scope = reader.walk.expander.scope
    if not raw.words:
        for one in assigned:
            _assigned(reader, one)
        return run()
    if any("$" in word for word in raw.words):
        run()
    scope.begin()
    names = {_assigned(reader, one) for one in assigned}
    flow = run()
    scope.redo({name: left for name, left in scope.undo().items() if name not in names})
    return flow


def function(reader: Reader, node: Any, _stdin: Flow | None) -> Flow:
    """Remember its body; one that starts itself twice, or behind itself, is a bomb."""
    name = body = ""
    for child in node.children:
        if child.type == "word" and not name:
            name = reader.text(child.start_byte, child.end_byte)
        elif child.type == "compound_statement":
            body = reader.text(child.start_byte + 1, child.end_byte - 1)
        elif child.is_named and name:
            body = reader.text(child.start_byte, child.end_byte)
    chained = body.replace("&&", ";").replace("||", ";")
    calls = chained.replace("|", " | ").replace("&", " & ").replace(";", " ; ").split()
    if name in calls and ("|" in calls or "&" in calls):
        reader.note(node, BOMB, "a fork bomb")
        return _NOTHING
    reader.walk.state.define(name, body, sure=not reader.walk.doubt.is_open)
    here = reader.walk.state.here
    reader.walk.doubt.begin()
    reader.walk.within(body)
    reader.walk.doubt.undo()
    reader.walk.state.here = here
    return _NOTHING
