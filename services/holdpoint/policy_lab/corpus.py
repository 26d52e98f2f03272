"""Lines that a command is given: from a file, from standard input, or from a corpus of files."""

import codecs
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

STANDARD_INPUT = Path("-")
BAD_LINE = "bad_line"
"""The code of a line that can be read and not judged."""

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes: no call comes near, and what never ends is not read to its end."""


class CorpusError(Exception):
    """Input that cannot be read: a stable code, and a sentence with the remedy."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class Placed(NamedTuple):
    """A line of a corpus, and where it stands: `file:line`."""

    place: str
    raw: bytes


@contextmanager
def opened(path: Path) -> Iterator[Iterator[bytes]]:
    """The lines in a file; `-` is standard input. Raises `CorpusError` for one without any."""
    if path == STANDARD_INPUT:
        yield _lines(sys.stdin.buffer, path)
        return
    try:
        file = path.open("rb")
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}."
        raise CorpusError("unreadable_file", text) from None
    with file:
        yield _lines(file, path)


def placed_in(corpus: Path) -> Iterator[Placed]:
    """The lines that are not blank, of one file or of every .jsonl file in a folder."""
    files = [corpus] if corpus.is_file() else sorted(corpus.rglob("*.jsonl"))
    if not files:
        text = f"There is no .jsonl in {corpus}: name a folder of .jsonl files, or one of them."
        raise CorpusError("no_corpus", text)
    for path in files:
        with opened(path) as lines:
            for number, raw in enumerate(lines, start=1):
                if raw.strip():
                    yield Placed(f"{path}:{number}", raw)


def _lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    """Each line, the first without the mark of its encoding; raises `CorpusError` for a giant."""
    number = 1
    while raw := file.readline(LONGEST_LINE + 1):
        if len(raw) > LONGEST_LINE:
            text = f"{path}:{number}: the line is longer than {LONGEST_LINE // 1024**2} MiB."
            raise CorpusError("unreadable_file", text)
        yield raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
        number += 1
