"""The one door to tree-sitter: a text's syntax tree, bounded in size and in work."""

import re
from typing import Any

import tree_sitter_bash
from tree_sitter import Language, Parser

MAX_DIRECT = 4096
"""Characters that are parsed without counting steps."""

MAX_STEPS = 500
"""Calls of the parser's progress callback: about 8 ms."""

MAX_OPENED = 800
"""Brackets, backticks, dollars: more of them are a puzzle, not a command."""

MAX_ENDS = 1500
"""Separators and redirections: more of them are no command that a person would check."""

MAX_SMALL = 256
"""Characters of a text that cannot cost much."""

_foreign = re.compile(r"[^\x00-\x7f]")
_LANGUAGE = Language(tree_sitter_bash.language())
_parser = Parser(_LANGUAGE)


def tangled(text: str) -> bool:
    """Whether parsing it would cost more than it is worth."""
    if len(text) < (MAX_OPENED if "${" not in text else MAX_SMALL):
        return False
    opened = sum(text.count(sign) for sign in "([{`$")
    ends = sum(text.count(sign) for sign in ";|&\n<>'")
    unclosed = text.count("${") > text.count("}") + MAX_SMALL // 8
    return opened > MAX_OPENED or ends > MAX_ENDS or unclosed


def parse(text: str) -> Any:
    """The root node, its places in characters of the text; None when the parser was stopped.

    The parser never sees a character beyond ASCII: its scanner asks C's `isalpha` about them,
    which reads outside of its table and may end the process.
    """
    source = (text if text.isascii() else _foreign.sub("_", text)).encode()
    if len(source) <= MAX_DIRECT:
        return _parser.parse(source).root_node
    steps = 0

    def stop(_offset: int, _failed: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > MAX_STEPS

    def read(offset: int, _point: object) -> bytes:
        return source[offset : offset + 4096]

    try:
        return _parser.parse(read, progress_callback=stop).root_node
    except ValueError:
        _parser.reset()
        return None
