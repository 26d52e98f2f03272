"""Commands that are known to change nothing: what a proof that a text only reads rests on."""

from collections.abc import Mapping
from itertools import zip_longest

import re2

from holdpoint.core.risk.knowledge import by_word, entry, words
from holdpoint.core.risk.shell.code.analyzer import only_says
from holdpoint.core.risk.shell.command_rules import KNOWN_HARMLESS
from holdpoint.core.risk.shell.command_verbs import DESTROYS, MAKES, READS, is_wiped, subcommands
from holdpoint.core.risk.shell.filesystem_commands import FILE_PROGRAMS
from holdpoint.core.risk.shell.interpreters import LANGUAGES, SHELLS
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.words import word_set

_WRITES = frozenset({">", ">|", "&>", ">&", ">>", "&>>"})


def only_reads(command: Command) -> bool:
    """Return whether this command is known to change nothing."""
    written = (one.target for one in command.redirects if one.sign in _WRITES)
    if command.redirects and not all(map(_harmless, written)):
        return False
    if _lies_elsewhere(command.path) or command.name in CHANGES or _writes(command):
        return False
    if command.name in KNOWN_HARMLESS or command.name in _READERS:
        return True
    if command.name in {"find", "gfind"}:
        return not any(arg in _FIND_ACTS or arg.startswith("-fprint") for arg in command.args)
    if command.name in _EDITORS:
        return not any(map(_edits, command.args))
    named = command.name.lower().partition("-")[0]
    asks = command.name not in _WORK_ON_WORDS and named not in DESTROYS and _asks(command.args)
    return (asks and not command.many) or _speaks(command)


def _writes(command: Command) -> bool:
    """Return whether a program that otherwise only reads is told to write or to set something."""
    names = _WRITERS.get(command.name, "")
    if not names:
        return False
    options = read_options(command.args, word_set(names))
    return (
        options.has(names) or _has_more(command.name, options) or options.word(0).startswith("set-")
    )


def _has_more(name: str, options: Options) -> bool:
    """Return whether it has more words than leave everything as it is."""
    return len(options.words) > _MOST_WORDS.get(name, len(options.words))


_WRITERS = by_word("words/shell:reading.writing_options")
_MOST_WORDS: Mapping[str, int] = entry("words/shell:reading.most_words")


def _lies_elsewhere(path: str) -> bool:
    """Return whether a program is named by a place where anybody may put one: `./ls`."""
    return "\\" in path or ("/" in path and path.rpartition("/")[0] not in _INSTALLED)


_INSTALLED = word_set(
    "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /snap/bin /opt/homebrew/bin"
)
_WORK_ON_WORDS = (
    FILE_PROGRAMS.union(SHELLS, LANGUAGES) - word_set("bun deno swift crystal")
) | words("words/shell:reading.programs_of_files")


def _asks(args: tuple[str, ...]) -> bool:
    """Return whether its first verb reads: `get pods`, and neither `run list` nor `test`."""
    words = subcommands(args)[:3]
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        head = word.lower().partition("-")[0]
        if head in _DOES or is_wiped(head, following.lower()):
            return False
        if head in READS:
            return True
    return False


_DOES = MAKES | DESTROYS | words("words/shell:reading.more_doing_words")
_EDITORS = word_set("sed gsed awk gawk")
_edit = re2.compile(
    r"^-i|^--in-place|system|getline|\|\s*\"|(?:^|[\s;{}/\d$])[wW]\s+\S|\bprintf?\b[^;}\n]*>"
)


def _edits(arg: str) -> bool:
    """Return whether a script of sed or awk writes a file, or runs a program."""
    return _edit.search(arg) is not None


def _speaks(command: Command) -> bool:
    """Return whether it is an interpreter, and its code does nothing but print."""
    options = _SPEAKERS.get(command.name, ())
    args, flow = command.args, command.stdin
    if options and args in _BY_INPUT and flow is not None and flow.text is not None:
        return only_says(flow.text)
    return len(args) == len(("-c", "code")) and args[0] in options and only_says(args[1])


_BY_INPUT = ((), ("-",))
"""The arguments of an interpreter that reads its input."""

_SPEAKERS = {
    **dict.fromkeys(("python", "python3"), ("-c",)), "ruby": ("-e",), "perl": ("-e", "-E"),
    "node": ("-e", "-p"), "php": ("-r",), "lua": ("-e",),
}  # fmt: skip
"""Languages, and the options before a code that may do nothing but print."""


def _harmless(target: str) -> bool:
    return target in {"/dev/null", "/dev/stdout", "/dev/stderr", "1", "2", "-"}


_FIND_ACTS = word_set("-exec -execdir -ok -okdir -delete -fls")
_READERS = words("words/shell:reading.more_readers")
CHANGES = words("words/shell:reading.building_programs")
READS_ONLY = frozenset(
    name for name in KNOWN_HARMLESS - CHANGES - frozenset(_WRITERS) if "-" not in name
)
"""Programs that change nothing whatever stands behind them."""
