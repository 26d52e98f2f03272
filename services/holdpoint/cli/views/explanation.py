"""View of a level's explanation in a terminal."""

from collections.abc import Iterator

from rich.text import Text

from holdpoint.cli import output
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.risk import Aside, Explanation, Sounds, Why
from holdpoint.core.text import CUT, beginning
from holdpoint.messages.policy import VerdictKind
from holdpoint.policy_lab.cases import LineKind

BEFORE = 24
"""Characters of the text that a screen shows before the words that fired."""

MARGIN = 13
"""Columns before what stands below a signal."""

NO_WORRY = "  it was read, and nothing in it worries a rule"
UNPROVEN = "  nothing proves that it only reads or changes little, so its tool's level asks"
ASKS = "  the level of its tool asks people whatever its risk is"
ONLY_ASIDE = "  it was read, and every rule that knows its words was left aside"
WORDS = 40
"""Characters of the words of a rule that was left aside."""


def called_as(tool: str, level: int, kind: LineKind) -> Iterator[str]:
    """Yield which tool's level decided; a call of an unknown one is refused by a gate."""
    if tool:
        yield f"  as a call of {tool}, at level {level}"
    elif kind is LineKind.TOOL_CALL:
        yield "  no tool of the catalog has this name, so a gate refuses the call"


def asked_by_level(verdict: VerdictKind, kind: LineKind) -> Iterator[str]:
    """Yield why people are asked about what worries no rule."""
    if verdict is VerdictKind.HOLD:
        yield UNPROVEN if kind in ALONE else ASKS


def explanation_lines(told: Explanation, kind: LineKind = LineKind.DIALOGUE) -> Iterator[Text]:
    """For people: the level, then each signal with its words underlined where they stand."""
    yield Text(f"{told.level.value}: {told.verdict.value}", style="bold")
    yield from map(Text, called_as(told.tool, told.operation_level, kind))
    if told.target:
        target = beginning(one_line(visible(told.target)), output.WIDEST)
        yield Text(f"  lands on {target}, which counts as {told.environment.value}")
    if told.made_again:
        names = beginning(one_line(visible(", ".join(told.made_again))), output.WIDEST)
        yield Text(f"  deletes what a build makes again, by build_products: {names}")
    if not told.signals:
        yield Text(ONLY_ASIDE if told.left_aside else NO_WORRY)
        yield from map(Text, asked_by_level(told.verdict, kind))
    for one in told.signals:
        mark = "*" if one.decides else " "
        yield Text(f"{mark} {one.level.value:<8} {one.heuristic.value:<15} {one.reason}")
        yield Text(f"{' ' * MARGIN}{one.rule}{_source(one)}{_place(one)}", style="dim")
        if one.start is not None and one.end is not None:
            yield from _underlined(told.text, one.start, one.end)
    if told.sounds is not None:
        yield _heard(told.sounds)
    for aside in told.left_aside:
        yield from _aside(aside)


def _heard(sounds: Sounds) -> Text:
    """Return the learned reader's score with the thresholds that it is held against."""
    most = f", its gravest part {sounds.part_score:.2f}" if sounds.part_score else ""
    limits = f"raises at {sounds.raises_at:.2f}"
    told = f"  the reader's score is {sounds.score:.2f}{most}"
    return Text(f"{told} ({limits}; a rule on words needs {sounds.vetoes_below:.2f})", style="dim")


def _aside(one: Aside) -> Iterator[Text]:
    words = beginning(one_line(visible(one.evidence)), WORDS)
    yield Text(f"  left aside   “{words}”: {one.reason}", style="dim")
    place = f"characters {one.span[0]} to {one.span[1]}"
    yield Text(f"{' ' * MARGIN}{one.rule}{_source(one)}, {place}", style="dim")


def not_considered(kind: LineKind) -> Iterator[Text]:
    """Yield what a gate judges by and this command has not, in one line."""
    if kind in ALONE:
        yield Text(
            "There is no dry run here, nor a call with other words: "
            "with them a gate may ask for more."
        )
    elif kind in WITH_PLAN:
        yield Text("There is no dry run here: with it a gate may ask for more.")


ALONE = frozenset({LineKind.SHELL, LineKind.SQL})
"""What is judged as if its call had no other word; with one the parse proves less."""

WITH_PLAN = frozenset({LineKind.TOOL_CALL})
"""What a domain's worker can dry-run."""


def _source(one: Why | Aside) -> str:
    return f", pack {one.pack}" if one.pack else ""


def _place(one: Why) -> str:
    return f", characters {one.start} to {one.end}" if one.start is not None else ""


def _underlined(text: str, start: int, end: int) -> Iterator[Text]:
    """One line of the text with these words underlined; where no style is seen, by a line below."""
    before = one_line(visible(text[max(0, start - BEFORE) : start]))
    words = one_line(visible(text[start:end]))
    after = one_line(visible(text[end : end + output.WIDEST]))
    cut = CUT if start > BEFORE else ""
    line = Text.assemble(" " * MARGIN, cut, before, (words, "underline"), after)
    line.truncate(output.width(), overflow="ellipsis")
    yield line
    if not output.console().is_terminal:
        head = MARGIN + Text(f"{cut}{before}").cell_len
        yield Text(" " * head + "^" * min(Text(words).cell_len, max(0, line.cell_len - head)))
