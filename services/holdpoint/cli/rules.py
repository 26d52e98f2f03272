"""What is odd about rules that are not wrong: one never decides, always or never fires."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from holdpoint.cli.assess import judged
from holdpoint.cli.lines import BadLineError, line_in
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.reading import opened
from holdpoint.core.risk.shadows import Shadow, fires_on_everything, shadows
from holdpoint.messages.policy import Policy


class Oddity(StrEnum):
    """What is odd."""

    SHADOWED = "shadowed"
    EVERYTHING = "everything"
    NEVER_FIRED = "never_fired"
    UNREADABLE = "unreadable"
    SAME_VERSION = "same_version"


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
    odd = list(_before_others(policy))
    return [*odd, *_silent(policy, corpus)] if corpus is not None else odd


def told(found: Sequence[Warned]) -> Iterator[str]:
    """For people: a line each, and one for all the rules that never fired."""
    silent = [one.rule for one in found if one.kind is Oddity.NEVER_FIRED]
    yield from (one.text for one in found if one.kind is not Oddity.NEVER_FIRED)
    if silent:
        yield f"Of the rules, {len(silent)} fired on no line of the corpus: {', '.join(silent)}."


def _before_others(policy: Policy) -> Iterator[Warned]:
    """Rules that fire on everything, each once; then the others that stand before some."""
    floods = {rule.id for rule in policy.patterns if fires_on_everything(rule)}
    found = shadows(policy.patterns)
    for rule in sorted(floods):
        behind = len([one for one in found if rule in one.by and one.rule not in floods])
        text = f"{rule} fires on everything: it stands before {behind} rules. Make it ask for less."
        yield Warned(kind=Oddity.EVERYTHING, rule=rule, text=text)
    for one in found:
        narrow = tuple(rule for rule in one.by if rule not in floods)
        if narrow:
            yield _shadowed(Shadow(rule=one.rule, by=narrow))


def _shadowed(one: Shadow) -> Warned:
    text = (
        f"{one.rule} decides on none of its must_fire lines: {', '.join(one.by)} fires on each, at "
        "its level or above. Give it a line of its own, or remove it."
    )
    return Warned(kind=Oddity.SHADOWED, rule=one.rule, by=one.by, text=text)


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
