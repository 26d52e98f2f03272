"""What a JSON payload says about size: its texts, counts, amounts, shares, and whom it selects."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice
from typing import Any

import msgspec

from holdpoint.core.risk.calls.amounts import summed
from holdpoint.core.risk.calls.leaf import MAX_VALUES, Leaf, strings, walk, words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import Money, decimal_of
from holdpoint.core.risk.numbers import number_at
from holdpoint.core.risk.wording import plural
from holdpoint.messages.base import JsonObject

_COUNTS = word_set(
    "affected batch_size count limit max_results num_records num_results num_rows quantity "
    "records rows total_count"
)
_MANY = word_set("count counts num number total size")
_PEOPLE = word_set(
    "recipient recipients user users customer customers subscriber subscribers member members "
    "contact contacts people employee employees guest guests audience"
)
MAX_COUNT = 60
"""Characters of a number in words."""

_SHARES = ("percent", "percentage", "pct")
_ID_ENDS = ("_ids", "_id", "ids")

_SELECTORS = word_set(
    "filter filters where query match selector condition conditions criteria predicate search"
)
_EVERYTHING = frozenset(
    {"*", "**", "%", ".*", "all", "any", "everyone", "everybody", "everything", "@all"}
)
_AUDIENCES = word_set(
    "recipients recipient to audience channel group groups users user ids id target targets "
    "scope select selection members items accounts list segment who range namespace amount"
)
_ALL_FLAGS = frozenset({"all", "select_all", "match_all", "apply_to_all", "everyone", "delete_all"})


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How many things a payload names, and what they are."""

    records: int
    noun: str = ""


class Payload(msgspec.Struct, frozen=True, kw_only=True):
    """A payload, read."""

    text: str
    """Every string in it, one on each line, in order."""

    leaves: tuple[Leaf, ...] = ()
    objects: tuple[Mapping[str, Any], ...] = ()
    tallies: tuple[Tally, ...] = ()
    amounts: tuple[Money, ...] = ()
    """An empty currency: none was named."""

    percents: tuple[Decimal, ...] = ()
    everything: str = ""
    """The argument that selects everything there is, as a person would write it; else empty."""

    whole: bool = True
    """False when it was too large to be walked."""


def payload(arguments: JsonObject) -> Payload:
    """Walk it once; nesting costs no stack."""
    walked = walk(arguments)
    leaves = walked.leaves
    return Payload(
        text="\n".join(strings(leaves)),
        leaves=leaves,
        objects=walked.objects,
        tallies=(*map(_of_list, walked.lists), *_counted(leaves)),
        amounts=summed(leaves),
        percents=tuple(_shares(leaves)),
        everything=next(_selecting(leaves, walked.objects), ""),
        whole=walked.whole,
    )


def _of_list(found: tuple[str, tuple[Any, ...]]) -> Tally:
    key, listed = found
    return Tally(records=len(listed), noun=_things(key))


def _things(key: str) -> str:
    """`user_ids` -> `users`: what a list under this key holds."""
    name = key.lower()
    end = next((end for end in _ID_ENDS if name.endswith(end)), "")
    bare = name.removesuffix(end).strip("_")
    return plural(bare) if bare else ""


def _counted(leaves: tuple[Leaf, ...]) -> Iterator[Tally]:
    for leaf in leaves:
        size = _number(leaf.value) if _counts(leaf) else None
        if size is not None:
            yield Tally(records=int(size))


def _counts(leaf: Leaf) -> bool:
    """`count`, `recipient_count`, `num_users`, and the size of an audience."""
    if leaf.key.lower() in _COUNTS:
        return True
    words = words_of(leaf.key)
    if _MANY.isdisjoint(words):
        return False
    if words == ("size",):
        above = words_of(leaf.path.rpartition("/")[0].rpartition("/")[2])
        return bool(above) and above[-1] in _PEOPLE | _AUDIENCES
    return len(words) > 1 and not _PEOPLE.isdisjoint(words)


def _number(value: object) -> Decimal | None:
    """In figures or in words."""
    plain = decimal_of(value)
    if plain is not None or not isinstance(value, str):
        return plain
    words = value[:MAX_COUNT].lower().split()
    found = number_at(words, 0) if words else None
    return found.value if found and found.words == len(words) else None


def _shares(leaves: tuple[Leaf, ...]) -> Iterator[Decimal]:
    for leaf in leaves:
        named = leaf.key.lower().endswith(_SHARES)
        text = leaf.value if isinstance(leaf.value, str) else ""
        written = "%" in text and text.rstrip().endswith("%")
        if not named and not written:
            continue
        share = decimal_of(text.strip().rstrip("%") if text else leaf.value)
        if share is not None:
            yield share


def _selecting(leaves: tuple[Leaf, ...], objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """`ids: "*"`, `filter: {}`, `where: ""`, `match_all: true`."""
    for leaf in leaves:
        words = words_of(leaf.key)
        last = words[-1] if words else ""
        selects, anyone = last in _SELECTORS, last in _AUDIENCES
        if isinstance(leaf.value, str):
            if not selects and not anyone:
                continue
            said = leaf.value.strip().lower()
            if _is_all(said) or (selects and not said):
                yield f"{leaf.key}: {said or 'nothing'}"
        elif leaf.value is True and leaf.key.lower() in _ALL_FLAGS:
            yield f"{leaf.key}: true"
    yield from _empty_selectors(objects)


def _is_all(said: str) -> bool:
    """`*`, `all`, `all_subscribers`."""
    return said in _EVERYTHING or (said[:4] in {"all_", "all-", "all "} and len(said) < MAX_COUNT)


def _empty_selectors(objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            words = words_of(str(key))
            if value in ({}, []) and words and words[-1] in _SELECTORS:
                yield f"{key}: nothing"
