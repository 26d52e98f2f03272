"""Procedures that are called by name on another machine: `shop.Orders/DeleteAll`."""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.options import read_options

_VALUES = words("words/shell:remote_calls.options_with_value")
_METHOD = re.compile(r"[\w.]+[./](\w+)")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_TAKES = words("words/shell:remote_calls.removing_verbs")
_LOOKS = word_set("list describe ls type")


def procedures(command: Command) -> list[Danger]:
    """What the method's name takes away."""
    words = read_options(command.args, _VALUES).words
    if asks_for_help(command) or not _LOOKS.isdisjoint(words):
        return []
    methods = (found[1] for word in words if (found := _METHOD.fullmatch(word)))
    begins = (_WORDS.match(method) for method in methods)
    takes = any(first and first[0].lower() in _TAKES for first in begins)
    return [_TAKEN] if takes else []


CALLERS = ("grpcurl", "evans", "grpc_cli", "grpc-client-cli")
"""Programs that call them."""

_TAKEN = Danger("shell.procedure", HIGH, "asks a server for what takes something away", "call")
