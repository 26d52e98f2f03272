"""Calls of tools in code that a tool runs, as functions that it neither defines nor imports.

```
pay_invoice(amount="900 EUR", to="Bob")          await tools.payInvoice({amount: "900 EUR"})
session.call_tool("pay_invoice", {"amount": "900 EUR"})
```
Only what stands there in plain is read: a variable says nothing about its value.
"""

import ast
import math
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from holdpoint.core.risk.calls.leaf import MAX_VALUES, words_of
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.keys import CODE_KEYS
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.shell.expansion import closing
from holdpoint.core.risk.wording import CHANGES, Kind

CODE = CODE_KEYS | {"script"}

MAX_READ = 8_192
"""Characters of what all of them are given that are read; of more it is said that nobody did."""

_calls = re.compile(r"(?<![\w.$])(await\s{1,4})?((?:\w{1,40}\.){0,3})([A-Za-z]\w{2,80})\s{0,4}\(")
_GIVEN = words("words/tools:coded.given")

_CALLERS = words("words/tools:coded.callers")
_RUNS = words("words/tools:coded.runs")

_owned = re.compile(
    r"\b(?:def|function|class|const|let|var)\s+(\w+)"
    r"|\bimport\s+(?:\(([\w\s,]{1,300})|([\w ,{}*]{1,300}))|^\s{0,40}(\w+)\s*=[^=]",
    re.MULTILINE,
)
"""What the code itself defines, imports or names."""


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that code calls, and what stands there of its arguments."""

    tool: str
    arguments: dict[str, Any]
    unread: bool = False
    """Whether there was too much to read what it is given."""


def called_in(tool: str, held: Mapping[str, Any]) -> Iterator[Called]:
    """The tools that code in this object calls, in order, where the tool runs code."""
    if CODE.isdisjoint(held) or _RUNS.isdisjoint(words_of(tool)):
        return
    for key, text in islice(held.items(), MAX_VALUES):
        if key in CODE and isinstance(text, str) and "(" in text:
            yield from _called(text)


def _called(code: str) -> Iterator[Called]:
    left, own = MAX_READ, None
    for found in _calls.finditer(code):
        awaited, base, name = found[1] is not None, found[2].rstrip("."), found[3]
        if name not in _CALLERS and not _is_tool(base, name):
            continue
        own = own if own is not None else _named_in(code)
        if not base and name in own:
            continue
        opens = found.end() - 1
        inside = code[opens + 1 : closing(code, opens)]
        left -= len(inside)
        if left < 0:
            yield Called(tool=name, arguments={}, unread=True)
            return
        told = _read(name, inside)
        if told and (awaited or base or _is_given_plainly(told.arguments)):
            yield told


def _is_given_plainly(arguments: Mapping[str, Any]) -> bool:
    """Not `remove_columns(df, ["a"])`, nor `clear_output(wait=True)`: the code's own functions."""
    in_order = arguments.get("values")
    if isinstance(in_order, list) and in_order[0] == WORKED_OUT:
        return False
    return any(not isinstance(one, bool) and one != WORKED_OUT for one in arguments.values())


def _named_in(code: str) -> frozenset[str]:
    found = (word for one in _owned.finditer(code) for word in one.groups() if word)
    return frozenset(word for words in found for word in re.findall(r"\w+", words))


def _is_tool(base: str, name: str) -> bool:
    """A name of at least two words, one of which changes something, alone or on what has tools."""
    if base and base.rpartition(".")[2].lower() not in _GIVEN:
        return False
    known = tool_name(name)
    if len(known.words) < 2 or known.verb is None:  # noqa: PLR2004  # a word alone is any function
        return False
    return known.verb.kind in CHANGES or known.verb.base in _REACHES


_REACHES = words("words/tools:coded.reaches")


def _read(name: str, inside: str) -> Called | None:
    """With what is given in plain; what is no Python and no object of JavaScript is one text."""
    try:
        call = ast.parse(
            f"f({_escape.sub(_known, inside.replace('`', _TEMPLATE))})", mode="eval"
        ).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Called(tool=name, arguments={"text": inside})
    if not isinstance(call, ast.Call):
        return Called(tool=name, arguments={"text": inside})
    given = {one.arg: _value(one.value) for one in call.keywords if one.arg}
    plain = [_value(one) for one in call.args]
    if name in _CALLERS:
        said = (*plain, *given.values())
        tool = next((one for one in said if isinstance(one, str)), "")
        arguments = next((one for one in said if isinstance(one, dict)), {})
        return Called(tool=tool, arguments=arguments) if tool else None
    objects = {key: value for one in plain if isinstance(one, dict) for key, value in one.items()}
    return Called(tool=name, arguments=_in_order(name, plain) | given | objects)


_escape = re.compile(r"\\(.)", re.DOTALL)


def _known(escape: re.Match[str]) -> str:
    """Python warns of an escape that it does not know, and takes it for what it says."""
    return escape[0] if escape[1] in "\n\\'\"abfnrtvxuUN01234567" else f"\\{escape[0]}"


_TEMPLATE = '"""'
"""For the backticks of JavaScript, whose texts may have several lines."""


def _in_order(name: str, plain: list[Any]) -> dict[str, Any]:
    """What is given without a name; a number is a sum where the tool pays."""
    rest = [one for one in plain if not isinstance(one, dict)]
    verb = tool_name(name).verb
    if rest and verb and verb.kind is Kind.PAYMENT:
        numbers = (one for one in rest if isinstance(one, int | float))
        return {"values": rest, "amount": max(numbers, default=WORKED_OUT)}
    return {"values": rest} if rest else {}


_INFINITE = (math.inf, -math.inf)
_WORDS = {"true": True, "false": False}
"""As JavaScript writes them."""

WORKED_OUT = "(worked out)"
"""For whatever does not stand there in plain: an amount that cannot be read asks."""


def _value(node: ast.expr | None) -> Any:
    """What stands there in plain."""
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return WORKED_OUT if value in _INFINITE else value
        case ast.Name(id=name):
            return _WORDS.get(name, WORKED_OUT)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_value(part) for part in parts]
        case ast.Dict(keys=keys, values=values):
            return {_key(key): _value(value) for key, value in zip(keys, values, strict=True)}
        case _:
            return WORKED_OUT


def _key(node: ast.expr | None) -> str:
    return node.id if isinstance(node, ast.Name) else str(_value(node))
