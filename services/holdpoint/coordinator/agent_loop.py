"""The agent without a model: it searches the catalog, fills a tool's schema, and calls it.

At most six steps. What it cannot fill or tell apart it asks about; it guesses nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdpoint.client import Outcome, ToolDefinition
from holdpoint.coordinator.amounts import names_amount
from holdpoint.coordinator.calls import Calls, told
from holdpoint.coordinator.choices import UnclearError, chosen, which
from holdpoint.coordinator.intent_table import table
from holdpoint.coordinator.plain_text import plain
from holdpoint.coordinator.words import any_of
from holdpoint.coordinator.workflows import Pick
from holdpoint.core.risk import in_english, language_of
from holdpoint.core.verdict import HIGHEST_LEVEL
from holdpoint.messages.base import JsonObject

MOST_STEPS = 6
HIGHEST_READ = 2
"""The highest level of what reads and lists."""

HIGHEST_TIER = 3
"""What is financial or cannot be undone is only done by a workflow."""

ONLY_BY_WORKFLOW = (
    "This moves money or cannot be undone: I do it only by a workflow, and none is in use for it. "
    "To ask for it, open a support ticket."
)
REFERENCE = re.compile(r"#/\$defs/(\w+)")
MOST_TOOLS = 100
RENAMES = ("renam", "renom", "benenn", "umbenenn")
"""Beginnings of verbs that give a thing another name."""

SHORTEST_WORD = 3
STEM = 6
"""Letters in which a word and its forms agree, and `transfer` and `transaction` do not."""


async def agent_answer(calls: Calls, message: str, values: Mapping[str, Any]) -> str:
    """Return what a tool of the catalog says; UnclearError where none fits, or too much is open."""
    every = await calls.hp.search_tools(max_tier=HIGHEST_LEVEL, limit=MOST_TOOLS)
    about = f"{message} account" if "account" in values else message
    wanted = _named(every, values.get("tool")) or best_tool(every, about)
    if wanted is None:
        raise UnclearError("I found no single tool for this. Can you say it in other words?")
    if wanted.level > HIGHEST_TIER:
        raise UnclearError(ONLY_BY_WORKFLOW)
    tools = [it for it in every if it.level <= HIGHEST_TIER]
    known = dict(values)
    for _ in range(MOST_STEPS - 1):
        arguments, missing = lacking(wanted, known, message)
        if not missing:
            outcome = await calls.call(wanted.name, arguments)
            return told(outcome)
        await _look_up(calls, tools, wanted, missing, known, message)
    raise UnclearError("I could not find out everything that this takes. What shall I look at?")


def best_tool(tools: Sequence[ToolDefinition], message: str) -> ToolDefinition | None:
    """Return the tool that most words of the message are about; None where two are as near."""
    words = _stems(_in_tools_words(_in_english(message)))
    fit = [tool for tool in tools if _is_about(tool, words)]
    scored = sorted(((_score(tool, words), tool.name, tool) for tool in fit), key=lambda it: -it[0])
    if not scored or scored[0][0] == 0:
        return None
    if len(scored) > 1 and scored[1][0] == scored[0][0]:
        return None
    return scored[0][2]


def _named(tools: Sequence[ToolDefinition], name: str | None) -> ToolDefinition | None:
    """Return the tool that the intent of the sentence names."""
    return next((it for it in tools if name in (it.name, *it.aliases)), None)


def _filled(
    tool: ToolDefinition, known: Mapping[str, Any], message: str
) -> tuple[JsonObject, tuple[str, ...]]:
    """Return arguments for the tool's schema from what is known, and what it misses."""
    properties = tool.schema.get("properties", {})
    arguments: JsonObject = {}
    for name, schema in properties.items():
        said = _changed(name, known, message) or _choice(schema, message)
        value = known.get(name, known.get("amount") if _is_money(schema, tool) else said)
        if value is not None:
            arguments[name] = value
    required = tool.schema.get("required", ())
    return arguments, tuple(name for name in required if name not in arguments)


def lacking(
    tool: ToolDefinition, known: Mapping[str, Any], message: str
) -> tuple[JsonObject, tuple[str, ...]]:
    """Return the arguments of the tool that is meant, and everything that is to be asked for."""
    arguments, missing = _filled(tool, known, message)
    return arguments, missing or _unsaid(tool, arguments, message)


def _unsaid(tool: ToolDefinition, arguments: JsonObject, message: str) -> tuple[str, ...]:
    """Return optional arguments that a sentence is about and does not say: an amount, a change."""
    others = {name: it for name, it in tool.schema["properties"].items() if name not in arguments}
    if names_amount(message) and (money := [it for it in others if _is_money(others[it], tool)]):
        return tuple(money)
    is_change = tool.level > HIGHEST_READ and all(it.endswith("_id") for it in arguments)
    return tuple(others) if is_change else ()


def _is_money(schema: Mapping[str, Any], tool: ToolDefinition) -> bool:
    """Return whether an argument is an amount with its currency."""
    parts = [tool.schema.get("$defs", {}).get(it, {}) for it in REFERENCE.findall(str(schema))]
    return any({"value", "currency"} <= it.get("properties", {}).keys() for it in parts)


async def _look_up(
    calls: Calls,
    tools: Sequence[ToolDefinition],
    wanted: ToolDefinition,
    missing: tuple[str, ...],
    known: dict[str, Any],
    message: str,
) -> None:
    """Find a missing id among what another tool of the same domain lists; else ask for it."""
    name = missing[0]
    for tool in tools:
        same = tool.domain == wanted.domain and tool.name != wanted.name and name.endswith("_id")
        arguments, lacks = _filled(tool, known, message)
        if not same or lacks or tool.level > HIGHEST_READ:
            continue
        outcome = await calls.call(tool.name, arguments)
        rows = tuple(_rows_with(outcome.data, name)) or tuple(_actions_with(outcome, name))
        if rows:
            known[name] = _picked(name, rows, message, is_change=wanted.level > HIGHEST_READ)
            return
    lacking = ", ".join(_called(it) for it in missing)
    raise UnclearError(f"For this I still need: {lacking}. Can you say all of it in one sentence?")


def _picked(name: str, rows: Sequence[Mapping[str, Any]], message: str, *, is_change: bool) -> Any:
    said, words = _stems(plain(message)), plain(message).split()
    named = [row for row in rows if plain(str(row[name])) in words] or [
        row for row in rows if said & _stems(plain(" ".join(map(str, row.values()))))
    ]
    texts = [it for it in rows[0] if not it.endswith("_id") and isinstance(rows[0][it], str)]
    pick = Pick(
        of="$rows", said="$said", field=name, into=name, by=texts or [name], called=_called(name)
    )
    if is_change and not named:
        raise UnclearError(which(pick, rows))
    return chosen(pick, named or rows, None)


def _called(name: str) -> str:
    """Return an argument's name as people say it: `account` of `account_id`."""
    return name.removesuffix("_id").replace("_", " ")


def _rows_with(data: Any, name: str) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, dict):
        for value in data.values():
            yield from _rows_with(value, name)
    elif isinstance(data, list):
        yield from (row for row in data if isinstance(row, dict) and name in row)


def _actions_with(outcome: Outcome, name: str) -> Iterator[Mapping[str, Any]]:
    """Read the next steps that the tool itself offers."""
    for it in outcome.available_actions:
        if name in it.params:
            yield {name: it.params[name], "label": it.label}


def _changed(name: str, known: Mapping[str, Any], message: str) -> Any:
    """Return what an argument is to be from now on: `change my address to …`, `rename it to …`."""
    said = _in_english(message).split()
    is_named = name in said or (
        name == "name" and any(it.startswith(RENAMES) for it in plain(message).split())
    )
    return known.get("new_title") if is_named else None


def _choice(schema: Mapping[str, Any], message: str) -> Any:
    """Return the one value of an enumeration that the message names."""
    words = _stems(plain(message))
    found = [it for it in schema.get("enum", ()) if isinstance(it, str) and _stems(it) & words]
    return found[0] if len(found) == 1 else None


def _is_about(tool: ToolDefinition, words: frozenset[str]) -> bool:
    """Return whether a tool that changes something is named by more than its verb."""
    named = _stems(" ".join((tool.name, *tool.aliases)).replace("_", " "))
    return tool.level <= HIGHEST_READ or len(words & (named | _stems(plain(tool.description)))) > 1


def _in_english(message: str) -> str:
    """Return a message without case and accents, word by word in English."""
    folded = plain(message)
    return in_english(folded) if language_of(folded) else folded


def _in_tools_words(message: str) -> str:
    """Return a message with what tools call the things in it, behind what it calls them."""
    words = f" {' '.join(re.findall('[a-z]+', message))} "
    return " ".join((message, *(it for it, said in table().called.items() if any_of(words, said))))


def _score(tool: ToolDefinition, words: frozenset[str]) -> float:
    named = _stems(" ".join((tool.name, *tool.aliases)).replace("_", " "))
    described = _stems(plain(tool.description))
    return 2 * len(words & named) + len(words & described) - 0.01 * len(named)


def _stems(text: str) -> frozenset[str]:
    words, little = re.findall(r"[a-z]+", text.casefold()), set(table().little)
    return frozenset(it[:STEM] for it in words if it not in little and len(it) >= SHORTEST_WORD)
