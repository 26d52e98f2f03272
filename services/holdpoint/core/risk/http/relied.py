"""What others rely on, and a request changes for all of them.

```
PUT  /v1/kv/prod/db/host            a value that production reads: Consul, etcd
POST /v3/kv/put                     the same of etcd's later interface
PUT  /bucket?lifecycle              all that a bucket holds is gone in a day
PUT  /_all/_settings                no copy of an index is left
POST /admin/maintenance             the service is out of reach
POST /job/wipe-prod/build           a job does what its name says
```
"""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import re2

from holdpoint.core.risk.http.body import MAX_TEXT
from holdpoint.core.risk.http.target import Target
from holdpoint.core.risk.http.words import BULK, TAKES, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_KEYS = 1_500
MAX_SHOWN = 24
SOON = 7
"""Days in which what expires is as good as deleted."""

_LIVE = word_set("prod production prd live")
_OTHERS = words("words/http:relied.others")

_STORES = (("v1", "kv"), ("v2", "keys"), ("v3", "kv"))
"""How the paths of Consul and etcd begin, behind which the name of a value stands."""

_OFF = word_set("false off no 0 disabled disable")


def relied_on(method: str, target: Target, body: object, held: Mapping[str, Any]) -> Iterator[str]:
    """Each, as what the request does; `held`: what its body holds."""
    if not target.path and not target.asked:
        return
    puts = method == "PUT" or target.path[-3:] == ["v3", "kv", "put"]
    if puts and stores(target) and is_live([*target.path[2:], _key_in(held)]):
        yield "it changes what production reads"
    if method == "PUT" and target.said("lifecycle"):
        yield from _expired(body)
    last = target.path[-1].lower() if target.path else ""
    if last == "_settings" and _is_of_many(target.path[:-1]):
        yield from _settled(held)
    if last.replace("_", "-") in _MAINTENANCE and _is_whole(target) and _is_on(held):
        yield "it takes the service out of reach"
    if method == "POST" and last in _BUILDS and len(target.path) > len(("job", "x")):
        yield from _started(target.path[:-1])


def _key_in(held: Mapping[str, Any]) -> str:
    """The key that a body names, as etcd has it: in base64."""
    key = held.get("key")
    try:
        return b64decode(key, validate=True).decode("ascii") if isinstance(key, str) else ""
    except ValueError:
        return ""


def stores(target: Target) -> bool:
    """Whether its path names a value in a store of keys."""
    first = tuple(part.lower() for part in target.path[:2])
    return first in _STORES and len(target.path) > len(first)


def is_off(target: Target, body: object) -> bool:
    """Whether it turns a value of such a store off."""
    said = str(body).strip().strip("\"'").lower() if isinstance(body, str | bool | int) else ""
    return stores(target) and said.rpartition("=")[2] in _OFF


def is_live(parts: list[str]) -> bool:
    """Whether a part of a path names production, and none another stage."""
    words = {word for part in parts for word in words_of(part)}
    return not _LIVE.isdisjoint(words) and _OTHERS.isdisjoint(words)


def _expired(body: object) -> Iterator[str]:
    """Rules of a bucket by which all of it goes soon; a prefix or a tag narrows them."""
    text = whole_characters(body[:MAX_TEXT]) if isinstance(body, str) else ""
    days = [int(one) for one in _days.findall(text)]
    if days and min(days) <= SOON and not _narrows.search(text):
        yield f"it deletes all that is older than {min(days)} days"


_days = re2.compile(r"(?is)<Expiration>.{0,200}?<Days>\s*(\d{1,5})\s*</Days>")
_narrows = re2.compile(r"(?i)<Prefix>\s*[^<\s]|<Tag>")


def _is_of_many(parts: list[str]) -> bool:
    """No index, each of them, or one of production."""
    return not parts or parts[-1] in {"_all", "*"} or is_live(parts)


def _settled(held: Mapping[str, Any]) -> Iterator[str]:
    if _leaves_no_copy(held):
        yield "it leaves no copy of what is stored"
    if _bars(held):
        yield "it bars everybody from what is stored"


def _bars(held: Mapping[str, Any]) -> bool:
    """`{"index.blocks.write": true}`, with its names apart or in one."""
    index = held.get("index")
    inner = index if isinstance(index, Mapping) else {}
    blocks = inner.get("blocks")
    named = ((held, "index.blocks."), (inner, "blocks."))
    said = [one.get(f"{before}{name}") for one, before in named for name in _BARRED]
    said += [blocks.get(name) for name in _BARRED] if isinstance(blocks, Mapping) else []
    return any(one is True or one == "true" for one in said)


_BARRED = ("write", "read", "read_only", "read_only_allow_delete", "metadata")


def _leaves_no_copy(held: Mapping[str, Any]) -> bool:
    """`{"index": {"number_of_replicas": 0}}`, with its names apart or in one."""
    index = held.get("index")
    inner = index if isinstance(index, Mapping) else {}
    said = (one.get(name) for one in (held, inner) for name in _COPIES)
    return any(one in (0, "0") and one is not False for one in said)


_COPIES = ("number_of_replicas", "index.number_of_replicas")
_MAINTENANCE = frozenset({"maintenance", "maintenance-mode"})
_SERVICE = words("words/http:relied.service")


def _is_whole(target: Target) -> bool:
    """Whether it is the service's own, and no car's or building's; and no stage for tests."""
    before = {part.lower() for part in target.path[:-1]}
    words = {word for part in (*target.path, target.host) for word in words_of(part)}
    return before <= _SERVICE and _OTHERS.isdisjoint(words)


def _is_on(held: Mapping[str, Any]) -> bool:
    flags = ((str(key).lower(), value) for key, value in islice(held.items(), MAX_KEYS))
    said = [value for key, value in flags if key in _FLAGS]
    stages = (one.lower() for one in held.values() if isinstance(one, str))
    return any(one is True or one in ("true", "on") for one in said) and _OTHERS.isdisjoint(stages)


_FLAGS = word_set("enabled enable active on mode state status maintenance")
_BUILDS = frozenset({"build", "buildwithparameters"})
_DEEDS = TAKES | word_set("reset clean teardown nuke")
_THINGS = BULK | _LIVE | words("words/http:relied.things")
"""What a job takes away, where its name says it: branches and caches are tidied up every day."""


def _started(parts: list[str]) -> Iterator[str]:
    """Jenkins' `/job/FOLDER/job/NAME/build`."""
    words = words_of(parts[-1]) if parts[-2:-1] == ["job"] else ()
    grave = words and not _DEEDS.isdisjoint(words) and not _THINGS.isdisjoint(words)
    if grave and _OTHERS.isdisjoint(words):
        yield f"it runs the job “{parts[-1][:MAX_SHOWN]}”"
