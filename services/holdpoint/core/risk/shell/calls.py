"""Functions and aliases: what their names stand for counts, and what the programs do as well.

A stub in front of a program is no promise: a shell takes it only for a plain word that it runs by
itself, and only if the function is really defined then. An alias is no promise at all.
"""

import re
import shlex

import msgspec

from holdpoint.core.risk.shell.builtins import Effects
from holdpoint.core.risk.shell.judge import is_known
from holdpoint.core.risk.shell.model import Command, Flow
from holdpoint.core.risk.shell.ordinary import ASKED
from holdpoint.core.risk.shell.state import State
from holdpoint.core.risk.shell.walker import Walker
from holdpoint.core.risk.shell.windows import is_cmdlet


def bodies_of(command: Command, state: State) -> tuple[str, ...]:
    """The texts for which its name may stand."""
    bodies = state.functions.get(command.path, ())
    alias = state.aliases.get(command.path)
    if not alias:
        return bodies
    return (*bodies, " ".join((alias, *map(shlex.quote, command.args))))


def is_replaced(command: Command, state: State) -> bool:
    """Whether a function surely stands for it, and no program of that name is known."""
    if command.path not in state.functions or command.path in state.unsure:
        return False
    name = command.name
    known = name in ASKED or is_known(name) or name.startswith("mkfs.") or is_cmdlet(command.path)
    return not known


def call(walk: Walker, bodies: tuple[str, ...], command: Command) -> Flow:
    """Read what its name stands for."""
    flow = _body(walk, bodies[0], command)
    for body in bodies[1:]:
        flow = riskier(flow, _body(walk, body, command))
    if command.redirects:
        walk.judged(msgspec.structs.replace(command, name="", args=(), stdin=flow))
        Effects(walk.state, walk.nested).kept(command, flow)
    return flow


def _body(walk: Walker, body: str, command: Command) -> Flow:
    """One of these texts: its arguments die with it, and so does what is local there."""
    scope, state = walk.state.scope, walk.state
    here = state.here
    walk.doubt.begin()
    scope.arguments((command.path, *command.args))
    flow = walk.within(body, command.stdin)
    moved = state.here
    left = {name: values for name, values in walk.doubt.undo().items() if name not in _ARGUMENTS}
    state.here = here
    named = body in state.functions.get(command.path, ()) and command.path not in state.unsure
    if named and _leaves.search(body) is None:
        state.here = moved
        scope.redo(left)
    else:
        state.here = here or moved
        walk.doubt.settle((body, -2), [left, {}])
    return flow


_ARGUMENTS = frozenset("0123456789@*")
_leaves = re.compile(r"\b(?:local|declare|typeset|return)\b")
"""What makes it doubtful whether a function's assignments are seen outside."""


def riskier(one: Flow, other: Flow) -> Flow:
    """Of what is printed, that of which less is known, with all that is known of both."""
    worst = max(one, other, key=lambda flow: flow.origin)
    if one.text is None or other.text is None:
        return worst
    return msgspec.structs.replace(worst, text=f"{one.text}\n{other.text}")
