"""What a command touches: paths, hosts, databases, clusters; and the SQL that it carries."""

import re
from collections.abc import Iterator

import re2

from holdpoint.core.risk.knowledge import by_word, words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.handed import sql_to_strangers
from holdpoint.core.risk.shell.model import HOLE, Command, shown
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.output import generated
from holdpoint.core.risk.shell.tools import KNOWN_HARMLESS

_WHERE = words("words/shell:targets.place_options")
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
        return sql_to_strangers(command)
    if _PASSING & {*command.args[:2]} and not _ATTACHES.search(" ".join(command.args)):
        return ()
    if _SAFE & set(command.args) or asks_for_help(command) or runs_dry(command):
        return ()
    wanted = word_set(names)
    options = read_options(command.args, _SQL_VALUES | wanted)
    found = [*_given(command.args, wanted)]
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


def _given(args: tuple[str, ...], wanted: frozenset[str]) -> Iterator[str]:
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


def targets_of(command: Command, *, severe: bool) -> Iterator[str]:
    """Paths wherever they stand; for a danger every word that names something."""
    if command.name in KNOWN_HARMLESS and not severe:
        return
    for one in command.redirects:
        if one.sign.startswith((">", "&>")) and "/" in one.target:
            yield shown(one.target)
    if not severe:
        return
    args = command.args
    for at, arg in enumerate(args):
        name, assigned, value = arg.partition("=")
        if name in _WHERE and (assigned or at + 1 < len(args)):
            yield shown(value if assigned else args[at + 1])
        elif not arg.startswith("-") and (_names(arg) or HOLE in arg):
            yield shown(arg.removeprefix("of="))


def _names(arg: str) -> bool:
    return len(arg) < MAX_TARGET and " " not in arg and arg not in _VERBS


MAX_TARGET = 200
