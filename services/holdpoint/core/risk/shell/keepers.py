"""What others keep: values that production reads by their keys, and how long a bucket holds things.

```
consul kv put prod/db/host x     etcdctl put /prod/db/host x     zkCli.sh set /prod/db/host x
aws s3api put-bucket-lifecycle-configuration … '{"Rules": [{"Expiration": {"Days": 1}}]}'
```
"""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.production import is_live
from holdpoint.messages.risk import Heuristic

KEEPERS = word_set("consul etcdctl zkcli.sh zkcli zookeeper-shell zookeeper-shell.sh aws")
"""By name."""

SOON = 7
"""Days in which what expires is as good as deleted."""

_PUTS = word_set("put set update create mk mkdir")
_VALUES = words("words/shell:services.key_value_options")


def kept(command: Command) -> list[Danger]:
    """What it changes for all that read it."""
    if asks_for_help(command):
        return []
    return _expiring(command) if command.name == "aws" else _put(command)


def _put(command: Command) -> list[Danger]:
    words = read_options(command.args, _VALUES).words
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
