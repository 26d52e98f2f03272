"""The one place that prints: rich for people, JSON for programs, and how a command ends.

Whatever came over the bus is folded by our own hand: written out where it hides, never read as
markup, and never at the start of a line, so that an agent's text cannot look like ours.
"""

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import groupby
from pathlib import Path
from typing import NoReturn, cast

import msgspec
import typer
from rich.console import Console
from rich.text import Text

from holdpoint.client.outcome import RefusedError
from holdpoint.console.text_segments import numbered
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.messages.envelope import UNKNOWN_HOLD
from holdpoint.policy_lab.corpus import BAD_LINE, CorpusError
from holdpoint.runtime.errors import (
    HoldpointError,
    SetupError,
    UnavailableError,
    UnknownOutcomeError,
)

WIDEST = 100
"""Columns: longer lines are hard to read."""

NARROWEST = 20
TAB = 4


class ExitCode(IntEnum):
    """Exit code of a command: the same number means the same in every command."""

    OK = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 3
    SETUP = 4
    PASSWORD = 5
    NO_TERMINAL = 6
    NOT_FOUND = 7
    UNDECIDED = 8
    INTERRUPTED = 130


MEANINGS: Mapping[ExitCode, str] = {
    ExitCode.OK: "It was done.",
    ExitCode.FAILED: "It was refused, it failed, or a check found a problem.",
    ExitCode.USAGE: "The command was typed wrongly.",
    ExitCode.UNREACHABLE: "The broker or the gate cannot be reached, or nothing runs.",
    ExitCode.SETUP: "Something is missing or wrong in the set-up; the text says what.",
    ExitCode.PASSWORD: "The password is wrong, or none was given.",
    ExitCode.NO_TERMINAL: "A person has to type something, and there is no terminal.",
    ExitCode.NOT_FOUND: "There is no such hold, card, key, person or agent, or more than one fits.",
    ExitCode.UNDECIDED: "Nobody knows yet: it waits for people, runs, or got no answer.",
    ExitCode.INTERRUPTED: "Ctrl-C.",
}


"""The gate's word for an id that names no hold of the asker's."""


class CommandError(Exception):
    """The command ends here: its exit code, a stable word, and a sentence with what to do."""

    def __init__(self, exit_code: ExitCode, code: str, text: str) -> None:
        super().__init__(text)
        self.exit_code = exit_code
        self.code = code
        self.text = text


class _Error(msgspec.Struct, frozen=True, kw_only=True):
    code: str
    text: str


def run(app: typer.Typer, arguments: Sequence[str]) -> NoReturn:
    """Run the command line: what went wrong is told once, here, and decides the exit code."""
    as_json = "--json" in arguments
    try:
        try:
            code = _ended(app, arguments, as_json=as_json)
        finally:
            if sys.stdout is not None:  # closed by the parent process
                sys.stdout.flush()  # a full disk is heard of here, while it can be told
    except OSError as error:
        code = _cut_off(error, as_json=as_json)
    sys.exit(code or ExitCode.OK)


def _ended(app: typer.Typer, arguments: Sequence[str], *, as_json: bool) -> int | None:
    try:
        return cast("int | None", app(list(arguments), standalone_mode=not as_json))
    except (
        CommandError,
        CorpusError,
        HoldpointError,
        typer.TyperException,
        typer.Abort,
    ) as error:
        return _told(_described(error), as_json=as_json)


def _cut_off(error: OSError, *, as_json: bool) -> ExitCode:
    """Say what cannot be written, our output or a file; anything else nobody could foresee.

    What still waits to be written is let go, or the interpreter would complain of it at its end.
    """
    if error.errno in _NO_PLACE and error.filename is not None:
        folder = Path(error.filename).absolute().parent
        text = f"{error.filename}: {error.strerror}."
        if not folder.exists():  # a draft's own name would say nothing
            text = f"There is no folder {folder}. Make it, or name another file."
        return _told((ExitCode.FAILED, "unusable_file", text), as_json=as_json)
    if error.errno not in _UNWRITABLE:
        raise error
    if error.filename is not None:
        text = f"{error.filename} cannot be written: {error.strerror}. Make room, then try again."
        return _told((ExitCode.FAILED, "unwritable_file", text), as_json=as_json)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:  # nobody reads on: there is nobody to tell
        return ExitCode.FAILED
    text = f"The output cannot be written: {error.strerror}. Make room, or send it elsewhere."
    return _told((ExitCode.FAILED, "unwritable_output", text), as_json=as_json)


_NO_PLACE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EROFS})
"""A file that a command was to read or write, in a folder that is not there or not ours."""

_UNWRITABLE = frozenset({errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def show(what: Text | Iterable[Text]) -> None:
    """Print for people on standard output."""
    for line in [what] if isinstance(what, Text) else what:
        console().print(line, soft_wrap=True)


def say(text: str) -> None:
    """Print a sentence of ours, with whatever stands in it made harmless."""
    show(Text("\n").join(Text(line) for line in folded(text, news_width())))


def document(text: str) -> None:
    """Print a document of ours as it is, such as a picture."""
    sys.stdout.write(text)
    sys.stdout.flush()


def emit(*documents: object) -> None:
    """Print for programs: each document is one line of JSON on standard output, at once."""
    for document in documents:
        sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
    sys.stdout.flush()


def warn(text: str) -> None:
    """Print a sentence beside the result, on standard error."""
    _console(sys.stderr).print(Text(visible(text)), soft_wrap=True)


def console() -> Console:
    """Standard output as it is now: nothing is read as markup."""
    return _console(sys.stdout)


def width() -> int:
    """Return how many columns a line may have."""
    return min(console().width, WIDEST)


def news_width() -> int:
    """Return the same for news and sentences, which stand whole where no terminal cuts them off."""
    return width() if console().is_terminal or "COLUMNS" in os.environ else sys.maxsize


def word(text: str) -> str:
    """Somebody else's words for the middle of a line."""
    return one_line(visible(numbered(text)))


def field(label: str, text: str, columns: int, style: str = "") -> Iterator[Text]:
    """A label and somebody else's words beside it; their next lines keep their distance."""
    return behind(Text(f"{label:<{LABEL - 1}} ", style="bold"), text, columns, style)


def behind(head: Text, text: str, columns: int, style: str = "") -> Iterator[Text]:
    """A beginning of ours and somebody else's words behind it; their next lines keep back too.

    Where a long beginning leaves too little room beside it, the words stand below it.
    """
    margin = len(head)
    if columns - margin < COMFORTABLE and margin > INDENT:
        yield head
        head, margin = Text(" " * INDENT), INDENT
    for at, piece in enumerate(closed_up(folded(text, max(columns - margin, NARROWEST)))):
        yield (head if at == 0 else Text(" " * margin)) + Text(piece, style=style)


INDENT = 4
COMFORTABLE = 40
"""Columns in which a sentence can be read."""

MOST_BLANK = 2
"""Blank lines that stand as they are; more would push what follows off the screen."""

LABEL = 14
"""Columns before a field's text."""


def closed_up(pieces: Iterable[str]) -> Iterator[str]:
    """The lines, with each long run of blank ones told in a line: `… 40 blank lines`."""
    for is_blank, run in groupby(pieces, key=lambda piece: not piece.strip()):
        lines = list(run)
        yield from [f"… {len(lines)} blank lines"] if is_blank and lines[MOST_BLANK:] else lines


def folded(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns, whatever a terminal makes of a character."""
    lines = visible(numbered(text)).expandtabs(TAB).split("\n")
    return [piece for line in lines for piece in _pieces(line, max(columns, NARROWEST))]


def _pieces(line: str, columns: int) -> Iterator[str]:
    start = 0
    while len(line) > (end := _end(line, start, columns)):
        yield line[start:end]
        start = end
    yield line[start:]


def _end(line: str, start: int, columns: int) -> int:
    """Return where a piece ends: at a space if there is one, and always further on.

    Any character beyond ASCII may take two columns: a terminal never breaks our lines itself.
    """
    used = 0
    for at in range(start, len(line)):
        used += 1 if line[at].isascii() else 2
        if used > columns:
            space = line.rfind(" ", start + 1, at)
            return space + 1 if space > 0 else at
    return len(line)


def _console(file: object) -> Console:
    return Console(file=file, markup=False, highlight=False, emoji=False)  # type: ignore[arg-type]  # a text stream


def _told(error: tuple[ExitCode, str, str], *, as_json: bool) -> ExitCode:
    exit_code, code, text = error
    if as_json:
        document = msgspec.json.encode({"error": _Error(code=code, text=text)})
        sys.stderr.write(document.decode() + "\n")
    else:
        warn(text)
    return exit_code


def _described(error: Exception) -> tuple[ExitCode, str, str]:
    match error:
        case CommandError():
            return error.exit_code, error.code, error.text
        case RefusedError():
            unknown = error.code == UNKNOWN_HOLD
            exit_code = ExitCode.NOT_FOUND if unknown else ExitCode.FAILED
            return exit_code, error.code, error.text
        case HoldpointError() | CorpusError():
            return *_code_of(error), str(error)
        case typer.Abort():
            return ExitCode.FAILED, "aborted", "Stopped. Nothing was done."
        case typer.TyperException():
            return ExitCode.USAGE, "usage", error.format_message()
        case _:
            raise error


def _code_of(error: HoldpointError | CorpusError) -> tuple[ExitCode, str]:
    match error:
        case CorpusError():
            return ExitCode.FAILED if error.code == BAD_LINE else ExitCode.USAGE, error.code
        case SetupError():
            return ExitCode.SETUP, "setup"
        case UnavailableError():
            return ExitCode.UNREACHABLE, "unreachable"
        case UnknownOutcomeError():
            return ExitCode.UNDECIDED, "unknown_outcome"
        case _:
            return ExitCode.FAILED, "failed"
