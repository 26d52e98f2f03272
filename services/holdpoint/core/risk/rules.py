"""Command rules: what a tool's subcommands and options put at risk, as TOML in `data/commands`.

A file holds one table for each tool:

    [nodetool]
    values = "-h -p -u"                       # options that take the next word
    by_verb = true                            # judge what no rule names by its verb
    [[nodetool.rules]]
    subcommands = ["removenode", "drain"]
    danger = {id = "shell.node-remove", level = "high", reason = "takes a node away"}
    fires = ["nodetool removenode 1a2b"]      # both run as tests
    silent = ["nodetool status"]

A rule without a danger says that what it names is harmless, whatever its verb sounds like.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache

import msgspec

from holdpoint.core.risk.knowledge import texts_in
from holdpoint.messages.command_rules import ToolRules


def read_tools(text: str) -> Mapping[str, ToolRules]:
    """Return the tools of a command file; ValidationError says what is wrong with it."""
    return msgspec.convert(tomllib.loads(text), dict[str, ToolRules])


def tool_names() -> frozenset[str]:
    """Return the programs that have rules."""
    return frozenset(_blocks())


@cache
def tool_rules(name: str) -> ToolRules | None:
    """Return a program's rules; None when it has none."""
    block = _blocks().get(name)
    return next(iter(read_tools(block).values())) if block else None


@cache
def _blocks() -> Mapping[str, str]:
    """Return each tool's part of its file by its names: a part is parsed when it is asked for."""
    blocks: dict[str, str] = {}
    for text in texts_in("commands"):
        for block in _between_tools.split(text)[1:]:
            for name in _names(block):
                blocks[name] = block
    return blocks


def _names(block: str) -> list[str]:
    """Return what a tool is called, by the head of its table and `also`."""
    head = block[1 : block.index("]")].strip('"')
    also = _also.search(block)
    return [head, *_quoted.findall(also[1])] if also else [head]


_between_tools = re.compile(r"(?m)^(?=\[[^\[])")
_also = re.compile(r"(?m)^also = \[([^\]]*)\]")
_quoted = re.compile(r'"([^"]*)"')
