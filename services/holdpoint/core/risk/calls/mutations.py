"""GraphQL: the fields that a mutation calls, and the arguments that it spells out."""

from collections.abc import Iterator
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.text import whole_characters

MAX_QUERY = 8_192
"""Characters of a mutation that are read."""

MAX_BEFORE = 60
"""Characters in which it must begin."""

_string = re2.compile(r"\"[^\"]*\"")
_field = re2.compile(r"(\w+)\s*[({]")
_argument = re2.compile(r"(\w+)\s*:\s*(\"(?:[^\"\\]|\\.)*\"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*)")


def is_mutation(text: str) -> bool:
    """Whether it begins like one."""
    return text[:MAX_BEFORE].lstrip()[:8].lower() == "mutation"


def fields(text: str) -> Iterator[str]:
    """Whatever it calls or selects, by name."""
    bare = _string.sub("", whole_characters(text[:MAX_QUERY]))
    return (field for field in _field.findall(bare.partition("{")[2]))


def given(text: str) -> list[dict[str, Any]]:
    """Its arguments with their values; a name that comes again begins another object."""
    found: list[dict[str, Any]] = [{}]
    for name, value in _argument.findall(whole_characters(text[:MAX_QUERY])):
        if name in found[-1]:
            found.append({})
        found[-1][name] = _value(value)
    return [one for one in found if one]


def _value(written: str) -> Any:
    """As JSON would have it; the name of an enumeration as a text."""
    try:
        return msgspec.json.decode(written)
    except msgspec.DecodeError:
        return written.strip('"')
