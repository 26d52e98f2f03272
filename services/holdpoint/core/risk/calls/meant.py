"""What a call means whose name only looks or drafts, where an argument orders the deed itself.

`preview_delete_users {"apply": true}` is `delete_users`, `create_draft {"send_now": true}` sends.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.nested import Inner
from holdpoint.core.risk.calls.verbs import KNOWN
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.wording import CHANGES, Form, Kind
from holdpoint.messages.base import JsonObject

_REHEARSES = words("words/tools:meant.rehearses")
_READS = words("words/tools:meant.reads")
_SOFT = _REHEARSES | _READS
"""Words of a name that keep a deed from being done, as long as nothing else orders it."""

_MAKES = word_set("create make save compose write new add prepare generate")
_SENDS = word_set("send sends publish post submit deliver broadcast dispatch")
_DOES = words("words/tools:meant.does")
_ORDERS = _SENDS | _DOES

_FILLS = words("words/tools:meant.fills")
_HOLDS = frozenset({
    ("dry", "run"), ("dryrun",), ("simulate",), ("simulation",), ("preview",), ("preview", "only"),
    ("validate", "only"), ("check", "only"), ("plan", "only"), ("what", "if"), ("whatif",),
    ("noop",), ("test", "mode"), ("draft",), ("rehearse",), ("as", "draft"), ("is", "draft"),
})  # fmt: skip
"""Flags that, set to false, say that the deed is done."""

_MODES = word_set("mode action operation op phase stage")
_GRAVE = CHANGES | {Kind.PAYMENT}


def _spellings(words: Iterable[str]) -> Iterator[str]:
    """`send_now`, `send-now`, `sendNow`, `SendNow`, `sendnow`, `SEND_NOW`."""
    parts = [word for word in words if word]
    title = "".join(map(str.title, parts))
    yield from ("_".join(parts), "-".join(parts), " ".join(parts), "".join(parts))
    yield from (title, title[:1].lower() + title[1:], "_".join(parts).upper())


_BEFORE = ("", "is", "do", "should", "will", "auto", "for")
_BEHIND = ("", "now", "immediately", "it", "all", "changes", "change", "mode", "directly", "live")
_NAMED = (*product(_BEFORE, _ORDERS, _BEHIND), *_HOLDS, *((mode,) for mode in _MODES))
_KEYS = frozenset(key for words in _NAMED for key in _spellings(words))
"""Keys that may order something; asked first, for all at once, because most objects have none."""

_SAYS = frozenset({True, False, *_ORDERS, *map(str.upper, _ORDERS), *map(str.title, _ORDERS)})
"""Values that may order something; asked first, because most arguments have another one."""


def meant(
    tool: str,
    leaves: tuple[Leaf, ...],
    objects: tuple[Mapping[str, Any], ...],
    arguments: JsonObject,
) -> tuple[Inner, ...]:
    """The call as it is meant; none where its name says it, or nothing orders more."""
    if all(map(_KEYS.isdisjoint, objects)):
        return ()
    rest, deed = _without_softness(tool)
    if rest is None:
        return ()
    orders = [order for leaf in leaves if leaf.value in _SAYS and (order := _ordered(leaf))]
    sends = next((order for order in orders if order in _SENDS), "")
    if not orders or not (sends or deed):
        return ()
    if not deed:
        rest = (sends, *(word for word in rest if word not in _MAKES))
    name = "_".join(rest) if len(rest) > 1 else f"{rest[0]}_message"
    return (Inner(tool=name, arguments=arguments, ordered=True),)


@remembered(2048)
def _without_softness(tool: str) -> tuple[tuple[str, ...] | None, bool]:
    """The words of its name without those, and whether they are a deed; None where none is soft."""
    words = words_of(tool)
    if _SOFT.isdisjoint(words):
        return None, False
    rest = tuple(word for word in words if word not in _SOFT)
    return rest, _is_deed(rest)


def _is_deed(words: tuple[str, ...]) -> bool:
    """Whether one of them is a verb that changes, takes or pays something."""
    known = (KNOWN[word] for word in words if word in KNOWN)
    return any(verb.form is Form.BASE and verb.kind in _GRAVE for verb in known)


def _ordered(leaf: Leaf) -> str:
    """The word that orders it: `send_now: true`, `mode: apply`; `apply` for `dry_run: false`."""
    if leaf.value is True:
        words = [word for word in words_of(leaf.key) if word not in _FILLS]
        return words[0] if words and _ORDERS.issuperset(words) else ""
    if leaf.value is False:
        return "apply" if words_of(leaf.key) in _HOLDS else ""
    said = str(leaf.value).lower()
    return said if said in _ORDERS and not _MODES.isdisjoint(words_of(leaf.key)) else ""
