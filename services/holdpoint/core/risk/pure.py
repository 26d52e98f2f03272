"""Whether a call only works out an answer from what it is handed: a parse, a code, a mean, a plan.

The catalog must list the tool as a mere read, and its name must hold no word but those that such
names are made of: one that also says something else is no such tool.
"""

from collections.abc import Mapping

from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.calls.sought import DOES, RUNS
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.named import named
from holdpoint.core.risk.texts import Taken, is_plain, taken
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool

READS = 1
"""The operation level of a mere read."""

_WORKS = words("words/programs:pure.works")
_ON = words("words/programs:pure.on")
_DATA = words("words/programs:pure.data")
_ASKS = words("words/programs:pure.asks")
_QUESTION = words("words/programs:pure.question")
_PLANS = word_set("plan think thinking thought sequential sequentialthinking steps make tool")
_STEPS = word_set("steps plan thought thoughts title description")
_EXPLAINS = word_set("explain parse tokenize tokenise lint")
_COMMANDS = word_set("command commands shell bash line cmd")
"""What is taken apart or put in words, and never run: a statement of SQL could be."""

_LINES = word_set("command commands cmd line text shell")
_FIRST = _WORKS | _PLANS | _EXPLAINS | {"ask"}
"""Asked first, because most names have none of these."""

_KINDS = (
    (_WORKS, _WORKS | _ON, _DATA),
    (_PLANS - {"tool", "make"}, _PLANS, _STEPS),
    (_EXPLAINS, _EXPLAINS | _COMMANDS, _LINES),
)


def works(tool: str) -> bool:
    """Whether its name says that, and nothing else."""
    return bool(_keys(tool))


def worked_on(tool: Tool, arguments: JsonObject) -> Taken | None:
    """The arguments without what is worked on; None when anything may come of them."""
    keys = _keys(tool.name)
    if tool.level > READS or not keys or _runs(arguments):
        return None
    return taken(arguments, keys, is_plain)


def _keys(tool: str) -> frozenset[str]:
    if _FIRST.isdisjoint(words_of(tool)):
        return frozenset()
    server, own = named(tool)
    said = frozenset(own)
    if not RUNS.isdisjoint(server):
        return frozenset()
    if "ask" in said and said <= _ASKS and not _ASKED.isdisjoint(said):
        return _QUESTION
    made = (data for must, may, data in _KINDS if said <= may and not must.isdisjoint(said))
    return next(made, frozenset())


_ASKED = word_set("user human person question")
"""Who is asked; an agent or a model may do what it is asked."""


def _runs(arguments: Mapping[str, object]) -> bool:
    """`execute: true`, `analyze: true`."""
    given = (value for key, value in arguments.items() if not DOES.isdisjoint(words_of(str(key))))
    return any(value not in (False, None, "", "false", "no") for value in given)
