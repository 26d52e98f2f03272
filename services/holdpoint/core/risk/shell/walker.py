"""Who runs commands in mind, as the reader of trees sees it."""

from typing import Protocol

from holdpoint.core.risk.shell.expand import Expander
from holdpoint.core.risk.shell.lexer import RawCommand
from holdpoint.core.risk.shell.model import Flow
from holdpoint.core.risk.shell.state import State


class Walker(Protocol):
    """Who runs commands in mind."""

    state: State
    expander: Expander
    many: int
    depth: int

    def simple(self, raw: RawCommand, stdin: Flow | None, here: Flow | None = None) -> Flow:
        """Run one command."""
        ...

    def stand(self, start: int, end: int) -> None:
        """Note where the command stands that is read now."""
        ...

    def nested(self, text: str, stdin: Flow | None = None) -> Flow:
        """Run a text inside another."""
        ...

    def plant(self, name: str) -> None:
        """Note what an assigned variable makes other programs run."""
        ...
