"""Words that a tool only looks for or works on: they run nowhere, whatever they say.

Only where the catalog lists the tool as a mere read and its name says that it searches, works on a
text, explains a statement, or opens a file; and neither its name nor its domain is about a place in
which that text is a program.
"""

from collections.abc import Callable

import msgspec
import re2
from msgspec.structs import replace

from holdpoint.core.risk.calls.leaf import Leaf
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.keys import PROSE_KEYS
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters
from holdpoint.messages.action import Action

MAX_STATEMENT = 4_096
"""Characters of a statement that is only explained."""

_SEARCHES = word_set("search find lookup look seek grep glob")
_WORKS = words("words/tools:sought.works")
_OPENS = words("words/tools:sought.opens")
RUNS = words("words/tools:sought.runs")
DOES = word_set("execute exec run eval analyze analyse apply and then")
_WORDS = words("words/tools:sought.words")
_TEXTS = PROSE_KEYS | words("words/tools:sought.texts")
_CODE = word_set("code snippet text")
_STATEMENTS = word_set("statement sql query stmt")
_PATHS = word_set("path file_path filepath file filename file_name page slug")
_is_path = re2.compile(r"[\pL\d_./~:\\@%+-]+")
_speaks_of_loss = glance(r"(?i)drop|delet|remov|trunc|wip|destr|format|shut|purg|eras|kill|rm\b")
"""Only then there is anything to leave out; most paths are read as they are."""

_one = re2.compile(r"(?i)\s*(?:select|insert|update|delete|with)\b[^;]*;?\s*")


class Idle(msgspec.Struct, frozen=True):
    """Which of a tool's texts run nowhere: those under these keys that pass a test."""

    keys: frozenset[str]
    passes: Callable[[Leaf], bool]


def without_sought(action: Action, leaves: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    """With signs that say nothing in their place, as many as there were; the same when none is."""
    idle = _idle(action, leaves)
    if idle is None:
        return leaves
    known = [leaf for leaf in leaves if leaf.key.lower() in idle.keys]
    masked = {id(leaf) for leaf in known if isinstance(leaf.value, str) and idle.passes(leaf)}
    if not masked:
        return leaves
    return tuple(_masked(leaf) if id(leaf) in masked else leaf for leaf in leaves)


def _idle(action: Action, leaves: tuple[Leaf, ...]) -> Idle | None:
    """None when all of them may run."""
    name = tool_name(action.tool)
    said = frozenset(name.words)
    if name.verb is None or not name.reads or action.domain in {"database", "shell"}:
        return None
    if said.isdisjoint(DOES) and (idle := _worked_on(said, leaves)):
        return idle
    if said <= _GETS and not _STORES.isdisjoint(said):
        return _KEY
    if not said.isdisjoint(RUNS):
        return None
    if name.verb.base in _SEARCHES:
        return _SOUGHT
    return _FILE if name.verb.base in _OPENS else None


def _worked_on(said: frozenset[str], leaves: tuple[Leaf, ...]) -> Idle | None:
    if not said.isdisjoint(_WORKS):
        return _TEXT
    return _STATEMENT if "explain" in said and not any(map(_runs, leaves)) else None


def _is_any(_leaf: Leaf) -> bool:
    return True


def _is_name(leaf: Leaf) -> bool:
    """One word, which no store takes apart."""
    return _is_path.fullmatch(whole_characters(leaf.value)) is not None


def _is_file(leaf: Leaf) -> bool:
    """A path without blanks, and without any sign that a shell would know."""
    if not _speaks_of_loss(leaf.value):
        return False
    return _is_name(leaf)


def _is_statement(leaf: Leaf) -> bool:
    """One alone, as what stands behind it would be run; or code of another language."""
    if leaf.key.lower() in _CODE:
        return True
    if len(leaf.value) > MAX_STATEMENT:
        return False
    return _one.fullmatch(whole_characters(leaf.value)) is not None


_SOUGHT = Idle(_WORDS, _is_any)
_TEXT = Idle(_TEXTS, _is_any)
_STATEMENT = Idle(_CODE | _STATEMENTS, _is_statement)
_FILE = Idle(_PATHS, _is_file)
_KEY = Idle(word_set("key keys name field"), _is_name)
_STORES = word_set("redis memcached memcache etcd kv cache")
_GETS = _STORES | word_set("get key value hget mget exists ttl read fetch")
"""Words of tools that get what is kept under a key, which no store takes for an order."""


def _runs(leaf: Leaf) -> bool:
    """`analyze: true` measures how long the statement takes, and so runs it."""
    return leaf.key.lower() in DOES and leaf.value not in {False, None, "false", "no"}


def _masked(leaf: Leaf) -> Leaf:
    """Nor is it any program, whatever its key says."""
    return replace(leaf, key="", value="." * len(leaf.value))
