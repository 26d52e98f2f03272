"""Commands of a tree-sitter-bash syntax tree, in the order in which they run."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Any

import msgspec
import tree_sitter_bash
from tree_sitter import Language, Parser

from holdpoint.core.risk.shell.control_flow import (
    Walker,
    and_or_list,
    assignment,
    branch,
    declaration,
    function,
    loop,
    maybe_run,
    set_for,
    unset,
    while_loop,
)
from holdpoint.core.risk.shell.expansion import Expander
from holdpoint.core.risk.shell.lexer import RawCommand
from holdpoint.core.risk.shell.model import NOWHERE, Command, Danger, Flow, Origin, Redirect
from holdpoint.core.risk.shell.output import joined

MAX_DIRECT = 256
"""Characters that are parsed without counting: nothing in them costs much."""

MAX_STEPS = 500
"""Calls of the parser's progress callback: about 8 ms."""

STRETCH = 64
"""Characters that the parser is given at a time."""

MAX_READS = 5
"""How often it may ask for each stretch: in a text of errors it looks far ahead again and again."""

_foreign = re.compile(r"[^\x00-\x7f]")
_LANGUAGE = Language(tree_sitter_bash.language())
_parser = Parser(_LANGUAGE)


KEPT = 16
"""Trees that are kept: a text is read again for each way in which a doubt may end."""


@lru_cache(maxsize=KEPT)
def parse(text: str) -> Any:
    """The root node, its places in characters of the text; None when the parser was stopped.

    The parser never sees a character beyond ASCII: its scanner asks C's `isalpha` about them,
    which reads outside of its table and may end the process.
    """
    source = (text if text.isascii() else _foreign.sub("_", text)).encode()
    if len(source) <= MAX_DIRECT:
        return _parser.parse(source).root_node
    return _counted(source)


def _counted(source: bytes) -> Any:
    """The same for what may cost much: how often the parser asks tells how hard it works."""
    most = 2 * STRETCH + len(source) // STRETCH * MAX_READS
    steps = min(MAX_STEPS, 2 * STRETCH + len(source) // 16)
    reads = asked = 0

    def read(offset: int, _point: object) -> bytes:
        nonlocal reads
        reads += 1
        return source[offset : offset + STRETCH] if reads <= most else b""

    def stop(_offset: int, _failed: bool) -> bool:
        nonlocal asked
        asked += 1
        return asked > steps or reads > most

    try:
        root = _parser.parse(read, progress_callback=stop).root_node
    except ValueError:
        _parser.reset()
        return None
    return root if reads <= most else None


_ended = re.compile(r"(?<!\\)\n")


def by_row(node: Any, source: str) -> list[list[Any]]:
    """The parts of a command's node, one list for each command that a shell sees in it."""
    parts: list[Any] = node.children
    if not parts or source.find("\n", node.start_byte, node.end_byte) < 0:
        return [parts]
    rows = [parts[:1]]
    for before, part in pairwise(parts):
        if _ended.search(source[before.end_byte : part.start_byte]):
            rows.append([])
        rows[-1].append(part)
    return rows


REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
"""The kinds of their nodes."""

_WORDS = frozenset({"word", "string", "raw_string", "concatenation"})


class Redirections(msgspec.Struct, frozen=True):
    """Reads them in one text."""

    source: str
    expander: Expander

    def of(self, nodes: list[Any], raw: RawCommand) -> Flow | None:
        """Note each in `raw`; give back what a here-document or here-string says."""
        here: Flow | None = None
        for node in nodes:
            kind = node.type
            if kind == "heredoc_redirect":
                here = self._heredoc(node, raw)
            elif kind == "herestring_redirect":
                here = Flow(Origin.PLAIN, self.expander.text(self._operand(node)))
            else:
                self._file(node, raw)
        return here

    def _file(self, node: Any, raw: RawCommand) -> None:
        sign = next((child.type for child in node.children if not child.is_named), ">")
        text = self._operand(node)
        target, *more = text.split(maxsplit=1) or [""]
        quoted = any(sign in text for sign in "\"'$`(")
        raw.redirects.append((sign, text if quoted else target))
        raw.words.extend([] if quoted or not more else more[0].split())

    def _heredoc(self, node: Any, raw: RawCommand) -> Flow:
        literal = True
        body, line = "", len(self.source)
        for child in node.children:
            if child.type == "heredoc_start":
                literal = any(sign in self._text(child) for sign in "'\"\\")
                line = child.end_byte + len(self.source[child.end_byte :].partition("\n")[0])
            elif child.type == "heredoc_body":
                body = body or self._text(child)
            elif child.start_byte >= line and child.type != "heredoc_end":
                body = body or self._below(node, line)
            elif child.type in _WORDS:
                raw.words.append(self._text(child))
            elif child.type == "file_redirect":
                self._file(child, raw)
        return Flow(Origin.PLAIN, body if literal else self.expander.body(body))

    def _below(self, node: Any, line: int) -> str:
        """The lines of a document that begins with a backslash: to the grammar they are words."""
        ends = [child.start_byte for child in node.children if child.type == "heredoc_end"]
        return self.source[line + 1 : ends[0] if ends else node.end_byte]

    def _operand(self, node: Any) -> str:
        """The word behind the sign."""
        children = node.children
        last = len(children) - 1
        at = next((place for place, child in enumerate(children) if not child.is_named), last)
        rest = children[at + 1 :]
        return self.source[rest[0].start_byte : rest[-1].end_byte] if rest else ""

    def _text(self, node: Any) -> str:
        return self.source[node.start_byte : node.end_byte]


MAX_LEVELS = 150
"""Nodes inside each other: Python's own stack is not endless."""

_sums = re.compile(r"\s-(?:eq|ne|lt|le|gt|ge|v|R)\s")
"""In `[[ … ]]`: numbers, or names that may have a subscript."""

_SKIPPED = frozenset({"comment", "heredoc_body", "heredoc_start", "heredoc_end", "file_descriptor"})


class Grammar:
    """One tree, and the walk that it feeds."""

    def __init__(self, walk: Walker, source: str) -> None:
        self.walk = walk
        self.source = source
        self.redirects = Redirections(source, walk.expander)
        self.level = 0

    def text(self, start: int, end: int) -> str:
        """A stretch of the source: the parser saw one byte for each character."""
        return self.source[start:end]

    def visit(self, node: Any, stdin: Flow | None) -> Flow:
        """Whatever it is: find the commands in it."""
        kind = node.type
        if kind in _SKIPPED:
            return _NOTHING
        if self.level > MAX_LEVELS:
            self.walk.state.stuck = "it is nested too deep"
            return _NOTHING
        self.stand(node)
        self.level += 1
        flow = self._visit(kind, node, stdin)
        self.level -= 1
        return flow

    def _visit(self, kind: str, node: Any, stdin: Flow | None) -> Flow:
        if kind == "command":
            return self.command(node, stdin, [])
        method = _KINDS.get(kind)
        if method:
            return method(self, node, stdin)
        return self.children(node, stdin)

    def children(self, node: Any, stdin: Flow | None) -> Flow:
        """Each part, one after the other; what `&` sends away sets nothing here."""
        children = node.children
        flows: list[Flow] = []
        for child, following in pairwise((*children, None)):
            if following is not None and following.type == "&":
                flows.append(maybe_run(self, child, stdin, self.visit))
            elif child.is_named:
                flows.append(self.visit(child, stdin))
        return joined(flows) if flows else _NOTHING

    def pipeline(self, node: Any, stdin: Flow | None) -> Flow:
        """Each command reads what the one before prints, in a shell of its own."""
        flow = stdin
        for child in node.children:
            if child.is_named and child.type not in _SKIPPED:
                flow = maybe_run(self, child, flow, self.visit)
        return flow or _NOTHING

    def redirected(self, node: Any, stdin: Flow | None) -> Flow:
        """A command or a group with redirections behind it."""
        redirects = [child for child in node.children if child.type in REDIRECTS]
        body = next((child for child in node.children if child.type not in REDIRECTS), None)
        while body is not None and body.type == "negated_command":
            body = body.children[-1]
        if body is not None and body.type == "command":
            return self._rest(redirects, self.command(body, stdin, redirects))
        raw = self._raw(node)
        here = self.redirects.of(redirects, raw)
        reads = next((self._file(target) for sign, target in raw.redirects if sign == "<"), None)
        flow = _NOTHING if body is None else self.visit(body, here or reads or stdin)
        if raw.redirects:
            self.walk.simple(raw, None)
        if reads and body is not None and (last := _last_command(body)):
            self.command(last, reads, redirects)  # `a && b < c`: b alone reads it
        for sign, target in raw.redirects:
            if sign.startswith(">") and target != NOWHERE:
                self.walk.state.files[target.rpartition("/")[2]] = flow
        return self._rest(redirects, flow)

    def _file(self, target: str) -> Flow:
        """What a loop or a group reads."""
        name = self.walk.expander.text(target)
        read = self.walk.state.input_of(None, (Redirect("<", name),), [])
        return self.walk.state.files.get(target) or read or Flow(Origin.FILE)

    def _rest(self, redirects: list[Any], flow: Flow) -> Flow:
        """`cat <<EOF | sh`: the rest of the line stands inside the here-document's node."""
        for redirect in redirects:
            if redirect.type == "heredoc_redirect":
                for child in redirect.children:
                    if child.type in {"pipeline", "list", "command", "redirected_statement"}:
                        flow = self.visit(child, flow)
        return flow

    def command(self, node: Any, stdin: Flow | None, redirects: list[Any]) -> Flow:
        """A simple command; the first of several reads, the last is redirected."""
        if self.walk.state.ended:
            return _NOTHING
        first, *more = by_row(node, self.source)
        if not more:
            return self._simple(first, self._raw(node), stdin, redirects)
        flows = [self._simple(first, self._within(first), stdin, [])]
        for row in more:
            behind = redirects if row is more[-1] else []
            flows.append(self._simple(row, self._within(row), None, behind))
        return joined(flows)

    def _simple(
        self, parts: list[Any], raw: RawCommand, stdin: Flow | None, redirects: list[Any]
    ) -> Flow:
        """Words that touch are one word, whatever the grammar thinks."""
        assigned: list[Any] = []
        inside: list[Any] = []
        last = -1
        for child in parts:
            kind = child.type
            if kind == "variable_assignment":
                assigned.append(child)
            elif kind in REDIRECTS:
                inside.append(child)
            elif kind == "subshell":
                self.visit(child, stdin)
            else:
                last = self._word(raw, child, last)
        here = self.redirects.of([*inside, *redirects], raw)
        if assigned:
            return set_for(self, assigned, raw, lambda: self.walk.simple(raw, stdin, here))
        return self.walk.simple(raw, stdin, here)

    def _raw(self, node: Any) -> RawCommand:
        """A command without words, at this node's place in the whole text."""
        return RawCommand([], [], node.start_byte, node.end_byte)

    def _within(self, parts: list[Any]) -> RawCommand:
        """The same for some parts of a node."""
        start, end = parts[0].start_byte, parts[-1].end_byte
        return RawCommand([], [], start, end)

    def _word(self, raw: RawCommand, node: Any, last: int) -> int:
        start, end = node.start_byte, node.end_byte
        piece = self.text(start, end)
        if start == last and raw.words:
            raw.words[-1] += piece
        elif piece:
            raw.words.append(piece)
        return int(end)

    def stand(self, node: Any) -> None:
        """Note where this node stands."""
        self.walk.stand(node.start_byte, node.end_byte)

    def note(self, node: Any, danger: Danger, path: str, *args: str) -> None:
        """Remember a danger that stands here."""
        span = (node.start_byte, node.end_byte)
        self.walk.state.note(danger, Command(name=path, path=path, args=args, span=span))

    def substitution(self, node: Any, _stdin: Flow | None) -> Flow:
        """`$(…)` where no word stands: in a test, in arithmetic."""
        text = self.text(node.start_byte, node.end_byte)
        start = 1 if text.startswith("`") else 2
        return self.walk.nested(text[start:-1])

    def test(self, node: Any, stdin: Flow | None) -> Flow:
        """`[[ … ]]`, whose numbers and names are evaluated."""
        text = self.text(node.start_byte, node.end_byte)
        if _sums.search(text):
            self.walk.expander.evaluated(text)
        return self.children(node, stdin)

    def group(self, node: Any, stdin: Flow | None) -> Flow:
        """`{ … }`; what looks like arithmetic may be a group in a group."""
        text = self.text(node.start_byte, node.end_byte)
        if text.startswith("(("):
            self.walk.expander.evaluated(text)
            self.walk.nested(text.strip("()"))
        return self.children(node, stdin)

    def subshell(self, node: Any, stdin: Flow | None) -> Flow:
        """`( … )`: where it goes to, nobody behind it is."""
        here = self.walk.state.here
        flow = maybe_run(self, node, stdin, self.children)
        self.walk.state.here = here
        return flow

    def words(self, node: Any, _stdin: Flow | None) -> Flow:
        """A word outside a command: only what it runs counts."""
        self.walk.expander.text(self.text(node.start_byte, node.end_byte))
        return _NOTHING


def _last_command(node: Any) -> Any | None:
    """The command at the end of a row or a pipe; None where something else stands there."""
    while node.type in {"list", "pipeline"}:
        node = node.children[-1]
    return node if node.type == "command" else None


_NOTHING = Flow(Origin.UNKNOWN)

_KINDS = {
    "test_command": Grammar.test,
    "list": and_or_list,
    "if_statement": branch,
    "case_statement": branch,
    "pipeline": Grammar.pipeline,
    "subshell": Grammar.subshell,
    "compound_statement": Grammar.group,
    "redirected_statement": Grammar.redirected,
    "variable_assignment": assignment,
    "declaration_command": declaration,
    "unset_command": unset,
    "for_statement": loop,
    "while_statement": while_loop,
    "c_style_for_statement": while_loop,
    "function_definition": function,
    "command_substitution": Grammar.substitution,
    "process_substitution": Grammar.substitution,
    "string": Grammar.words,
    "concatenation": Grammar.words,
    "expansion": Grammar.words,
}
