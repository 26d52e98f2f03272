"""Words that a tool only searches for: they run nowhere, whatever they say.

Only where the catalog lists the tool as a mere read, its name says that it searches, and neither
its name nor its domain is about a place in which a query is a program.
"""

from msgspec.structs import replace

from holdpoint.core.risk.calls.leaf import Leaf
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.lexicon import word_set
from holdpoint.messages.action import Action

_SEARCHES = word_set("search find lookup look seek")
_RUNS = word_set(
    "sql nosql db database databases postgres postgresql mysql sqlite oracle mssql mongo mongodb "
    "redis snowflake bigquery redshift clickhouse duckdb cassandra dynamodb neo cypher sparql "
    "graphql warehouse lakehouse table tables execute exec run eval shell bash terminal command "
    "console script repl query soql ldap"
)
_WORDS = word_set(
    "q query queries search search_query searchquery search_term search_terms searchterm keyword "
    "keywords term terms text phrase question jql topic needle"
)


def without_sought(action: Action, leaves: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    """With signs that say nothing in their place, as many as there were; the same when none is."""
    if not _searches(action) or not any(map(_is_sought, leaves)):
        return leaves
    return tuple(_masked(leaf) if _is_sought(leaf) else leaf for leaf in leaves)


def _is_sought(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and leaf.key.lower() in _WORDS


def _searches(action: Action) -> bool:
    name = tool_name(action.tool)
    if name.verb is None or name.verb.base not in _SEARCHES or not name.reads:
        return False
    return _RUNS.isdisjoint(name.words) and action.domain not in {"database", "shell"}


def _masked(leaf: Leaf) -> Leaf:
    return replace(leaf, value="." * len(leaf.value))
