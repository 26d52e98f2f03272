"""Whether a call only writes a text down: into a file, a document, an issue, a comment, a draft.

The catalog must list the tool as one that creates or updates, and its schema must know the texts;
its name must say that it writes, what it writes, and nothing else that is done. Where the text
would be run or believed by itself it is read like any other (`trusted`).
"""

from collections.abc import Mapping
from itertools import islice
from typing import Any

import re2

from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.calls.sought import DOES, RUNS
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.keys import SHELL_KEYS
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.named import named
from holdpoint.core.risk.text import whole_characters
from holdpoint.core.risk.texts import Taken, is_text, taken
from holdpoint.core.risk.trusted import MAX_PLACE, is_trusted
from holdpoint.core.risk.wording import Kind
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool

UPDATES = 3
"""The operation level up to which a tool may only write."""

_WRITES = words("words/programs:written.writes")
_FILES = word_set("file files document documents doc docs readme notebook changelog markdown")
_TEXTS = _FILES | words("words/programs:written.texts")
_EDITS = word_set("write create append insert edit replace str apply")

_EDITORS = _EDITS | words("words/programs:written.editors")
"""All that the name of a tool may say which writes wherever its path says."""

_FIRST = _WRITES | _EDITS
"""Asked first, because most names have none of these."""

_ALSO = word_set("apply review request or")
"""Verbs that are no more than a part of such a name."""

_MORE = words("words/programs:written.more")

_CONTENT = words("words/programs:written.content")
_DRAFTED = word_set("email mail message tweet")
"""What is a draft only, as long as nothing says that it is sent."""

_PATCHES = word_set("patch diff input")
_PLACES = words("words/programs:written.places")
_PATH = word_set(
    "path filepath file filename targetfile relativepath absolutepath notebookpath targetpath"
)


def written(tool: Tool, arguments: JsonObject) -> Taken | None:
    """The arguments without what is written; None when anything in them may do more."""
    if tool.level > UPDATES or _FIRST.isdisjoint(words_of(tool.name)):
        return None
    known = tool.schema.get("properties")
    if not isinstance(known, Mapping) or any(key not in known for key in arguments):
        return None
    if not _writes(tool.name, known):
        return None
    if _runs(arguments) or _is_told_more(arguments):
        return None
    found = taken(arguments, _keys(known) | _patches(arguments), is_text)
    return found if _lands_safely(found.arguments) else None


def _writes(name: str, known: Mapping[str, Any]) -> bool:
    """Whether it says that it writes a text, or writes, and knows where."""
    server, own = named(name)
    said = frozenset(own)
    if not (RUNS - {"shell"}).isdisjoint(server):
        return False
    if said <= _EDITORS and any(_bare(key) in _PATH | _PATCHES for key in known):
        return not said.isdisjoint(_EDITS)
    drafted = _DRAFTED if {"draft", "drafts"} & said else frozenset[str]()
    if said.isdisjoint(_WRITES) or said.isdisjoint(_TEXTS):
        return False
    others = said - drafted
    return others.isdisjoint((_MORE | RUNS | DOES) - _ALSO) and all(map(_is_mild, others))


def _is_mild(word: str) -> bool:
    """Whether this word of the name does no more than write or read."""
    verb = tool_name(word).verb
    return verb is None or verb.kind is Kind.READ or word in _WRITES | _TEXTS | _ALSO


def _runs(arguments: Mapping[str, Any]) -> bool:
    """`run: true`, `then: "sh a.sh"`: something is done with it at once."""
    given = (value for key, value in arguments.items() if _is_deed(str(key)))
    return any(value not in _UNSAID for value in given)


def _is_deed(key: str) -> bool:
    return not DOES.isdisjoint(words_of(key)) or _bare(key) in _DEEDS


_UNSAID: tuple[Any, ...] = (False, None, "", "false", "no", [], {})
_DEEDS = word_set("entrypoint interpreter callback onsave postwrite hook hooks publish deploy")


def _is_told_more(arguments: Mapping[str, Any]) -> bool:
    """Whether it is handed a command that is none of an editor's own."""
    given = (value for key, value in arguments.items() if str(key).lower() in SHELL_KEYS)
    return any(one not in _UNSAID and one not in _ORDERS for one in given)


_ORDERS = ("create", "view", "insert", "write", "edit", "append", "replace", "str_replace")


def _keys(known: Mapping[str, Any]) -> frozenset[str]:
    """Of a tool that only knows a patch, what else it is told may be anything."""
    alone = any(_bare(key) in _PATCHES for key in known)
    return frozenset() if alone and not any(_bare(key) in _PATH for key in known) else _CONTENT


def _patches(arguments: Mapping[str, Any]) -> frozenset[str]:
    """Keys of a patch, where each file that it names is an ordinary one and stays."""
    named = any(_bare(str(key)) in _PATH for key in arguments)
    texts = [value for key, value in arguments.items() if _bare(str(key)) in _PATCHES]
    fits = all(isinstance(one, str) and _is_patch(one, named=named) for one in texts)
    return _PATCHES if fits else frozenset()


def _is_patch(text: str, *, named: bool) -> bool:
    """`named`: whether the call says beside it which file it is for."""
    seen = whole_characters(text)
    heads = [head[1] for head in islice(_head.finditer(seen), MAX_HEADS)]
    if _takes_away(seen) or len(heads) == MAX_HEADS or not (heads or named):
        return False
    return not any(is_trusted(head.removeprefix("a/").removeprefix("b/")) for head in heads)


MAX_HEADS = 200
"""Files that a patch may name."""

_head = re2.compile(
    r"(?m)^(?:\*\*\* (?:Add|Update) File:|\*\*\* Move to:|---|\+\+\+|rename (?:from|to))"
    r"[ \t]+([^\t\r\n]+)"
)
_takes_away = glance(
    r"(?m)^(?:\*\*\* Delete File|deleted file|GIT binary|\+\+\+ /dev/null|GIT binary|new mode)"
)


def _lands_safely(arguments: Mapping[str, Any]) -> bool:
    """Whether nothing that may say where, by its key or by having no blank, names such a place."""
    waiting: list[tuple[str, Any]] = [("", arguments)]
    left = MAX_PLACES
    while waiting and left:
        left -= 1
        key, one = waiting.pop()
        if isinstance(one, Mapping):
            waiting.extend((str(name), part) for name, part in islice(one.items(), left + 1))
        elif isinstance(one, list | tuple):
            waiting.extend((key, part) for part in one[: left + 1])
        elif isinstance(one, str) and _may_be_place(key, one) and is_trusted(one):
            return False
    return not waiting


def _may_be_place(key: str, text: str) -> bool:
    return not _PLACES.isdisjoint(words_of(key)) or not any(map(str.isspace, text[:MAX_PLACE]))


MAX_PLACES = 500
"""Values in which places are looked for; where there are more, nobody knows where it lands."""


def _bare(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
