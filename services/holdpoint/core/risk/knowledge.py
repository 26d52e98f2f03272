"""What the engine knows: word lists and tables in the TOML files of `data/`, each read once.

A place is named `file:key`: `words("words/sql:writers")` is the list `writers` of
`data/words/sql.toml`. A name that is not there raises KeyError when the module that asks is
imported, so no list can be missing at run time.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any, TypeVar

import msgspec

from holdpoint.messages.command_rules import ToolRules

Row = TypeVar("Row", bound=msgspec.Struct)
_DATA = files("holdpoint.core.risk") / "data"


@cache
def data_file(name: str) -> Mapping[str, Any]:
    """Return everything in `data/<name>.toml`."""
    return _parsed((_DATA / f"{name}.toml").read_text("utf-8"), f"{name}.toml")


def _parsed(text: str, file: str) -> dict[str, Any]:
    """Return a file's tables; a mistake in it is told with the file's name."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise tomllib.TOMLDecodeError(f"data/{file}: {error}") from None


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


class WordSet(frozenset[str]):
    """A field of a row: the words of a text."""

    __slots__ = ()


class Phrase(tuple[str, ...]):
    """A field of a row: the words of a text, in their order."""

    __slots__ = ()


def row_of(kind: type[Row], row: Mapping[str, Any]) -> Row:
    """Return a row of data as a struct of this kind."""
    return msgspec.convert(row, kind, dec_hook=_parted)


def _parted(kind: type[WordSet | Phrase], said: str | list[str]) -> WordSet | Phrase:
    return kind(said.split() if isinstance(said, str) else said)


def listed(text: str) -> frozenset[str]:
    """Return the words of a text; one with a colon stands for the word list of that name."""
    found = text.split()
    return frozenset[str]().union(*(words(one) if ":" in one else (one,) for one in found))


def ordered_words(place: str) -> tuple[str, ...]:
    """Return a word list in the order in which it is written."""
    return tuple(entry(place).split())


def phrases(place: str) -> tuple[str, ...]:
    """Return a list whose entries may hold spaces: an array of texts."""
    return tuple(entry(place))


def pattern(place: str) -> str:
    """Return a regular expression: an array of its alternatives."""
    return "|".join(entry(place))


def any_of(place: str) -> str:
    """Return a regular expression for any word of a list."""
    return "|".join(map(re.escape, ordered_words(place)))


def verbs_on_things(table: str) -> tuple[tuple[frozenset[str], frozenset[str], str], ...]:
    """Return verbs, the things on which they count (none: on whatever it is), and why they do."""
    return tuple(
        (frozenset(verbs.split()), listed(things), reason)
        for reason, rows in entry(f"rules/verbs_on_things:{table}").items()
        for verbs, things in rows.items()
    )


def texts_in(folder: str) -> Mapping[str, str]:
    """Return the text of each TOML file in `data/<folder>` by `<folder>/<name>`, in their order."""
    found = sorted((_DATA / folder).iterdir(), key=lambda file: file.name)
    toml = (file for file in found if file.name.endswith(".toml"))
    return {f"{folder}/{file.name}": file.read_text("utf-8") for file in toml}


def by_word(place: str) -> Mapping[str, Any]:
    """Return a table by each word of its keys: `"npm yarn" = "--dry-run"`."""
    return {word: value for key, value in entry(place).items() for word in key.split()}


def read_tools(text: str, file: str = "") -> Mapping[str, ToolRules]:
    """Return the tools of a command file; ValidationError says what is wrong with it, and where."""
    try:
        return msgspec.convert(_parsed(text, file), dict[str, ToolRules])
    except msgspec.ValidationError as error:
        raise msgspec.ValidationError(f"data/{file}: {error}") from None


def tool_names() -> frozenset[str]:
    """Return the programs that have rules."""
    return frozenset(_blocks())


@cache
def tool_rules(name: str) -> ToolRules | None:
    """Return a program's rules; None when it has none."""
    found = _blocks().get(name)
    return next(iter(read_tools(*found).values())) if found else None


@cache
def _blocks() -> Mapping[str, tuple[str, str]]:
    """Return each tool's part of its file, and the file, by the tool's names.

    A part is parsed when it is asked for.

    ValueError where a tool is listed twice: one list would hide the other.
    """
    blocks: dict[str, tuple[str, str]] = {}
    for file, text in texts_in("commands").items():
        for tool, tables in groupby(_between_tables.split(text)[1:], _tool_of):
            block = "".join(tables), f"{file}.toml"
            for name in (tool, *_others_in(block[0])):
                if blocks.setdefault(name, block) is not block:
                    raise ValueError(f"{name} is listed twice in data/commands")
    return blocks


def _tool_of(table: str) -> str:
    """Return the tool that a table is about, by its head: `[tar]`, `[["k3s-killall.sh".rules]]`."""
    return table[: table.index("]")].strip("[").removesuffix(".rules").strip('"')


def _others_in(block: str) -> list[str]:
    """Return what a tool is called besides, by its `also`."""
    also = _also.search(block)
    return _quoted.findall(also[1]) if also else []


_between_tables = re.compile(r"(?m)^(?=\[)")
_also = re.compile(r"(?m)^also = \[([^\]]*)\]")
_quoted = re.compile(r'"([^"]*)"')
