"""docs/conformance.md, made from the suite: `python -m tests.conformance.table`."""

from pathlib import Path
from typing import Any

from tests.conformance.adapters import ADAPTERS

ROWS = {
    "N1": "killed while it waits, nothing runs",
    "N2": "a stale answer approves nothing newer",
    "N3": "what was declined never runs",
    "N4": "nothing that a caller or client claims is a yes",
    "N5": "a yes is for what people saw",
    "N6": "what waits outlives restarts of broker and gate",
    "N7": "silence is not told as a no",
    "N8": "a yes after the client's wait runs it, once",
    "N14": "a call cannot draw its own card",
    "N15": "a tool that was swapped after the yes does not run",
}

HEAD = """\
# Conformance

Written by `python -m tests.conformance.table` from the suite in `tests/conformance`; a test
compares. `yes` is a test of `test_never_list.py` that runs against the real system. What an adapter
cannot hold, or another test shows, stands below. [adapters.md](adapters.md) explains the grades.

"""


def text() -> str:
    """Return the whole page."""
    kinds: list[Any] = list(ADAPTERS)
    lines = [
        "| never | " + " | ".join(it.name for it in kinds) + " |",
        "|---" * (len(kinds) + 1) + "|",
        "| grade | " + " | ".join(it.grade for it in kinds) + " |",
    ]
    notes: list[str] = []
    for number, what in ROWS.items():
        cells = [_cell(it, number, notes) for it in kinds]
        lines.append(f"| {number}: {what} | " + " | ".join(cells) + " |")
    told = [f"{index}. {note}" for index, note in enumerate(notes, 1)]
    return HEAD + "\n".join(lines) + "\n\n" + "\n".join(told) + "\n"


def _cell(kind: Any, number: str, notes: list[str]) -> str:
    note = kind.elsewhere.get(number, "")
    if not note:
        return "yes"
    notes.append(f"{kind.name}, {number}: {note}.")
    return f"see {len(notes)}"


if __name__ == "__main__":
    page = Path(__file__).parents[2] / "docs" / "conformance.md"
    page.write_text(text())
