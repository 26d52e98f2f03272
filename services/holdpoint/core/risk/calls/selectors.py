"""Arguments that select everything there is: `ids: "*"`, `filter: {}`, `match_all: true`."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from holdpoint.core.risk.calls.leaf import MAX_VALUES, Leaf, words_of
from holdpoint.core.risk.calls.many import MAX_COUNT
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

THINGS = words("words/tools:selectors.things")
"""What is touched when a call that acts names a number of it; steps and pages are only measured."""

_SELECTORS = words("words/tools:selectors.selectors")
_EVERYTHING = frozenset(
    {"*", "**", "%", ".*", "all", "any", "everyone", "everybody", "everything", "@all"}
)
AUDIENCES = words("words/tools:selectors.audiences")
_STARS = words("words/tools:selectors.stars")
_STATES = word_set("status state")
_ALWAYS_TRUE = frozenset({"1=1", "1 = 1", "true", "where 1=1", "'1'='1'", "1"})
_HARMLESS = words("words/tools:selectors.harmless")

_ALL_FLAGS = frozenset(
    {
        "all", "select_all", "match_all", "apply_to_all", "everyone", "everybody", "everything",
        "delete_all",
    }
)  # fmt: skip


def selecting(leaves: tuple[Leaf, ...], objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """`ids: "*"`, `filter: {}`, `where: "1=1"`, `match_all: true`, `items: {"*": …}`."""
    for leaf in leaves:
        if isinstance(leaf.value, str):
            if len(leaf.value) > MAX_COUNT or not _may_be_all(leaf.value):
                continue
            if _selects_all(leaf, leaf.value.strip().lower()):
                yield f"{leaf.key}: {leaf.value.strip().lower() or 'nothing'}"
        elif leaf.value is True and leaf.key.lower() in _ALL_FLAGS:
            yield f"{leaf.key}: true"
    yield from _empty_selectors(objects)


def _may_be_all(text: str) -> bool:
    """Whether it begins or ends as one that selects everything does."""
    return not text or text[0] in _FIRST or text[0].isspace() or text[-4:].lower() in _ALL_ENDS


_ALL_OF = ("/all", ":all", ":everyone", ":everybody")
_ALL_ENDS = tuple(end[-len(":all") :] for end in _ALL_OF)
_FIRST = frozenset({said[0] for said in _EVERYTHING | _STARS | _ALWAYS_TRUE})
_FIRST |= {letter.upper() for letter in _FIRST}


def _selects_all(leaf: Leaf, said: str) -> bool:
    words = words_of(leaf.key)
    last = words[-1] if words else ""
    if last in _SELECTORS and (not said or said in _ALWAYS_TRUE):
        return True
    if said in _STARS:
        return not last or last not in _HARMLESS
    if last in _STATES:
        return said in _EVERYTHING
    if last in _SELECTORS or last in AUDIENCES:
        return _is_all(said)
    if last in THINGS and said in _EVERYTHING:
        return True
    return said in _EVERYTHING and _above(leaf.path) in AUDIENCES


def _above(path: str) -> str:
    words = words_of(path.rpartition("/")[0].rpartition("/")[2])
    return words[-1] if words else ""


def _is_all(said: str) -> bool:
    """`*`, `all`, `all_subscribers`."""
    if said.endswith(_ALL_OF) or said.startswith(("everyone@", "all@")):
        return True
    return said in _EVERYTHING or said[:4] in {"all_", "all-", "all "} or said[:6] == "entire"


def _empty_selectors(objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    writes = any(not _WRITTEN.isdisjoint(one) for one in objects)
    for one in objects:
        if isinstance(one.get("*"), Mapping):
            yield "*"
        for key, value in islice(one.items(), MAX_VALUES):
            if value and not isinstance(value, dict):
                continue
            if _takes_all(key, value) and (writes or key != "$match"):
                yield f"{key}: nothing"


def _takes_all(key: object, value: Any) -> bool:
    if value and not _may_be_hollow(value):
        return False
    if not (value is None or isinstance(value, dict | list)):
        return False
    last = words_of(str(key))[-1:]
    if not last or last[0] not in _SELECTORS:
        return False
    return last in _CONDITIONS if value is None else _is_hollow(value)


MAX_JOINED = 6
"""Conditions within each other that are looked into."""

_ALL_OF_THEM = word_set("$and and must filter bool query")
_ONE_OF_THEM = word_set("$or or should")
_EVERY_ONE = word_set("match_all matchall")
_JOINS = frozenset(
    said
    for word in _ALL_OF_THEM | _ONE_OF_THEM | _EVERY_ONE
    for said in (word, word.upper(), word.title())
)


def _may_be_hollow(value: Any) -> bool:
    """A first look: most conditions name a field."""
    return isinstance(value, dict) and len(value) <= len(_JOINS) and _JOINS.issuperset(value)


def _is_hollow(value: Any, depth: int = MAX_JOINED) -> bool:
    """Whether a condition holds of whatever there is: `{"$or": [{}]}`, `{"match_all": {}}`."""
    if not value:
        return value is None or isinstance(value, dict | list)
    if isinstance(value, list):
        return depth > 0 and all(_is_hollow(one, depth - 1) for one in value[:MAX_VALUES])
    if not depth or not _may_be_hollow(value):
        return False
    return all(_joins_nothing(key.lower(), held, depth - 1) for key, held in value.items())


def _joins_nothing(key: str, held: Any, depth: int) -> bool:
    if key in _EVERY_ONE:
        return isinstance(held, dict)
    if key in _ONE_OF_THEM and isinstance(held, list) and held:
        return any(_is_hollow(one, depth) for one in held[:MAX_VALUES])
    return _is_hollow(held, depth)


_CONDITIONS = (("where",), ("filter",), ("filters",), ("condition",), ("conditions",))
"""Keys that ask for everything also where they hold nothing."""

_WRITTEN = frozenset({"$out", "$merge"})
"""Stages of a pipeline that write; without one of them `$match` only chooses what is shown."""
