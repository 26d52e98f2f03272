"""The same answers on every Python that is promised: 3.11's first releases have faults of theirs.

Before 3.11.7 `re` reads a group that gives nothing back wrongly where its body could go back: it
misses what it matches, or raises. One that repeats a single character is right everywhere.
Source: python/cpython issues 101955 and 106052.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVICES = Path(__file__).parents[2] / "services"

GROUP_THAT_KEEPS = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>")
"""`(?:…)*+`, `(…)?+`, `(?>…)`; not `\\)*+`, which repeats a bracket."""


def texts(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


@pytest.mark.parametrize(
    ("pattern", "keeps"),
    [
        ("(?:a|b)*+", True),
        ("(a)?+", True),
        ("(?:ab){1,3}+", True),
        ("(?>ab?)", True),
        (r"\w*+[ab]++", False),
        (r"\)*+", False),
        ("(?:ab)+", False),
    ],
)
def test_what_keeps_is_known(pattern: str, keeps: bool) -> None:
    assert bool(GROUP_THAT_KEEPS.search(pattern)) is keeps


def test_no_pattern_is_one_that_an_older_python_misreads() -> None:
    found = [
        f"{path.relative_to(SERVICES)}:{line}: {text[:80]}"
        for path in SERVICES.rglob("*.py")
        for line, text in texts(path.read_text())
        if GROUP_THAT_KEEPS.search(text)
    ]
    assert not found
