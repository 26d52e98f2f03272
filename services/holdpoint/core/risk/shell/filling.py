"""Disks that fill up: sources that never end, and files of a size that no disk has left."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.options import read_options

_ENDLESS = word_set("/dev/zero /dev/urandom /dev/random /dev/full")
_HUGE = 1 << 39
"""Bytes, half a terabyte: images of machines are smaller, most disks not much larger."""

_SIZE = re.compile(r"(\d{1,12})([KMGTPEZY]?)i?B?", re.IGNORECASE)
_POWERS = " KMGTPEZY"


def poured(command: Command) -> list[Danger]:
    """`cat /dev/zero > x`, `yes > x`."""
    if not command.redirects:
        return []
    into = any(
        one.sign in _INTO and not one.target.startswith("/dev/") for one in command.redirects
    )
    read = (one.target for one in command.redirects if one.sign == "<")
    endless = command.name == "yes" or not _ENDLESS.isdisjoint((*command.args, *read))
    return [FILLED] if into and endless and not asks_for_help(command) else []


def allocated(command: Command) -> list[Danger]:
    """`fallocate -l 1T x`."""
    options = read_options(command.args, word_set("-l --length -o --offset"))
    size = _SIZE.fullmatch(options.value("-l", "--length"))
    if not size or options.has("-p --punch-hole -c --collapse-range -d --dig-holes"):
        return []
    power = _POWERS.index(size[2].upper() or " ")
    return [FILLED] if int(size[1]) << 10 * power >= _HUGE else []


def is_endless(args: tuple[str, ...]) -> bool:
    """Whether `dd` reads what never ends, and nobody says how much of it."""
    counts = any(arg.startswith("count=") for arg in args)
    return not counts and any(arg[:3] == "if=" and arg[3:] in _ENDLESS for arg in args)


_INTO = frozenset({">", ">|", "&>", ">>", "&>>"})
FILLED = Danger("shell.disk-filled", HIGH, "fills a disk until nobody can write to it", "write")
