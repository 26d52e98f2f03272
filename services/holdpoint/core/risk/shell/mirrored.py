"""Whole trees at once: mirrored or unpacked over what is there, or gone once they are packed."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.abroad import ABROAD, leave_for_strangers
from holdpoint.core.risk.shell.model import HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import Place, normal, place_of
from holdpoint.messages.risk import RiskLevel


def _danger(rule: str, found: tuple[RiskLevel, str], verb: str = "delete") -> Danger:
    return Danger(f"shell.{rule}", found[0], found[1], verb)


def rsync(command: Command) -> list[Danger]:
    """What the other side does not have is deleted."""
    options = read_options(command.args, word_set("-e -f --rsh --filter --exclude --include"))
    if options.has("-n --dry-run --list-only"):
        return []
    if leave_for_strangers(options.words):
        return [ABROAD]
    last = ""
    for flag in command.args:
        if flag.startswith(("--del", "--no-del")):
            last = flag
    if last.startswith("--del") or options.has("--remove-source-files"):
        if last == "--delete-excluded" and "--no-delete-excluded" in command.args:
            return []
        scratch = last and place_of((options.words or ("",))[-1]) is Place.SCRATCH
        level = MEDIUM if scratch and not options.has("--remove-source-files") else HIGH
        return [_danger("rsync-delete", (level, "deletes what the other side does not have"))]
    return []


def tar(command: Command) -> list[Danger]:
    """`tar -x -C /`, `tar --remove-files`."""
    if "--remove-files" in command.args:
        return [_danger("tar-remove", (HIGH, "deletes the files that it packs"))]
    args = command.args
    bundled = bool(args) and args[0].isalpha() and "x" in args[0]
    options = read_options(args, word_set("-C -f --directory --file"))
    if not bundled and not options.has("-x --extract --get"):
        return []
    target = normal(options.value("-C", "--directory") or ".")
    if _UNPACKED_OVER.fullmatch(target) and not options.has("-t --list"):
        return [_danger("tar-root", (HIGH, "unpacks over a directory of the system"), "overwrite")]
    return []


_UNPACKED_OVER = re.compile(r"/|/(?:etc|boot|bin|sbin|lib|lib64|usr/bin|usr/lib)(?:/.*)?")
