"""Files that a command line would delete, if it is simple enough to know: `rm` and `find -delete`.

Understood is one plain command: words, quotes, `*` and `?`. Whatever bash might expand, chain or
redirect is not: then there is no dry run, which the gate counts as more risk, not less.
"""

import re
import shlex
from enum import StrEnum

import msgspec

NOT_PLAIN = re.compile(r"[^ -~\u00a1-\uffff]|[\\$`;&|<>(){}\[\]#!~\u2000-\u206f\u3000]")
"""What bash might expand, chain, redirect or escape, and characters that nobody sees."""

QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
GLOB = re.compile(r"[*?]")

RM_SHORT = frozenset("rRfvd")
RM_LONG = {
    "--recursive": "r", "--force": "f", "--verbose": "v", "--dir": "d", "--one-file-system": "",
}  # fmt: skip


class Reach(StrEnum):
    """Extent of a deletion at each of its paths."""

    FILES = "files"
    """Only what is no folder."""

    EMPTY_FOLDERS = "empty_folders"
    """Also a folder, if it is empty."""

    TREES = "trees"
    """Everything beneath, too."""


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """A deletion that was understood."""

    paths: tuple[str, ...]
    reach: Reach
    globs: bool = False
    """True if bash expands `*` and `?` in the paths."""

    name: str = ""
    """`find -name`: only entries with such a name."""

    only: str = ""
    """`find -type`: only files (`f`) or links (`l`)."""


class NotPlainError(ValueError):
    """The command line is no simple deletion: there is no dry run for it."""


def understood(command: str) -> Erasure:
    """The deletion, or NotPlainError."""
    text = command.strip(" ")
    bare = QUOTED.sub("''", text)
    globs, quoted_globs = bool(GLOB.search(bare)), bool(GLOB.search("".join(QUOTED.findall(text))))
    if NOT_PLAIN.search(text) or (globs and quoted_globs):
        raise NotPlainError
    try:
        program, *words = shlex.split(text)
    except ValueError:
        raise NotPlainError from None
    match program:
        case "rm" | "/bin/rm" | "/usr/bin/rm" if not quoted_globs:
            return _rm(words, globs=globs)
        case "find" | "/usr/bin/find" if not globs:
            return _find(words)
        case _:
            raise NotPlainError


def _rm(words: list[str], *, globs: bool) -> Erasure:
    flags, paths = set[str](), list[str]()
    rest = iter(words)
    for word in rest:
        if word == "--":
            paths += rest
        elif word in RM_LONG:
            flags.add(RM_LONG[word])
        elif word.startswith("-") and word != "-":
            if not RM_SHORT.issuperset(word[1:]):
                raise NotPlainError
            flags.update(word[1:])
        else:
            paths.append(word)
    reach = Reach.EMPTY_FOLDERS if "d" in flags else Reach.FILES
    reach = Reach.TREES if flags & {"r", "R"} else reach
    return Erasure(paths=_checked(paths), reach=reach, globs=globs)


def _find(words: list[str]) -> Erasure:
    paths = list[str]()
    while words and not words[0].startswith("-"):
        paths.append(words.pop(0))
    if not words or words.pop() != "-delete" or len(words) % 2:
        raise NotPlainError
    tests = dict(zip(words[::2], words[1::2], strict=True))
    if len(tests) * 2 != len(words) or set(tests) - {"-name", "-type"}:
        raise NotPlainError
    only, name = tests.get("-type", ""), tests.get("-name", "")
    if only not in ("", "f", "l") or (name and not only) or "/" in name:
        raise NotPlainError
    return Erasure(paths=_checked(paths), reach=Reach.TREES, name=name, only=only)


def _checked(paths: list[str]) -> tuple[str, ...]:
    """No path may be the folder itself, go upwards, or end in a slash (which follows links)."""
    for path in paths:
        parts = path.split("/")
        if not path or ".." in parts or (path.endswith("/") and path != "/"):
            raise NotPlainError
    if not paths:
        raise NotPlainError
    return tuple(paths)
