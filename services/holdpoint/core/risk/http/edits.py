"""What a body takes away piece by piece: JSON Patch, lists of operations, calls of a method."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.http.words import MARKS, OWN_MARKS, SENT_MARKS, TAKES, words_of
from holdpoint.core.risk.lexicon import word_set

MAX_VALUES = 1_500
"""Values of a body that are looked at: as many as of a payload are read."""

MAX_NAME = 60
MAX_SHOWN = 24

_TAKES = word_set("delete destroy purge drop wipe erase terminate truncate")
_STORES = word_set("index table database collection bucket alias user account")
_CALLS = word_set("execute execute_kw executekw call call_kw callkw invoke")
_METHODS = TAKES | {"unlink"}
_NOTES = MARKS | OWN_MARKS | SENT_MARKS | word_set("annotations annotation metadata tags comments")


def edited(body: Mapping[str, Any]) -> Iterator[str]:
    """Each loss, in a few words."""
    for one in _objects(body):
        if str(one.get("op", "")).lower() == "remove" and _empties(one.get("path")):
            yield f"it removes {beginning(str(one.get('path') or 'everything'), MAX_SHOWN)}"
        yield from _operations(one)
        if str(one.get("method", "")).lower() in _CALLS:
            yield from _called(one)


def _objects(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The objects in its lists, and the body itself, and what its `params` are."""
    lists = (value for value in body.values() if isinstance(value, list | tuple))
    listed = (one for held in lists for one in held if isinstance(one, Mapping))
    inside = body.get("params")
    alone = (inside,) if isinstance(inside, Mapping) else ()
    return islice(chain((body,), alone, listed), MAX_VALUES)


def _empties(path: object) -> bool:
    """Whether all of something goes: the root, or what is named as many; no mark, no item."""
    if not isinstance(path, str) or not path.strip("/"):
        return True
    parts = [part for part in path.replace(".", "/").split("/") if part]
    words = {word for part in parts for word in words_of(part)}
    last = words_of(parts[-1].partition("[")[0])[-1:]
    return words.isdisjoint(_NOTES) and bool(last) and last[0].endswith("s")


def _operations(one: Mapping[str, Any]) -> Iterator[str]:
    """`{"delete": "a/7"}`, `{"remove_index": {…}}` in a list of what is to be done."""
    if len(one) > len(("delete", "where")):
        return
    for key, value in one.items():
        words = words_of(str(key)[:MAX_NAME])
        whole = words[1:] == () and isinstance(value, str | list | Mapping)
        thing = isinstance(value, Mapping) and not _STORES.isdisjoint(words[1:])
        if (
            value
            and words
            and ((words[0] in _TAKES and (whole or thing)) or _removes(words, thing))
        ):
            yield f"it is told to {beginning(str(key), MAX_SHOWN)}"


def _removes(words: tuple[str, ...], thing: object) -> bool:
    return bool(thing) and words[0] == "remove"


def _called(one: Mapping[str, Any]) -> Iterator[str]:
    """The method that stands among what another is called with: `execute_kw(…, "unlink", …)`."""
    given = (one[key] for key in ("args", "params") if isinstance(one.get(key), list | tuple))
    for said in chain.from_iterable(listed[:MAX_NAME] for listed in given):
        words = words_of(said) if isinstance(said, str) and len(said) <= MAX_NAME else ()
        if words and (words[0] in _METHODS or words[-1] in _METHODS) and "." not in said:
            yield f"it calls {beginning(said, MAX_SHOWN)}"
