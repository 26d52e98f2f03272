"""Dry runs and requests for help: commands that only print what they would do."""

import re

from holdpoint.core.risk.knowledge import by_word, words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.options import NONE, Options
from holdpoint.messages.command_rules import ToolRules


def is_dry(known: ToolRules, options: Options, args: tuple[str, ...]) -> bool:
    """Whether it only says what it would do."""
    if not known.dry_run or not options.has(known.dry_run):
        return False
    said = [at for at, arg in enumerate(args) if arg.partition("=")[0] in word_set(known.dry_run)]
    if said and all(at and _is_taken(args[at - 1], known) for at in said):
        return False
    given = (options.value(word) for word in ("--dry-run", *known.dry_run.split()))
    return _NOT_DRY.isdisjoint(given) and not (known.no_dry_run and options.has(known.no_dry_run))


def _is_taken(before: str, known: ToolRules) -> bool:
    """Whether an option takes the next word for its value, whatever that looks like."""
    return before in word_set(known.values) or is_valued(before)


_DRY = words("words/shell:dry_runs.options")

_WET = word_set("--no-dry-run --no-dryrun --no-dry --no-preview --no-simulate --no-pretend")
_NOT_DRY = word_set("none false 0 no off never disabled")


_OWN = by_word("words/shell:dry_runs.own_words")


def runs_dry(command: Command, valued: frozenset[str] = NONE) -> bool:
    """Whether any of its tool's words for a dry run stands there, and nothing takes it back.

    `valued` are the options that take the next word, beside those that any tool has.
    """
    own, args = _OWN.get(command.name), command.args
    words = _DRY if own is None else word_set(own)
    dry = False
    for at, arg in enumerate(args):
        if arg == "--":
            break
        if arg[:1] != "-" or (at and (is_valued(args[at - 1]) or args[at - 1] in valued)):
            continue
        name, assigned, value = arg.lower().partition("=")
        if name in words:
            said = value if assigned else "".join(args[at + 1 : at + 2]).lower()
            dry = said not in _NOT_DRY
        elif name in _WET or name.startswith("--no-dr"):
            dry = False
    return dry


def stakes_much(command: Command) -> bool:
    """Whether its words name all of something, or what others depend on."""
    words = (one.lower() for arg in command.args for one in _part.split(arg) if one)
    return not _MUCH.isdisjoint(words)


_part = re.compile(r"[^A-Za-z]+")
_MUCH = words("words/shell:dry_runs.large_targets")


_HELP = frozenset({"--help", "--version", "-help", "--usage"})
_BY_SUBCOMMAND = words("words/shell:help.behind_subcommands")


def asks_for_help(command: Command) -> bool:
    """Whether it only prints its help or version; behind `--` nothing is an option."""
    args = command.args[: command.args.index("--")] if "--" in command.args else command.args
    if command.name in _H_ACTS and args[-1:] == ("-h",):
        return False
    if not args or len(args) < len(command.args):
        return bool(args) and args[0] in _HELP
    return (
        args[0] == "help"
        or (len(args) > 1 and args[-1] in {"help", "-h"} and not _takes(args[-2]))
        or args[-1] in {"-h", "/?"}
        or (not _HELP.isdisjoint(args) and _helps(command.name, args))
    )


_H_ACTS = word_set("chown chgrp shutdown halt poweroff reboot touch setfacl chmod")
"""Programs whose `-h` is none of help."""


def _helps(name: str, args: tuple[str, ...]) -> bool:
    """Whether one of its options does, and no word before that is what it acts on."""
    return any(
        arg in _HELP
        and (not at or not _takes(args[at - 1]))
        and (arg == "--help" or not at or at + 1 == len(args))
        and (name in _BY_SUBCOMMAND or all(one[:1] == "-" for one in args[:at]))
        for at, arg in enumerate(args)
    )


def _takes(arg: str) -> bool:
    """Whether an option before it may have taken it for its value."""
    return (len(arg) == len("-x") and arg[0] == "-") or is_valued(arg)


def is_valued(arg: str) -> bool:
    """Whether this is an option, by a name that says something, whose value comes next."""
    named = arg[:1] == "-" and len(arg) > len("-x") and arg[:5] != "--no-"
    return named and arg.lstrip("-").rpartition("-")[2] in _VALUED


_VALUED = words("words/shell:help.options_with_value")
