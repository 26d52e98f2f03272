"""Options that pass over a check, or force what it would stop, of programs known and unknown."""

import re
from itertools import takewhile

from holdpoint.core.risk.knowledge import pattern, tool_rules, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import (
    SERVICES,
    asks_for_help,
    is_rehearsal,
    runs_dry,
)
from holdpoint.core.risk.shell.command_verbs import READS, subcommands
from holdpoint.core.risk.shell.model import HIGH, Command
from holdpoint.core.risk.words import NO


def override_in(command: Command) -> str:
    """Return the option that passes over a check, or reaches all below: `-rf`; empty: none.

    A check may be named and its value switch it off: `--require-approval never`.
    """
    args = tuple(takewhile("--".__ne__, command.args))
    for arg, following in zip(args, (*args[1:], ""), strict=False):
        if arg[:1] != "-":
            continue
        option, assigned, value = arg.partition("=")
        if value.lower() not in NO and _overrides.fullmatch(option):
            return option
        if _checks.fullmatch(option) and (value if assigned else following).lower() in _OFF:
            return option
    return ""


_overrides = re.compile(pattern("patterns/shell:overridden_checks.overrides"))
_checks = re.compile(pattern("patterns/shell:overridden_checks.checks"))
_OFF = NO | {"never", "none", "disabled"}


def forced(command: Command) -> Finding | None:
    """Return the finding of a known tool that is to act in spite of a check.

    Only what manages things that others depend on, and what PowerShell stops, sets or adds: other
    programs force what is theirs alone (`npm install --force`), or have rules of their own.
    """
    option = ""
    if command.name in _TOOLS:
        option = override_in(command)
        if not option or _mild.fullmatch(option) or not _acts(command):
            return None
    elif _is_forced_cmdlet(command):
        option = next(filter(_forces.fullmatch, command.args), "")
    if not option or asks_for_help(command) or runs_dry(command):
        return None
    return Finding("shell.forced", HIGH, f"passes over a check: `{option}`", "force")


def _acts(command: Command) -> bool:
    """Return whether it is told what to do, and that is neither to read nor to rehearse it."""
    rules = tool_rules(command.name)
    said = [word.lower().partition("-")[0] for word in subcommands(command.args)[:2]]
    reads = said[:1] and (said[0] in _ASKS or said[-1] in READS)
    return bool(said) and not reads and not (rules and is_rehearsal(rules, command))


def _is_forced_cmdlet(command: Command) -> bool:
    verb, _, noun = command.name.partition("-")
    return verb in _CMDLET_VERBS and noun not in _OF_ONE_MACHINE


_ASKS = READS - words("words/shell:verbs.nouns_before_verbs")
_TOOLS = SERVICES - words("words/shell:checks.of_one_project")
_CMDLET_VERBS = words("words/shell:checks.cmdlet_verbs")
_OF_ONE_MACHINE = words("words/shell:checks.of_one_machine")
_mild = re.compile(pattern("patterns/shell:overridden_checks.mild"))
_forces = re.compile("(?i)" + pattern("patterns/shell:overridden_checks.cmdlet_forces"))
