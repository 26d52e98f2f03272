"""Orders to git that a tool's name and its arguments spell: `git_reset {"mode": "hard"}`."""

import shlex
from collections.abc import Mapping
from typing import Any

from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.knowledge import ordered_words, words
from holdpoint.core.risk.lexicon import word_set

_ORDERS = words("words/tools:versioned.orders")

_ABOUT = word_set("file files branch changes repo repository head working tree worktree")
"""What may stand behind an order in a tool's name and says no more."""

_HOW = ("mode", "type", "reset_mode", "resetmode", "strategy")
_SUBCOMMANDS = ("action", "operation", "op", "subcommand", "command", "mode")
_HAVE_SUBCOMMANDS = word_set("stash reflog worktree remote submodule")
_REFERENCES = ordered_words("words/tools:versioned.references")  # fmt: skip
_PATHS = ("paths", "pathspec", "pathspecs", "files", "file", "file_paths", "filepaths", "file_path")
"""A `path` alone is where the repository lies."""

_YES: tuple[Any, ...] = (True, "true")
_FLAGS = {"directories": "d", "remove_directories": "d", "removedirectories": "d"}
"""Switches whose name git spells otherwise."""


def order_named(words: tuple[str, ...]) -> str:
    """The order that a tool's name gives git; empty when it gives none."""
    if "git" not in words:
        return ""
    behind = words[len(words) - words[::-1].index("git") :]
    plain = behind[:1] != () and _ABOUT.issuperset(behind[1:])
    return behind[0] if plain and behind[0] in _ORDERS else ""


def as_typed(order: str, known: Mapping[str, Any]) -> str:
    """The line that one would type; `known` are the call's arguments by their names in lower case.

    Whether it is only rehearsed is for the tool's schema to say.
    """
    flags = [_flag(key) for key, value in known.items() if value in _YES and "dry" not in key]
    if order in _HAVE_SUBCOMMANDS:
        first = _said(known, _SUBCOMMANDS)[:1]
    else:
        first = [f"--{how}" for how in _said(known, _HOW)[:1]]
    words = [*first, *flags, *_said(known, _REFERENCES)]
    paths = _said(known, _PATHS)
    return shlex.join(["git", order, *words, *(["--", *paths] if paths else [])])


def _flag(key: str) -> str:
    words = words_of(key)
    return f"-{_FLAGS[key]}" if key in _FLAGS else f"--{'-'.join(words)}"


def _said(known: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    """What stands under them, one word each."""
    values = (known[key] for key in keys if key in known)
    each = (one for value in values for one in (value if isinstance(value, list) else [value]))
    return [one for one in each if isinstance(one, str) and one and not one.isspace()]
