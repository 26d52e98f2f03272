"""Meaning of a method on what a path and a body name, by the conventions of REST."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any

import re2
from msgspec.structs import replace

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.amounts import kind_of
from holdpoint.core.risk.extract.embedded import form_fields, held, is_mutation, is_section
from holdpoint.core.risk.extract.embedded import opened as unwrapped
from holdpoint.core.risk.extract.payload import words_of
from holdpoint.core.risk.http.request import READING, TAKING, Target
from holdpoint.core.risk.knowledge import by_word, verbs_on_things, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.tools.name_words import FINAL
from holdpoint.core.risk.wording import Form, Kind, verb_in
from holdpoint.core.risk.words import LIVE, PLAIN_REMOVALS, word_set
from holdpoint.core.text import whole_characters
from holdpoint.messages.duplicate_names import differently, stands_twice
from holdpoint.messages.risk import Heuristic, RiskLevel

MAX_TEXT = 64 * 1024
MAX_INNER = 128
"""Requests within one that are read: more things in a list are many whatever they are."""

MAX_FIELD = 4_096
_field = re2.compile(r"(?i)\b_method['\"]?\s*[=:]\s*['\"]?(DELETE|PURGE|PUT|PATCH)\b")
_line = re2.compile(
    r"(?m)^\s*(DELETE|PURGE|UNLINK|PUT|PATCH|POST|GET|HEAD)[ \t]+(\S+)[ \t]+HTTP/\d"
)
_once = word_set("amount total sum currency action op operation method cmd command")
"""Names of which one value counts; others may be lists."""


def opened(body: object) -> Mapping[str, Any]:
    """The object that a body is, or holds; a list of several stands under an empty name."""
    body = unwrapped(body) if isinstance(body, str) and len(body) <= MAX_TEXT else body
    if isinstance(body, str) and body.lstrip()[:1] in {"{", "["} and not is_section(body):
        return {}  # nobody can read it
    if isinstance(body, str) and len(body) <= MAX_TEXT and body.lstrip()[:1] == "<":
        return _elements(body)
    if isinstance(body, str) and is_mutation(body):
        return {"query": body}
    if isinstance(body, str) and len(body) <= MAX_TEXT and ("=" in body or "\n" in body):
        body = held("data", body, {})
        body = body[0] if isinstance(body, list) and len(body) == 1 else body
    if isinstance(body, list | tuple):
        return {"": list(body)}
    return body if isinstance(body, Mapping) else {}


def _elements(text: str) -> Mapping[str, Any]:
    """The elements of XML, and what they hold by their names."""
    found = [one for one in held("data", text.lstrip(), {}) or () if isinstance(one, Mapping)]
    return {"": found} | {str(key): said for one in found for key, said in one.items()}


def batched(body: object) -> list[Mapping[str, Any]]:
    """The objects in its lists, and the lines in it, each of which may be a request."""
    lists = (value for value in opened(body).values() if isinstance(value, list))
    found = [one for listed in lists for one in listed if isinstance(one, Mapping)]
    return found[:MAX_INNER]


def spelled(body: object) -> Iterator[Mapping[str, str]]:
    """Requests in lines of it, as parts of a batch: `DELETE /users/7 HTTP/1.1`."""
    if isinstance(body, str) and "HTTP/" in body[:MAX_TEXT]:
        for method, url in _line.findall(whole_characters(body[:MAX_TEXT]))[:MAX_INNER]:
            yield {"method": method, "url": url}


def asked_for(body: object) -> str:
    """The method that a form asks to be taken for: `_method=DELETE`."""
    if isinstance(body, Mapping):
        said = body.get("_method")
        return said if isinstance(said, str) else ""
    match = _field.search(whole_characters(body[:MAX_FIELD])) if isinstance(body, str) else None
    return str(match[1]) if match else ""


def is_twofold(body: object) -> bool:
    """Return whether a name stands in it twice with different values: readers differ on them."""
    if not isinstance(body, str) or len(body) > MAX_TEXT:
        return False
    if body.lstrip()[:1] in {"{", "["}:
        return stands_twice(body, differently)
    said = list(dict.fromkeys(form_fields(body))) if "&" in body and "\n" not in body else []
    names = [key for key, _ in said if not _once.isdisjoint(words_of(key)[-1:]) and "[" not in key]
    return len(names) > len(set(names))


OWN_MARKS = words("words/http:words.own_marks")
"""Last words of a path whose DELETE only takes a mark of one's own back."""

FAR_MARKS = words("words/http:words.far_marks")
"""Those that stand up to three words before the end: `/user/starred/OWNER/NAME`."""

MARKS_ON = words("words/http:words.marks_on")
"""What a label, a tag or somebody who cares is taken off, and stays for everybody else."""

MARKS = word_set("label labels tag tags assignees watchers participants followers")
SENT_MARKS = words("words/http:words.sent_marks")
"""Marks of one's own that are taken back by a POST: `reactions.remove`."""

BULK = word_set("all bulk batch everything mass many")
TAKES = words("words/http:words.takes")
"""Actions at the end of a path after which something is gone."""

MILD = words("words/http:words.mild")
"""Actions that are grave only on some things."""

_TALK = words("words/http:words.talk")
GRAVE = verbs_on_things("request")
"""Actions, the things on which they are grave, and why."""

TOLD = words("words/http:words.told")
"""Last words of a path that tells, and does not do."""

ASKS_FIRST = words("words/http:words.asks_first")
"""First words of a call that only asks: `getSchedule`, `search_v2`."""

_hump = re.compile(r"([a-z0-9])([A-Z])")
_piece = re.compile(r"[a-z]+")


@memoize(4096)
def address_words(part: str) -> tuple[str, ...]:
    """`batchDelete`, `batch-delete` -> batch, delete."""
    whole = part if part.isascii() else whole_characters(part)
    return tuple(_piece.findall(_hump.sub(r"\1 \2", whole).lower()))


def words_in(parts: Iterable[str]) -> frozenset[str]:
    """The words of several parts."""
    return frozenset(word for part in parts for word in address_words(part))


def works_out(path: list[str]) -> bool:
    """Whether a POST there only works out an answer from what it is handed: `/embeddings`."""
    named = [part for part in path if not _version.fullmatch(part.lower())]
    last = named[-1] if named else ""
    words = address_words(last)
    ends = words[:-1] if words[1:] and words[-1] == "text" else words
    return last == "_analyze" or not WORKS.isdisjoint(ends[-1:])


_version = re2.compile(r"v?\d[\w.]*")
WORKS = words("words/http:words.works")


def tells(path: list[str]) -> bool:
    """Return whether the end of a path asks for something rather than does it."""
    words = address_words(path[-1]) if path else ()
    if "by" in words:
        return False
    return bool(TOLD & set(words[-1:]) or ASKS_FIRST & set(words[:1]))


@memoize(2048)
def action_words(part: str) -> tuple[str, ...]:
    """The words of a part, its last as the verb that it is the noun of: `data-erasure`."""
    words = address_words(part)
    verb = _NOUNS.get(words[-1]) if words else None
    return (*words[:-1], verb) if verb else words


_NOUNS = by_word("words/http:nouns_of_actions")


def grave(path: list[str], about: frozenset[str] = frozenset()) -> str:
    """Why the action at the end of a path is grave on what stands before it; empty when it is not.

    As of a request, or as of a call that is named for both. `about`: what else says what it is
    done to.
    """
    last = set(action_words(path[-1])) if path else set()
    near = about.union(*(address_words(part) for part in path[-4:]))
    fits = (why for actions, things, why in GRAVE if last & actions and (near - actions) & things)
    archives = "archive" in last and not near & _TALK
    found = next(fits, "puts it out of use for everybody" if archives else "")
    return found or _as_a_call(last, near)


def _as_a_call(last: set[str], near: frozenset[str]) -> str:
    """Why a call that is named for both would be hard to undo: `unlock_domain`."""
    things = near | singular(near)
    mild = not MILD.isdisjoint(last)
    fits = (
        why
        for verbs, named, why in FINAL
        if last & verbs and ((things - verbs) & named if named else not mild)
    )
    return next(fits, "")


def singular(words: Iterable[str]) -> frozenset[str]:
    """One of what each names, as the names of tools have it: `employee` for `employees`."""
    return frozenset(word.removesuffix("s") for word in words if not word.endswith("ss"))


MAX_SHOWN = 40
_PLACES = words("words/http:methods.places")


def judged(method: str, target: Target, order: str, body: object) -> Iterator[Finding]:
    """Yield what the method does there, with what its query or its body orders."""
    path = target.path
    alone = not target.host and len(path) == 1
    shown = f"{method.lower()} {path[0]}" if alone else f"{method} /{'/'.join(path)}"
    if len(shown) > MAX_SHOWN:
        shown = f"{method} …{shown[len(method) - MAX_SHOWN + 2 :]}"
    if method in TAKING:
        yield from _taken(method, [part.lower() for part in path], shown)
    elif order and not tells(path):
        yield _finding("http.order", RiskLevel.HIGH, f"“{shown}”: {order}")
    elif _makes_mighty(method, path):
        yield _finding("http.power", RiskLevel.HIGH, f"“{shown}” makes somebody an administrator")
    elif method == "POST" and _pays(path) and not any(kind_of(str(key))[0] for key in opened(body)):
        why = "moves money, and nothing says how much"
        yield _finding("http.payment", RiskLevel.HIGH, f"“{shown}” {why}")
    elif method not in READING:
        yield from _acted(method, target, shown, _about(target, body))
        if is_off(target, body):
            yield _finding("http.change", RiskLevel.MEDIUM, f"“{shown}” turns something off")


def _pays(path: list[str]) -> bool:
    """Return whether what it makes is a payment: `/refunds`, `/payments/2/capture`."""
    parts = path if path[-1:] == ["capture"] else path[-1:]
    return any(words[-1:] in _PAID for words in map(address_words, parts))


_PAID = tuple((word,) for word in words("words/http:words.payments"))


def _taken(method: str, parts: list[str], shown: str) -> Iterator[Finding]:
    """A DELETE: of a mark of one's own it is mild."""
    last = next((part for part in reversed(parts) if not _is_value(part)), "")
    near = {word for part in parts[-2:] for word in (part, *address_words(part)[-1:])}
    own = OWN_MARKS & near or last in OWN_MARKS or FAR_MARKS & set(parts[-4:])
    own = own or (MARKS & set(parts[-2:]) and MARKS_ON & set(parts[:-1]))
    if method != "PURGE" and own:
        yield _finding("http.unmark", RiskLevel.LOW, f"“{shown}” takes back a mark of one's own")
    else:
        found = _finding("http.delete", RiskLevel.HIGH, f"“{shown}” removes it for everybody")
        every = any(part == "_all" or "*" in part for part in parts)
        yield replace(found, heuristic=Heuristic.MAGNITUDE) if every else found


def _is_value(part: str) -> bool:
    """An id rather than a name: it holds a digit, or is very long."""
    return any(char.isdigit() for char in part) or len(part) > MAX_SHOWN


def _about(target: Target, body: object) -> frozenset[str]:
    """Return what its host and the names in its body say that it is done to."""
    held = islice(opened(body), MAX_KEYS)
    named = {word for key in held for word in address_words(str(key)[:MAX_SHOWN])} & _SAVED
    host = address_words(target.host.partition(".")[0])
    return frozenset(named).union(_HOSTS.intersection(host))


MAX_KEYS = 1_500
_SAVED = word_set("backup snapshot database factory channel")
_HOSTS = words("words/http:methods.hosts")
_WHOLE = word_set("rollback restart")
"""Actions that are done to the whole of a service where nothing else is named."""


def _acted(method: str, target: Target, shown: str, about: frozenset[str]) -> Iterator[Finding]:
    """A verb at the end of the path is what the request does."""
    path = target.path
    last = action_words(path[-1]) if path else ()
    near = words_in(path[-2:])
    bad = next((word for word in (*last, "".join(last)) if word in TAKES), "") or _followed(path)
    forced = method == "PATCH" and "refs" in path
    if method == "POST" and bad in {"remove", "delete"} and SENT_MARKS & near:
        yield _finding("http.unmark", RiskLevel.LOW, f"“{shown}” takes back a mark of one's own")
        return
    if tells(path):
        return
    if forced:
        yield _finding("http.change", RiskLevel.HIGH, f"“{shown}” moves what others build on")
    elif bad and not (bad == "remove" and "token" in last):
        does = "hands on what need not come back" if bad in _HANDS_ON else f"does what “{bad}” says"
        yield _finding("http.verb", RiskLevel.HIGH, f"“{shown}” {does}")
    elif BULK & near and (any(_takes(word) for word in near) or _to_all(last) or _sets_all(path)):
        yield _finding("http.bulk", RiskLevel.HIGH, f"“{shown}” takes many at once")
    elif why := _graver(method, target, about):
        yield _finding("http.verb", RiskLevel.HIGH, f"“{shown}” {why}")
    elif MILD & set(last) or _PLACES & {part.lower() for part in path}:
        yield _finding("http.change", RiskLevel.MEDIUM, f"“{shown}” changes data on the server")


def _graver(method: str, target: Target, about: frozenset[str]) -> str:
    """Why what stands at the end of its path is grave."""
    path = target.path
    last = address_words(path[-1]) if path else ()
    found = grave(path, about) or _to_the_service(target, last) or _prescribed(path)
    return found or _barred(method, path) or _to_what_is_live(path, last)


def _barred(method: str, path: list[str]) -> str:
    """`PUT /guilds/1/bans/2`, `POST /users/7/suspension`: as the verb does."""
    if method not in {"PUT", "POST"} or not path:
        return ""
    named = path[-1]
    if len(path) > 1 and (_is_value(named) or (method == "PUT" and _is_bar(path[-2]))):
        named = "" if _KEPT_OF_THEM.intersection(address_words(named)) else path[-2]
    return "locks somebody out" if _is_bar(named) else ""


def _is_bar(part: str) -> bool:
    words = address_words(part)
    return not _BARS.isdisjoint(words[-1:]) and _NOBODY.isdisjoint(words)


_BARS = word_set("ban bans suspension suspensions expulsion expulsions lockout lockouts")
_NOBODY = words("words/http:methods.nobody")
_KEPT_OF_THEM = word_set("settings config configuration count stats reasons templates template")


def _to_what_is_live(path: list[str], last: tuple[str, ...]) -> str:
    """`POST /apps/live-shop/actions/stop`."""
    live = any(LIVE & set(words) and len(words) > 1 for words in map(address_words, path))
    return "does it to what is live" if live and MILD & set(last) else ""


def _sets_all(path: list[str]) -> bool:
    """`PUT /valves/all/state`."""
    return [one.lower() for one in path[-2:-1]] == ["all"] and path[-1].lower() in _SET


_SET = words("words/http:methods.set")


def _prescribed(path: list[str]) -> str:
    """FHIR's orders of a drug: `MedicationRequest`, also one that is known by its id."""
    named = path[:-1] if path and _is_value(path[-1]) else path
    last = address_words(named[-1]) if named else ()
    drug = last[:1] == ("medication",) and not _ORDERED.isdisjoint(last[1:])
    return "is something that somebody will take" if drug else ""


_ORDERED = word_set("request administration dispense order")


def _to_the_service(target: Target, last: tuple[str, ...]) -> str:
    alone = target.is_bare and target.host not in _OWN_MACHINE
    return "does it to the whole service" if alone and _WHOLE & set(last[-1:]) else ""


_HANDS_ON = word_set("transfer transfers withdraw withdrawals payout payouts disburse")
_OWN_MACHINE = word_set("localhost 127.0.0.1 ::1 0.0.0.0")


def _followed(path: list[str]) -> str:
    """An action that an id or a name follows: `statuses/destroy/7`."""
    before = path[-2].lower() if len(path) > 1 else ""
    return before if before in PLAIN_REMOVALS else ""


def _makes_mighty(method: str, path: list[str]) -> bool:
    """`PUT /groups/admins/members/bob`, `POST /admins`."""
    low = [part.lower() for part in path]
    names = [part for part in low if part not in {"members", "users"}]
    if method == "POST" and low[-1:] == ["$ref"] and "directoryroles" in low:
        return True
    if method not in {"PUT", "POST"}:
        return False
    roles = [role for kind, role in pairwise(names[-3:]) if kind in {"roles", "groups", "teams"}]
    seats = (role in _SEATS or address_words(role)[-1:] in _ADMINS for role in roles)
    joins = "members" in low or "users" in low
    return not _MIGHTY.isdisjoint(names[-2:]) or (joins and any(seats))


_MIGHTY = word_set("admins administrators owners superusers")
_ADMINS = (("admins",), ("administrators",), ("superusers",))
"""How names of groups end whose members may do anything: `global-admins`."""

_SEATS = _MIGHTY | word_set("admin administrator owner superuser root superadmin")


def _to_all(last: tuple[str, ...]) -> bool:
    """`rotate-all`, `restartAll`."""
    return not BULK.isdisjoint(last) and not _TO_MANY.isdisjoint(last)


_TO_MANY = MILD | word_set("restart redeploy disconnect unsubscribe logout reimage invalidate")


def _takes(word: str) -> bool:
    verb = verb_in(word)
    return verb is not None and verb.kind is Kind.DELETE and verb.form is Form.BASE


def _finding(rule: str, level: RiskLevel, reason: str) -> Finding:
    return Finding(rule=rule, heuristic=Heuristic.IRREVERSIBILITY, level=level, reason=reason)


_KEY_STORES = (("v1", "kv"), ("v2", "keys"), ("v3", "kv"))
"""How the paths of Consul and etcd begin, behind which the name of a value stands."""

_TURNED_OFF = word_set("false off no 0 disabled disable")


def stores(target: Target) -> bool:
    """Return whether its path names a value in a store of keys."""
    first = tuple(part.lower() for part in target.path[:2])
    return first in _KEY_STORES and len(target.path) > len(first)


def is_off(target: Target, body: object) -> bool:
    """Return whether it turns a value of such a store off."""
    said = str(body).strip().strip("\"'").lower() if isinstance(body, str | bool | int) else ""
    return stores(target) and said.rpartition("=")[2] in _TURNED_OFF
