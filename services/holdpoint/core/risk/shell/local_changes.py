"""Small changes in the working folder that lose nothing: made anew, kept by git, or built again.

The shell reader's own lexer parses the text. Every word of it is plain: no variable, substitution,
pattern, pipe or redirect. Paths are relative and go nowhere up, so that the working folder holds
whatever changes.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from holdpoint.core.risk.environment import is_made_again, names_build_product
from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.core.risk.shell.lexer import KEYWORDS, Pipeline, RawCommand, plain
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import is_trusted
from holdpoint.core.risk.shell.read_only import Row
from holdpoint.core.risk.shell.written_files import runs_unasked
from holdpoint.core.risk.words import word_set
from holdpoint.messages.base import JsonObject

LONGEST = 2000
COMMAND = "command"
_plain_word = re.compile(r"(?:[A-Za-z0-9_./:=@%+,-]|'[^'\n]*'|\"[^\"\n]*\")+")
_path = re.compile(r"[\w./=@%+, ;()'-]+")
"""A path; no colon, which may stand behind a drive or another machine."""

_HIDDEN = (".git", ".ssh", ".hg", ".svn")


class _Program:
    """Options with which a command changes little, and what its paths must be."""

    def __init__(self, said: Mapping[str, Any]) -> None:
        self.row = Row(said)
        self.texts = word_set(said.get("texts", ""))
        self.only_products = "only" in said
        self.keeps_products = "keeps" in said
        self.places_files = "places" in said

    def fits(self, args: tuple[str, ...], products: tuple[str, ...]) -> bool:
        """Return whether every option is listed, and every other word is a safe path."""
        if not self.row.fits(args) or (self.row.most is not None and "--" in args):
            return False
        given = read_options(args, self.row.values)
        if not all(text if name in self.texts else _is_inside(text)
                   for name, text in given.values.items()):  # fmt: skip
            return False
        if self.only_products:
            paths = given.words
            return bool(paths) and all(is_made_again(f"path:{one}", products) for one in paths)
        if self.keeps_products and any(names_build_product(it, products) for it in given.words):
            return False  # what lies there is deleted unasked later
        if self.places_files and any(map(_runs_later, _placed(given.words))):
            return False
        return all(map(_is_inside, given.words))


def _placed(words: tuple[str, ...]) -> Iterator[str]:
    """Places of files that are copied or moved: under the last name, or in that folder."""
    yield from words[-1:]
    yield from (f"{words[-1]}/{word.rstrip('/').rpartition('/')[2]}" for word in words[:-1])


def _runs_later(path: str) -> bool:
    """Return whether something runs a file of this name by itself, or takes orders from it."""
    return runs_unasked(path) or is_trusted(path)


_PROGRAMS = {name: _Program(said) for name, said in entry("words/shell:local.programs").items()}


def changes_little(arguments: JsonObject, build_products: tuple[str, ...]) -> bool:
    """Return whether a command is all that is given, and each of it loses nothing, or reads."""
    text = arguments.get(COMMAND)
    if len(arguments) != 1 or not isinstance(text, str) or len(text) > LONGEST:
        return False
    bare = text.strip()
    pipelines = plain(bare, KEYWORDS) or []
    changes = [one for one in pipelines if len(one) == 1 and _is_little(one[0], build_products)]
    others = [one for one in pipelines if one not in changes]
    return bool(changes) and (not others or _only_read(bare, others))


def _only_read(text: str, pipelines: list[Pipeline]) -> bool:
    """Return whether these programs beside a small change are proven to only read.

    They are programs of their own: none sets a variable, or leads to another folder.
    """
    if not all(_BESIDE.issuperset(raw.words[:1]) for raw in chain.from_iterable(pipelines)):
        return False
    read = "\n".join(text[one[0].start : one[-1].end] for one in pipelines if one)
    return analyze_shell(read).reads_only


_BESIDE = words("words/shell:local.beside")


def _is_little(raw: RawCommand, products: tuple[str, ...]) -> bool:
    if raw.redirects or raw.joined == "||" or not all(map(_plain_word.fullmatch, raw.words)):
        return False
    words = tuple(_unquoted(raw.words))
    pair = _PROGRAMS.get(" ".join(words[:2]))
    program, args = (pair, words[2:]) if pair else (_PROGRAMS.get(words[0]), words[1:])
    return program is not None and program.fits(args, products)


def _unquoted(words: list[str]) -> Iterator[str]:
    for word in words:
        yield shlex.split(word)[0]


def _is_inside(path: str) -> bool:
    parts = path.rstrip("/").split("/")
    hidden = any(part.lower() in _HIDDEN for part in parts)
    is_whole = parts[-1] == "." and len(parts) > 1  # `a/.`: also what is hidden there
    is_relative = _path.fullmatch(path) is not None and parts[0] != ""
    is_option = any(part.startswith("-") for part in parts)  # to whoever gets it from a pattern
    leads_out = hidden or is_whole or is_option
    return is_relative and ".." not in parts and not leads_out
