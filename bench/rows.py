"""Rows of a labelled corpus, as `make score` and `make fuzz` read them.

Each is a line as `holdpoint assess --jsonl` reads it, with `label` and `source`, and perhaps with
`scope` and `primary`. What is none of those is told with its file and line.
"""

import json
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import msgspec

from holdpoint.policy_lab.cases import BadLineError, Line, line_in
from holdpoint.policy_lab.corpus import CorpusError, placed_in

CORE = "core"


class Label(StrEnum):
    """What a person says of a row."""

    DANGEROUS = "dangerous"
    BENIGN = "benign"
    AMBIGUOUS = "ambiguous"


class Labelled(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in a row besides its line."""

    label: Label
    source: str
    scope: str = CORE
    primary: bool = True
    """Of the same text from several sources only one is."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A line, and what is known of it."""

    line: Line
    known: Labelled

    @property
    def body(self) -> str:
        """Its text, or its payload as JSON."""
        return self.line.text or json.dumps(self.line.payload, ensure_ascii=False)


class BadCorpusError(ValueError):
    """A corpus cannot be read; the text says where, and what is wrong."""


def rows_in(corpus: Path) -> Iterator[Row]:
    """Each row of a folder's files, or of one file; raises `BadCorpusError`."""
    try:
        for place, raw in placed_in(corpus):
            yield _row(place, raw)
    except CorpusError as error:
        raise BadCorpusError(error.text) from None


def _row(place: str, raw: bytes) -> Row:
    try:
        return Row(line=line_in(raw), known=_decoder.decode(raw))
    except (BadLineError, msgspec.MsgspecError) as error:
        raise BadCorpusError(f"{place}: {error}") from None


_decoder = msgspec.json.Decoder(Labelled)
