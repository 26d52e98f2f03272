import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import holdpoint.core.risk
from holdpoint.core.risk.knowledge import entry, words

RISK = Path(holdpoint.core.risk.__file__).parent
DATA = RISK / "data"
FILES = sorted(DATA.rglob("*.toml"))


def _word_lists(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _word_lists(value, f"{before}{key}.")
        elif isinstance(value, str):
            yield f"{before}{key}", value


def _places(table: dict[str, Any], before: str = "") -> Iterator[str]:
    """Every list and text, by its keys with dots between them."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _places(value, f"{before}{key}.")
        else:
            yield f"{before}{key}"


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(DATA)))
def test_no_word_stands_twice_in_one_list(file: Path) -> None:
    if file.parent.name != "words":
        return
    for key, text in _word_lists(tomllib.loads(file.read_text("utf-8"))):
        listed = text.split()
        twice = {word for word in listed if listed.count(word) > 1}
        assert not twice, f"{file.name}: {key}"


def test_every_list_of_words_and_patterns_is_read() -> None:
    code = "\n".join(
        path.read_text("utf-8") for path in RISK.rglob("*.py") if path.name != "knowledge.py"
    )
    read = set(re.findall(r"""["']((?:words|patterns)/[a-z_-]+:[\w.-]+)["']""", code))
    for file in (DATA / "rules").iterdir():
        read |= set(re.findall(r"words/[a-z_-]+:[\w.-]+", file.read_text("utf-8")))
    rules = (DATA / "sql.toml").read_text("utf-8")
    read |= {f"words/sql:{name}" for name in re.findall(r"\{([a-z_]+)\}", rules)}
    listed = {
        f"{file.parent.name}/{file.stem}:{place}"
        for file in FILES
        if file.parent.name in {"words", "patterns"}
        for place in _places(tomllib.loads(file.read_text("utf-8")))
    }
    tables = tuple(f"{place}." for place in read)
    assert {place for place in listed - read if not place.startswith(tables)} == set()
    assert {
        place for place in read - listed if not any(one.startswith(f"{place}.") for one in listed)
    } == set()


def test_a_list_that_is_not_there_is_refused_by_its_name() -> None:
    with pytest.raises(KeyError, match="no_such_list"):
        words("words/english:no_such_list")


def test_a_place_names_a_file_and_a_key() -> None:
    assert entry("words/english:articles").split()[:3] == ["the", "a", "an"]


MOST_WORDS = 10
FROZEN = RISK / "dialogue"
"""Rules of sentences stay as they are until a learned reader takes their place."""

GRAMMAR = {"intents/plain_text.py", "sql/tokens.py", "shell/lexer.py"}
"""Lexers: the signs and names of a language's grammar are no knowledge."""


def _text_of(node: ast.AST) -> str | None:
    """Return a text as it is written; what an f-string puts in is a blank."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text_of(part) or " " for part in node.values)
    return None


def _longest_choice(pattern: str) -> int:
    """Return how many words stand beside each other between the strokes of one bracket."""
    plain = re.sub(r"\\.|\[\]?[^\]]*\]|\(\?[a-zA-Z]+\)", " ", pattern)
    plain = re.sub(r"\(\?(?:[a-zA-Z]*:|<?[=!]|P?<\w+>)", "(", plain)
    most = 0
    while inner := re.search(r"\(([^()]*)\)", plain):
        most = max(most, _words_between_strokes(inner[1]))
        plain = plain.replace(inner[0], " ", 1)
    return max(most, _words_between_strokes(plain))


def _words_between_strokes(choice: str) -> int:
    return sum(re.search("[A-Za-z]{2}", one) is not None for one in choice.split("|"))


def _listed_in(code: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each list of words, and the list."""
    for node in ast.walk(ast.parse(code)):
        text, most = _text_of(node) or "", 0
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "word_set":
            text = _text_of(node.args[0]) or ""
            most = len(text.split())
        elif isinstance(node, ast.Set | ast.Tuple | ast.List):
            held = [said for one in node.elts if (said := _text_of(one)) and said[:1].isalpha()]
            text, most = " ".join(held), len(held)
        elif text:
            most = _longest_choice(text)
        if most > MOST_WORDS and isinstance(node, ast.expr):
            yield node.lineno, text


def test_python_holds_no_word_list() -> None:
    """More than ten words are knowledge, and stand in a file of data."""
    listed = [
        (str(path.relative_to(RISK)), line, text)
        for path in RISK.rglob("*.py")
        if FROZEN not in path.parents and str(path.relative_to(RISK)) not in GRAMMAR
        for line, text in _listed_in(path.read_text("utf-8"))
    ]
    assert listed == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('word_set("a b c d e f g h i j")', False),
        ('word_set("a b c d e f g h i j k")', True),
        (f"x = {[f'w{n}' for n in range(11)]}", True),
        (f"x = r'(?:{'|'.join(f'aa{n}' for n in range(11))})'", True),
        ("x = r'(?:aa|bb|cc|dd|ee|ff)-(?:gg|hh|ii|jj|kk|ll)'", False),
    ],
)
def test_a_word_list_in_python_is_seen(code: str, *, found: bool) -> None:
    assert bool(list(_listed_in(code))) is found
