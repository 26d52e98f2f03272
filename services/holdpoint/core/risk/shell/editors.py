"""Editors that are told beforehand what to write: `vim -es -c '%d' -c wq x`, `ed -s x`, `sudoedit`.

Who opens a file to look at it, or types in it, is told nothing by its command line.
"""

import re
from collections.abc import Iterator
from itertools import islice

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.inner_commands import MAX_INNER
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.paths import place_of
from holdpoint.core.risk.shell.writes import GRAVE, lets_in

EDITORS = word_set("vim vi nvim ex rvim gvim ed red sudoedit")
"""By name."""

_LINES = word_set("ed red ex")
"""Those that take orders from their input however they are started."""

_VALUES = words("words/shell:files.editor_options_with_value")
_order = re.compile(r"-[a-zA-Z]{0,3}c|--cmd")
_saves = re.compile(
    r"(?:^|\||\n)[\s:]*(?:sil(?:ent)?!?\s+)?[\d.,$%]*(?:wq?a?|wri(?:te)?|x(?:a|it)?|up(?:date)?)!?"
    r"\s*(?:$|\||\n|\s([^\s|]+))"
)


def edited(command: Command) -> list[Danger]:
    """What it writes over that the system lives by."""
    if asks_for_help(command):
        return []
    if command.name == "sudoedit":
        return [_ENTERS] if any(map(lets_in, command.args)) else []
    orders, files = _parted(command.args)
    saved = [found for one in (*orders, *_typed(command)) if (found := _saves.search(one))]
    if not saved:
        return []
    named = (*files, *(one[1] for one in saved if one[1]))
    if any(map(lets_in, named)):
        return [_ENTERS]
    return [_EDITS] if any("/" in one and place_of(one) in GRAVE for one in named) else []


def _parted(args: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """What it is told, and the files that it opens."""
    orders: list[str] = []
    files: list[str] = []
    words = iter(args)
    for word in words:
        if _order.fullmatch(word):
            orders.append(next(words, ""))
        elif word in _VALUES:
            next(words, "")
        elif word[:1] == "+":
            orders.append(word[1:])
        elif word[:1] != "-":
            files.append(word)
    return orders, files


def _typed(command: Command) -> Iterator[str]:
    """The lines of its input, where it is told by them."""
    known = command.stdin.text if command.stdin else None
    told = command.name in _LINES or not _SILENT.isdisjoint(command.args)
    return islice(known.splitlines() if known and told else (), MAX_INNER)


_SILENT = word_set("-s -es -e -E -Es --headless")
_ENTERS = Danger("shell.access-file", HIGH, "changes who comes in, or what runs by itself", "edit")
_EDITS = Danger("shell.edit-system", HIGH, "edits a file of the system", "edit")
