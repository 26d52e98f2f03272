"""Arguments by name: those whose text is a program, and those whose text people read."""

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

SHELL_KEYS = words("words/actions:keys.shell_keys")
SURELY_SQL = word_set("sql sql_query sql_statement")
SQL_KEYS = word_set("sql query statement stmt sql_query sql_statement statements queries")
CODE_KEYS = word_set("code python source snippet program python_code javascript js cells cell")
PROGRAM_KEYS = SHELL_KEYS | SQL_KEYS | CODE_KEYS
PROSE_KEYS = words("words/actions:keys.prose_keys")
