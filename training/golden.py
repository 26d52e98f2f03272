"""Writes the golden scores of 200 sentences, which a test holds the model against."""

import json
from pathlib import Path

from rows import split, written_rows

from holdpoint.core.risk import heard

GOLDEN = Path(__file__).parents[1] / "tests" / "unit" / "risk" / "intents" / "golden_scores.jsonl"
COUNT = 200


def main() -> None:
    """Take every few of the held-back rows."""
    _, held = split(written_rows())
    picked = held[:: len(held) // COUNT][:COUNT]
    told = [(row.text, heard(row.text)) for row in picked]
    lines = (
        json.dumps({"text": text, "score": round(found.score, 4)}, ensure_ascii=False)
        for text, found in told
        if found is not None
    )
    GOLDEN.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
