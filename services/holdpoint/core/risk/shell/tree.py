"""The one door to tree-sitter: a text's syntax tree, bounded in size and in work."""

import re
from functools import lru_cache
from typing import Any

import tree_sitter_bash
from tree_sitter import Language, Parser

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
