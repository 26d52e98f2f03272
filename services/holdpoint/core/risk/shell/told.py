"""Places by the names that people have for them: `all of /etc, which the system needs`."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import FILL
from holdpoint.core.risk.shell.paths import Place, normal

_OF_PEOPLE = word_set("home users root")
_BY_HAND = word_set("mnt media volumes opt srv")
"""Directories for disks, programs and data that are put there by hand."""


def of_place(place: Place, path: str) -> str:
    """What is taken when this path is; of a part of the system, the whole that it belongs to."""
    if place is Place.ROOT:
        return _whole(normal(path))
    if place is Place.UNKNOWN:
        return "is found" if FILL in path else "a variable names"
    if place is Place.DEVICE:
        return "a device"
    clean = normal(path).lower()
    first = clean[1:].partition("/")[0] if clean[:1] == "/" else ""
    if first in _OF_PEOPLE:
        return "a home directory"
    return f"/{first}" if first in _BY_HAND else "the system"


def _whole(clean: str) -> str:
    if clean.startswith(".."):
        return "whatever lies far above this directory"
    if clean.lower().startswith("c:"):
        return "a whole disk"
    first, *rest = clean.strip("/").lower().split("/")
    if first in {"", "*", ".*", "."}:
        return "the whole system"
    if clean[0] != "/" or first in _OF_PEOPLE:
        everybody = clean[0] == "/" and first != "root" and rest in ([], ["*"], [".*"])
        return "everybody's home directory" if everybody else "a whole home directory"
    if any(sign in first for sign in "?*["):
        return "whole directories of the system"
    return f"all of /{first}" + ("" if first in _BY_HAND else ", which the system needs")
