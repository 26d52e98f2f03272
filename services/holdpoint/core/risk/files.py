"""Files that a call writes and that something runs without being told: `package.json`, `Makefile`.

What else is written down does nothing (`written`); of these what would wipe a machine counts
(`shell.planted`), wherever in the call their name and their text stand side by side.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from holdpoint.core.risk.calls.leaf import MAX_VALUES, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.analyzer import read_files
from holdpoint.messages.base import JsonObject
from holdpoint.messages.risk import Signal

MAX_FILES = MAX_VALUES
"""Files of one call that are looked at: as many as it may have values before it goes up."""

MAX_PATCH = 65_536
"""Characters of a patch that are."""

_PATHS = word_set("path file_path filepath filename file target_file relative_path absolute_path")
_TEXTS = words("words/programs:files.texts")
_PATCHES = word_set("patch diff input")
_NAMES = _PATHS | _PATCHES
_WRITES = words("words/programs:files.writes")


def files_in(tool: str, arguments: JsonObject) -> Iterator[Signal]:
    """What they would do, where its name says that it writes."""
    if _WRITES.isdisjoint(words_of(tool)):
        return
    if _NAMES.isdisjoint(arguments) and not _has_lists(arguments):
        return
    texts: dict[str, str] = {}
    for path, text in islice(_files(arguments), MAX_FILES):
        texts[path] = f"{texts[path]}\n{text}" if path in texts else text
    yield from read_files(texts)


def _has_lists(arguments: JsonObject) -> bool:
    return any(isinstance(one, list) for one in arguments.values())


def _files(arguments: JsonObject) -> Iterator[tuple[str, str]]:
    """Each name with each text beside it; edits of one file stand in a list beside its name."""
    lists = [one for one in arguments.values() if isinstance(one, list)]
    listed = (one for held in lists for one in held[:MAX_FILES] if isinstance(one, Mapping))
    outer = next(_said(arguments, _PATHS), "")
    for patch in _said(arguments, _PATCHES):
        yield from _added(patch, outer)
    for one in (arguments, *listed):
        path = next(_said(one, _PATHS), outer)
        yield from ((path, text) for text in _said(one, _TEXTS) if path)


def _added(patch: str, file: str) -> Iterator[tuple[str, str]]:
    """The lines that a patch adds to each file that it names."""
    lines: dict[str, list[str]] = {}
    for line in patch[:MAX_PATCH].splitlines():
        if head := _head.match(line):
            file = head[1].strip().removeprefix("b/")
        elif line[:1] == "+":
            lines.setdefault(file, []).append(line[1:])
    return ((name, "\n".join(added)) for name, added in lines.items() if name)


_head = re.compile(r"(?:\*\*\* (?:Add|Update) File:|\*\*\* Move to:|\+\+\+)[ \t]+([^\t]+)")


def _said(held: Mapping[str, Any], names: frozenset[str]) -> Iterator[str]:
    return (said for name in names if isinstance(said := held.get(name), str))
