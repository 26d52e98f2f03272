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
    groups = (DATA / "rules" / "groups.toml").read_text("utf-8")
    read |= set(re.findall(r"words/[a-z_-]+:[\w.-]+", groups))
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
