"""Actions that an argument orders: `action: destroy`, `send_now: true`, whatever the name says."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec
from msgspec.structs import replace

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.embedded import fields, is_mutation
from holdpoint.core.risk.extract.payload import Leaf, key_above, words_of
from holdpoint.core.risk.http.request import Request, request_in
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.tools.names import CLEANS, HOUSEHOLD, OWN, Name, tool_name
from holdpoint.core.risk.wording import Kind, bare_key
from holdpoint.core.risk.words import PROSE_KEYS, SHELL_KEYS, word_set

MAX_ORDER = 60
"""Characters of a text that may be the name of an action."""

MAX_BESIDE = 256
"""Keys of an object that may be a request beside its method."""

MAX_WORDS = 6
MAX_NEAR = 200
MAX_FOUND = 16
_KEYS = words("words/tools:instructions.keys")
_TYPED = word_set("operation request action command change mutation op job task")
"""Objects whose `type` or `kind` is what is done."""

_STRONG = words("words/tools:instructions.strong")

_GRAVE = _STRONG | {"remove"}
"""Actions that are grave unless what they are done to is a mark of one's own."""

_PUT_BACK = words("words/tools:instructions.put_back")
_AGAINST = words("words/tools:instructions.against")

_METHODS = word_set("delete put post patch get head purge")
"""Words that are the method of a request as well, which has a reader of its own."""

_EVENTS = words("words/tools:instructions.events")
_FILES = words("words/tools:instructions.files")
_THINGS = ("resource", "target", "object", "entity", "domain", "kind", "resource_type", "what")


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """An action that an argument orders: its words, and what they mean."""

    said: str
    name: Name


def orders_in(tool: str, leaves: tuple[Leaf, ...], known: frozenset[str]) -> tuple[Order, ...]:
    """Each action that is hard to undo, once; a mark of one's own may be taken back.

    That it is one, only the tool's name can say, or an argument that is `known` to it.
    """
    found: dict[str, Order] = {}
    sent = _once()
    for leaf in leaves:
        for said, near in _said(tool, leaf, known, sent):
            order = _order(said, f"{near} {tool}")
            if order and len(found) < MAX_FOUND:
                found.setdefault(said, order)
    return tuple(found.values())


_Sent = Callable[[Mapping[str, Any]], Request | None]
"""The request that an object describes."""


def _once() -> _Sent:
    """Reads each object once, however many values stand in it; all of them outlive this."""
    known: dict[int, Request | None] = {}

    def sent(values: Mapping[str, Any]) -> Request | None:
        if id(values) not in known:
            known[id(values)] = request_in(values)
        return known[id(values)]

    return sent


def _said(tool: str, leaf: Leaf, known: frozenset[str], sent: _Sent) -> Iterator[tuple[str, str]]:
    """Names of actions, with the names of what stands near."""
    text = leaf.value
    if isinstance(text, str):
        if leaf.siblings.get("DryRun") == "true" and leaf.key == "Action":
            return  # EC2 does nothing then
        if is_mutation(text):
            yield from ((field, "") for field in fields(text))
        elif wanted := _wanted(leaf):
            yield wanted, _things(leaf, known)
        elif len(text) <= MAX_ORDER and _is_told(tool, leaf, sent):
            yield text, _things(leaf, known)
    elif text == 1 and text is not True and len(leaf.words) > 1:
        yield leaf.key, ""
    if leaf.path.count("/") > 1:
        yield from ((part, "") for part in _actions_above(leaf.path))


def _wanted(leaf: Leaf) -> str:
    """The action behind a state that something is to come into: `desired_state: terminated`."""
    key, said = bare_key(leaf.key), leaf.value[:MAX_ORDER].strip().lower()
    if key in _ENSURED and said == "absent":
        return "delete"
    return _STATES.get(said, "") if key in _WANTED else ""


_ENSURED = word_set("state ensure")
_WANTED = word_set("desiredstate targetstate desiredstatus targetstatus goalstate newstate")
_STATES = {f"{verb}d": verb for verb in _STRONG if verb.endswith("e")} | {"absent": "delete"}


def _is_told(tool: str, leaf: Leaf, sent: _Sent) -> bool:
    told = _is_order_key(leaf, sent) or _is_type(tool, leaf) or _is_run(tool, leaf)
    return told and not _is_patch(tool, leaf)


def _is_run(tool: str, leaf: Leaf) -> bool:
    """Return what a tool runs by its name: `run_macro {"name": "WipeAll"}`."""
    alone = leaf.key == "name" and leaf.path.count("/") == 1
    return alone and " " not in leaf.value and words_of(tool)[:1] in _RUNS


_RUNS = tuple((word,) for word in ("run", "execute", "trigger", "invoke", "launch", "call"))


def _is_order_key(leaf: Leaf, sent: _Sent) -> bool:
    key = bare_key(leaf.key)
    if key not in _KEYS and not (key in _KINDS and _is_typed(leaf.path)):
        return False
    if leaf.value.strip().lower() in _METHODS and _is_requested(leaf, sent):
        return False
    return key not in SHELL_KEYS or not _is_program(leaf)


def _is_program(leaf: Leaf) -> bool:
    """A line for a shell: several words, or a program's name and nothing beside it."""
    said = leaf.value.strip().lower()
    return " " in said or (said in _PROGRAMS and len(leaf.siblings) == 1)


_PROGRAMS = word_set("rm del")


def _is_requested(leaf: Leaf, sent: _Sent) -> bool:
    """Return whether it is the method of a request, which is judged by its address."""
    if len(leaf.siblings) > MAX_BESIDE:
        return False
    others = {key: value for key, value in leaf.siblings.items() if key != leaf.key}
    if request_in(others):
        return False  # another key says the method
    near = (sent(one) for one in (leaf.siblings, leaf.around))
    return any(one and one.method == leaf.value.strip().upper() for one in near)


_TYPE = frozenset({"type", "Type", "TYPE"})


def _is_type(tool: str, leaf: Leaf) -> bool:
    """`type: delete`, where the tool's name does not say what is done, and is about no events."""
    if leaf.key not in _TYPE or leaf.path.count("/") != 1:
        return False
    named = tool_name(tool)
    return named.verb is None and _EVENTS.isdisjoint(named.words)


def _is_patch(tool: str, leaf: Leaf) -> bool:
    """A line of a JSON Patch, which changes a document: `{"op": "remove", "path": "/a/0"}`."""
    if leaf.key != "op" or leaf.value != "remove" or "*" not in leaf.path:
        return False
    return str(leaf.siblings.get("path", ""))[:1] == "/" and _FILES.isdisjoint(words_of(tool))


_KINDS = word_set("type kind name")


def _is_typed(path: str) -> bool:
    above = words_of(key_above(path))
    return bool(above) and above[-1] in _TYPED


def _things(leaf: Leaf, known: frozenset[str]) -> str:
    """Return what is named beside it, as far as the tool knows that argument."""
    inside = leaf.path.count("/") > 1
    said = (leaf.siblings.get(key) for key in _THINGS if inside or key in known)
    return " ".join(one for one in said if isinstance(one, str) and len(one) <= MAX_ORDER)


def only_reads(leaves: tuple[Leaf, ...]) -> bool:
    """Return whether an argument tells a tool without a verb to look something up."""
    top = [leaf for leaf in leaves if leaf.path.count("/") == 1 and isinstance(leaf.value, str)]
    sent = _once()
    said = [tool_name(leaf.value) for leaf in top if _names_action(leaf, sent)]
    return bool(said) and all(name.reads for name in said)


@memoize(1024)
def may_ask(keys: str) -> bool:
    """Whether one of these keys may hold an action that only looks something up: a first look."""
    return any(bare_key(key) in _ASKED for key in keys.split())


def _names_action(leaf: Leaf, sent: _Sent) -> bool:
    named = bare_key(leaf.key) in _ASKED
    if not named or len(leaf.value) > MAX_ORDER:
        return False
    return leaf.value.strip().lower() in _METHODS or _is_order_key(leaf, sent)


_ASKED = word_set("action operation op verb act subcommand operationid operationname method")


@memoize(2048)
def _actions_above(path: str) -> tuple[str, ...]:
    """Keys of the objects around a value that say what becomes of it."""
    parts = path.split("/")
    return tuple(
        part
        for before, part in pairwise(parts[:-1])
        if words_of(part)[:1]
        and words_of(part)[0] in _STRONG
        and len(words_of(part)) <= 2  # noqa: PLR2004  # `DeleteRequest`
        and _AGAINST.isdisjoint(words_of(before))
        and before.lower() not in PROSE_KEYS
    )


_OWN = OWN - {"browser", "console"}
"""Beside these two something is done; they are not what it is done to."""


def _order(said: str, near: str) -> Order | None:
    """An action that is grave by itself, or by what it is done to."""
    words = words_of(said)
    short = words and len(words) <= MAX_WORDS and len(said) <= MAX_ORDER
    alone = tool_name(said) if short else None
    if alone is None or alone.reads:
        return None
    name = tool_name(f"{said} {near}"[:MAX_NEAR])
    tidies = not (HOUSEHOLD.isdisjoint(name.words) or CLEANS.isdisjoint(words))
    if tidies or not _OWN.isdisjoint(name.words):
        return None
    if name.final:
        return Order(said=said, name=name)
    if alone.verb is None or alone.verb.kind is not Kind.DELETE:
        return None
    if words == ("remove",) and not _PUT_BACK.isdisjoint(name.words):
        return None
    grave = len(words) > 1 or alone.verb.base in _GRAVE or _ends(words, name)
    return Order(said=said, name=alone) if grave else None


def _ends(words: tuple[str, ...], name: Name) -> bool:
    """Return whether it ends what somebody has with somebody: an account, a contract."""
    return not (_ENDINGS.isdisjoint(words) or _BONDS.isdisjoint(name.words))


_ENDINGS = word_set("close cancel void")
_BONDS = words("words/tools:instructions.bonds")
_DESPITE_KEYS = words("words/tools:orders_to_readers.keys")

_BEGIN = frozenset({key[:2] for key in _DESPITE_KEYS})
"""A first look: most keys begin otherwise."""

_LATER = word_set("onfail onfailure onerror onsuccess oncomplete ondone onfinish ontimeout")
"""What is done in some case: a single word there is the name of a way to end."""

_OF_ACTIONS = words("words/tools:orders_to_readers.of_actions")


def orders_despite(tool: str, leaves: tuple[Leaf, ...], known: frozenset[str]) -> tuple[Order, ...]:
    """What a tool whose name only reads is told beside it; not what its records are about."""
    plain = tuple(
        replace(leaf, key="action", words=("action",))
        for leaf in leaves
        if leaf.key.lstrip("_-")[:2].lower() in _BEGIN and _tells(leaf)
    )
    if not plain or not _OF_ACTIONS.isdisjoint(tool_name(tool).words):
        return ()
    return orders_in(tool, plain, known)


def _tells(leaf: Leaf) -> bool:
    key = bare_key(leaf.key)
    if (
        key not in _DESPITE_KEYS
        or not isinstance(leaf.value, str)
        or not _is_on_top(leaf.path, key)
    ):
        return False
    return key not in _LATER or " " in leaf.value.strip()


def _is_on_top(path: str, key: str) -> bool:
    """Return whether nothing stands around it but what holds the arguments, or a list of orders."""
    if path.count("/") == 1:
        return True
    return all(bare_key(one) in _HOLD or bare_key(one) == key for one in path.split("/")[1:])


_HOLD = words("words/tools:orders_to_readers.hold")
