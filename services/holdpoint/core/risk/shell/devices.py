"""Devices that are written as a whole: discs, cards, phones, firmware, images of machines."""

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import CRITICAL, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import Place, place_of

_WIPES = "overwrites or erases a device"


IMAGERS = words("words/shell:devices.image_writers")
_TARGETS = word_set("-o --output --of -O --overwrite --filename --size -L -l")


def images(command: Command) -> list[Danger]:
    """What copies an image to a device, or makes a volume smaller: the target is told last."""
    options = read_options(command.args, _TARGETS)
    named = options.value("-o", "--output", "-O", "--overwrite", "--filename")
    paths = [word for word in options.words if "/" in word or "." in word]
    reads = any("rw=read" in arg or "rw=randread" in arg for arg in command.args)
    targets = [word for word in (named, *paths[1:]) if word]
    if not reads and any(place_of(word) is Place.DEVICE for word in targets):
        return [Danger("shell.write-disk", CRITICAL, "overwrites a disk", "overwrite")]
    shrinks = options.value("-L", "--size", "-l").startswith("-")
    if shrinks or any(arg.startswith("blank=") or arg == "-format" for arg in command.args):
        return [Danger("shell.wipe-disk", CRITICAL, _WIPES, "erase")]
    return []


_wipes_by_name = re2.compile(
    r"(?:^|[-_.])(?:erase|wipe|format|flash|zero|nuke|shred|scrub|destroy|restore)\w*$"
    r"|(?:^|[-_.])(?:erase|wipe|format|flash|zero|nuke)\w*[-_.]|(?:write|format|erase|wipe)$"
)
_wipes_by_word = re2.compile(
    r"-{0,2}(?:erase|wipe|zero|destroy|sanitize|reformat|overwrite|nuke)[\w-]*(?:=.*)?"
    r"|format|flash|write|restore|(?:of|wipe|vf|target|output)=/dev/.*"
)


def on_device(command: Command) -> list[Danger]:
    """A tool that nobody listed, told to write to a disk: by its name, or by one of its words."""
    targets = (arg.rpartition("=")[2] for arg in command.args if "/dev/" in arg)
    if not any(place_of(target) is Place.DEVICE for target in targets):
        return []
    writes = _wipes_by_name.search(command.name) or any(map(_wipes_by_word.fullmatch, command.args))
    if not writes or asks_for_help(command) or runs_dry(command):
        return []
    return [Danger("shell.wipe-disk", CRITICAL, _WIPES, "erase")]
