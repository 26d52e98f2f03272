"""Files of orders that nobody reads here: what their names say, and where they are to run."""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.messages.risk import Heuristic

_FILES = {
    **dict.fromkeys(["psql", "ysqlsh", "cqlsh", "snowsql", "cockroach"], "-f --file"),
    **dict.fromkeys(["mysql", "mariadb", "sqlite3", "clickhouse-client"], ""),
    "sqlcmd": "-i --input-file", "mongosh": "-f --file", "mongo": "",
    "ansible-playbook": "", "rman": "cmdfile",
}  # fmt: skip
"""Programs that carry out a file of orders, and the options that name it."""

HANDED = frozenset(_FILES)
_VALUES = words("words/shell:sql.order_file_options_with_value")
_ONLY_LOOKS = "--check -C --syntax-check --list-tasks --list-hosts --list-tags"
_SPELLED = re.compile(r"\.(?:sql|js|cql|rcv|rman|ya?ml)(?:\.j2)?$", re.IGNORECASE)
_PARTS = re.compile(r"[^a-z]+")
_TAKES = words("words/shell:sql.removing_file_names")
_LIVE = re.compile(r"(?<![a-z])(?:prod|production)(?![a-z])")


def unread(command: Command) -> list[Danger]:
    """`psql -f drop_all.sql`, `mysql production < x.sql`."""
    options = read_options(command.args, _VALUES | word_set(_FILES[command.name]))
    files = _handed(command, options.words, options.value(*_FILES[command.name].split()))
    if not files and _is_fed(command, options):
        files = [""]
    if not files or asks_for_help(command) or runs_dry(command) or options.has(_ONLY_LOOKS):
        return []
    words = {word for file in files for word in _PARTS.split(file.rpartition("/")[2].lower())}
    if not _TAKES.isdisjoint(words):
        return [_BY_NAME]
    beside = " ".join(arg for arg in command.args if arg not in files).lower()
    live = command.name != "ansible-playbook" and _LIVE.search(beside)
    return [_IN_PRODUCTION] if live else []


def _handed(command: Command, words: tuple[str, ...], named: str) -> list[str]:
    """The files that it carries out; what this very text wrote is read where it stands."""
    known = command.stdin is not None and command.stdin.text is not None
    if command.name == "rman":
        words = tuple(one.partition("=")[2] for one in words if one.startswith("cmdfile="))
    fed = () if known else tuple(one.target for one in command.redirects if one.sign == "<")
    plays = command.name in {"ansible-playbook", "mongo", "rman"}
    return [file for file in (*fed, named, *(words if plays else ())) if _SPELLED.search(file)]


def _is_fed(command: Command, options: Options) -> bool:
    """Whether a client of a database reads orders from a pipe that nobody can read here."""
    flow = command.stdin
    return (
        flow is not None
        and flow.text is None
        and command.name in _CLIENTS
        and not options.has(_ORDERED)
    )


_CLIENTS = word_set("psql ysqlsh cqlsh snowsql cockroach mysql mariadb clickhouse-client sqlcmd")
_ORDERED = "-c --command -e --execute -q -Q --query -l --list"
"""Options that say what is to be done, so that the input is no order."""

_BY_NAME = Danger("shell.orders-unread", HIGH, "runs a file that by its name takes away", "run")
_IN_PRODUCTION = Danger(
    "shell.orders-unread", HIGH, "runs in production what nobody has read", "run",
    Heuristic.CRITICALITY,
)  # fmt: skip
