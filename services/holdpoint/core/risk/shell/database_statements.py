"""What a command hands to a database: SQL, and the orders of Redis."""

import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

import re2

from holdpoint.core.risk.knowledge import by_word, pattern, words
from holdpoint.core.risk.shell.command_rules import (
    KNOWN_HARMLESS,
    asks_for_help,
    runs_dry,
)
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.output import generated
from holdpoint.core.risk.shell.unwrapping import FEEDS
from holdpoint.core.risk.words import STATEMENT_FIELDS, word_set


def sql_to_strangers(command: Command) -> tuple[str, ...]:
    """The SQL texts among its words and on its input; none of what only searches or prints."""
    fed = command.stdin.text if command.stdin else None
    if command.name in KNOWN_HARMLESS or command.name in _READERS:
        return ()
    told = tuple(_to_strangers(command))
    if fed and _reads(command, fed):
        told = (*told, fed)
    return () if told and runs_dry(command) else told


def _reads(command: Command, fed: str) -> bool:
    """Return whether a database's console gets what stands on its input."""
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
    """Return whether a word is a statement that a database is to run."""
    if _GRAVE.match(value):
        return True
    if option in _ASKS and _statement.search(value):
        return True
    return _told.match(value) is not None and _has_database(command)


def _has_database(command: Command) -> bool:
    """Return whether its name or a plain word speaks of a database or its console."""
    names = (arg for arg in command.args if " " not in arg)
    return any(map(_database.search, (command.name, *names)))


_ASKS = words("words/shell:sql.statement_options")
_database = re2.compile("(?i)" + pattern("patterns/shell:database_statements.database"))
_HEADS = pattern("patterns/shell:database_statements.heads")
_statement = re2.compile(rf"(?ism)(?:^|;)[\s\"'(]*(?:{_HEADS})")
"""At the head of a text, of a line, or behind another statement."""

_told = re2.compile(
    rf"(?is)^[\s\"'(]*(?:{_HEADS}|{pattern('patterns/shell:database_statements.told')})"
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
    asked = field is not None and field[1].lower() in STATEMENT_FIELDS and _statement.search(said)
    return said.rstrip("\"'} ") if named and (asked or _GRAVE.match(said)) else ""


_UNNAMED = len(("drop", "table"))
"""Words of what somebody looks for, rather than a statement about one thing."""

_BARE = word_set("drop truncate delete")
_UNSPACED = _BARE | _HTTP
"""Programs whose statements may stand in several words, or in one with its spaces spelled."""

_OBJECTS = word_set("table database schema user role from view index")
_GRAVE = re2.compile("(?i)" + pattern("patterns/shell:database_statements.grave"))
TALKS = words("words/shell:sql.programs_for_people")
TEXTS = words("words/shell:sql.text_options")

_SQL_OPTIONS = by_word("words/shell:sql.statement_options_of")
SQL_TOOLS = frozenset(_SQL_OPTIONS)
_SQL_VALUES = words("words/shell:sql.client_options_with_value")
_BARE_SQL = word_set("sqlite3 sqlite duckdb bq sqlcmd mysql psql mariadb")
_SAFE = word_set("-readonly --readonly -safe --safe --dry_run")
_PASSING = frozenset({":memory:"})
"""A database that is gone when its program ends."""

_ATTACHES = re2.compile(r"(?i)\battach\b|\bpostgres|\.(?:open|restore|read)\b")
_VERBS = words("words/shell:sql.first_words")


def sql_in(command: Command) -> tuple[str, ...]:
    """The SQL texts that a database's command line gets."""
    names = _SQL_OPTIONS.get(command.name)
    if names is None:
        fed = command.stdin.text if command.stdin else None
        spaced = fed or " " in "".join(command.args) or command.name in _UNSPACED
        return sql_to_strangers(command) if spaced else ()
    if _PASSING & {*command.args[:2]} and not _ATTACHES.search(" ".join(command.args)):
        return ()
    if _SAFE & set(command.args) or asks_for_help(command) or runs_dry(command):
        return ()
    wanted = word_set(names)
    options = read_options(command.args, _SQL_VALUES | wanted)
    found = [*given(command.args, wanted)]
    if command.name in _BARE_SQL:
        found += [
            word
            for word in options.words
            if len(word.split(maxsplit=1)) > 1 or word.lower().lstrip(".") in _VERBS
        ]
        found += [arg for arg in command.args if arg.startswith("-- ")]
    if command.stdin and command.stdin.text:
        found.append(command.stdin.text)
    made = "".join(generated(text) for text in found if "\\gexec" in text)
    return (*found, made) if made else tuple(found)


def given(args: tuple[str, ...], wanted: frozenset[str]) -> Iterator[str]:
    """Yield the values of these options: the next word, or what stands behind `=` or touches it."""
    for at, arg in enumerate(args):
        name, assigned, value = arg.partition("=")
        if name in wanted and assigned:
            yield value
        elif arg in wanted and at + 1 < len(args):
            following = args[at + 1]
            bare = following.lower() in _VERBS
            yield " ".join(args[at + 1 :]) if bare else following
        elif _bundled.fullmatch(arg) and f"-{arg[-1]}" in wanted:
            yield "".join(args[at + 1 : at + 2])
        elif arg[:2] in wanted and len(arg) > len("-c") and not arg.startswith("--"):
            yield arg[2:]


_bundled = re.compile(r"-[A-Za-z]{2,6}")
"""Options in one word, of which the last takes the next word: `psql -qAtc`."""
