"""Parts of the tree that may not run: branches, what stands behind `&&`, bodies of loops, jobs."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from holdpoint.core.risk.shell.doubt import Chain
from holdpoint.core.risk.shell.flow import joined
from holdpoint.core.risk.shell.model import Flow
from holdpoint.core.risk.shell.scope import Left, Part
from holdpoint.core.risk.shell.walker import Reader

Visit = Callable[[Any, Flow | None], Flow]


_falls = re.compile(r";;?&")
"""In `case`: the next branch is run as well."""

_ends = re.compile(r"\b(?:break|continue|return|exit)\b")
"""What leaves a loop before its end."""


MAX_LOOPS = 4
"""Loops inside each other of which a second turn is read."""


def perhaps(reader: Reader, node: Any, stdin: Flow | None, visit: Visit) -> Flow:
    """A part that may not run, or not in this shell."""
    reader.walk.doubt.begin()
    flow = visit(node, stdin)
    reader.walk.doubt.end(_part(reader, node))
    return flow


def _part(reader: Reader, node: Any) -> Part:
    return reader.text(node.start_byte, node.end_byte), node.start_byte


def either(reader: Reader, node: Any, stdin: Flow | None) -> Flow:
    """`if` and `case`: each branch begins with what was known before, and one of them counts."""
    doubt, part = reader.walk.doubt, _part(reader, node)
    if _falls.search(part[0]):
        return perhaps(reader, node, stdin, reader.children)
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


def in_row(reader: Reader, node: Any, stdin: Flow | None) -> Flow:
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


def repeated(reader: Reader, node: Any, stdin: Flow | None) -> Flow:
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


def may_end(text: str) -> bool:
    """Whether a loop with this text may end within a turn."""
    return _ends.search(text) is not None
