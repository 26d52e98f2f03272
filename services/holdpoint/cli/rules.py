"""What is odd about rules that are not wrong: one never decides, or never fires on a corpus."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import msgspec

from holdpoint.cli.assess import BadLineError, judged, line_in
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.reading import opened
from holdpoint.core.risk.shadows import shadows
from holdpoint.messages.policy import Policy


class Oddity(StrEnum):
    """What is odd."""

    SHADOWED = "shadowed"
    NEVER_FIRED = "never_fired"
    UNREADABLE = "unreadable"


class Warned(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to look at; the policy may be judged by all the same."""

    kind: Oddity
    rule: str = ""
    """Empty where it is about the corpus."""

    by: tuple[str, ...] = ()
    """The rules that stand before a shadowed one."""

    text: str


def warnings(policy: Policy, corpus: Path | None) -> list[Warned]:
    """Everything odd about a sound policy."""
    odd = [*_shadowed(policy)]
    return [*odd, *_silent(policy, corpus)] if corpus is not None else odd


def _shadowed(policy: Policy) -> Iterator[Warned]:
    for one in shadows(policy.patterns):
        by = ", ".join(one.by)
        text = (
            f"{one.rule} decides on none of its must_fire lines: {by} fires on each, at its level "
            "or above. Give it a line of its own, or remove it."
        )
        yield Warned(kind=Oddity.SHADOWED, rule=one.rule, by=one.by, text=text)


def _silent(policy: Policy, corpus: Path) -> Iterator[Warned]:
    """Rules that say nothing about any line of the folder's files."""
    fired: set[str] = set()
    lines = unreadable = 0
    for raw in _lines(corpus):
        lines += 1
        try:
            found = judged(line_in(raw), policy)
        except BadLineError:
            unreadable += 1
            continue
        fired.update(signal.rule for signal in found.signals)
    for pattern in policy.patterns:
        if pattern.id not in fired:
            text = f"{pattern.id} fired on none of {lines - unreadable:,} lines in {corpus}."
            yield Warned(kind=Oddity.NEVER_FIRED, rule=pattern.id, text=text)
    if unreadable:
        text = f"{unreadable:,} of {lines:,} lines in {corpus} are not what `assess --jsonl` reads."
        yield Warned(kind=Oddity.UNREADABLE, text=text)


def _lines(corpus: Path) -> Iterator[bytes]:
    files = sorted(corpus.rglob("*.jsonl"))
    if not files:
        text = f"There is no .jsonl file in {corpus}."
        raise CommandError(ExitCode.USAGE, "no_corpus", text)
    for path in files:
        with opened(path) as lines:
            yield from (raw for raw in lines if raw.strip())
