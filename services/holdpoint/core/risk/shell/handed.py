"""SQL that a program gets of which no table says which of its words are statements.

What stands as a whole statement where such a program is handed one, or where its words speak of
databases, counts as handed to a database, whatever the program.
"""

from collections.abc import Iterator
from urllib.parse import unquote_plus

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import runs_dry
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.tools import KNOWN_HARMLESS
from holdpoint.core.risk.shell.unwrapping import FEEDS


def sql_to_strangers(command: Command) -> tuple[str, ...]:
    """The SQL texts among its words and on its input; none of what only searches or prints."""
    fed = command.stdin.text if command.stdin else None
    if not fed and " " not in "".join(command.args) and command.name not in _UNSPACED:
        return ()
    if command.name in KNOWN_HARMLESS or command.name in _READERS:
        return ()
    told = tuple(_to_strangers(command))
    if fed and _reads(command, fed):
        told = (*told, fed)
    return () if told and runs_dry(command) else told


def _reads(command: Command, fed: str) -> bool:
    """Whether a database's console gets what stands on its input."""
    if command.name in TALKS or not (_told.match(fed) or _statement.search(fed)):
        return False
    return _has_database(command)


def _to_strangers(command: Command) -> Iterator[str]:
    """A statement that a program gets of which nobody knows that it has a database, or no program.

    Words that somebody is to read are none: a message, a title, a question.
    """
    name, args = command.name, command.args
    if name in _HTTP:
        yield from filter(None, (_posted(arg) for arg in args if _SPELLS.search(arg)))
        return
    if name in _BARE and args[:1] and args[0].lower() in _OBJECTS:
        yield " ".join((name, *args))
    if name in TALKS or name in FEEDS:
        return
    for at, arg in enumerate(args):
        if " " not in arg:
            continue
        name, assigned, value = arg.partition("=") if arg[:2] == "--" else ("", "", arg)
        option = name if assigned else args[at - 1] if at else ""
        if " " in value and option not in TEXTS and _is_handed(command, option, value):
            yield value


def _is_handed(command: Command, option: str, value: str) -> bool:
    """Whether a word is a statement that a database is to run."""
    if _GRAVE.match(value):
        return True
    if option in _ASKS and _statement.search(value):
        return True
    return _told.match(value) is not None and _has_database(command)


def _has_database(command: Command) -> bool:
    """Whether its name or one of its plain words speaks of a database, or of a console of one."""
    names = (arg for arg in command.args if " " not in arg)
    return any(map(_database.search, (command.name, *names)))


_ASKS = words("words/shell:sql.statement_options")

_database = re2.compile(
    r"(?i)(?:\b|_)(?:db|sql|psql|mysql|mssql|database|databases|d1|dbshell|dbconsole|postgres"
    r"|postgresql|pg|pgsql|mariadb|sqlite|clickhouse|snowflake|redshift|bigquery|spanner|rds"
    r"|oracle|warehouse)(?:\b|_)|sql\b|\bsql|db\b"
)
_HEADS = (
    r"(?:drop|alter|create)\s+(?:[a-z]+\s+){0,3}"
    r"(?:table|database|schema|keyspace|user|role|login|index|view|trigger|event|rule|procedure"
    r"|function|type|policy|extension|server|system|tablespace|owned|column|publication|share)\s+\S"
    r"|delete\s+(?:from\s|top\b|\S+\s+from\s)"
    r"|truncate\s+(?:table\s+)?[\w\"`]|update\s.{1,200}?\sset\s+[\w.\"`\[\]]+\s*="
    r"|(?:grant|revoke)\s+(?:all|select|insert|update|delete|execute|usage|create|connect|role)\b"
    r"|(?:grant|revoke)\s+\S+\s+(?:to|from)\s+\S+\s*(?:;|$|with\b)"
    r"|merge\s+into\s|insert\s+(?:into|overwrite)\s|replace\s+into\s|with\s+\w+\s+as\s*\("
    r"|exec(?:ute)?\s+(?:immediate\b|\w+\.|sp_|xp_)|call\s+[\w.]+\s*\(|do\s+\$"
    r"|begin\s+(?:tran|work|atomic|execute|delete|drop|update|truncate|alter|grant)"
    r"|declare\s+@|rename\s+table\s|shutdown\s+with\b|reset\s+master\b|purge\s+binary\b"
)
_statement = re2.compile(rf"(?ism)(?:^|;)[\s\"'(]*(?:{_HEADS})")
"""At the head of a text, of a line, or behind another statement."""

_told = re2.compile(
    rf"(?is)^[\s\"'(]*(?:{_HEADS}|select\s|with\s|flush\s|reset\s|reassign\s+owned\s|purge\s"
    r"|(?:un)?drop\s+\w+\s|alter\s+\w+\s|vacuum\s|detach\s+\w+\s|backup\s+\w+\s|pragma\s"
    r"|kill\s|load\s+data\s|lock\s+tables?\s|unload\s|copy\s|set\s+(?:global\s+|session\s+)?\S+\s*(?:=|\sto\s)|--\s|;|\w*/\*)"
)
"""What a program of a database that is told it takes for SQL, and nobody else does."""

_READERS = words("words/shell:sql.formatters_and_searchers")


_HTTP = word_set("curl curlie wget http https xh xhs")
_SPELLS = re2.compile(r"(?i)\b(?:drop|delete|truncate|alter|update|grant|revoke|merge)(?:[ +]|%20)")
_FIELD = re2.compile(
    r"(?i)^[\s{\"']*(q|query|sql|stmt|statement|command|cmd)[\"']?\s*(?::|:?=)=?\s*[\"']?"
)


def _posted(arg: str) -> str:
    """The statement in a body or a form's field; empty when it is none."""
    field = _FIELD.match(arg)
    said = arg[field.end() :] if field else arg
    if " " not in said and "\n" not in said:
        said = unquote_plus(said)
    named = len(said.split()) > _UNNAMED
    asked = field is not None and field[1].lower() in _STATEMENTS and _statement.search(said)
    return said.rstrip("\"'} ") if named and (asked or _GRAVE.match(said)) else ""


_STATEMENTS = word_set("query sql stmt statement")
"""Fields in which a statement stands; what somebody looks for stands in others."""


_UNNAMED = len(("drop", "table"))
"""Words of what somebody looks for, rather than a statement about one thing."""


_BARE = word_set("drop truncate delete")
_UNSPACED = _BARE | _HTTP
"""Programs whose statements may stand in several words, or in one with its spaces spelled."""

_OBJECTS = word_set("table database schema user role from view index")
_GRAVE = re2.compile(
    r"(?i)^[\s\"'(]*(?:drop\s+(?:table|database|schema|keyspace|user|role|index|collection|view|type"
    r"|column|tablespace|owned)\b|delete\s+from\s|truncate\s+(?:table\s+)?[\w\"`]"
    r"|update\s+\S+\s+set\s|alter\s+(?:table|database|user|role|system)\s)"
)
TALKS = words("words/shell:sql.programs_for_people")

TEXTS = words("words/shell:sql.text_options")
