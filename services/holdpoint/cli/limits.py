"""The options of a yes that is remembered, and the sentence that says what it allows."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.messages.answer import LONGEST_S, MOST_USES, Limit, Remember

BEGINS = "^="
AT_MOST = "<="

RememberOption = Annotated[
    int,
    typer.Option(
        min=0,
        max=MOST_USES,
        help="Allow so many later calls like this one without asking (level 3 only).",
    ),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ARGUMENT^=TEXT",
        help="With --remember: an argument that may begin so, or be at most a number "
        "(ARGUMENT<=N). The others stay as they are.",
    ),
]
AmountOption = Annotated[
    str, typer.Option(help="With --remember: the most that all of them add up to.")
]
LastsOption = Annotated[
    str, typer.Option("--for", help="With --remember: how long, like 30m, 8h or 2d.")
]


def remembered(uses: int, said: Sequence[str], amount: str, lasts: str) -> Remember | None:
    """Return the permission that the options ask for; None if nothing is to be remembered."""
    if not uses:
        if said or amount:
            raise _wrong("--limit and --amount need --remember N.")
        return None
    limits = dict(_limit(each) for each in said)
    return Remember(limits=limits, uses=uses, amount=amount, lasts_s=seconds_of(lasts, "--for"))


def described(it: Remember) -> str:
    """Describe the permission that a person is about to give, as the rest of a sentence."""
    return f"{action_in_words(it.limits)}, {usage(it.uses)}, for {duration(it.lasts_s)}" + (
        f", up to {it.amount} in all" if it.amount else ""
    )


def action_in_words(limits: Mapping[str, Limit]) -> str:
    """Describe the actions that a permission covers."""
    if not limits:
        return "exactly this action"
    told = (
        f"{name} beginning with {it.prefix!r}" if it.prefix else f"{name} at most {it.at_most}"
        for name, it in sorted(limits.items())
    )
    return f"this tool with {' and '.join(told)}"


def usage(uses: int) -> str:
    """Describe the number of uses."""
    return "once more" if uses == 1 else f"{uses} times"


def duration(seconds: int) -> str:
    """Describe the time, in the largest unit that fits."""
    for size, letter in ((86_400, "d"), (3600, "h"), (60, "m")):
        if seconds % size == 0:
            return f"{seconds // size}{letter}"
    return f"{seconds}s"


def _limit(said: str) -> tuple[str, Limit]:
    name, begins, prefix = said.partition(BEGINS)
    if begins and name and prefix:
        return name, Limit(prefix=prefix)
    name, at_most, number = said.partition(AT_MOST)
    if at_most and name and number:
        return name, Limit(at_most=number)
    raise _wrong(f"A limit is ARGUMENT^=TEXT or ARGUMENT<=NUMBER, not {said!r}.")


_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def seconds_of(said: str, option: str) -> int:
    """Return the seconds of a time like 30m, 8h or 2d."""
    found = re.fullmatch(r"([0-9]{1,6})([smhd])", said)
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 1 <= seconds <= LONGEST_S:
        raise _wrong(f"{option} is a time like 30m, 8h or 2d, at most 30d, not {said!r}.")
    return seconds


def _wrong(text: str) -> CommandError:
    return CommandError(ExitCode.USAGE, "bad_option", text)
