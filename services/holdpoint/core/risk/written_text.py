"""Texts that a call writes down: at a place where nothing runs them, or in comments."""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
import re2

from holdpoint.core.memoize import memoize
from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.extract.payload import MAX_VALUES, knows, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.shell.analyzer import analyze_files
from holdpoint.core.risk.shell.paths import MAX_PLACE, is_trusted
from holdpoint.core.risk.tools.names import MAX_NAME, tool_name
from holdpoint.core.risk.tools.stored_text import DOES, RUNS
from holdpoint.core.risk.wording import Kind, bare_key
from holdpoint.core.risk.words import SHELL_KEYS, word_set
from holdpoint.core.text import whole_characters
from holdpoint.messages.base import MAX_ARGUMENTS_BYTES, JsonObject
from holdpoint.messages.catalog import Tool
from holdpoint.messages.risk import Signal

Words = tuple[str, ...]


@memoize(1024)
def named(tool: str) -> tuple[Words, Words]:
    """`fs__write_file`, `fs.write_file` -> (fs), (write, file)."""
    *servers, own = _server.split(whole_characters(tool[:MAX_NAME]))
    return words_of(" ".join(servers)), words_of(own)


_server = re2.compile(r"__+|[./:]+")

MAX_FILES = MAX_VALUES
"""Files of one call that are looked at: as many as it may have values before it goes up."""

MAX_PATCH = 65_536
"""Characters of a patch that are."""

_PATHS = word_set("path file_path filepath filename file target_file relative_path absolute_path")
_TEXTS = words("words/programs:run_files.texts")
_PATCHES = word_set("patch diff input")
_NAMES = _PATHS | _PATCHES
_WRITES = words("words/programs:run_files.writes")


def files_in(tool: str, arguments: JsonObject) -> Iterator[Signal]:
    """Yield what they would do, where its name says that it writes."""
    if _WRITES.isdisjoint(words_of(tool)):
        return
    if _NAMES.isdisjoint(arguments) and not _has_lists(arguments):
        return
    texts: dict[str, str] = {}
    for path, text in islice(_files(arguments), MAX_FILES):
        texts[path] = f"{texts[path]}\n{text}" if path in texts else text
    yield from (finding.signal() for finding in analyze_files(texts))


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


MAX_PROGRAM = 4_096
"""Characters of a program in which comments are told apart: that takes up to 12 ms."""

_PYTHON = word_set("python ipython jupyter pandas py")
_KEYS = word_set("code python python_code source snippet script program")


def without_remarks(tool: Tool, arguments: JsonObject) -> JsonObject:
    """The arguments with blanks for the comments of a program that is Python; else the same."""
    changed = {
        key: bare
        for key, value in arguments.items()
        if isinstance(value, str)
        and "#" in value
        and len(value) <= MAX_PROGRAM
        and _is_python(key, tool, arguments)
        and (bare := _bare(value)) != value
    }
    return {**arguments, **changed} if changed else arguments


def _is_python(key: str, tool: Tool, arguments: JsonObject) -> bool:
    """By the name of the argument or the tool, or by a language that the tool is known to take."""
    if key.lower() not in _KEYS:
        return False
    said = arguments.get("language")
    if isinstance(said, str) and said.strip():
        return words_of(said)[:1] in _SAID and knows({"language": said}, tool.schema)
    return not _PYTHON.isdisjoint((*words_of(key), *words_of(tool.name)))


_SAID = tuple((word,) for word in _PYTHON)


def _bare(program: str) -> str:
    """As long as it was; the same where Python could not read it, or is told how to.

    What is no Python as a whole stays: a cell with a line for a shell has other comments.
    """
    if any(mark in program for mark in _ODD):
        return program
    lines = program.split("\n")
    try:
        ast.parse(_escape.sub(_harmless, program))
        for token in tokenize.generate_tokens(io.StringIO(program).readline):
            if token.type == tokenize.COMMENT:
                (row, at), (_, end) = token.start, token.end
                lines[row - 1] = f"{lines[row - 1][:at]}{' ' * (end - at)}{lines[row - 1][end:]}"
    except _UNREADABLE:
        return program
    return "\n".join(lines)


_ODD = ("coding", "\f", "\r", "\x00")
"""An encoding that a comment names, and signs that do not end a line everywhere."""

_UNREADABLE = (tokenize.TokenError, SyntaxError, ValueError, RecursionError, MemoryError)
_escape = re.compile(r"\\(.)", re.DOTALL)


def _harmless(escape: re.Match[str]) -> str:
    """Python warns of an escape that it does not know, and only of that."""
    return escape[0] if escape[1] in "\n'\"\\" else "xx"


MAX_DEPTH = 8
"""Lists and objects within each other in which such a text is looked for."""

STANDS_FOR_IT = "..."
"""What is read in its place."""


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments without the texts, and the texts."""

    arguments: JsonObject
    texts: tuple[str, ...] = ()
    any: bool = False
    """Whether anything was taken: also lists of numbers."""

    @property
    def fits(self) -> bool:
        """Whether the texts are no longer than what a gate takes; longer ones are not read."""
        left = MAX_ARGUMENTS_BYTES
        return sum(map(len, self.texts)) <= left and sum(map(_bytes, self.texts)) <= left


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))


class _Taking:
    """One walk: what it took, and how many values it may still look at."""

    def __init__(self, keys: frozenset[str], whole: Callable[[Any], bool]) -> None:
        self.keys = keys
        self.whole = whole
        self.texts: list[str] = []
        self.left = MAX_VALUES
        self.any = False

    def of(self, key: str, value: Any, depth: int) -> Any:
        self.left -= 1
        if self.left <= 0:
            return value
        known = key in self.keys
        if known and self.whole(value):
            self.any = True
            self.texts.extend(_strings(value))
            return STANDS_FOR_IT
        if isinstance(value, Mapping) and depth:
            items = islice(value.items(), self.left)
            return {
                **value,
                **{name: self.of(bare_key(name), one, depth - 1) for name, one in items},
            }
        if isinstance(value, list | tuple) and depth:
            inside = key if all(isinstance(one, str) for one in value[:1]) else ""
            many = self.left
            first = [self.of(inside, one, depth - 1) for one in value[:many]]
            return [*first, *value[many:]]
        return value


def taken(arguments: JsonObject, keys: frozenset[str], whole: Callable[[Any], bool]) -> Taken:
    """Without the values under these keys (in lower case, no signs) that are data as a whole."""
    walk = _Taking(keys, whole)
    left = {name: walk.of(bare_key(name), value, MAX_DEPTH) for name, value in arguments.items()}
    return Taken(arguments=left, texts=tuple(walk.texts), any=walk.any)


def is_text(value: Any) -> bool:
    """A text that says something."""
    return isinstance(value, str) and bool(value.strip())


def is_plain(value: Any) -> bool:
    """A text, or a list of nothing but texts, numbers and lists of those: a matrix, a batch."""
    if isinstance(value, list | tuple):
        return bool(value) and all(_is_cell(one) for one in value)
    return is_text(value)


def _is_cell(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(isinstance(one, str | int | float) for one in value)
    return isinstance(value, str | int | float)


def _strings(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [one for one in value if isinstance(one, str)]


UPDATES = 3
"""The operation level up to which a tool may only write."""

_WRITTEN_WRITES = words("words/programs:written_text.writes")
_FILES = word_set("file files document documents doc docs readme notebook changelog markdown")
_WRITTEN_TEXTS = _FILES | words("words/programs:written_text.texts")
_EDITS = word_set("write create append insert edit replace str apply")

_EDITORS = _EDITS | words("words/programs:written_text.editors")
"""All that the name of a tool may say which writes wherever its path says."""

_FIRST = _WRITTEN_WRITES | _EDITS
"""Asked first, because most names have none of these."""

_ALSO = word_set("apply review request or")
"""Verbs that are no more than a part of such a name."""

_MORE = words("words/programs:written_text.more")
_CONTENT = words("words/programs:written_text.content")
_DRAFTED = word_set("email mail message tweet")
"""What is a draft only, as long as nothing says that it is sent."""

_PLACES = words("words/programs:written_text.places")
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
    """Return whether it says that it writes a text, or writes, and knows where."""
    server, own = named(name)
    said = frozenset(own)
    if not (RUNS - {"shell"}).isdisjoint(server):
        return False
    if said <= _EDITORS and any(bare_key(key) in _PATH | _PATCHES for key in known):
        return not said.isdisjoint(_EDITS)
    drafted = _DRAFTED if {"draft", "drafts"} & said else frozenset[str]()
    if said.isdisjoint(_WRITTEN_WRITES) or said.isdisjoint(_WRITTEN_TEXTS):
        return False
    others = said - drafted
    return others.isdisjoint((_MORE | RUNS | DOES) - _ALSO) and all(map(_is_mild, others))


def _is_mild(word: str) -> bool:
    """Return whether this word of the name does no more than write or read."""
    verb = tool_name(word).verb
    return (
        verb is None or verb.kind is Kind.READ or word in _WRITTEN_WRITES | _WRITTEN_TEXTS | _ALSO
    )


def _runs(arguments: Mapping[str, Any]) -> bool:
    """`run: true`, `then: "sh a.sh"`: something is done with it at once."""
    given = (value for key, value in arguments.items() if _is_action(str(key)))
    return any(value not in _UNSAID for value in given)


def _is_action(key: str) -> bool:
    return not DOES.isdisjoint(words_of(key)) or bare_key(key) in _ACTIONS


_UNSAID: tuple[Any, ...] = (False, None, "", "false", "no", [], {})
_ACTIONS = word_set("entrypoint interpreter callback onsave postwrite hook hooks publish deploy")


def _is_told_more(arguments: Mapping[str, Any]) -> bool:
    """Return whether it is handed a command that is none of an editor's own."""
    given = (value for key, value in arguments.items() if str(key).lower() in SHELL_KEYS)
    return any(one not in _UNSAID and one not in _ORDERS for one in given)


_ORDERS = ("create", "view", "insert", "write", "edit", "append", "replace", "str_replace")


def _keys(known: Mapping[str, Any]) -> frozenset[str]:
    """Of a tool that only knows a patch, what else it is told may be anything."""
    alone = any(bare_key(key) in _PATCHES for key in known)
    return frozenset() if alone and not any(bare_key(key) in _PATH for key in known) else _CONTENT


def _patches(arguments: Mapping[str, Any]) -> frozenset[str]:
    """Keys of a patch, where each file that it names is an ordinary one and stays."""
    named = any(bare_key(str(key)) in _PATH for key in arguments)
    texts = [value for key, value in arguments.items() if bare_key(str(key)) in _PATCHES]
    fits = all(isinstance(one, str) and _is_patch(one, named=named) for one in texts)
    return _PATCHES if fits else frozenset()


def _is_patch(text: str, *, named: bool) -> bool:
    """`named`: whether the call says beside it which file it is for."""
    seen = whole_characters(text)
    heads = [head[1] for head in islice(_first_word.finditer(seen), MAX_HEADS)]
    if _takes_away(seen) or len(heads) == MAX_HEADS or not (heads or named):
        return False
    return not any(is_trusted(head.removeprefix("a/").removeprefix("b/")) for head in heads)


MAX_HEADS = 200
"""Files that a patch may name."""

_first_word = re2.compile(
    r"(?m)^(?:\*\*\* (?:Add|Update) File:|\*\*\* Move to:|---|\+\+\+|rename (?:from|to))"
    r"[ \t]+([^\t\r\n]+)"
)
_takes_away = prefilter(
    r"(?m)^(?:\*\*\* Delete File|deleted file|GIT binary|\+\+\+ /dev/null|GIT binary|new mode)"
)


def _lands_safely(arguments: Mapping[str, Any]) -> bool:
    """Return whether nothing that may say where, by its key or without blanks, names one."""
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
