"""Writes `out/glossed.json`: training sentences in other languages, as the product reads them."""

import json
from pathlib import Path

from rows import crossed_rows, written_rows

from holdpoint.core.risk.intents.glossary import in_english
from holdpoint.core.risk.intents.judgement import plain

OUT = Path(__file__).parent / "out" / "glossed.json"


def main() -> None:
    """Gloss what the packaged glossary knows."""
    texts = (row.text for row in (*written_rows(), *crossed_rows()))
    glossed = {text: english for text in texts if (english := in_english(plain(text)))}
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(glossed, ensure_ascii=False), "utf-8")
    print(f"{len(glossed)} sentences read by a glossary")


if __name__ == "__main__":
    main()
