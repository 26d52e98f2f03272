"""What Python passes over in a program: its comments."""

import ast
import io
import re
import tokenize

from holdpoint.core.risk.calls.declared import knows
from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool

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
