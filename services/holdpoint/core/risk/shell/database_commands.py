"""Databases and key-value stores by their own consoles: Redis, order files, keys of production."""

from collections.abc import Iterator

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import CRITICAL, HIGH, Command, Danger
from holdpoint.core.risk.shell.options import read_options

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
