"""Mounts: what is unmounted although somebody still uses it."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import HIGH, HOLE, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import Place, normal, place_of

_REMOVABLE = ("mnt", "media", "volumes", "run", "tmp", "private")
_BUILT_BELOW = ("opt", "srv")
"""Where people keep trees of files that they mount and unmount while they build."""

_NEAR = len(("srv", "data"))
_UNUSED = word_set("-t -O -N --types --test-opts --namespace")


def unmounts(command: Command) -> list[Danger]:
    """By force or lazily, so that it goes while it is in use: anything but a disk for carrying."""
    if asks_for_help(command):
        return []
    options = read_options(command.args, _UNUSED)
    forced = options.has("-f --force -l --lazy -z") or "force" in options.words[:2]
    return [_TAKEN] if forced and any(map(_needed, options.words)) else []


def mounts(command: Command) -> list[Danger]:
    """`mount -o remount,ro /`: nobody can write any more."""
    options = read_options(command.args, _UNUSED | {"-o", "--options"})
    said = options.value("-o", "--options").split(",")
    frozen = {"remount", "ro"} <= set(said) and any(map(_needed, options.words))
    if frozen:
        return [_FROZEN]
    over = len(options.words) > 1 and "remount" not in said and _covers(options.words[-1])
    return [_COVERED] if over else []


def _covers(target: str) -> bool:
    """Whether it lies over what everybody on this machine reads there."""
    clean = normal(target)
    return clean == "/" or _COVERED_BELOW.fullmatch(clean) is not None


_COVERED_BELOW = re.compile(
    r"/(?:etc|bin|sbin|lib|lib32|lib64)(?:/.*)?|/usr(?:/(?:bin|sbin|lib|lib64|libexec)(?:/.*)?)?|/root"
)
_COVERED = Danger("shell.mounted-over", HIGH, "covers a directory that the system needs", "mount")


_FROZEN = Danger("shell.disk-frozen", HIGH, "lets nobody write to a disk in use", "mount")


def _needed(path: str) -> bool:
    clean = normal(path)
    if clean[:1] != "/" or HOLE in clean or place_of(clean) is Place.DEVICE:
        return False
    parts = [part for part in clean.lower().split("/") if part]
    if parts[:1] and parts[0] in _REMOVABLE:
        return False
    far = len(parts) > _NEAR
    return not far or (place_of(clean) is Place.SYSTEM and parts[0] not in _BUILT_BELOW)


_TAKEN = Danger("shell.disk-map", HIGH, "takes a disk away under its users", "unmount")
