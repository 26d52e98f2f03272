"""`Analysis` and `Finding`: the one shape in which every reader says what it found.

A reader (shell, SQL, requests, code, tools, intents) parses its text and returns an `Analysis`.
The heuristics turn its findings into signals; the worst signal is the level.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from holdpoint.core.risk.extract.money import Money
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal


class Finding(msgspec.Struct, frozen=True):
    """One thing about an action that is risky, with the words that show it."""

    rule: str
    """The rule's id, as `policy explain` shows it: `sql.drop`."""

    level: RiskLevel
    reason: str
    """One sentence for a person, under 90 characters; within the shell's reader, what a command
    does, as the end of a sentence that begins with the command.
    """

    verb: str = ""
    """The command's action in lower case, where a shell's reader found it: `delete`."""

    heuristic: Heuristic = Heuristic.IRREVERSIBILITY
    span: tuple[int, int] | None = None
    """Start and end of the evidence in the reader's text; None when it stands nowhere in it."""

    evidence: str = ""
    """The words that fired, at most 200 characters."""

    targets: tuple[str, ...] = ()
    """All that it takes away, as `kind:name`; empty where that is not known for sure."""

    def signal(self) -> Signal:
        """Return the same as a signal of an assessment."""
        return Signal(
            rule=self.rule,
            heuristic=self.heuristic,
            level=self.level,
            reason=self.reason,
            span=self.span,
            evidence=self.evidence,
        )


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a reader found in one text, call or request."""

    findings: tuple[Finding, ...] = ()
    """What is risky about it, the worst first where there are too many to keep."""

    reads_only: bool = False
    """Proven: all of it was read, and none of it changes anything."""

    known: bool = False
    """Whether all of it is of the reader's kind: for SQL, that every statement begins as one does;
    for shell, that every program in it is known."""

    stays: bool = False
    """Proven of SQL: all that it changes lies in the database that it is sent to."""

    verb: str = ""
    """The main action in lower case: `delete`, `push`, `run`."""

    targets: tuple[str, ...] = ()
    """Names of what it changes, in order: tables, paths, hosts."""

    amounts: tuple[Money, ...] = ()
    """Sums of money that it moves."""

    percents: tuple[Decimal, ...] = ()
    """Shares of a whole that it changes."""

    unreadable: str = ""
    """Why a part could not be read; empty when all was."""

    commands: tuple[str, ...] = ()
    """Shell commands that it runs."""

    statements: tuple[str, ...] = ()
    """SQL texts that it hands to a database."""

    requests: tuple[Mapping[str, Any], ...] = ()
    """Requests that it sends."""

    @property
    def level(self) -> RiskLevel:
        """The worst level of its findings."""
        return max((finding.level for finding in self.findings), default=RiskLevel.LOW)

    @property
    def signals(self) -> tuple[Signal, ...]:
        """The findings as signals."""
        return tuple(map(Finding.signal, self.findings))
