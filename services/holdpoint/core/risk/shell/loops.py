"""Loops of a tree: which values they try, whether they have a turn at all, whether they end."""

import re
from typing import Any

from holdpoint.core.risk.shell.assignments import are_many, turns
from holdpoint.core.risk.shell.branches import may_end, perhaps, repeated
from holdpoint.core.risk.shell.model import FILL, HOLE, Danger, Flow, Origin
from holdpoint.core.risk.shell.walker import Reader
from holdpoint.messages.risk import RiskLevel

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
        return repeated(reader, body, stdin)
    if may_end(reader.text(body.start_byte, body.end_byte)):
        return perhaps(reader, body, stdin, reader.visit)
    return reader.visit(body, stdin)


def endless(reader: Reader, node: Any, stdin: Flow | None) -> Flow:
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
    flow = repeated(reader, node, stdin)
    reader.walk.many -= 1
    return flow
