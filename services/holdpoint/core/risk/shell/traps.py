"""What waits for the end of the shell: `trap 'rm -rf "$t"' EXIT; t=$(mktemp -d)`.

Such a text is read where it stands, with what its variables hold there, and again at the end. Only
where its one variable is given its first value by what comes next is the end all that counts.
"""

import re

from holdpoint.core.risk.shell.model import Command, hole
from holdpoint.core.risk.shell.state import State

SET = 0
"""Instead of a number of commands: the variable was set at once."""

_named = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_AT_THE_END = ({"EXIT"}, {"0"})


def waits(text: str, command: Command, state: State) -> bool:
    """Whether this text names one variable which nothing has set yet, and runs at the end only."""
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


def set_at_once(name: str, state: State) -> None:
    """Note that a variable is set: all that ran since is what made its value."""
    if state.commands <= state.waiting[name] + 1:
        state.waiting[name] = SET


def ended(state: State) -> list[str]:
    """The texts that wait; what was set too late, or again, may hold anything by now."""
    scope = state.scope
    for name, since in state.waiting.items():
        if since != SET or len(scope.values.get(name, ())) != 1 or name in scope.doubted:
            scope.put(name, hole(name))
    return [*state.later]
