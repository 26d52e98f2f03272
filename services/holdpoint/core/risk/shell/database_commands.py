"""Databases and key-value stores by their own consoles: Redis, order files, keys of production."""

import re
from collections.abc import Iterator

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.cluster_commands import is_live
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import CRITICAL, HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.messages.risk import Heuristic

MAX_LINES = 64
"""Lines on its input that are looked at."""

_VALUES = words("words/shell:databases.redis_options_with_value")
_takes = re2.compile(
    r"^(?:acl deluser|(?:slaveof|replicaof) \S+ |config set (?:dir|dbfilename|save|appendonly"
    r"|protected-mode no|requirepass (?:\"\"|''|$))"
    r"|xtrim \S+ \S+ =?~? ?0\b|restore \S+ .* replace|client kill type"
    r"|cluster (?:forget|failover|flushslots|delslots)|swapdb |failover\b|module unload)"
)
_inside = re2.compile(r"flushall|flushdb|['\"](?:del|unlink|shutdown)['\"]")
_REPAIRS = word_set("del-node fix reshard rebalance call import")
_PARTS = frozenset({("script", "flush"), ("cluster", "reset"), ("function", "flush"),
                    ("function", "delete")})  # fmt: skip


def redis_orders(command: Command) -> list[Danger]:
    """Redis takes its commands in any case."""
    if "--cluster" in command.args and _REPAIRS & set(command.args):
        return [Danger("shell.redis-change", HIGH, "moves or takes away parts of a cluster", "fix")]
    for order in _orders(command):
        found = _judged(order, many=command.many)
        if found:
            return [found]
    return []


def _orders(command: Command) -> Iterator[list[str]]:
    """The order on its command line, and those on its input."""
    yield [word.lower() for word in read_options(command.args, _VALUES).words]
    said = (command.stdin.text or "") if command.stdin else ""
    for line in said.lower().splitlines()[:MAX_LINES]:
        yield line.split()


def _judged(words: list[str], *, many: bool) -> Danger | None:
    head, told = words[0] if words else "", " ".join(words)
    if head in {"flushall", "flushdb"}:
        return Danger("shell.redis-flush", CRITICAL, "deletes every key", "flush")
    if head == "shutdown" or (head == "debug" and _crashes(words)):
        return Danger("shell.redis-stop", HIGH, "stops the server", "stop")
    if tuple(words[:2]) in _PARTS:
        return Danger("shell.redis-flush", HIGH, "empties a part of the server", "flush")
    if _takes.search(told) or (head in {"eval", "evalsha", "fcall"} and _inside.search(told)):
        return Danger("shell.redis-change", HIGH, "takes data or a server's place away", "change")
    if many and head in {"del", "unlink"}:
        return Danger("shell.redis-delete", HIGH, "deletes key after key", "delete")
    return None


def _crashes(words: list[str]) -> bool:
    return not {"segfault", "panic", "oom", "restart"}.isdisjoint(words)


VALUE_STORES = word_set("consul etcdctl zkcli.sh zkcli zookeeper-shell zookeeper-shell.sh aws")
"""By name."""

SOON = 7
"""Days in which what expires is as good as deleted."""

_PUTS = word_set("put set update create mk mkdir")
_STORE_VALUES = words("words/shell:services.key_value_options")


def stored_values(command: Command) -> list[Danger]:
    """What it changes for all that read it."""
    if asks_for_help(command):
        return []
    return _expiring(command) if command.name == "aws" else _put(command)


def _put(command: Command) -> list[Danger]:
    words = read_options(command.args, _STORE_VALUES).words
    at = next((at for at, word in enumerate(words) if word in _PUTS), None)
    if at is None or len(words) <= at + 1:
        return []
    key, value = words[at + 1], "".join(words[at + 2 : at + 3]).lower()
    if is_live(key):
        return [_READ]
    return [_OFF] if value in _NO else []


_NO = word_set("off false 0 no disabled")


def _expiring(command: Command) -> list[Danger]:
    """Rules by which all that a bucket holds is gone soon; a prefix or a tag narrows them."""
    if "put-bucket-lifecycle-configuration" not in command.args:
        return []
    text = " ".join(command.args)
    days = [int(one) for one in _days.findall(text)]
    return [_EXPIRES] if days and min(days) <= SOON and not _narrows.search(text) else []


_days = re.compile(r"Expiration\W{1,8}(?:Days)\W{1,4}(\d{1,5})")
_narrows = re.compile(r"[\"']?(?:Prefix\W{1,4}\w|Tag\b)")
_READ = Danger(
    "shell.production", HIGH, "changes what production reads", "update", Heuristic.CRITICALITY
)
_OFF = Danger("shell.switched-off", MEDIUM, "turns a value off that others read", "update")
_EXPIRES = Danger("shell.storage-expire", HIGH, "deletes all that it holds within days", "delete")


_FILES = {
    **dict.fromkeys(["psql", "ysqlsh", "cqlsh", "snowsql", "cockroach"], "-f --file"),
    **dict.fromkeys(["mysql", "mariadb", "sqlite3", "clickhouse-client"], ""),
    "sqlcmd": "-i --input-file", "mongosh": "-f --file", "mongo": "",
    "ansible-playbook": "", "rman": "cmdfile",
}  # fmt: skip
"""Programs that carry out a file of orders, and the options that name it."""

ORDER_FILE_PROGRAMS = frozenset(_FILES)
_FILE_VALUES = words("words/shell:sql.order_file_options_with_value")
_ONLY_LOOKS = "--check -C --syntax-check --list-tasks --list-hosts --list-tags"
_SPELLED = re.compile(r"\.(?:sql|js|cql|rcv|rman|ya?ml)(?:\.j2)?$", re.IGNORECASE)
_FILE_PARTS = re.compile(r"[^a-z]+")
_TAKES = words("words/shell:sql.removing_file_names")
_LIVE = re.compile(r"(?<![a-z])(?:prod|production)(?![a-z])")


def unread_order_files(command: Command) -> list[Danger]:
    """`psql -f drop_all.sql`, `mysql production < x.sql`."""
    options = read_options(command.args, _FILE_VALUES | word_set(_FILES[command.name]))
    files = _handed(command, options.words, options.value(*_FILES[command.name].split()))
    if not files and _is_fed(command, options):
        files = [""]
    if not files or asks_for_help(command) or runs_dry(command) or options.has(_ONLY_LOOKS):
        return []
    words = {word for file in files for word in _FILE_PARTS.split(file.rpartition("/")[2].lower())}
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
