"""Writes `out/as_read.json`: each training row's sentences, as the product gives them the model."""

import argparse
import json
from pathlib import Path

from rows import OWN, crossed_rows, own_rows, public_rows, written_rows

from holdpoint.core.risk.intents.judgement import as_read
from holdpoint.core.risk.intents.plain_text import sentences

OUT = Path(__file__).parent / "out" / "as_read.json"


def main() -> None:
    """Read every row that is trained on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="labelled rows outside of the project")
    corpus = parser.parse_args().corpus
    own = [row for name in OWN for row in own_rows(name)[0]]
    rows = [*written_rows(), *crossed_rows(), *own, *(public_rows(corpus) if corpus else ())]
    read = {row.text: as_read(row.text) for row in rows}
    told = {text: [one, sentences(one)] for text, one in read.items()}
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(told, ensure_ascii=False), "utf-8")
    print(f"{len(told)} rows read")


if __name__ == "__main__":
    main()
