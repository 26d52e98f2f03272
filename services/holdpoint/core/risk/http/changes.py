"""What a request changes that others rely on."""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

import re2

from holdpoint.core.risk.extract.payload import says_nothing
from holdpoint.core.risk.http.paths import (
    BULK,
    MARKS,
    MAX_TEXT,
    OWN_MARKS,
    SENT_MARKS,
    TAKES,
    address_words,
    stores,
    words_in,
)
from holdpoint.core.risk.http.request import Target
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.words import LIVE, word_set
from holdpoint.core.text import beginning, whole_characters

MAX_KEYS = 1_500
MAX_SHOWN = 24
SOON = 7
"""Days in which what expires is as good as deleted."""

_OTHERS = words("words/tools:production.others")


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


def is_live(parts: list[str]) -> bool:
    """Return whether a part of a path names production, and none another stage."""
    words = words_in(parts)
    return not LIVE.isdisjoint(words) and _OTHERS.isdisjoint(words)


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
    """`{"index.blocks.write": true}`, with its names apart or in one."""
    said = list(_named_in_full(held))
    if any(name == "number_of_replicas" and value in (0, "0") for name, value in said):
        yield "it leaves no copy of what is stored"
    if any(name in _BARRED and value in (True, "true") for name, value in said):
        yield "it bars everybody from what is stored"


def _named_in_full(held: Mapping[str, Any], around: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in islice(held.items(), MAX_KEYS):
        if isinstance(value, Mapping) and (key == "blocks" or (key == "index" and not around)):
            yield from () if around == "blocks." else _named_in_full(value, f"{key}.")
        elif value is not False:
            yield f"{around}{key}".removeprefix("index."), value


_BARRED = word_set(
    "blocks.write blocks.read blocks.read_only blocks.read_only_allow_delete blocks.metadata"
)
_MAINTENANCE = frozenset({"maintenance", "maintenance-mode"})
_SERVICE = words("words/http:relied_on.service")


def _is_whole(target: Target) -> bool:
    """Whether it is the service's own, and no car's or building's; and no stage for tests."""
    before = {part.lower() for part in target.path[:-1]}
    words = words_in((*target.path, target.host))
    return before <= _SERVICE and _OTHERS.isdisjoint(words)


def _is_on(held: Mapping[str, Any]) -> bool:
    flags = ((str(key).lower(), value) for key, value in islice(held.items(), MAX_KEYS))
    said = [value for key, value in flags if key in _FLAGS]
    stages = (one.lower() for one in held.values() if isinstance(one, str))
    return any(one is True or one in ("true", "on") for one in said) and _OTHERS.isdisjoint(stages)


_FLAGS = word_set("enabled enable active on mode state status maintenance")
_BUILDS = frozenset({"build", "buildwithparameters"})
_ACTIONS = TAKES | word_set("reset clean teardown nuke")
_THINGS = BULK | LIVE | words("words/http:relied_on.things")
"""What a job takes away, where its name says it: branches and caches are tidied up every day."""


def _started(parts: list[str]) -> Iterator[str]:
    """Jenkins' `/job/FOLDER/job/NAME/build`."""
    words = address_words(parts[-1]) if parts[-2:-1] == ["job"] else ()
    grave = words and not _ACTIONS.isdisjoint(words) and not _THINGS.isdisjoint(words)
    if grave and _OTHERS.isdisjoint(words):
        yield f"it runs the job “{parts[-1][:MAX_SHOWN]}”"


MAX_VALUES = 1_500
"""Values of a body that are looked at: as many as of a payload are read."""

MAX_NAME = 60
_TAKES = word_set("delete destroy purge drop wipe erase terminate truncate")
_EDITS_STORES = word_set("index table database collection bucket alias user account")
_CALLS = word_set("execute execute_kw executekw call call_kw callkw invoke")
_METHODS = TAKES | {"unlink"}
_NOTES = MARKS | OWN_MARKS | SENT_MARKS | word_set("annotations annotation metadata tags comments")


def edited(body: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """Each loss, in a few words."""
    whole = _is_of_collection(path)
    removed = [one for one in _removed_items(body) if whole or _is_somebody(one)]
    if removed:
        more = f", and {len(removed) - 1} more" if removed[1:] else ""
        yield f"it removes {beginning(removed[0], MAX_SHOWN)}{more}"
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


def _is_of_collection(path: list[str]) -> bool:
    """Return whether an address stands for many: below one item, a list is a part of that item."""
    last = address_words(path[-1])[-1:] if path else ()
    return bool(last) and (last[0].endswith("s") or last[0] in BULK)


def _removed_items(body: Mapping[str, Any]) -> Iterator[str]:
    """The items that a JSON Patch removes: `{"op": "remove", "path": "/users/7"}`."""
    for one in _objects(body):
        name = one.get("path")
        if str(one.get("op", "")).lower() == "remove" and isinstance(name, str):
            parts = name.strip("/").split("/")
            words = words_in(parts)
            if _item.fullmatch(parts[-1]) and words.isdisjoint(_NOTES):
                yield name


def _is_somebody(pointer: str) -> bool:
    """Return whether it is a person's place in something: `/members/3`."""
    return not _PEOPLE.isdisjoint(address_words(pointer.rstrip("/").rpartition("/")[0])[-1:])


_PEOPLE = words("words/http:things.people") | word_set("owners admins collaborators reviewers")
_item = re2.compile(r"(?i)\d+|[a-z]{1,8}[_-]\d+|[0-9a-f-]{16,}")
"""The number or the id of an item."""


def _empties(path: object) -> bool:
    """Whether all of something goes: the root, or what is named as many; no mark, no item."""
    if not isinstance(path, str) or not path.strip("/"):
        return True
    parts = [part for part in path.replace(".", "/").split("/") if part]
    words = words_in(parts)
    last = address_words(parts[-1].partition("[")[0])[-1:]
    return words.isdisjoint(_NOTES) and bool(last) and last[0].endswith("s")


def _operations(one: Mapping[str, Any]) -> Iterator[str]:
    """`{"delete": "a/7"}`, `{"remove_index": {…}}` in a list of what is to be done."""
    if len(one) > len(("delete", "where")):
        return
    for key, value in one.items():
        words = address_words(str(key)[:MAX_NAME])
        whole = words[1:] == () and isinstance(value, str | list | Mapping)
        thing = isinstance(value, Mapping) and not _EDITS_STORES.isdisjoint(words[1:])
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
        words = address_words(said) if isinstance(said, str) and len(said) <= MAX_NAME else ()
        if words and (words[0] in _METHODS or words[-1] in _METHODS) and "." not in said:
            yield f"it calls {beginning(said, MAX_SHOWN)}"


_REALTIME = ("firebaseio.com", "firebasedatabase.app")
_COLLECTIONS = words("words/http:emptied.collections")
_SPENDS = words("words/http:emptied.spends")
_ENDLESS = word_set("unlimited infinite none null inf infinity")


def emptied(method: str, target: Target, body: object, held: Mapping[str, object]) -> Iterator[str]:
    """Each, as what the request does; `held`: what its body holds."""
    if method == "PUT" and target.host.endswith(_REALTIME) and target.path:
        if target.path == [".json"]:
            yield "it replaces all that the database holds"
        elif body is None:
            yield "it leaves nothing there"
    last = address_words(target.path[-1])[-1:] if target.path else ()
    if method == "PUT" and last and last[0] in _COLLECTIONS and _is_none(held, last[0]):
        yield f"it leaves none of the {last[0]}"
    if method in {"PUT", "PATCH"}:
        about = words_in(target.path[-2:])
        yield from _unlimited(held, about)


def _is_none(held: Mapping[str, object], name: str) -> bool:
    """An empty list, alone or under the name of what is replaced."""
    said = next((held[key] for key in ("", name, "items", "data") if key in held), None)
    return said == [] and len(held) == 1


def _unlimited(held: Mapping[str, object], about: frozenset[str]) -> Iterator[str]:
    for key, value in islice(held.items(), MAX_KEYS):
        words = address_words(str(key)[:MAX_NAME])
        if words[-1:] != ("limit",) or _SPENDS.isdisjoint((*words[:-1], *about)):
            continue
        endless = isinstance(value, str) and value.strip().lower() in _ENDLESS
        if endless or says_nothing(value):
            yield f"it lifts the {' '.join(words)[:24]}"


_ACCOUNTS = words("words/http:closures.accounts")
_NAMES = word_set("status state")


def closed(body: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """Each, as what the request does."""
    if any(_is_account(part) for part in path[-2:]):
        yield from _told(body)
    for key, value in islice(body.items(), MAX_KEYS):
        if isinstance(value, Mapping) and _is_account(str(key)):
            yield from _told(value)


def _is_account(name: str) -> bool:
    return not _ACCOUNTS.isdisjoint(address_words(name[:MAX_NAME])[-1:])


def _told(held: Mapping[str, Any]) -> Iterator[str]:
    for key, value in islice(held.items(), MAX_KEYS):
        ended = isinstance(value, str) and value.strip().lower() == "closed"
        if ended and not _NAMES.isdisjoint(address_words(str(key)[:MAX_NAME])[-1:]):
            yield "it closes an account"
