"""Windows: what `cmd`'s tools take away, and the grammar of PowerShell's `Verb-Noun` commands."""

import re

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import CRITICAL, HIGH, Command, Danger


def fetched_and_run(text: str) -> Danger | None:
    """`iex (iwr http://…)`: brackets that no shell but PowerShell reads so."""
    return _FETCHED if _evaluated.search(text) else None


_evaluated = re2.compile(
    r"(?i)\b(?:iex|invoke-expression)\b[ \t]*[&(\"$][^\n]*\b(?:iwr|irm|invoke-webrequest"
    r"|invoke-restmethod|downloadstring|webclient)\b"
    r"|\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b[^\n;]*\|[ \t]*(?:iex\b"
    r"|invoke-expression\b)"
)
_FETCHED = Danger("shell.fetched-code", CRITICAL, "runs code fetched from the network", "run")
EVALUATES = word_set("iex invoke-expression")


_CMDLET = re.compile(r"[A-Z][A-Za-z]+-[A-Z][A-Za-z]*")
_TAKES = word_set(
    "remove clear disable uninstall revoke unregister reset format initialize dismount"
)
_CHEAP = words("words/shell:windows.replaceable_things")
_GRAVE_ANYWAY = word_set("itemproperty recyclebin")


def is_cmdlet(path: str) -> bool:
    """Whether a program's name is `Verb-Noun`."""
    return "-" in path and _CMDLET.fullmatch(path) is not None


def cmdlet(command: Command) -> list[Danger]:
    """What the verb of its name takes away; the words behind are values."""
    verb, _, noun = command.name.partition("-")
    if verb not in _TAKES or (noun in _CHEAP and noun not in _GRAVE_ANYWAY):
        return []
    if any(arg.lower() == "-whatif" for arg in command.args):
        return []
    return [Danger(f"shell.verb-{verb}", HIGH, f"takes something away: `{verb}`", verb)]
