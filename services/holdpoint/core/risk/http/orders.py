"""What a request's body or query orders: a deed by name, a switch that is turned, a mutation."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

import msgspec
import re2

from holdpoint.core.risk.http.words import TAKES, words_of
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
    "suspended disabled deleted banned terminated deactivated archived cancelled canceled"
)
_MIGHTY = word_set("admin administrator owner root superuser superadmin maintain")
_RANKS = word_set("role roles permission permissions access_level privilege")
_mutation = re2.compile(r"(?s)\bmutation\b[^{]*\{\s*(?:\w+\s*:\s*)?(\w+)")


def ordered(method: str, query: str, body: object) -> str:
    """What is ordered that is hard to undo, in a few words; empty when nothing is."""
    asked = dict(parse_qsl(query[:MAX_TEXT]))
    if asked.get("_method", "").upper() in {"DELETE", "PURGE"}:
        return "its query says DELETE"
    if method == "GET":
        return ""
    said = opened(body)
    found = (*_by_name(asked), *_by_body(said, makes=method == "POST"))
    return found[0] if found else ""


def opened(body: object) -> Mapping[str, Any]:
    """The object that a body is, or holds as JSON; an empty one otherwise."""
    if isinstance(body, str) and len(body) <= MAX_TEXT and body[:1] == "{":
        try:
            body = msgspec.json.decode(body)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            return {}
    return body if isinstance(body, Mapping) else {}


def _by_body(body: Mapping[str, Any], *, makes: bool) -> Iterator[str]:
    yield from _by_name(body)
    query = body.get("query")
    if isinstance(query, str):
        yield from _mutations(whole_characters(query[:MAX_TEXT]))
    if "delete" in body and isinstance(body["delete"], Mapping):
        yield "its body deletes"
    within = body.get("spec")
    for one in (body, within if isinstance(within, Mapping) else {}):
        for key, value in list(one.items())[:MAX_KEYS]:
            yield from _switched(str(key), value, makes=makes)


def _by_name(said: Mapping[str, Any]) -> Iterator[str]:
    """`{"action": "delete"}`."""
    for key in _ORDERS & said.keys():
        value = said[key]
        verbs = words_of(value) if isinstance(value, str) and len(value) <= MAX_KEYS else []
        if set(verbs) & _PLAIN_VERBS or (verbs and verbs[-1] in TAKES):
            yield f"its {key} is {value[:20]}"


def _mutations(query: str) -> Iterator[str]:
    for name in _mutation.findall(query):
        if words_of(name)[:1] and words_of(name)[0] in _PLAIN_VERBS | _MUTATES:
            yield f"it asks to {name[:24]}"


_MUTATES = word_set("archive transfer disable deactivate cancel close suspend merge bulk")


def _switched(key: str, value: object, *, makes: bool) -> Iterator[str]:
    """A flag that is turned, a rank that is given, a number of copies that becomes none."""
    name = "_".join(words_of(key)) or key
    known = not makes or name in _ALWAYS
    if known and ((value is True and name in _ON) or (value is False and name in _OFF)):
        yield f"it turns {name} {'on' if value else 'off'}"
    if isinstance(value, str):
        text = value.strip().lower()
        if name in _RANKS and text in _MIGHTY:
            yield f"it makes somebody {text}"
        if not makes and (
            (name in {"status", "state"} and text in _ENDED)
            or (name == "visibility" and text == "public")
        ):
            yield f"it sets {name} to {text}"
    if name == "replicas" and value == 0 and value is not False:
        yield "it leaves no copy running"
