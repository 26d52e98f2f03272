"""Commands of a tree-sitter-bash syntax tree, in the order in which they run."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import tree_sitter_bash
from tree_sitter import Language, Parser

from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.assignments import assign, tested
from holdpoint.core.risk.shell.lexer import RawCommand
from holdpoint.core.risk.shell.model import NOWHERE, Command, Flow, Origin, Redirect, joined
from holdpoint.core.risk.shell.scope import Part
from holdpoint.core.risk.shell.walk import Walk

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

MAX_LEVELS = 150
"""Nodes inside each other: Python's own stack is not endless."""

_sums = re.compile(r"\s-(?:eq|ne|lt|le|gt|ge|v|R)\s")
"""In `[[ … ]]`: numbers, or names that may have a subscript."""

_NO_WORDS = REDIRECTS | {"variable_assignment"}
_SKIPPED = frozenset({"comment", "heredoc_body", "heredoc_start", "heredoc_end", "file_descriptor"})

Visit = Callable[[Any, Flow | None], Flow]
"""Reads a node."""

Kinds = dict[str, Callable[["Grammar", Any, Flow | None], Flow]]
"""By its kind, who reads it."""


class Grammar:
    """One tree, and the walk that it feeds."""

    def __init__(self, walk: Walk, source: str, kinds: Kinds) -> None:
        self.walk = walk
        self.source = source
        self.kinds = kinds
        self.level = 0

    def text(self, node: Any) -> str:
        """Return what it says: the parser saw one byte for each character."""
        return self.source[node.start_byte : node.end_byte]

    def part(self, node: Any) -> Part:
        """It, as a part that may not run."""
        return self.text(node), node.start_byte

    def maybe_run(self, node: Any, stdin: Flow | None, visit: Visit) -> Flow:
        """A part that may not run, or not in this shell."""
        self.walk.doubt.begin()
        flow = visit(node, stdin)
        self.walk.doubt.end(self.part(node))
        return flow

    def visit(self, node: Any, stdin: Flow | None) -> Flow:
        """Find the commands in it, whatever it is."""
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
        method = self.kinds.get(kind)
        if method:
            return method(self, node, stdin)
        return self.children(node, stdin)

    def children(self, node: Any, stdin: Flow | None) -> Flow:
        """Each part, one after the other; what `&` sends away sets nothing here."""
        children = node.children
        flows: list[Flow] = []
        for child, following in pairwise((*children, None)):
            if following is not None and following.type == "&":
                flows.append(self.maybe_run(child, stdin, self.visit))
            elif child.is_named:
                flows.append(self.visit(child, stdin))
        return joined(flows) if flows else _NOTHING

    def pipeline(self, node: Any, stdin: Flow | None) -> Flow:
        """Each command reads what the one before prints, in a shell of its own."""
        flow = stdin
        for child in node.children:
            if child.is_named and child.type not in _SKIPPED:
                flow = self.maybe_run(child, flow, self.visit)
        return flow or _NOTHING

    def redirected(self, node: Any, stdin: Flow | None) -> Flow:
        """A command or a group with redirections behind it."""
        redirects = [child for child in node.children if child.type in REDIRECTS]
        body = next((child for child in node.children if child.type not in REDIRECTS), None)
        while body is not None and body.type == "negated_command":
            body = body.children[-1]
        if body is not None and body.type == "command":
            return self._rest(redirects, self.command(body, stdin, redirects))
        raw = _raw(node, node)
        here = self._redirections(redirects, raw)
        reads = next((self._file(target) for sign, target in raw.redirects if sign == "<"), None)
        last = None if body is None else _last_command(body)  # `a && b < c`: b alone reads it
        flow = _NOTHING if body is None else self.visit(body, here or reads or stdin)
        flow = self.walk.printed if last else flow
        if raw.redirects:
            self.walk.simple(raw, None)
        if reads and last:
            self.command(last, reads, redirects)
        for sign, target in raw.redirects:
            if sign.startswith(">") and target != NOWHERE:
                self.walk.state.files[target.rpartition("/")[2]] = flow
        return self._rest(redirects, flow)

    def _file(self, target: str) -> Flow:
        """Return what a loop or a group reads."""
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
            return self._simple(first, _raw(node, node), stdin, redirects)
        flows = [self._simple(first, _raw(first[0], first[-1]), stdin, [])]
        for row in more:
            behind = redirects if row is more[-1] else []
            flows.append(self._simple(row, _raw(row[0], row[-1]), None, behind))
        return joined(flows)

    def _simple(
        self, parts: list[Any], raw: RawCommand, stdin: Flow | None, redirects: list[Any]
    ) -> Flow:
        """Words that touch are one word, whatever the grammar thinks; `0<` is `<` in full."""
        inside = [child for child in parts if child.type in REDIRECTS]
        signs = {one.start_byte for one in (*inside, *redirects)}
        last = -1
        for child in parts:
            if child.end_byte in signs and self.text(child) == "0":
                continue
            if child.type == "subshell":
                self.visit(child, stdin)
            elif child.type not in _NO_WORDS:
                if child.start_byte == last and raw.words:
                    raw.words[-1] += self.text(child)
                elif word := self.text(child):
                    raw.words.append(word)
                last = child.end_byte
        here = self._redirections([*inside, *redirects], raw)
        assigned = [child for child in parts if child.type == "variable_assignment"]
        if assigned:
            return self._set_for(assigned, raw, lambda: self.walk.simple(raw, stdin, here))
        return self.walk.simple(raw, stdin, here)

    def assigned(self, node: Any) -> str:
        """Give a variable its value; its name."""
        self.stand(node)
        elements = [self.text(one) for one in node.children[-1].children if one.is_named]
        name = assign(self.walk.expander, self.text(node), elements)
        self.walk.plant(name)
        return name

    def _set_for(self, assigned: list[Any], raw: RawCommand, run: Callable[[], Flow]) -> Flow:
        """`x=1 command` sets x for that command only, and its words do not know it yet."""
        scope = self.walk.expander.scope
        if not raw.words:
            for one in assigned:
                self.assigned(one)
            return run()
        if any("$" in word for word in raw.words):
            run()
        scope.begin()
        names = {self.assigned(one) for one in assigned}
        for name in names:
            scope.hands_on(name)
        flow = run()
        scope.redo({name: left for name, left in scope.undo().items() if name not in names})
        return flow

    def _redirections(self, nodes: list[Any], raw: RawCommand) -> Flow | None:
        """Note each in `raw`; give back what a here-document or here-string says."""
        here: Flow | None = None
        for node in nodes:
            kind = node.type
            if kind == "heredoc_redirect":
                here = self._heredoc(node, raw)
            elif kind == "herestring_redirect":
                here = Flow(Origin.PLAIN, self.walk.expander.text(self._operand(node)))
            else:
                self._to_file(node, raw)
        return here

    def _to_file(self, node: Any, raw: RawCommand) -> None:
        sign = next((child.type for child in node.children if not child.is_named), ">")
        target, *more = self._touching(_behind_sign(node)) or [""]
        raw.redirects.append((sign, target))
        raw.words.extend(more)

    def _touching(self, nodes: list[Any]) -> list[str]:
        """The words that these are: those that touch are one, whatever the grammar thinks."""
        words: list[str] = []
        for node, before in zip(nodes, (None, *nodes), strict=False):
            if before is not None and before.end_byte == node.start_byte:
                words[-1] += self.text(node)
            else:
                words.append(self.text(node))
        return words

    def _heredoc(self, node: Any, raw: RawCommand) -> Flow:
        literal = True
        body, line = "", len(self.source)
        for child in node.children:
            if child.type == "heredoc_start":
                literal = any(sign in self.text(child) for sign in "'\"\\")
                line = child.end_byte + len(self.source[child.end_byte :].partition("\n")[0])
            elif child.type == "heredoc_body":
                body = body or self.text(child)
            elif child.start_byte >= line and child.type != "heredoc_end":
                body = body or self._below(node, line)
            elif child.type in _WORDS:
                raw.words.append(self.text(child))
            elif child.type == "file_redirect":
                self._to_file(child, raw)
        return Flow(Origin.PLAIN, body if literal else self.walk.expander.body(body))

    def _below(self, node: Any, line: int) -> str:
        """The lines of a document that begins with a backslash: to the grammar they are words."""
        ends = [child.start_byte for child in node.children if child.type == "heredoc_end"]
        return self.source[line + 1 : ends[0] if ends else node.end_byte]

    def _operand(self, node: Any) -> str:
        """The word behind the sign."""
        rest = _behind_sign(node)
        return self.source[rest[0].start_byte : rest[-1].end_byte] if rest else ""

    def stand(self, node: Any) -> None:
        """Note where this node stands."""
        self.walk.stand(node.start_byte, node.end_byte)

    def note(self, node: Any, finding: Finding, path: str, *args: str) -> None:
        """Remember a finding that stands here."""
        span = (node.start_byte, node.end_byte)
        self.walk.state.note(finding, Command(name=path, path=path, args=args, span=span))

    def substitution(self, node: Any, _stdin: Flow | None) -> Flow:
        """`$(…)` where no word stands: in a test, in arithmetic."""
        text = self.text(node)
        start = 1 if text.startswith("`") else 2
        return self.walk.nested(text[start:-1])

    def test(self, node: Any, stdin: Flow | None) -> Flow:
        """`[[ … ]]`, whose numbers and names are evaluated; and `[ … ]`, a command of words."""
        text = self.text(node)
        if not text.startswith("[["):
            tested([*self._tested(node)][1:], self.walk.expander)
        elif _sums.search(text):
            self.walk.expander.evaluated(text)
        return self.children(node, stdin)

    def _tested(self, node: Any) -> Iterator[str]:
        """Yield the words of a test, operators too."""
        for child in node.children:
            if child.type.endswith("y_expression"):  # unary, binary
                yield from self._tested(child)
            else:
                yield self.text(child)

    def group(self, node: Any, stdin: Flow | None) -> Flow:
        """`{ … }`; what looks like arithmetic may be a group in a group."""
        text = self.text(node)
        if text.startswith("(("):
            self.walk.expander.evaluated(text)
            self.walk.nested(text.strip("()"))
        return self.children(node, stdin)

    def subshell(self, node: Any, stdin: Flow | None) -> Flow:
        """`( … )`: where it goes to, nobody behind it is."""
        here = self.walk.state.here
        flow = self.maybe_run(node, stdin, self.children)
        self.walk.state.here = here
        return flow

    def words(self, node: Any, _stdin: Flow | None) -> Flow:
        """A word outside a command: only what it runs counts."""
        self.walk.expander.text(self.text(node))
        return _NOTHING


def _behind_sign(node: Any) -> list[Any]:
    """The nodes of a redirection behind its sign: its file, then words that the command has."""
    children = node.children
    last = len(children) - 1
    at = next((place for place, child in enumerate(children) if not child.is_named), last)
    return list(children[at + 1 :])


def _raw(first: Any, last: Any) -> RawCommand:
    """A command without words, at the place of these nodes."""
    return RawCommand([], [], first.start_byte, last.end_byte)


def _last_command(node: Any) -> Any | None:
    """The command at the end of a row or a pipe; None where something else stands there."""
    while node.type in {"list", "pipeline"}:
        node = node.children[-1]
    return node if node.type == "command" else None


_NOTHING = Flow(Origin.UNKNOWN)
