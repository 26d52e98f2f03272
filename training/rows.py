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


CHOSEN_BY = "crossed-3"
"""The writer whose rows, with those held back, the thresholds are chosen by."""

UNSEEN_WRITER = "crossed-9"
"""The writer whose rows nothing is trained on or chosen by: they tell how others are read."""

LATEST = ("crossed-15", "crossed-16")
"""The writers of whom a fifth is measured on, and chosen by no more than those of the unseen."""

FIFTH = 5
CORPUS = Path(__file__).parents[1] / "tests" / "corpus"
OWN = ("dialogue", "spoken")
"""Sentences of the product's tests, which were first written for rules."""

OWN_FILES = tuple(CORPUS / f"{name}.jsonl" for name in OWN)


class Row(NamedTuple):
    """One sentence."""

    text: str
    dangerous: bool
    source: str
    language: str = ""
    """As `en`; empty where nobody noted it."""


def written_rows() -> list[Row]:
    """Return the sentences of the first writers, in the order in which they stand in files."""
    return _rows("written-*.jsonl")


def crossed_rows() -> list[Row]:
    """Return sentences in which form and label are crossed, without what is held out."""
    apart = {CHOSEN_BY, UNSEEN_WRITER, *LATEST}
    rows = [row for row in _rows("crossed-*.jsonl") if row.source not in apart]
    return [*rows, *(row for writer in LATEST for row in split(rows_of(writer), FIFTH)[0])]


def own_rows(name: str) -> tuple[list[Row], list[Row]]:
    """Return the sentences of a file of the tests: trained on, and a fifth of each family."""
    lines = (CORPUS / f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = sorted(map(json.loads, lines), key=lambda row: str(row["family"]))
    told = [Row(row["text"], row["expect"] == "asks", name, "en") for row in rows]
    held = told[FIFTH // 2 :: FIFTH]
    return [row for at, row in enumerate(told) if at % FIFTH != FIFTH // 2], held


def rows_of(writer: str) -> list[Row]:
    """Return the sentences of one writer."""
    return _rows(f"{writer}.jsonl")


def english(rows: list[Row]) -> list[Row]:
    """Return those in English."""
    return [row for row in rows if row.language == "en"]


def _rows(names: str) -> list[Row]:
    return [
        Row(row["text"], row["label"] == "dangerous", file.stem, row.get("lang", ""))
        for file in sorted(DATA.glob(names))
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


def split(rows: list[Row], every: int = EVERY) -> tuple[list[Row], list[Row]]:
    """Return what is trained on and what is held back, by blocks of neighbours."""
    kept: list[Row] = []
    held: list[Row] = []
    for at in range(0, len(rows), BLOCK):
        block = rows[at : at + BLOCK]
        (held if at // BLOCK % every == every // 2 else kept).extend(block)
    return kept, held
