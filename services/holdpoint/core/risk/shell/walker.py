"""Who runs commands in mind, and who reads trees, as each of them sees the other."""

from typing import Any, Protocol

from holdpoint.core.risk.shell.doubt import Doubt
from holdpoint.core.risk.shell.expand import Expander
from holdpoint.core.risk.shell.lexer import RawCommand
from holdpoint.core.risk.shell.model import Command, Danger, Flow, Redirect
from holdpoint.core.risk.shell.state import State


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
