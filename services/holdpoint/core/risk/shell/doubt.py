"""Parts that may not run, or whose variables die with them: what they leave is in doubt.

```
x=/srv; [ -n "$CI" ] && x=/tmp/b; rm -rf "$x"
        the part ^^^^^^^^^^^^^^^       its value is asked for
```
A text is read once with all that its parts leave. Where somebody asks for a value on which a part
has a say, it is read again: with this part's values, without them, with those of another branch.
"""

from collections.abc import Iterator
from itertools import product
from math import prod

from holdpoint.core.risk.shell.model import Flow, hole
from holdpoint.core.risk.shell.scope import RUNS_OR_NOT, UNKNOWN, Choice, Left, Part
from holdpoint.core.risk.shell.state import State

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
