"""What the engine knows: word lists and tables in the TOML files of `data/`, each read once.

A place is named `file:key`: `words("words/sql:writers")` is the list `writers` of
`data/words/sql.toml`. A name that is not there raises KeyError when the module that asks is
imported, so no list can be missing at run time.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

_DATA = files("holdpoint.core.risk") / "data"


@cache
def data_file(name: str) -> Mapping[str, Any]:
    """Return everything in `data/<name>.toml`."""
    return tomllib.loads((_DATA / f"{name}.toml").read_text("utf-8"))


def entry(place: str) -> Any:
    """Return what stands at `file:key`, as TOML gives it; a dot in the key opens a table."""
    name, _, key = place.partition(":")
    value: Any = data_file(name)
    for part in key.split("."):
        value = value[part]
    return value


def words(place: str) -> frozenset[str]:
    """Return a word list: a text in which white space parts the words."""
    return frozenset(entry(place).split())


def ordered_words(place: str) -> tuple[str, ...]:
    """Return a word list in the order in which it is written."""
    return tuple(entry(place).split())


def phrases(place: str) -> tuple[str, ...]:
    """Return a list whose entries may hold spaces: an array of texts."""
    return tuple(entry(place))


def mapping(place: str) -> Mapping[str, str]:
    """Return a table of texts by text."""
    return dict(entry(place))


def texts_in(folder: str) -> tuple[str, ...]:
    """Return the text of each TOML file in `data/<folder>`, by the order of their names."""
    found = sorted((_DATA / folder).iterdir(), key=lambda file: file.name)
    return tuple(file.read_text("utf-8") for file in found if file.name.endswith(".toml"))


def by_word(place: str) -> Mapping[str, str]:
    """Return a table of texts by each word of its keys: `"npm yarn" = "--dry-run"`."""
    return {word: text for key, text in entry(place).items() for word in key.split()}
