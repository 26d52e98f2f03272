"""Actions that a request orders besides its method: in its path, its query, its body, a script."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import re2

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.extract.embedded import fields, without_texts
from holdpoint.core.risk.extract.payload import flagged
from holdpoint.core.risk.http.changes import closed, edited, emptied, relied_on
from holdpoint.core.risk.http.paths import (
    BULK,
    MAX_TEXT,
    OWN_MARKS,
    SENT_MARKS,
    TAKES,
    address_words,
    grave,
    opened,
    tells,
)
from holdpoint.core.risk.http.request import Target, targets
from holdpoint.core.risk.knowledge import any_of, words
from holdpoint.core.risk.tools.access import is_mighty, ranks_in
from holdpoint.core.risk.words import LIVE, word_set
from holdpoint.core.text import beginning, whole_characters

MAX_SHOWN = 24
MOST_WORDS = 4
"""Words of a part of a path; more are a heading."""

_ACTIONS = word_set("delete destroy purge wipe erase terminate remove")
_PLAIN = _ACTIONS - {"remove"}
_CLEARS = word_set("drop flush reset clear empty clean truncate remove")
"""Actions only with one of those behind them; alone they are names of many things."""

_WHOLE = words("words/http:path_orders.whole")
_WORDY = words("words/http:path_orders.wordy")
_PAGES = words("words/http:path_orders.pages")

TITLED = words("words/http:path_orders.titled")
"""Parts of a path behind which nothing but titles stands."""

_PAGE_HOSTS = words("words/http:path_orders.page_hosts")
_FILES = words("words/http:path_orders.files")
_SCRIPTS = word_set("php asp aspx cgi do pl jsp action cfm")
_ASKED = word_set("action act op cmd do command operation task method")
_STAFF = word_set("admin cron manage internal backend console")
_TARGETS = words("words/http:path_orders.targets")
_NO = word_set("0 false no off none null never")

_STOPS = word_set("reboot shutdown poweroff halt restart reset factory")
_STOPPED = tuple((word,) for word in _STOPS - {"factory"})
"""What the script of a device is named for, and does."""

SAID = _ACTIONS | _CLEARS
_ANY = SAID | _STOPS
"""A part of whatever is ordered: a plain address without one orders nothing."""


def commanded(url: str) -> str:
    """Return what it orders, in a few words; empty when it only reads."""
    low = url.lower()
    hides = "%" in low or not low.isascii()
    if "/" not in low or not (hides or any(action in low for action in _ANY)):
        return ""
    return next(filter(None, map(commanded_at, targets(url))), "")


def commanded_at(target: Target) -> str:
    """The same of an address that was read."""
    parts = target.path
    if _is_page(target.host, parts) or tells(parts) or _is_kept(target):
        return ""
    action = "" if _is_bare(target) else _in_path(parts)
    if action:
        return f"its path says {action[:MAX_SHOWN]}"
    said = next(_in_query(parts, target.asked), "")
    return f"its query says {said[:MAX_SHOWN]}" if said else ""


def _is_page(host: str, parts: list[str]) -> bool:
    """Return whether the words are about an action, or about something of the asker's own."""
    named = {part.lower() for part in parts}
    last = parts[-1].lower() if parts else ""
    file = "." in last and last.rpartition(".")[2] in _FILES
    about = _PAGES | OWN_MARKS | SENT_MARKS
    return file or not about.isdisjoint(named) or not _PAGE_HOSTS.isdisjoint(host.split("."))


def _is_kept(target: Target) -> bool:
    """`/v1/kv/delete-after`: the name of a value that is got, and says of nothing that it goes."""
    before = [part.lower() for part in target.path[:-1]]
    words = address_words(target.path[-1]) if target.path else ()
    named = len(words) > 1 and _WHOLE.isdisjoint(words[1:])
    return named and _stores(before) and not target.asked


def _stores(before: list[str]) -> bool:
    """Whether it is Consul's store of keys: `/v1/kv/…`, with nothing but names in between."""
    return before[:2] == ["v1", "kv"] and SAID.isdisjoint(before)


def _is_bare(target: Target) -> bool:
    """`/delete` alone: nobody says what."""
    alone = len(target.path) == 1 and not target.asked
    return alone and not address_words(target.path[0].partition(".")[0])[1:]


def _in_path(parts: list[str]) -> str:
    """The last part that is no id, where it is an action."""
    last = next((part for part in reversed(parts) if not any(map(str.isdigit, part))), "")
    stem, _, end = last.rpartition(".")
    words = address_words(stem if stem and end.lower() in _SCRIPTS else last)
    if not words or len(words) > MOST_WORDS or not _WORDY.isdisjoint(words):
        return ""
    runs = end.lower() in _SCRIPTS and ("cgi-bin" in parts or end.lower() == "cgi")
    action = words[0] in _PLAIN or words[-1] in _ACTIONS or words[-2:] in _FOR_GOOD
    action = action or words in _STOPPED or (runs and not _STOPS.isdisjoint(words))
    return last if action or _empties(words) else ""


_FOR_GOOD = (("factory", "reset"), ("hard", "reset"), ("remote", "wipe"), ("self", "destruct"))
"""Actions of machines in two words."""


def _empties(words: tuple[str, ...]) -> bool:
    return words[0] in _CLEARS and not _WHOLE.isdisjoint(words[1:])


def _in_query(parts: list[str], asked: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """`?delete=42`, `?purge_all`; what is to be done, and to what or by whom."""
    script = not parts or parts[-1].rpartition(".")[2].lower() in _SCRIPTS
    staff = not _STAFF.isdisjoint(part.lower() for part in parts)
    aimed = script or staff or any(_is_target(key) for key, _ in asked)
    for key, value in asked:
        words = address_words(key)
        whole = not words[1:] or not _WHOLE.isdisjoint(words[1:])
        if words and words[0] in _PLAIN and whole and value.lower() not in _NO:
            yield key
        told = address_words(value) if key.lower() in _ASKED and aimed else ()
        if told and (told[0] in _ACTIONS or told[-1] in _ACTIONS or _empties(told)):
            yield value


def _is_target(key: str) -> bool:
    return key.lower() in _TARGETS or key.lower().endswith("id")


_UPDATES = word_set("_update_by_query _update _reindex _bulk")
_SOURCES = ("source", "inline")

_operation = re2.compile(
    r"""ctx\s*(?:\.\s*op\b|\[\s*\\?['"]op\\?['"]\s*\])\s*=\s*([^=\s][^;}\n]*)"""
    r"""|ctx\s*\.\s*put\w*\s*\(\s*\\?['"]op\b([^)]*)"""
)
_keeps = re2.compile(r"""^\W*(?:none|noop|index|create)\b[\\'")\s]*(?:["}].*)?$""")
"""Operations that leave a document there."""


def scripted(target: Target, body: object, held: Mapping[str, Any]) -> Iterator[str]:
    """Each, as what the request does; `held`: what its body holds."""
    named = _UPDATES.intersection(target.path[-2:])
    if not named:
        return
    if any(map(_deletes, _scripts(body, held))):
        yield "its script may delete what it finds"
    changes = "script" in held or bool(target.said("pipeline"))
    if "_update_by_query" in named and changes and not _narrows(target, held):
        yield "it changes all that there is"


def _scripts(body: object, held: Mapping[str, Any]) -> Iterator[str]:
    """Its source; of lines of JSON, each as it is written."""
    said = held.get("script")
    found = [said.get(key) for key in _SOURCES] if isinstance(said, Mapping) else [said, body]
    return (whole_characters(one[:MAX_TEXT]) for one in found if isinstance(one, str))


def _deletes(script: str) -> bool:
    """Return whether the operation may become one that keeps nothing; a variable may."""
    told = (one or other for one, other in _operation.findall(script))
    return any(_keeps.match(value) is None for value in told)


def _narrows(target: Target, held: Mapping[str, Any]) -> bool:
    """Return whether a query leaves some of them out: `user:ann`, `{"term": …}`; not `*`."""
    asked = any(":" in one and "*" not in one for one in target.said("q"))
    query = held.get("query")
    return asked or (isinstance(query, Mapping) and bool(query) and "match_all" not in query)


MAX_TEXTS = 64
"""Statements of one body that are read."""

_KEYS = word_set("query statement statements cypher sparql update gremlin q cmd command")
_LISTS = word_set("statements queries commands batch")

_takes = prefilter(
    r"(?is)^\s*(?:MATCH\b.*\b(?:DETACH\s+)?DELETE\s+\w"
    r"|(?:PREFIX\s[^\n]*\s)*(?:DROP|CLEAR)\s+(?:SILENT\s+)?(?:GRAPH\s*<|ALL\b|DEFAULT\b|NAMED\b)"
    r"|(?:PREFIX\s[^\n]*\s)*(?:WITH\s*<[^>]*>\s*)?DELETE\s*(?:WHERE\s*)?\{"
    r"|DROP\s+(?:DATABASE|CONSTRAINT|INDEX)\s+\w"
    r"|g\.[VE]\(.*\.drop\(\))"
)


def stated(body: object) -> Iterator[str]:
    """That one takes something away."""
    if any(_takes(whole_characters(text[:MAX_TEXT])) for text in islice(_texts(body), MAX_TEXTS)):
        yield "its statement takes something away"


def _texts(body: object) -> Iterator[str]:
    """The body itself, and what its keys say is a statement, alone or in a list."""
    if isinstance(body, str):
        yield body
    held = opened(body)
    yield from _stated(held)
    for key, value in held.items():
        if key.lower() in _LISTS and isinstance(value, list):
            for one in value:
                yield from _stated(one) if isinstance(one, Mapping) else ()


def _stated(one: Mapping[str, Any]) -> Iterator[str]:
    found = (value for key, value in one.items() if str(key).lower() in _KEYS)
    return (value for value in found if isinstance(value, str))


MAX_KEYS = 1_500
"""Keys of a body that are looked at: as many as of a payload are read."""

MAX_SAID = 200
"""Characters of a text that names an action."""

_ORDERS = words("words/http:instructions.orders")
_PLAIN_VERBS = words("words/http:instructions.plain_verbs")
_OFF = words("words/http:instructions.off")
_ON = words("words/http:instructions.on")
_ALWAYS = word_set(
    "force purge_everything delete_all deletion_protection deleted action_destructive_requires_name"
)
"""Switches that mean the same where something is made."""

_ENDED = word_set(
    "suspended disabled deleted banned terminated deactivated inactive archived cancelled canceled"
)
_RANKS = word_set("role roles permission permissions access_level privilege")
_mutation = re2.compile(r"\bmutation\b")


def ordered(method: str, target: Target, body: object) -> str:
    """Return what is ordered that is hard to undo, in a few words; empty when nothing is."""
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
    """Return what a header orders: `X-Amz-Target: DynamoDB_20120810.DeleteTable`."""
    for name, said in headers:
        words = address_words(said.strip(' "').rpartition(".")[2].rpartition("#")[2][:MAX_TEXT])
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
    rf"apis/[\w.-]+/v\d\w*/|api/v1/(?:{any_of('words/http:rehearsed.kubernetes_kinds')})\b"
)


def _by_query(target: Target) -> str:
    """Old interfaces do by GET what they are told: `?Action=DeleteUser`, `admin/cores?action=…`."""
    for said in target.said("Action"):
        verbs = address_words(said[:MAX_SAID])
        if len(verbs) > 1 and verbs[0] in _PLAIN_VERBS | _GET_VERBS:
            return f"its Action is {said[:24]}"
    for told in target.said("action") if "admin" in target.path else ():
        if told.isupper() and told.lower() in _PLAIN_VERBS | {"unload"}:
            return f"its action is {told[:20]}"
    tasks = (
        target.said("task") | target.said("do") if not _ORDERS_STAFF.isdisjoint(target.path) else ()
    )
    plain = (
        told for told in tasks if not _PLAIN_VERBS.isdisjoint(address_words(told[:MAX_SAID])[:1])
    )
    asked = (one for query in target.said("query") for one in _mutations(query[:MAX_TEXT]))
    return next(chain((f"its task is {told[:24]}" for told in plain), asked), "")


def _of_get(body: object) -> str:
    """What a body states that should not be there; its fields may only say what is sought."""
    if not body:
        return ""
    query = opened(body).get("query")
    asked = _mutations(whole_characters(query[:MAX_TEXT])) if isinstance(query, str) else ()
    return next(chain(asked, stated(body)), "")


_ORDERS_STAFF = frozenset(
    {"admin", "cron", "cron.php", "admin.php", "maintenance.php", "tasks.php"}
)
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
    yield from edited(body, path)
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
    for one in _set_in(body):
        for key, value in islice(one.items(), MAX_KEYS):
            yield from _switched(str(key), value, makes=makes)


def _set_in(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The body, objects whose name says no more than that their fields are set, things listed."""
    yield body
    for key, value in islice(body.items(), MAX_KEYS):
        name = str(key).lower()
        if name in _WRAPS and isinstance(value, Mapping):
            yield value
        elif name in _ORDERS_LISTS and isinstance(value, list):
            yield from (one for one in value[:MAX_KEYS] if isinstance(one, Mapping))


_WRAPS = word_set("spec settings persistent transient")
_ORDERS_LISTS = words("words/http:instructions.lists") | {""}


def _rolled_out(body: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """`[{"key": "DEPLOY_ENV", "value": "production"}]`: what a pipeline is told, as pairs."""
    starts = not _STARTS.isdisjoint(address_words(path[-1])) if path else False
    for one in _listed(body):
        name, said = one.get("key", one.get("name")), one.get("value")
        if not (isinstance(name, str) and isinstance(said, str)) or said.lower() not in LIVE:
            continue
        words = address_words(name[:MAX_SAID])
        if not _ROLLS.isdisjoint(words) or (starts and not _STAGES.isdisjoint(words)):
            yield f"it rolls out to {said}"


_STARTS = word_set("pipeline pipelines trigger dispatches build builds run runs")
_ROLLS = word_set("deploy deployment release rollout promote")
_STAGES = word_set("env environment stage target")


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
    """`{"action": "delete"}`, `Action=DeleteUser`; some actions are grave only on some things."""
    for key, value in islice(said, MAX_KEYS):
        known = str(key).lower() in _ORDERS and isinstance(value, str) and len(value) <= MAX_SAID
        verbs = address_words(value) if known else ()
        if (
            set(verbs) & (_PLAIN_VERBS if str(key).lower() == "type" else _DEEDS_ORDERED)
            or (verbs and verbs[-1] in TAKES)
            or (verbs and _on(path, value))
        ):
            yield f"its {key} is {value[:20]}"


_DEEDS_ORDERED = _PLAIN_VERBS | words("words/tools:instructions.strong")


def _on(path: list[str], action: str) -> bool:
    things = [part for part in path if part not in _AROUND and not part.isdigit()]
    return bool(things) and bool(grave([things[-1], action]))


_AROUND = BULK | {"actions"}
"""Parts of a path that say nothing of what it is about."""


MAX_MUTATIONS = 2


def _mutations(query: str) -> Iterator[str]:
    query = without_texts(query)
    places = islice(_mutation.finditer(query), MAX_MUTATIONS)
    for name in chain.from_iterable(fields(query[one.start() :]) for one in places):
        words = address_words(name)
        if words and (words[0] in _PLAIN_VERBS | _MUTATES or _changes_all(words)):
            yield f"it asks to {name[:24]}"


def _changes_all(words: tuple[str, ...]) -> bool:
    return not BULK.isdisjoint(words[1:]) and words[0] in {"update", "set", "change", "reset"}


_MUTATES = word_set("archive transfer disable deactivate cancel close suspend merge bulk")


def _switched(key: str, value: object, *, makes: bool) -> Iterator[str]:
    """A flag that is turned, a rank that is given, a number of copies that becomes none."""
    name = "_".join(address_words(key)) or key
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
