"""Calls inside a call: batches, code that calls tools, a preview with an `apply` flag."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.embedded import fields, is_mutation, opened
from holdpoint.core.risk.extract.embedded import given as given_in_query
from holdpoint.core.risk.extract.literals import WORKED_OUT, Given
from holdpoint.core.risk.extract.literals import given as given_to
from holdpoint.core.risk.extract.payload import MAX_VALUES, Leaf, words_of
from holdpoint.core.risk.knowledge import ordered_words, words
from holdpoint.core.risk.tools.instructions import Order
from holdpoint.core.risk.tools.name_words import KNOWN
from holdpoint.core.risk.tools.names import Name, lays_out, tool_name
from holdpoint.core.risk.wording import CHANGES, Form, Kind, Verb, bare_key
from holdpoint.core.risk.words import CODE_KEYS, word_set
from holdpoint.messages.base import JsonObject

CODE = CODE_KEYS | {"script"}

MAX_READ = 8_192
"""Characters of what all of them are given that are read; of more it is said that nobody did."""

_calls = re.compile(r"(?<![\w.$])(await\s{1,4})?((?:\w{1,40}\.){0,3})([A-Za-z]\w{2,80})\s{0,4}\(")
_GIVEN = words("words/tools:calls_in_code.given")
_CALLERS = words("words/tools:calls_in_code.callers")
_RUNS = words("words/tools:calls_in_code.runs")

_owned = re.compile(
    r"\b(?:def|function|class|const|let|var)\s+(\w+)"
    r"|\bimport\s+(?:\(([\w\s,]{1,300})|([\w ,{}*]{1,300}))|^\s{0,40}(\w+)\s*=[^=]",
    re.MULTILINE,
)
"""What the code itself defines, imports or names."""


class Inner(msgspec.Struct, frozen=True, kw_only=True):
    """A call inside another."""

    tool: str
    arguments: JsonObject
    ordered: bool = False
    """Whether it is the call around it, as an argument there orders it: then it is no read."""

    unread: bool = False
    """Whether there was too much to read what it is given."""


def called_in(tool: str, held: Mapping[str, Any]) -> Iterator[Inner]:
    """The tools that code in this object calls, in order, where the tool runs code."""
    if CODE.isdisjoint(held) or _RUNS.isdisjoint(words_of(tool)):
        return
    for key, text in islice(held.items(), MAX_VALUES):
        if key in CODE and isinstance(text, str) and "(" in text:
            yield from _called(text)


def _called(code: str) -> Iterator[Inner]:
    left, own = MAX_READ, None
    for found in _calls.finditer(code):
        awaited, base, name = found[1] is not None, found[2].rstrip("."), found[3]
        if name not in _CALLERS and not _is_tool(base, name):
            continue
        own = own if own is not None else _named_in(code)
        if not base and name in own:
            continue
        given = given_to(code[found.end() : found.end() + MAX_READ + 1], _unknown)
        left -= given.size
        if left < 0:
            yield Inner(tool=name, arguments={}, unread=True)
            return
        told = _read(name, given)
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


_REACHES = words("words/tools:calls_in_code.reaches")


def _read(name: str, told: Given) -> Inner | None:
    """The call of a tool with what it is given; of one that calls tools, the tool that is named."""
    if name in _CALLERS:
        said = (*told.plain, *told.named.values())
        tool = next((one for one in said if isinstance(one, str)), "")
        arguments = next((one for one in said if isinstance(one, dict)), {})
        return Inner(tool=tool, arguments=arguments) if tool else None
    objects = {
        key: value for one in told.plain if isinstance(one, dict) for key, value in one.items()
    }
    return Inner(tool=name, arguments=_in_order(name, told.plain) | told.named | objects)


def _unknown(_: str) -> str:
    return WORKED_OUT


def _in_order(name: str, plain: list[Any]) -> dict[str, Any]:
    """Return what is given without a name; a number is a sum where the tool pays."""
    rest = [one for one in plain if not isinstance(one, dict)]
    verb = tool_name(name).verb
    if rest and verb and verb.kind is Kind.PAYMENT:
        numbers = (one for one in rest if isinstance(one, int | float))
        return {"values": rest, "amount": max(numbers, default=WORKED_OUT)}
    return {"values": rest} if rest else {}


MAX_KEYS = MAX_VALUES + 1
"""Keys of an object in which a call is looked for: as many as are walked."""

_TOOLS = words("words/tools:nested.tools")
_NAMES = ordered_words("words/tools:nested.names")  # fmt: skip
_ARGUMENTS = ordered_words("words/tools:nested.arguments")  # fmt: skip
_HOLDING = _TOOLS.union(_ARGUMENTS)
_ORDER = tuple(Kind)


def calls_in(tool: str, objects: tuple[Mapping[str, Any], ...]) -> tuple[Inner, ...]:
    """Each object that names a tool and holds its arguments, each mutation, each call in code."""
    named = (inner for one in objects for inner in (_call(one), *_mutated(one)) if inner)
    return (*named, *(call for one in objects for call in called_in(tool, one)))


def _call(held: Mapping[str, Any]) -> Inner | None:
    if not _may_call(" ".join(map(str, islice(held, MAX_KEYS)))):
        return None
    known = {bare_key(str(key)): value for key, value in islice(held.items(), MAX_KEYS)}
    name = next((known[key] for key in _NAMES if isinstance(known.get(key), str)), "")
    inside = (opened(known[key]) for key in _ARGUMENTS if key in known)
    arguments = next((one for one in inside if isinstance(one, dict)), None)
    if arguments is None and not _TOOLS.isdisjoint(known):
        more = {key: value for key, value in held.items() if bare_key(str(key)) not in _TOOLS}
        arguments = more or None
    named = len(name.split()) == 1
    return Inner(tool=name, arguments=arguments) if named and arguments is not None else None


def _mutated(held: Mapping[str, Any]) -> Iterator[Inner]:
    """Each field of a mutation, which is a call with its arguments: `grantAdmin(userId: 5)`."""
    for text in (held.get("query"), held.get("mutation")):
        if isinstance(text, str) and is_mutation(text):
            variables = opened(held.get("variables"))
            said = given_in_query(text, variables if isinstance(variables, dict) else {})
            arguments = {name: value for one in said for name, value in one.items()}
            yield from (Inner(tool=field, arguments=arguments) for field in fields(text))


@memoize(1024)
def _may_call(keys: str) -> bool:
    """A first look, for all keys at once: most objects hold no call."""
    return not _HOLDING.isdisjoint(bare_key(keys).split())


def gravest_verb(
    outer: str, leaves: tuple[Leaf, ...], calls: tuple[Inner, ...], orders: tuple[Order, ...] = ()
) -> tuple[str, Verb | None]:
    """Return what the call does: the gravest of what its name, those inside it and its orders say.

    And what says so; the name of the call itself first.
    """
    own = _own_verb(tool_name(outer), leaves)
    if not (calls or orders):
        return outer, own
    names = (
        (outer, own),
        *((one.tool, tool_name(one.tool).verb) for one in calls),
        *((one.said, one.name.verb) for one in orders),
    )
    known = ((said, verb) for said, verb in names if verb)
    return max(known, key=lambda one: _ORDER.index(one[1].kind), default=("", None))


def _own_verb(name: Name, leaves: tuple[Leaf, ...]) -> Verb | None:
    """Return what its name says; a text that is formatted is still there."""
    verb = name.verb
    if verb and verb.base == "format" and verb.kind is Kind.DELETE and lays_out(name.words, leaves):
        return msgspec.structs.replace(verb, kind=Kind.UPDATE)
    return verb


_REHEARSES = words("words/tools:previews.rehearses")
_READS = words("words/tools:previews.reads")
_SOFT = _REHEARSES | _READS
"""Words of a name that keep an action from being done, as long as nothing else orders it."""

_MAKES = word_set("create make save compose write new add prepare generate")
_SENDS = word_set("send sends publish post submit deliver broadcast dispatch")
_DOES = words("words/tools:previews.does")
_ORDERS = _SENDS | _DOES
_FILLS = words("words/tools:previews.fills")
_HOLDS = frozenset({
    ("dry", "run"), ("dryrun",), ("simulate",), ("simulation",), ("preview",), ("preview", "only"),
    ("validate", "only"), ("check", "only"), ("plan", "only"), ("what", "if"), ("whatif",),
    ("noop",), ("test", "mode"), ("draft",), ("rehearse",), ("as", "draft"), ("is", "draft"),
})  # fmt: skip
"""Flags that, set to false, say that the action is done."""

_MODES = word_set("mode action operation op phase stage")
_GRAVE = CHANGES | {Kind.PAYMENT}


def meant(tool: str, leaves: tuple[Leaf, ...], arguments: JsonObject) -> tuple[Inner, ...]:
    """The call as it is meant; none where its name says it, or nothing orders more."""
    rest, action = _without_softness(tool)
    if rest is None:
        return ()
    orders = [order for leaf in leaves if (order := _ordered(leaf))]
    sends = next((order for order in orders if order in _SENDS), "")
    if not orders or not (sends or action):
        return ()
    if not action:
        rest = (sends, *(word for word in rest if word not in _MAKES))
    name = "_".join(rest) if len(rest) > 1 else f"{rest[0]}_message"
    return (Inner(tool=name, arguments=arguments, ordered=True),)


@memoize(2048)
def _without_softness(tool: str) -> tuple[tuple[str, ...] | None, bool]:
    """Words of its name without those, and whether they are an action; None where none is soft."""
    words = words_of(tool)
    if _SOFT.isdisjoint(words):
        return None, False
    rest = tuple(word for word in words if word not in _SOFT)
    return rest, _is_action(rest)


def _is_action(words: tuple[str, ...]) -> bool:
    """Return whether one of them is a verb that changes, takes or pays something."""
    known = (KNOWN[word] for word in words if word in KNOWN)
    return any(verb.form is Form.BASE and verb.kind in _GRAVE for verb in known)


def _ordered(leaf: Leaf) -> str:
    """The word that orders it: `send_now: true`, `mode: apply`; `apply` for `dry_run: false`."""
    if leaf.value is True:
        words = [word for word in leaf.words if word not in _FILLS]
        return words[0] if words and _ORDERS.issuperset(words) else ""
    if leaf.value is False:
        return "apply" if leaf.words in _HOLDS else ""
    said = leaf.value.lower() if isinstance(leaf.value, str) else ""
    return said if said in _ORDERS and not _MODES.isdisjoint(leaf.words) else ""
