"""What the redirections in a tree say: where a command writes, and what text it reads."""

from typing import Any

import msgspec

from holdpoint.core.risk.shell.expand import Expander
from holdpoint.core.risk.shell.lexer import RawCommand
from holdpoint.core.risk.shell.model import Flow, Origin

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
