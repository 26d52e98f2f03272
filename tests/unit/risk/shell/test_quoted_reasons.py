"""A reason shows a command with the quotes that it needs."""

import pytest

from holdpoint.core.risk.shell.analyzer import _quoted


@pytest.mark.parametrize(
    ("word", "program", "shown"),
    [
        ("*.log", "find", "'*.log'"),
        ("*.log", "rm", "*.log"),
        ("DROP TABLE x", "psql", "'DROP TABLE x'"),
        ("it's all", "echo", "it's all"),
        ("/srv", "find", "/srv"),
    ],
)
def test_a_word_keeps_its_quotes(word: str, program: str, shown: str) -> None:
    assert _quoted(word, program) == shown
