"""Words that a tool only searches for: they run nowhere, whatever they say.

Only where the catalog lists the tool as a mere read, its name says that it searches, and neither
its name nor its domain is about a place in which a query is a program.
"""

from msgspec.structs import replace

from holdpoint.core.risk.calls.leaf import Leaf
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.lexicon import word_set

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


def sought(domain: str, tool: str, leaves: tuple[Leaf, ...]) -> frozenset[str]:
    """The places of what is only searched for, by a tool that is known to read."""
    name = tool_name(tool)
    verb = name.verb
    if verb is None or verb.base not in _SEARCHES or not name.reads:
        return frozenset()
    if not _RUNS.isdisjoint(name.words) or domain in {"database", "shell"}:
        return frozenset()
    return frozenset(leaf.path for leaf in leaves if leaf.key.lower() in _WORDS)


def masked(leaves: tuple[Leaf, ...], places: frozenset[str]) -> tuple[Leaf, ...]:
    """With signs that say nothing where something is only searched for, as many as there were."""
    if not places:
        return leaves
    return tuple(_masked(leaf) if leaf.path in places else leaf for leaf in leaves)


def _masked(leaf: Leaf) -> Leaf:
    return replace(leaf, value="·" * len(leaf.value)) if isinstance(leaf.value, str) else leaf
