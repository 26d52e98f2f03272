"""What a command runs in its turn: its words behind a wrapper, its text, its input."""

from holdpoint.core.risk.shell.carriers import CARRIERS
from holdpoint.core.risk.shell.inner import Found, Inner
from holdpoint.core.risk.shell.interpret import WITH_MODULES, harmless_module, interpret
from holdpoint.core.risk.shell.model import Command, Danger, Flow, Origin
from holdpoint.core.risk.shell.strangers import may_run
from holdpoint.core.risk.shell.traps import waits
from holdpoint.core.risk.shell.unwrap import unwrap
from holdpoint.core.risk.shell.walker import Walker

EMPTY = Flow(Origin.UNKNOWN)

_STAYS = frozenset({"eval", "command", "builtin", "time"})
"""Commands that run something in this very shell."""

_ALSO_JUDGED = frozenset({"find", "gfind", "docker", "podman", "ssh", "tar", "salt"})
_BESIDE = frozenset({"ssh", "autossh", "kubectl", "oc", "k", "gdb", "at", "az"})
"""Wrappers whose options run texts here, whatever is run there."""

_RUN_ONLY = frozenset({"eval", "sh", "bash", "zsh", "dash", "ksh", "trap"})


def opened(walk: Walker, command: Command) -> Flow | None:
    """Go on with what it runs; None when it runs nothing else."""
    inner = unwrap(command)
    if inner and command.name in _BESIDE:
        inner = [*CARRIERS[command.name](command), *inner]
    if inner:
        flow = _follow(walk, inner, command)
        if command.redirects or command.name in _ALSO_JUDGED:
            walk.judged(command)
        return flow
    if command.name in WITH_MODULES and (module := harmless_module(command)):
        return _instead(walk, module, command)
    texts = interpret(command) or may_run(command)
    ran = _follow(walk, texts, command) if texts else None
    return ran if command.name in _RUN_ONLY else None


def _instead(walk: Walker, words: tuple[str, ...], command: Command) -> Flow:
    """What runs in the place of a command, with all that it reads and writes."""
    walk.depth += 1
    wrapped, walk.wrapped = walk.wrapped, True
    flow = walk.run(words, command.redirects, command.stdin)
    walk.wrapped = wrapped
    walk.depth -= 1
    return flow


def _follow(walk: Walker, found: Found, command: Command) -> Flow:
    flow = EMPTY
    walk.depth += 1
    stays = command.name in _STAYS
    said = "" if stays else " ".join((command.path, *command.args))
    for at, one in enumerate(found):
        if isinstance(one, Danger):
            walk.state.note(one, command)
            walk.state.reads_only = False
            continue
        if command.name == "trap" and "$" in one.script:
            walk.state.later[one.script] = None
            if waits(one.script, command, walk.state):
                continue
        if not stays:
            walk.doubt.begin()
        flow = _inner(walk, one)
        if not stays:
            walk.doubt.end((said, at))
    walk.depth -= 1
    return flow


def _inner(walk: Walker, one: Inner) -> Flow:
    """Something that a command runs."""
    walk.many += one.many
    if one.script:
        walk.state.dear += 1
        walk.state.scope.arguments(one.args)
        flow = walk.within(one.script, one.stdin)
    else:
        wrapped, walk.wrapped = walk.wrapped, True
        flow = walk.run(one.words, (), one.stdin)
        walk.wrapped = wrapped
    walk.many -= one.many
    return flow


_ALSO_TOLD = frozenset({"gdb"})
"""Wrappers with a prompt of their own, which is told what to run whatever stands behind it."""
