"""What a request's body or query orders: a deed by name, a switch that is turned, a mutation."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl

import msgspec
import re2

from holdpoint.core.risk.calls.opened import held
from holdpoint.core.risk.calls.ranks import is_mighty, ranks_in
from holdpoint.core.risk.http.words import BULK, TAKES, grave, words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_KEYS = 200
"""Keys of a body that are looked at."""

MAX_TEXT = 64 * 1024

_ORDERS = word_set("action actions operation op command cmd do type method _method verb")
_PLAIN_VERBS = word_set(
    "delete destroy purge wipe erase terminate remove revoke drop truncate flush"
)
_OFF = word_set("active is_active enabled is_enabled private deletion_protection protected")
_ON = word_set(
    "archived deleted is_deleted disabled suspended closed banned locked force public blocked "
    "purge_everything cancel_at_period_end delete_all is_public"
)
_ALWAYS = word_set("force purge_everything delete_all deletion_protection deleted")
"""Switches that mean the same where something is made."""

_ENDED = word_set(
    "suspended disabled deleted banned terminated deactivated inactive archived cancelled canceled"
)
_RANKS = word_set("role roles permission permissions access_level privilege")
_mutation = re2.compile(r"(?s)\bmutation\b[^{]*\{\s*(?:\w+\s*:\s*)?(\w+)")


def ordered(method: str, path: list[str], query: str, body: object) -> str:
    """What is ordered that is hard to undo, in a few words; empty when nothing is."""
    asked = dict(parse_qsl(query[:MAX_TEXT]))
    if asked.get("_method", "").upper() in {"DELETE", "PURGE"}:
        return "its query says DELETE"
    if method == "POST" and query.partition("&")[0] in {"delete", "delete="}:
        return "its query says delete"
    if method == "GET":
        return _by_query(asked, path)
    makes = method == "POST" and not (path and any(char.isdigit() for char in path[-1]))
    found = (*_by_name(asked, path), *_by_body(opened(body), path, makes=makes))
    return found[0] if found else ""


def rehearsed(path: list[str], query: str) -> bool:
    """A dry run where it is known what the service makes of the word: Kubernetes, EC2."""
    asked = dict(parse_qsl(query[:MAX_TEXT]))
    kubernetes = path[:1] in (["api"], ["apis"]) and asked.get("dryRun") == "All"
    return kubernetes or ("Action" in asked and asked.get("DryRun") == "true")


def _by_query(asked: Mapping[str, str], path: list[str]) -> str:
    """Old interfaces do by GET what they are told: `?Action=DeleteUser`, `admin/cores?action=…`."""
    said = asked.get("Action", "")
    verbs = words_of(said[:MAX_KEYS])
    if len(verbs) > 1 and verbs[0] in _PLAIN_VERBS | _GET_VERBS:
        return f"its Action is {said[:24]}"
    told = asked.get("action", "")
    if "admin" in path and told.isupper() and told.lower() in _PLAIN_VERBS | {"unload"}:
        return f"its action is {told[:20]}"
    return ""


_GET_VERBS = word_set("deregister release detach disable deactivate cancel stop reset")


def opened(body: object) -> Mapping[str, Any]:
    """The object that a body is, or holds as JSON or as a form; an empty one otherwise."""
    if isinstance(body, str) and len(body) <= MAX_TEXT and body[:1] == "{":
        try:
            body = msgspec.json.decode(body)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            return {}
    elif isinstance(body, str) and len(body) <= MAX_TEXT and "=" in body:
        body = held("body", body)
    return body if isinstance(body, Mapping) else {}


def _by_body(body: Mapping[str, Any], path: list[str], *, makes: bool) -> Iterator[str]:
    yield from _by_name(body, path)
    yield from _by_rank(body, path)
    for one in _listed(body):
        yield from () if "path" in one else _by_name(one, path)
        if one.get("_deleted") is True:
            yield "its body deletes"
    query = body.get("query")
    if isinstance(query, str):
        yield from _mutations(whole_characters(query[:MAX_TEXT]))
    if "delete" in body and isinstance(body["delete"], Mapping):
        yield "its body deletes"
    within = body.get("spec")
    for one in (body, within if isinstance(within, Mapping) else {}):
        for key, value in list(one.items())[:MAX_KEYS]:
            yield from _switched(str(key), value, makes=makes)


def _by_rank(body: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """`POST …/users/7/roles` with `{"type": "SUPER_ADMIN"}`: who is there becomes mighty."""
    things = [part for part in path if not any(map(str.isdigit, part))]
    if things and things[-1].lower() in _GIVEN:
        said = (one for one in islice(body.values(), MAX_KEYS) if isinstance(one, str))
        yield from (f"it makes somebody {one[:20]}" for one in said if is_mighty(one))


_GIVEN = word_set("role roles permission permissions membership memberships members collaborators")
"""What ends an address under which somebody is given a rank."""


def _listed(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The objects in its lists, each of which may order something."""
    lists = (value for value in body.values() if isinstance(value, list))
    found = (one for listed in lists for one in listed[:MAX_KEYS] if isinstance(one, Mapping))
    return islice(found, MAX_KEYS)


def _by_name(said: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """`{"action": "delete"}`, `Action=DeleteUser`; some deeds are grave only on some things."""
    for key, value in islice(said.items(), MAX_KEYS):
        known = str(key).lower() in _ORDERS and isinstance(value, str) and len(value) <= MAX_KEYS
        verbs = words_of(value) if known else ()
        if (
            set(verbs) & _PLAIN_VERBS
            or (verbs and verbs[-1] in TAKES)
            or (verbs and _on(path, value))
        ):
            yield f"its {key} is {value[:20]}"


def _on(path: list[str], deed: str) -> bool:
    things = [part for part in path if part != "actions" and not part.isdigit()]
    return bool(things) and bool(grave([things[-1], deed]))


def _mutations(query: str) -> Iterator[str]:
    for name in _mutation.findall(query):
        words = words_of(name)
        if words and (words[0] in _PLAIN_VERBS | _MUTATES or _changes_all(words)):
            yield f"it asks to {name[:24]}"


def _changes_all(words: tuple[str, ...]) -> bool:
    return not BULK.isdisjoint(words[1:]) and words[0] in {"update", "set", "change", "reset"}


_MUTATES = word_set("archive transfer disable deactivate cancel close suspend merge bulk")


def _switched(key: str, value: object, *, makes: bool) -> Iterator[str]:
    """A flag that is turned, a rank that is given, a number of copies that becomes none."""
    name = "_".join(words_of(key)) or key
    known = not makes or name in _ALWAYS
    if known and ((value is True and name in _ON) or (value is False and name in _OFF)):
        yield f"it turns {name} {'on' if value else 'off'}"
    if name in _RANKS:
        yield from (f"it makes somebody {rank[:20].lower()}" for rank in ranks_in(value))
    if isinstance(value, str):
        text = value.strip().lower()
        if name in _RANKS and text == "maintain":
            yield "it makes somebody a maintainer"
        if not makes and (
            (name in {"status", "state"} and text in _ENDED)
            or (name == "visibility" and text == "public")
        ):
            yield f"it sets {name} to {text}"
    if name == "replicas" and value == 0 and value is not False:
        yield "it leaves no copy running"
