"""Split a text into pipelines of raw words: exactly where plain, leniently where broken.

`plain` serves the common short command and gives up (None) on whatever needs a grammar;
`lenient` reads any text, and takes every sign that may start a command for one that does;
`unescape` reads the backslashes of `$'…'` and `printf`, `closing` finds where a bracket ends.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from string import digits
from typing import Final

import msgspec

from holdpoint.core.risk.knowledge import words

MAX_PIECES = 2500
"""Pieces of a text that are looked at, one by one."""

MAX_TANGLED = 1200
"""The same of a text that is not read as a whole in any case."""

_piece = re.compile(
    r"""[ \t]*(?:
      (?P<redirect>[0-9]*+(?:&>>?|[<>]&-?|>>|>\||>))
    | (?P<word>(?:[^\s'"\\;&|<>()$`{}\#]++ | '[^']*' | "[^"\\$`]*" | \\[^\n] | \{\})+)
    | (?P<sign>&&|\|\||\|&|[;|&\n])
    | (?P<end>\Z)
    | (?P<hard>.)
    )""",
    re.VERBOSE | re.DOTALL,
)
_loose = re.compile(
    r"""(?P<blank>[ \t\r]+|\\\r?\n)
    | (?P<word>[^\s'"\\;&|<>()$`\#\ue000]+ | '[^']*' | "(?:[^"\\]|\\.)*" | \$'(?:[^'\\]|\\.)*'
        | \$\{[^}\n]{0,200}\} | \$\w+ | \\. | \$ )
    | (?P<redirect>&>>?|<<<|<<-?|<&|>&|<>|>>|>\||[<>])
    | (?P<pipe>\|&?(?!\|))
    | (?P<lone>['"\\\ue000])
    | (?P<sign>&&|\|\||;;|[;&()`\n\#])
    """,
    re.VERBOSE | re.DOTALL,
)
KEYWORDS = words("words/shell-flow:keywords")
"""Words that a grammar must read when they stand where a command does."""

ASIDE = KEYWORDS | {"unset", "unsetenv", "["}
"""What the grammar takes for no command: a value may be unset on a way that is not taken."""


class RawCommand(msgspec.Struct):
    """Words as they are written, with their quotes."""

    words: list[str]
    redirects: list[tuple[str, str]]
    start: int
    end: int
    joined: str = ""
    """`&&` or `||` in front of its pipeline; also `||` where it runs aside, or perhaps."""


Pipeline = list[RawCommand]


def plain(text: str, hard: frozenset[str]) -> list[Pipeline] | None:
    """The pipelines of a text without expansions, groups, here-documents.

    `hard` are first words that a grammar must read.
    """
    reader = _Plain(hard)
    for match in _piece.finditer(text):
        kind = match.lastgroup or ""
        if kind == "word":
            reader.word(match[kind], match.start(kind), match.end())
        elif kind == "redirect":
            reader.redirect(match[kind], match.start(kind))
        elif kind == "hard" or not reader.close(match[kind]):
            return None
    return reader.pipelines


def _joins(sign: str, pipeline: Pipeline) -> str:
    """How the pipeline behind this sign is joined to the one before, which `&` sends away."""
    if sign == "&" and pipeline:
        pipeline[0].joined = "||"
    return sign if sign in _IF else ""


_IF = frozenset({"&&", "||"})


class _Plain:
    """What was read so far."""

    def __init__(self, hard: frozenset[str]) -> None:
        self.hard = hard
        self.pipelines: list[Pipeline] = []
        self.pipeline: Pipeline = []
        self.command = RawCommand([], [], -1, -1)
        self.sign = ""
        self.joined = ""

    def word(self, piece: str, start: int, end: int) -> None:
        """A word: for the redirection that waits for it, or for the command."""
        command = self.command
        if command.start < 0:
            command.start = start
        command.end = end
        if self.sign:
            self.sign = _put(command, piece, self.sign)
        else:
            command.words.append(piece)

    def redirect(self, sign: str, start: int) -> None:
        """A redirection; digits that touch it are its descriptor."""
        self.sign = sign.lstrip(digits)
        if self.command.start < 0:
            self.command.start = start
        if len(sign) > len(self.sign):
            self.command.end = start + len(sign) - len(self.sign)

    def close(self, sign: str) -> bool:
        """The end of a command; false when a grammar must read it."""
        command = self.command
        if command.words and (command.words[0] in self.hard or "=" in command.words[0]):
            return False
        goes_on = self.sign or (not command.words and (self.pipeline or self.joined))
        if sign == "\n" and goes_on:
            return False
        command.joined = self.joined
        if command.words or command.redirects:
            self.pipeline.append(command)
        self.command = RawCommand([], [], -1, -1)
        if sign not in _PIPES:
            self.joined = _joins(sign, self.pipeline)
            self.pipelines.append(self.pipeline)
            self.pipeline = []
        return True


_PIPES = frozenset({"|", "|&"})


def _put(command: RawCommand, word: str, sign: str) -> str:
    if sign:
        command.redirects.append((sign, word))
    else:
        command.words.append(word)
    return ""


def lenient(text: str, most: int) -> tuple[list[Pipeline], bool]:
    """The pipelines of any text: whatever may be a command is taken for one.

    And whether they are all of it: of `most` pieces.
    """
    pipelines: list[Pipeline] = [[]]
    command = RawCommand([], [], -1, -1, joined="||")
    joined = False
    sign = ""
    pieces = _pieces(text)
    for kind, piece, start, end in islice(pieces, most):
        if kind == "word":
            command.start = start if command.start < 0 else command.start
            command.end = end
            if joined and not sign and command.words:
                command.words[-1] += piece
            else:
                sign = _put(command, piece, sign)
        elif kind == "redirect":
            sign = piece
        elif kind in {"pipe", "sign"}:
            _finish(command, pipelines)
            command = RawCommand([], [], -1, -1, joined="||")
            if kind == "sign":
                pipelines.append([])
        joined = kind == "word"
    _finish(command, pipelines)
    return [pipeline for pipeline in pipelines if pipeline], next(pieces, None) is None


def _pieces(text: str) -> Iterator[tuple[str, str, int, int]]:
    for match in _loose.finditer(text):
        yield match.lastgroup or "", match[0], match.start(), match.end()


def _finish(command: RawCommand, pipelines: list[Pipeline]) -> None:
    while command.words and command.words[0] in KEYWORDS:
        del command.words[0]
    if command.words or command.redirects:
        pipelines[-1].append(command)


_escape = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(0?[0-7]{1,3})|c(.)|(.))",
    re.DOTALL,
)
_LETTERS: Final = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
    "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_CONTROL = 31
_HALVES = range(0xD800, 0xE000)
"""Halves of characters, which are none by themselves."""

_LAST = 0x10FFFF


def unescape(text: str) -> str:
    """Return what `$'…'`, `printf` and `echo -e` make of backslashes."""
    if "\\" not in text:
        return text
    said = _escape.sub(_unescaped, text)
    return said if said.isascii() else _of_bytes(said)


def _of_bytes(text: str) -> str:
    """The characters whose bytes were spelled one by one, where they all were."""
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


def _unescaped(match: re.Match[str]) -> str:
    two, four, eight, octal, control, letter = match.groups()
    code = two or four or eight
    if code:
        number = int(code, 16)
        return chr(number) if number <= _LAST and number not in _HALVES else ""
    if octal:
        return chr(int(octal, 8) & 0xFF)
    if control:
        return chr(ord(control) & _CONTROL)
    return _LETTERS.get(letter, match[0])


MAX_LISTED = 256
"""Words that lists in braces may become."""

MAX_BRACED = 2048
"""Characters of a word whose lists in braces are written out."""

A_WORD = 32
"""Characters as which each word counts that a list becomes: a long one."""


def closing(raw: str, at: int) -> int:
    """Return where the bracket that opens here is closed; the end of the text when it is not."""
    opening = raw[at]
    depth = cases = 0
    for found in _CLOSING[opening].finditer(raw, at):
        sign = found[0]
        if sign == opening:
            depth += 1
        elif len(sign) == 1 and not (cases > 0 and sign == ")"):
            depth -= 1
            if not depth:
                return found.start()
        elif sign in _CASES:
            cases += _CASES[sign]
    return len(raw)


_CLOSING = {
    "(": re.compile(r"\\.|'[^']*(?:'|\Z)|(?<=[\s;&|(])#[^\n]*\n|[()]|case |esac", re.DOTALL),
    "{": re.compile(r"\\.|'[^']*(?:'|\Z)|[{}]", re.DOTALL),
    "[": re.compile(r"\\.|[\[\]]", re.DOTALL),
}
"""What tells where a bracket ends: `case … in x) …` has brackets that only close a pattern."""

_CASES = {"case ": 1, "esac": -1}


def closing_quote(raw: str, at: int, quote: str = '"') -> int:
    """Return where a quoted text ends; quotes in `$(…)`, and double ones in `${…}`, are its own."""
    if quote == '"' and "${" in raw:
        end = _closing(raw, at, quote, '"')
        if end < len(raw):
            return end
    return _closing(raw, at, quote, "")


def _past(raw: str, at: int, quote: str) -> int:
    """Return the end of an escape, or of what is run in double quotes; else the same place."""
    if raw[at] == "\\":
        return at + 1
    if quote == '"' and raw.startswith("$(", at):
        return closing(raw, at + 1)
    return find_sign(raw, "`", at + 1) if quote == '"' and raw[at] == "`" else at


def _closing(raw: str, at: int, quote: str, within: str) -> int:
    """Return where it ends; `within`: the quote that a `${…}` in it may hold."""
    size, ends = len(raw), [quote]
    while at < size:
        sign, after = raw[at], raw[at + 1 : at + 2]
        if sign == ends[-1]:
            ends.pop()
            if not ends:
                return at
        elif (past := _past(raw, at, quote)) > at:
            at = past
        elif sign == "$" and within and after == "{":
            ends.append("}")
        elif sign == within and ends[-1] == "}":
            ends.append(within)
        at += 1
    return size


def find_sign(raw: str, sign: str, at: int) -> int:
    """Return where this sign stands next; the end of the text when it does not."""
    end = raw.find(sign, at)
    return len(raw) if end < 0 else end


def next_match(pattern: re.Pattern[str], raw: str, at: int) -> int:
    """Return where the pattern matches next, behind this place."""
    match = pattern.search(raw, at + 1)
    return match.start() if match else len(raw)


def braces(raw: str, spends: Callable[[str], bool]) -> list[str]:
    """`a{b,c}` as `ab` and `ac`; a word without lists in braces stays as it is.

    `spends` says whether so much more may be written out.
    """
    if "," not in raw or "{" not in raw or len(raw) > MAX_BRACED or not spends(""):
        return [raw]
    words = _written_out(raw)
    return words if len(words) == 1 or spends(" " * A_WORD * len(words)) else [raw]


def _written_out(raw: str) -> list[str]:
    done: list[str] = []
    waiting = [raw]
    while waiting and len(done) + len(waiting) < MAX_LISTED:
        word = waiting.pop(0)
        opened = _opened(word)
        if opened is None:
            done.append(word)
            continue
        start, parts, end = opened
        waiting[:0] = [word[:start] + part + word[end + 1 :] for part in parts]
    return [*done, *waiting]


def _opened(word: str) -> tuple[int, list[str], int] | None:
    """The first list in braces: where it starts, its parts, where it ends."""
    start = quote = -1
    for place, sign in enumerate(word):
        if sign in "'\"" and (quote < 0 or word[quote] == sign):
            quote = -1 if quote >= 0 else place
        elif sign == "(":
            return None
        elif sign == "{" and quote < 0 and word[place - 1 : place] not in {"$", "\\"}:
            start = place
            end = closing(word, start)
            parts = _parts(word[start + 1 : end])
            if len(parts) > 1 and end < len(word):
                return start, parts, end
    return None


def _parts(inside: str) -> list[str]:
    parts, depth = [""], 0
    for sign in inside:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
