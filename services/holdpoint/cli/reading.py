"""Lines that a command is given: from a file, or from standard input."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from holdpoint.cli.output import CommandError, ExitCode

STANDARD_INPUT = Path("-")


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The lines in a file; `-` is standard input. Raises `CommandError` for one without any."""
    if path == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    try:
        lines = path.open("rb")
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}."
        raise CommandError(ExitCode.USAGE, "unreadable_file", text) from None
    with lines:
        yield lines
