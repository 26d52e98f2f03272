"""Names that a tree gives a meaning: variables, declarations, functions."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from holdpoint.core.risk.shell.assignments import HISTORY_OFF, assign, declare
from holdpoint.core.risk.shell.branches import perhaps
from holdpoint.core.risk.shell.lexer import RawCommand
from holdpoint.core.risk.shell.loops import BOMB
from holdpoint.core.risk.shell.model import Flow, Origin
from holdpoint.core.risk.shell.scope import substitutes
from holdpoint.core.risk.shell.unverified import UNVERIFIED, exports
from holdpoint.core.risk.shell.walker import Reader

_NOTHING = Flow(Origin.UNKNOWN)

_fixes = re.compile(r"readonly\b|\w+\s.*-\w*r")
"""What makes a variable read-only: to give it a value fails."""


def assignment(reader: Reader, node: Any, _stdin: Flow | None) -> Flow:
    """`x=…`."""
    name = reader.text(node.start_byte, node.end_byte).partition("=")[0].rstrip("+")
    if name in reader.walk.expander.scope.fixed:
        return perhaps(reader, node, None, partial(_set, reader))
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
