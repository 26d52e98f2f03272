"""The person at the keyboard: `/dev/tty` and nothing else.

Standard input, arguments and environment may be an agent's; the controlling terminal is where a
person types. Without one, or from the background, nothing is asked and nothing is done.
"""

import contextlib
import os
import signal
import termios
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from holdpoint.cli.output import WIDEST, CommandError, ExitCode

TTY = "/dev/tty"
LONGEST_LINE = 4096
"""Bytes: what a terminal hands over at once."""

PAGE_MARGIN = 2
"""Lines of the screen that a page leaves free: for its question, or for the password and a code."""

STOPS = frozenset({b"q", b"quit", b"n", b"no"})
SECOND_SCREEN, FIRST_SCREEN = b"\x1b[?1049h\x1b[H", b"\x1b[?1049l"
LOCAL_MODES = 3
"""Where `termios` keeps the flag for echo."""


class NoTerminalError(CommandError):
    """Nobody can be asked: there is no terminal."""

    def __init__(self, why: str) -> None:
        text = (
            f"A person has to type their password here, and {why}. "
            "Run this command in a terminal, in the foreground. Nothing was done."
        )
        super().__init__(ExitCode.NO_TERMINAL, "no_terminal", text)


@dataclass(frozen=True, kw_only=True)
class Terminal:
    """The controlling terminal, open for one dialog."""

    handle: int
    console: Console

    @property
    def width(self) -> int:
        """Return how many columns a line may have."""
        return min(os.get_terminal_size(self.handle).columns or self.console.width, WIDEST)

    @property
    def height(self) -> int:
        """Return how many lines stand on the screen at once."""
        return os.get_terminal_size(self.handle).lines or self.console.height

    def show(self, lines: Iterable[Text]) -> None:
        """Print for the person who is asked, wherever standard output goes."""
        for line in lines:
            self.console.print(line, soft_wrap=True)

    def show_pages(self, lines: Iterable[Text]) -> None:
        """Print what fits on the screen above a question; a key shows the next page."""
        first, *others = pages(list(lines), max(self.height - PAGE_MARGIN, 1))
        self.show(first)
        for at, page in enumerate(others):
            self._turn(sum(map(len, others[at:])))
            self.show(page)

    def _turn(self, left: int) -> None:
        more = "1 more line" if left == 1 else f"{left} more lines"
        said = self.line(f"… {more}. Enter shows them, q stops: ")
        if said.strip().lower() in STOPS or not said.endswith(b"\n"):
            raise CommandError(ExitCode.FAILED, "aborted", "Stopped. Nothing was done.")

    def line(self, prompt: str) -> bytes:
        """A line typed after this question; what was typed before it does not count."""
        with _interruptible():
            termios.tcflush(self.handle, termios.TCIFLUSH)
            os.write(self.handle, prompt.encode())
            return os.read(self.handle, LONGEST_LINE)

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Show what comes on a second screen, which is gone afterwards: no scrolling finds it."""
        os.write(self.handle, SECOND_SCREEN)
        try:
            yield
        finally:
            os.write(self.handle, FIRST_SCREEN)

    def code(self, prompt: str) -> str:
        """Ask for a one-time code; the gaps that an app shows in it are left out."""
        return "".join(self.secret(prompt, "code").split())

    def secret(self, prompt: str, kind: str = "password") -> str:
        """Ask for what nobody else may see; what was typed before the question is thrown away."""
        with _interruptible(), _without_echo(self.handle):
            os.write(self.handle, prompt.encode())
            line = os.read(self.handle, LONGEST_LINE)
        self.console.print()
        if not line.endswith(b"\n") or not line.strip():
            raise CommandError(
                ExitCode.PASSWORD, f"no_{kind}", f"No {kind} was given. Nothing was done."
            )
        return _text(line.rstrip(b"\r\n"))


def pages(lines: list[Text], height: int) -> list[list[Text]]:
    """Return the lines of each page; one that is empty where there is nothing."""
    return [lines[at : at + height] for at in range(0, len(lines), height)] or [[]]


@contextlib.contextmanager
def opened() -> Iterator[Terminal]:
    """Open the terminal, or raise NoTerminalError."""
    try:
        handle = os.open(TTY, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        raise NoTerminalError("there is no terminal") from None
    with os.fdopen(handle, "wb", buffering=0) as raw, os.fdopen(os.dup(handle), "w") as out:
        if os.tcgetpgrp(raw.fileno()) != os.getpgrp():
            raise NoTerminalError("this process runs in the background")
        console = Console(file=out, markup=False, highlight=False, emoji=False)
        yield Terminal(handle=raw.fileno(), console=console)


@contextlib.contextmanager
def _without_echo(handle: int) -> Iterator[None]:
    """No echo, and an empty queue before and after: nothing typed ahead is taken as the answer."""
    before = termios.tcgetattr(handle)
    silent = before.copy()
    silent[LOCAL_MODES] = silent[LOCAL_MODES] & ~termios.ECHO | termios.ICANON
    termios.tcsetattr(handle, termios.TCSAFLUSH, silent)
    try:
        yield
    finally:
        termios.tcsetattr(handle, termios.TCSAFLUSH, before)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C ends the question, also where an event loop has taken the signal for itself."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise CommandError(
            ExitCode.PASSWORD, "bad_password", "That was not text in UTF-8. Nothing was done."
        ) from None
