"""Read a command's arguments: options in any order, bundled, abbreviated; then words."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from holdpoint.core.risk.words import word_set

SHORTEST = 3
"""Characters of the shortest abbreviation of a long option: `--h`."""

NONE: frozenset[str] = frozenset()


class Options(msgspec.Struct, frozen=True):
    """Arguments, read."""

    flags: frozenset[str]
    """Every option as written without its value, and each letter of a bundle."""

    values: dict[str, str]
    words: tuple[str, ...]
    """What is no option and no option's value."""

    def has(self, wanted: str) -> bool:
        """Return whether any of these options was given, in full or abbreviated."""
        return not self.flags.isdisjoint(_spellings(wanted))

    def value(self, *names: str) -> str:
        """The value of the first of these options that has one."""
        if not self.values:
            return ""
        return next((self.values[name] for name in names if name in self.values), "")

    def word(self, place: int) -> str:
        """The word at this place; empty when there is none."""
        return self.words[place] if place < len(self.words) else ""


@lru_cache(maxsize=2048)
def _spellings(wanted: str) -> frozenset[str]:
    """These options, and every abbreviation of the long ones."""
    names = word_set(wanted)
    ends = ((name, end) for name in names if name[:2] == "--" for end in range(SHORTEST, len(name)))
    return names.union(name[:end] for name, end in ends)


def read_options(args: tuple[str, ...], valued: frozenset[str] = NONE) -> Options:
    """Read them as getopt does; `valued` are the options that take the next word."""
    flags: set[str] = set()
    values: dict[str, str] = {}
    words: list[str] = []
    rest = iter(args)
    for arg in rest:
        if arg == "--":
            words.extend(rest)
        elif len(arg) < len("-x") or arg[0] != "-":
            words.append(arg)
        elif len(arg) == len("-x") and arg[1].isalnum():
            flags.add(arg)
            if arg in valued:
                values[arg] = next(rest, "")
        elif arg.startswith("--"):
            _long(arg, valued, rest, flags, values)
        else:
            _short(arg, valued, rest, flags, values)
    return Options(frozenset(flags), values, tuple(words))


def _long(
    arg: str, valued: frozenset[str], rest: Iterator[str], flags: set[str], values: dict[str, str]
) -> None:
    name, assigned, value = arg.partition("=")
    if value not in {"false", "no"}:
        flags.add(name)
    if name[:4] == "--no" or value in _OFF:
        _taken_back(name, flags)
    if assigned:
        values[name] = value
    elif name in valued:
        values[name] = next(rest, "")


def _taken_back(name: str, flags: set[str]) -> None:
    """`--dry-run --no-dry-run`, `--dry-run --dry-run=false`: the last word counts."""
    bare = name.removeprefix("--").removeprefix("no").lstrip("-")
    if bare != "n" and not bare.startswith(_DRY):
        return
    head = f"--{bare[:3]}"
    flags.difference_update([one for one in flags if one[:5] == head or one == head[:4]])
    flags.difference_update(("-n", "-s"))


_DRY = ("dr", "just", "sim", "prev", "pret", "what")
"""How the options of a dry run begin: `--dry-run`, `--just-print`, `--simulate`, `--preview`."""

_OFF = word_set("false no none 0 off never")


def _short(
    arg: str, valued: frozenset[str], rest: Iterator[str], flags: set[str], values: dict[str, str]
) -> None:
    name, assigned, value = arg.partition("=")
    flags.add(name)
    if assigned:
        values[name] = value
    elif arg in valued:
        values[arg] = next(rest, "")
        return
    for place, letter in enumerate(arg[1:], 1):
        flag = f"-{letter}"
        if not letter.isalnum():
            return
        flags.add(flag)
        if flag in valued:
            values[flag] = arg[place + 1 :] or next(rest, "")
            return
