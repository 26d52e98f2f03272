"""Read tree-sitter's tree: which nodes are commands, what surrounds them, what they read."""

import re
from typing import Any

from holdpoint.core.risk.shell.assignments import HISTORY_OFF, are_many, assign, declare, turns
from holdpoint.core.risk.shell.flow import joined
from holdpoint.core.risk.shell.lexer import RawCommand
from holdpoint.core.risk.shell.model import FILL, NOWHERE, Command, Danger, Flow, Origin, Redirect
from holdpoint.core.risk.shell.overrun import by_row
from holdpoint.core.risk.shell.redirections import REDIRECTS, Redirections
from holdpoint.core.risk.shell.unverified import UNVERIFIED, exports
from holdpoint.core.risk.shell.walker import Walker
from holdpoint.messages.risk import RiskLevel

MAX_LEVELS = 150
"""Nodes inside each other: Python's own stack is not endless."""

_ends_at_once = re.compile(r"&\s*(?:exit|break|wait)\b")
_SKIPPED = frozenset({"comment", "heredoc_body", "heredoc_start", "heredoc_end", "file_descriptor"})

_BOMB = Danger("shell.fork-bomb", RiskLevel.CRITICAL, "starts processes without end", "start")


class Grammar:
    """One tree, and the walk that it feeds."""

    def __init__(self, walk: Walker, source: str, offset: int) -> None:
        self.walk = walk
        self.source = source
        self.offset = offset
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
        self._stand(node)
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
        """Each part, one after the other."""
        flows = [self.visit(child, stdin) for child in node.children if child.is_named]
        return joined(flows) if flows else _NOTHING

    def pipeline(self, node: Any, stdin: Flow | None) -> Flow:
        """Each command reads what the one before prints."""
        flow = stdin
        for child in node.children:
            if child.is_named and child.type not in _SKIPPED:
                flow = self.visit(child, flow)
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
        for sign, target in raw.redirects:
            if sign.startswith(">") and target != NOWHERE:
                self.walk.state.files[target.rpartition("/")[2]] = flow
        return self._rest(redirects, flow)

    def _file(self, target: str) -> Flow:
        """What a loop or a group reads."""
        name = self.walk.expander.text(target)
        read = self.walk.state.read_by((Redirect("<", name),))
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
                self._assigned(child)
                assigned.append(child)
            elif kind in REDIRECTS:
                inside.append(child)
            elif kind == "subshell":
                self.visit(child, stdin)
            else:
                last = self._word(raw, child, last)
        here = self.redirects.of([*inside, *redirects], raw)
        flow = self.walk.simple(raw, stdin, here)
        if raw.words:
            self._forget(assigned)
        return flow

    def _raw(self, node: Any) -> RawCommand:
        """A command without words, at this node's place in the whole text."""
        return RawCommand([], [], node.start_byte + self.offset, node.end_byte + self.offset)

    def _within(self, parts: list[Any]) -> RawCommand:
        """The same for some parts of a node."""
        start, end = parts[0].start_byte, parts[-1].end_byte
        return RawCommand([], [], start + self.offset, end + self.offset)

    def _word(self, raw: RawCommand, node: Any, last: int) -> int:
        start, end = node.start_byte, node.end_byte
        piece = self.text(start, end)
        if start == last and raw.words:
            raw.words[-1] += piece
        elif piece:
            raw.words.append(piece)
        return int(end)

    def _forget(self, assigned: list[Any]) -> None:
        """`x=1 command` sets x for that command only."""
        for one in assigned:
            name = self.text(one.start_byte, one.end_byte).partition("=")[0].rstrip("+")
            self.walk.expander.scope.values[name].pop()

    def assignment(self, node: Any, _stdin: Flow | None) -> Flow:
        """`x=…`."""
        self._assigned(node)
        return _NOTHING

    def _assigned(self, node: Any) -> str:
        self._stand(node)
        children = node.children[-1].children
        elements = [self.text(one.start_byte, one.end_byte) for one in children if one.is_named]
        name = assign(self.walk.expander, self.text(node.start_byte, node.end_byte), elements)
        self.walk.plant(name)
        return name

    def _stand(self, node: Any) -> None:
        self.walk.stand(node.start_byte + self.offset, node.end_byte + self.offset)

    def declaration(self, node: Any, _stdin: Flow | None) -> Flow:
        """`declare -l x=RM`, `export`, `local`."""
        text = self.text(node.start_byte, node.end_byte)
        for child in node.children:
            if child.type == "variable_assignment":
                declare(self.walk.expander, self._assigned(child), text)
        if exports(text):
            self._note(node, UNVERIFIED, *text.split()[:4])
        return _NOTHING

    def unset(self, node: Any, _stdin: Flow | None) -> Flow:
        """`unset HISTFILE`; a value may be unset on a way that is not taken, and so it stays."""
        names = [self.text(child.start_byte, child.end_byte) for child in node.children[1:]]
        if "HISTFILE" in names:
            self._note(node, HISTORY_OFF, "unset", *names)
        return _NOTHING

    def loop(self, node: Any, stdin: Flow | None) -> Flow:
        """`for x in …`: the variable has each value, the body runs again and again."""
        name, values, body, flow = "", [], None, _NOTHING
        for child in node.children:
            if child.type == "variable_name":
                name = self.text(child.start_byte, child.end_byte)
            elif child.type == "do_group":
                body = child
            elif child.is_named:
                values += self.walk.expander.words(self.text(child.start_byte, child.end_byte))
        for value in self.walk.state.tried(turns(values)):
            self.walk.expander.scope.put(name, value)
            many = value.endswith(FILL) or are_many(values)
            self.walk.many += many
            flow = self.visit(body, stdin) if body is not None else _NOTHING
            self.walk.many -= many
        return flow

    def endless(self, node: Any, stdin: Flow | None) -> Flow:
        """`while`, `until` and `for ((;;))`; one that starts jobs for ever is a bomb."""
        text = self.text(node.start_byte, node.end_byte)
        head, _, body = text.partition("do")
        words = head.replace(";", " ").replace("(", " ").replace(")", " ").split()
        idle = not words[1:] or words[1] in {"true", ":", "1", "/usr/bin/true", "/bin/true"} or (
            words[0] == "until" and words[1].rpartition("/")[2] == "false"
        )  # fmt: skip
        ends = _ends_at_once.search(body)
        if idle and not ends and "&" in body.replace("&&", "").replace(">&", "").replace("&>", ""):
            self._note(node, _BOMB, "a fork bomb")
        self.walk.many += 1
        flow = self.children(node, stdin)
        self.walk.many -= 1
        return flow

    def function(self, node: Any, _stdin: Flow | None) -> Flow:
        """Remember its body; one that starts itself twice, or behind itself, is a bomb."""
        name = body = ""
        for child in node.children:
            if child.type == "word" and not name:
                name = self.text(child.start_byte, child.end_byte)
            elif child.type in {"compound_statement", "subshell"}:
                body = self.text(child.start_byte + 1, child.end_byte - 1)
        calls = body.replace("|", " | ").replace("&", " & ").replace(";", " ; ").split()
        if name in calls and ("|" in calls or "&" in calls):
            self._note(node, _BOMB, "a fork bomb")
            return _NOTHING
        self.walk.state.functions[name] = body
        self.walk.nested(body)
        return _NOTHING

    def _note(self, node: Any, danger: Danger, path: str, *args: str) -> None:
        span = (node.start_byte + self.offset, node.end_byte + self.offset)
        self.walk.state.note(danger, Command(name=path, path=path, args=args, span=span))

    def substitution(self, node: Any, _stdin: Flow | None) -> Flow:
        """`$(…)` where no word stands: in a test, in arithmetic."""
        text = self.text(node.start_byte, node.end_byte)
        start = 1 if text.startswith("`") else 2
        return self.walk.nested(text[start:-1])

    def group(self, node: Any, stdin: Flow | None) -> Flow:
        """`{ … }`; what looks like arithmetic may be a group in a group."""
        text = self.text(node.start_byte, node.end_byte)
        if text.startswith("(("):
            self.walk.nested(text.strip("()"))
        return self.children(node, stdin)

    def subshell(self, node: Any, stdin: Flow | None) -> Flow:
        """`( … )`: where it goes to, nobody behind it is."""
        here = self.walk.state.here
        flow = self.children(node, stdin)
        self.walk.state.here = here
        return flow

    def words(self, node: Any, _stdin: Flow | None) -> Flow:
        """A word outside a command: only what it runs counts."""
        self.walk.expander.text(self.text(node.start_byte, node.end_byte))
        return _NOTHING


_NOTHING = Flow(Origin.UNKNOWN)

_KINDS = {
    "pipeline": Grammar.pipeline,
    "subshell": Grammar.subshell,
    "compound_statement": Grammar.group,
    "redirected_statement": Grammar.redirected,
    "variable_assignment": Grammar.assignment,
    "declaration_command": Grammar.declaration,
    "unset_command": Grammar.unset,
    "for_statement": Grammar.loop,
    "while_statement": Grammar.endless,
    "c_style_for_statement": Grammar.endless,
    "function_definition": Grammar.function,
    "command_substitution": Grammar.substitution,
    "process_substitution": Grammar.substitution,
    "string": Grammar.words,
    "concatenation": Grammar.words,
    "expansion": Grammar.words,
}
