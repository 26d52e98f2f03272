"""What a request's body or query orders: a deed by name, a switch that is turned, a mutation."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import re2

from holdpoint.core.risk.calls.pairs import flagged
from holdpoint.core.risk.calls.ranks import is_mighty, ranks_in
from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.http.body import MAX_TEXT, opened
from holdpoint.core.risk.http.closed import closed
from holdpoint.core.risk.http.edits import edited
from holdpoint.core.risk.http.emptied import emptied
from holdpoint.core.risk.http.queries import stated
from holdpoint.core.risk.http.relied import relied_on
from holdpoint.core.risk.http.scripted import scripted
from holdpoint.core.risk.http.target import Target
from holdpoint.core.risk.http.words import BULK, TAKES, grave, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_KEYS = 1_500
"""Keys of a body that are looked at: as many as of a payload are read."""

MAX_SAID = 200
"""Characters of a text that names a deed."""

_ORDERS = words("words/http:orders.orders")
_PLAIN_VERBS = words("words/http:orders.plain_verbs")
_OFF = words("words/http:orders.off")
_ON = words("words/http:orders.on")
_ALWAYS = word_set(
    "force purge_everything delete_all deletion_protection deleted action_destructive_requires_name"
)
"""Switches that mean the same where something is made."""

_ENDED = word_set(
    "suspended disabled deleted banned terminated deactivated inactive archived cancelled canceled"
)
_RANKS = word_set("role roles permission permissions access_level privilege")
_mutation = re2.compile(r"(?s)\bmutation\b[^{]*\{\s*(?:\w+\s*:\s*)?(\w+)")


def ordered(method: str, target: Target, body: object) -> str:
    """What is ordered that is hard to undo, in a few words; empty when nothing is."""
    if any(said.upper() in {"DELETE", "PURGE"} for said in target.said("_method")):
        return "its query says DELETE"
    if method in {"POST", "PUT"} and "" in target.said("delete"):
        return "its query says delete"
    if method == "GET":
        return _by_query(target) or _of_get(body)
    path = target.path
    makes = method == "POST" and not (path and any(char.isdigit() for char in path[-1]))
    held = opened(body)
    left = chain(
        emptied(method, target, body, held),
        scripted(target, body, held),
        relied_on(method, target, body, held),
    )
    found = chain(_by_name(target.asked, path), _by_body(held, path, makes=makes), left)
    return next(chain(found, stated(body), _opened_up(target, body)), "")


def headed(headers: tuple[tuple[str, str], ...]) -> str:
    """What a header orders: `X-Amz-Target: DynamoDB_20120810.DeleteTable`."""
    for name, said in headers:
        words = words_of(said.strip(' "').rpartition(".")[2].rpartition("#")[2][:MAX_TEXT])
        if name in _ORDERING and words and words[0] in _PLAIN_VERBS | _GET_VERBS:
            return f"a header says {beginning(said, 40)}"
    return ""


_ORDERING = word_set("xamztarget soapaction")


def rehearsed(method: str, target: Target, body: object) -> bool:
    """A dry run where it is known what the service makes of the word: Kubernetes, EC2."""
    if (
        target.asked
        and target.said("dryRun") == {"All"}
        and _kubernetes.match("/".join(target.path))
    ):
        return True
    if target.said("DryRun") != {"true"} or len(target.said("Action")) != 1:
        return False
    knows = target.host.startswith("ec2.") or not target.host.endswith(".amazonaws.com")
    return knows and method in {"GET", "POST"} and target.is_root and not body


_kubernetes = re2.compile(
    r"apis/[\w.-]+/v\d\w*/|api/v1/(?:namespaces|nodes|pods|services|configmaps|secrets|events"
    r"|endpoints|persistentvolume\w*|serviceaccounts|limitranges|resourcequotas"
    r"|replicationcontrollers)\b"
)


def _by_query(target: Target) -> str:
    """Old interfaces do by GET what they are told: `?Action=DeleteUser`, `admin/cores?action=…`."""
    for said in target.said("Action"):
        verbs = words_of(said[:MAX_SAID])
        if len(verbs) > 1 and verbs[0] in _PLAIN_VERBS | _GET_VERBS:
            return f"its Action is {said[:24]}"
    for told in target.said("action") if "admin" in target.path else ():
        if told.isupper() and told.lower() in _PLAIN_VERBS | {"unload"}:
            return f"its action is {told[:20]}"
    tasks = target.said("task") | target.said("do") if not _STAFF.isdisjoint(target.path) else ()
    plain = (told for told in tasks if not _PLAIN_VERBS.isdisjoint(words_of(told[:MAX_SAID])[:1]))
    return next((f"its task is {told[:24]}" for told in plain), "")


def _of_get(body: object) -> str:
    """What a body states that should not be there; its fields may only say what is sought."""
    if not body:
        return ""
    query = opened(body).get("query")
    asked = _mutations(whole_characters(query[:MAX_TEXT])) if isinstance(query, str) else ()
    return next(chain(asked, stated(body)), "")


_STAFF = frozenset({"admin", "cron", "cron.php", "admin.php", "maintenance.php", "tasks.php"})
_GET_VERBS = word_set("deregister release detach disable deactivate cancel stop reset")


def _opened_up(target: Target, body: object) -> Iterator[str]:
    """`PUT /bucket?acl` with `AllUsers` in its XML."""
    text = whole_characters(body[:MAX_TEXT]) if isinstance(body, str) else ""
    if target.said("acl") and (found := _everybody.search(text)):
        yield f"it lets {found[0]} in"


_everybody = re2.compile(r"\b(?:AllUsers|AuthenticatedUsers|public-read(?:-write)?)\b")


def _by_body(body: Mapping[str, Any], path: list[str], *, makes: bool) -> Iterator[str]:
    yield from _by_name(body.items(), path)
    yield from _by_rank(body, path)
    yield from edited(body)
    yield from _rolled_out(body, path)
    yield from () if makes else closed(body, path)
    for one in _listed(body):
        yield from () if "path" in one else _by_name(one.items(), path)
        if one.get("_deleted") is True:
            yield "its body deletes"
    query = body.get("query")
    if isinstance(query, str):
        yield from _mutations(whole_characters(query[:MAX_TEXT]))
    if "delete" in body and isinstance(body["delete"], Mapping):
        yield "its body deletes"
    for one in (body, *_wrapped(body), *_each(body)):
        for key, value in islice(one.items(), MAX_KEYS):
            yield from _switched(str(key), value, makes=makes)


def _wrapped(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Objects whose name says no more than that their fields are set."""
    held = ((str(key).lower(), value) for key, value in islice(body.items(), MAX_KEYS))
    return (one for name, one in held if name in _WRAPS and isinstance(one, Mapping))


_WRAPS = word_set("spec settings persistent transient")


def _each(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The things of which the body is a list, bare or under a name that says so."""
    held = ((str(key).lower(), value) for key, value in islice(body.items(), MAX_KEYS))
    lists = (value for name, value in held if name in _LISTS and isinstance(value, list))
    found = (one for listed in lists for one in listed if isinstance(one, Mapping))
    return islice(found, MAX_KEYS)


_LISTS = words("words/http:orders.lists") | {""}


def _rolled_out(body: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """`[{"key": "DEPLOY_ENV", "value": "production"}]`: what a pipeline is told, as pairs."""
    starts = not _STARTS.isdisjoint(words_of(path[-1])) if path else False
    for one in _listed(body):
        name, said = one.get("key", one.get("name")), one.get("value")
        if not (isinstance(name, str) and isinstance(said, str)) or said.lower() not in _LIVE:
            continue
        words = words_of(name[:MAX_SAID])
        if not _ROLLS.isdisjoint(words) or (starts and not _STAGES.isdisjoint(words)):
            yield f"it rolls out to {said}"


_STARTS = word_set("pipeline pipelines trigger dispatches build builds run runs")
_ROLLS = word_set("deploy deployment release rollout promote")
_STAGES = word_set("env environment stage target")
_LIVE = word_set("production prod prd live")


def _by_rank(body: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """`POST …/users/7/roles` with `{"type": "SUPER_ADMIN"}`: who is there becomes mighty."""
    things = [part for part in path if not any(map(str.isdigit, part))]
    if things and things[-1].lower() in _GIVEN:
        held = chain(body.values(), *(one.values() for one in _listed(body)))
        said = (one for one in islice(held, MAX_KEYS) if isinstance(one, str))
        yield from (f"it makes somebody {one[:20]}" for one in said if is_mighty(one))


_GIVEN = word_set("role roles permission permissions membership memberships members collaborators")
"""What ends an address under which somebody is given a rank."""


def _listed(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The objects in its lists, each of which may order something."""
    lists = (value for value in body.values() if isinstance(value, list))
    found = (one for listed in lists for one in listed if isinstance(one, Mapping))
    return islice(found, MAX_KEYS)


def _by_name(said: Iterable[tuple[str, Any]], path: list[str]) -> Iterator[str]:
    """`{"action": "delete"}`, `Action=DeleteUser`; some deeds are grave only on some things."""
    for key, value in islice(said, MAX_KEYS):
        known = str(key).lower() in _ORDERS and isinstance(value, str) and len(value) <= MAX_SAID
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
    flag = value if isinstance(value, bool) else flagged(value)
    if known and ((flag is True and name in _ON) or (flag is False and name in _OFF)):
        yield f"it turns {name} {'on' if flag else 'off'}"
    if name in _RANKS:
        yield from (f"it makes somebody {rank[:20].lower()}" for rank in ranks_in(value))
    if isinstance(value, str):
        text = value.strip().lower()
        if not makes and (
            (name in {"status", "state"} and text in _ENDED)
            or (name == "visibility" and text == "public")
        ):
            yield f"it sets {name} to {text}"
    if name == "replicas" and value == 0 and value is not False:
        yield "it leaves no copy running"
