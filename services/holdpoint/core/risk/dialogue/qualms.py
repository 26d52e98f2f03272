"""Words of doubt in an agent's own mouth: what it says of a step that it has not announced yet.

Each line is a pattern of RE2 that begins and ends with a word; one that is too long goes on in
lines that are set in. `<sure>` and the like stand for the words below.
"""

from collections.abc import Mapping

import re2


def any_of(lines: str, stands_for: Mapping[str, str], begins: str = "") -> str:
    """All these lines as one pattern."""
    whole = re2.sub(r"\n    ", "", lines).splitlines()
    every = [line for line in whole if line and line[0] != "#"]
    pattern = rf"{begins}\b(?:{'|'.join(every)})\b"
    for name, words in stands_for.items():
        pattern = pattern.replace(name, words)
    return pattern
