"""Words that a tool only looks for or works on: they run nowhere, whatever they say.

Only where the catalog lists the tool as a mere read and its name says that it searches, works on a
text, explains a statement, or opens a file; and neither its name nor its domain is about a place in
which that text is a program.
"""

from collections.abc import Callable

import re2
from msgspec.structs import replace

from holdpoint.core.risk.calls.leaf import Leaf
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.keys import PROSE_KEYS
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters
from holdpoint.messages.action import Action

MAX_STATEMENT = 4_096
"""Characters of a statement that is only explained."""

_SEARCHES = word_set("search find lookup look seek")
_WORKS = word_set(
    "translate paraphrase proofread spellcheck summarize summarise tokenize detect classify format "
    "prettify beautify transliterate lint validate highlight"
)
_EXPLAINS = word_set("explain")
_OPENS = word_set("read get open view cat head tail stat show load fetch")
_RUNS = word_set(
    "sql nosql db database databases postgres postgresql mysql sqlite oracle mssql mongo mongodb "
    "redis snowflake bigquery redshift clickhouse duckdb cassandra dynamodb neo cypher sparql "
    "graphql warehouse lakehouse table tables execute exec run eval shell bash terminal command "
    "console script repl query soql ldap"
)
_DOES = word_set("execute exec run eval analyze analyse apply and then")
_WORDS = word_set(
    "q query queries search search_query searchquery search_term search_terms searchterm keyword "
    "keywords term terms text phrase question jql topic needle"
)
_TEXTS = PROSE_KEYS | word_set(
    "texts input document code snippet sql sentence paragraph source source_text passage string"
)
_CODE = word_set("code snippet text")
_STATEMENTS = word_set("statement sql query stmt")
_PATHS = word_set("path file_path filepath file filename file_name page slug")
_is_path = re2.compile(r"[\pL\d_./~:\\@%+-]+")
_speaks_of_loss = glance(r"(?i)drop|delet|remov|trunc|wip|destr|format|shut|purg|eras|kill|rm\b")
"""Only then there is anything to leave out; most paths are read as they are."""

_one = re2.compile(r"(?i)\s*(?:select|insert|update|delete|with)\b[^;]*;?\s*")

Question = Callable[[Leaf], bool]


def without_sought(action: Action, leaves: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    """With signs that say nothing in their place, as many as there were; the same when none is."""
    idle = _idle(action, leaves)
    if idle is None or not any(isinstance(leaf.value, str) and idle(leaf) for leaf in leaves):
        return leaves
    return tuple(
        _masked(leaf) if isinstance(leaf.value, str) and idle(leaf) else leaf for leaf in leaves
    )


def _idle(action: Action, leaves: tuple[Leaf, ...]) -> Question | None:
    """Which of its texts run nowhere; None when all of them may."""
    name = tool_name(action.tool)
    said = frozenset(name.words)
    if name.verb is None or not name.reads or action.domain in {"database", "shell"}:
        return None
    if said & _EXPLAINS and said.isdisjoint(_DOES) and not any(map(_runs, leaves)):
        return _is_statement
    if said & _WORKS and said.isdisjoint(_DOES):
        return _is_text
    if not said.isdisjoint(_RUNS):
        return None
    if name.verb.base in _SEARCHES:
        return _is_sought
    return _is_file if name.verb.base in _OPENS else None


def _is_sought(leaf: Leaf) -> bool:
    return leaf.key.lower() in _WORDS


def _is_text(leaf: Leaf) -> bool:
    return leaf.key.lower() in _TEXTS


def _is_file(leaf: Leaf) -> bool:
    """A path without blanks, and without any sign that a shell would know."""
    named = leaf.key.lower() in _PATHS and _speaks_of_loss(leaf.value)
    return named and _is_path.fullmatch(whole_characters(leaf.value)) is not None


def _is_statement(leaf: Leaf) -> bool:
    """One alone, as what stands behind it would be run; or code of another language."""
    if leaf.key.lower() in _CODE:
        return True
    if leaf.key.lower() not in _STATEMENTS or len(leaf.value) > MAX_STATEMENT:
        return False
    return _one.fullmatch(whole_characters(leaf.value)) is not None


def _runs(leaf: Leaf) -> bool:
    """`analyze: true` measures how long the statement takes, and so runs it."""
    return leaf.key.lower() in _DOES and leaf.value not in {False, None, "false", "no"}


def _masked(leaf: Leaf) -> Leaf:
    """Nor is it any program, whatever its key says."""
    return replace(leaf, key="", value="." * len(leaf.value))
