"""Labelled sentences: those written for this project, and public ones whose licences allow it."""

import json
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"
PUBLIC = ("tau-dialogue", "toolemu-thoughts")
"""MIT and Apache-2.0. Others are only measured on."""

BLOCK = 20
"""Neighbouring lines that stay together: minimal pairs stand beside each other."""

EVERY = 10
"""One block in so many is held back, to choose the thresholds by."""


class Row(NamedTuple):
    """One sentence."""

    text: str
    dangerous: bool
    source: str


def written_rows() -> list[Row]:
    """Return the project's own sentences, in the order in which they stand in their files."""
    return [
        Row(row["text"], row["label"] == "dangerous", file.stem)
        for file in sorted(DATA.glob("*.jsonl"))
        for row in map(json.loads, file.read_text("utf-8").splitlines())
    ]


def public_rows(corpus: Path, sources: tuple[str, ...] = PUBLIC) -> list[Row]:
    """Return the sentences of a corpus whose label is sure."""
    return [
        Row(row["text"], row["label"] == "dangerous", source)
        for source in sources
        for row in map(json.loads, (corpus / f"{source}.jsonl").read_text("utf-8").splitlines())
        if row["kind"] == "dialogue" and row["scope"] == "core"
        if row["primary"] and row["label"] in {"dangerous", "benign"}
    ]


def split(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """Return what is trained on and what is held back, by blocks of neighbours."""
    kept: list[Row] = []
    held: list[Row] = []
    for at in range(0, len(rows), BLOCK):
        block = rows[at : at + BLOCK]
        (held if at // BLOCK % EVERY == EVERY // 2 else kept).extend(block)
    return kept, held
