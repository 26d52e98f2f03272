"""Lists of English words for reading sentences."""

from functools import lru_cache

from holdpoint.core.risk.knowledge import words


@lru_cache(maxsize=2048)
def word_set(text: str) -> frozenset[str]:
    """Return the words of a text: for lists of at most ten. Longer ones are data."""
    return frozenset(text.split())


ARTICLES = words("words/english:articles")
"""Before a verb's base form they make it a noun: `your transfer`."""

WIDE = words("words/english:wide")
"""What names more than one thing without a number."""

MEASURES = words("words/english:measures")
"""What a number measures rather than counts."""

SKIPPED = words("words/english:skipped")
"""What may stand between a number and its noun."""

ADJECTIVES = words("words/english:adjectives")
"""What says which things, not what things."""

STOPS = words("words/english:stops")
"""What ends a noun phrase."""

PRODUCTION = word_set("prod production prd")
"""Names of production, wherever they stand."""

LIVE = PRODUCTION | {"live"}
"""The same, and a word that names it only where a place is named."""

YES = word_set("true yes on 1")
NO = word_set("false no off 0")
"""Values by which a setting or an option says so."""

UNSENT = word_set("draft drafts preview template templates")
"""Words for a message that is not sent yet."""

PLAIN_REMOVALS = word_set("delete destroy purge wipe erase terminate")
"""Verbs that take something away, whatever it is."""

SHELL_KEYS = words("words/actions:keys.shell_keys")
SURELY_SQL = word_set("sql sql_query sql_statement")
SQL_KEYS = word_set("sql query statement stmt sql_query sql_statement statements queries")
STATEMENT_FIELDS = word_set("query sql stmt statement")
"""Fields in which one statement stands; what somebody looks for stands in others."""

CODE_KEYS = word_set("code python source snippet program python_code javascript js cells cell")
PROGRAM_KEYS = SHELL_KEYS | SQL_KEYS | CODE_KEYS
PROSE_KEYS = words("words/actions:keys.prose_keys")
