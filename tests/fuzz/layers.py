"""All disguises, and how they are put over each other."""

from collections.abc import Iterator
from random import Random  # noqa: TID251  # seeded: a run can be repeated

from tests.fuzz.calls import CALLS
from tests.fuzz.requests import REQUESTS
from tests.fuzz.sentences import SAYINGS
from tests.fuzz.statements import STATEMENTS
from tests.fuzz.words import WORDS
from tests.fuzz.wrappers import WRAPPERS

from holdpoint.policy_lab.cases import Line, LineKind

DISGUISES = (*WORDS, *WRAPPERS, *STATEMENTS, *REQUESTS, *CALLS, *SAYINGS)
BY_KIND = {kind: tuple(one for one in DISGUISES if one.kind is kind) for kind in LineKind}
DEPTH = 3
LAST = frozenset({"code fence"})
"""Nothing is read through these once they stand inside something else."""


def once(line: Line) -> Iterator[tuple[str, Line]]:
    """The line in each disguise that changes it."""
    for disguise in BY_KIND[line.kind]:
        changed = disguise.change(line)
        if changed != line:
            yield disguise.name, changed


def layered(line: Line, depth: int, dice: Random) -> tuple[tuple[str, ...], Line]:
    """The line in that many disguises over each other, the first one innermost."""
    names: tuple[str, ...] = ()
    for _ in range(depth):
        fitting = tuple(once(line))
        if fitting:
            name, line = dice.choice(fitting)
            names = (*names, name)
            if name in LAST:
                break
    return names, line
