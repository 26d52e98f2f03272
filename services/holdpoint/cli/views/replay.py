"""Views of a replay and of suggestions in a terminal."""

from collections.abc import Iterator

from rich.text import Text

from holdpoint.cli import output
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.policy_lab.replay import Counted, Replayed, both, changes, time_told
from holdpoint.policy_lab.suggest import Approved, Raised, Suggested

NOTHING_DONE = "Nothing was changed. Try a change first: holdpoint policy replay --candidate FILE"


def replay_lines(told: Replayed) -> Iterator[Text]:
    """For people."""
    yield Text(f"{told.judged:,} judged by the base, {both(told.base, told.candidate)}")
    for label, change in changes(told):
        yield Text(f"{label:<13} {change.count:>7,}", style="bold")
        for what, counted in (("rules", change.rules), ("tools", change.tools)):
            if counted:
                yield Text(f"  {what}: " + ", ".join(f"{_word(one)}" for one in counted))
    yield Text(f"{'unchanged':<13} {told.unchanged:>7,}")
    yield Text(time_told(told.minutes))
    if told.not_reproduced:
        yield Text(
            f"Judged otherwise when they came: {told.not_reproduced:,}, by another policy, an "
            "access list, the kill switch, or a dry run that is not kept whole."
        )


def _word(one: Counted) -> str:
    return f"{one_line(visible(one.name))} {one.count:,}"


def suggestion_lines(told: Suggested) -> Iterator[Text]:
    """For people: each suggestion with its evidence."""
    for text in (*map(_about_rule, told.rules), *map(_about_threshold, told.thresholds)):
        yield from output.behind(Text("- "), text, output.width())
    if not told.rules and not told.thresholds:
        yield Text(
            f"{told.answers:,} answers suggest nothing: for that, {told.enough.answers} about the "
            "same must all be a yes. Of a rule, one must be about what nothing else asked for; of "
            "a threshold, all must lie under the smallest that was refused."
        )
    yield Text(NOTHING_DONE)


def _about_rule(one: Approved) -> str:
    people = "one person" if one.people == 1 else f"{one.people} people"
    return (
        f"{one.rule} ({one.level.value}) was never refused: {one.answers:,} of {one.answers:,} "
        f"answers were a yes, by {people}, in {one.median_s:g} s (median). In {one.alone:,} of "
        "them nothing else asked. Lower its level, or make it ask for more."
    )


def _about_threshold(one: Raised) -> str:
    refused = (
        f"the smallest that was refused is {one.smallest_refused}"
        if one.smallest_refused is not None
        else "none was ever refused"
    )
    return (
        f"{one.threshold} could be {one.suggested} in place of {one.now}: {one.answers:,} answers "
        f"above {one.now} were all a yes, and {refused}."
    )
