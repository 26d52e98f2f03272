"""Arguments that select everything there is: `ids: "*"`, `filter: {}`, an empty replacement."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.counts import MAX_COUNT
from holdpoint.core.risk.extract.payload import MAX_VALUES, Leaf, key_above, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.words import word_set

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
            text = leaf.value
            if text.isalnum() and text[0] not in _FIRST:
                continue
            said = text[: MAX_COUNT + 1].strip().lower()
            # Most texts neither begin nor end as one that selects everything.
            may_be = not said or text[0] in _FIRST or text[0].isspace() or said.endswith(_ALL_OF)
            if may_be and len(text) <= MAX_COUNT and _selects_all(leaf, said):
                yield f"{leaf.key}: {said or 'nothing'}"
        elif leaf.value is True and leaf.key.lower() in _ALL_FLAGS:
            yield f"{leaf.key}: true"
    yield from _empty_selectors(objects)


_ALL_OF = ("/all", ":all", ":everyone", ":everybody")
_FIRST = frozenset({said[0] for said in _EVERYTHING | _STARS | _ALWAYS_TRUE})
_FIRST |= {letter.upper() for letter in _FIRST}


def _selects_all(leaf: Leaf, said: str) -> bool:
    words = leaf.words
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
    above = words_of(key_above(leaf.path))
    return said in _EVERYTHING and above[-1:] != () and above[-1] in AUDIENCES


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

MAX_SAID = 40
"""Characters of a filter that may be true of everything."""

MAX_PATH = 80
"""Characters of a path's end in which a filter is looked for."""

_MANY = word_set("batch bulk mass")
_SELECTS = word_set("filter filters where query criteria condition conditions segment selector")
_CHOOSES = _SELECTS | {"match"}
_FILTERS = _SELECTS | word_set("formula predicate")
_BOUNDS = word_set("limit max maximum cap")
_NO_BOUND = frozenset({"all", "none", "unlimited", "no limit"})
_TRUE = frozenset({"true()", "=true()", "not(false())", "true = true", "true=true"})
_BEFORE = word_set("lt lte before until")
_TALK = word_set("mail mails email emails message messages notification notifications thread chat")
_BIN = frozenset({"trash", "bin", "deleted items"})
_LABELS = word_set("label labels folder mailbox")


def boundless(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What says so, as a person would write it; `named`: words of a tool that changes things."""
    said = [leaf for leaf in leaves if isinstance(leaf.value, str)]
    filters = [leaf for leaf in said if "=" in leaf.value or "()" in leaf.value]
    yield from (f"{leaf.key}: {leaf.value}" for leaf in filters if _is_true(leaf))
    yield from (f"{leaf.key}: {leaf.value}" for leaf in leaves if _has_id(leaf))
    if _MANY.isdisjoint(named) or not any(map(_selects, leaves)):
        return
    yield from (f"{leaf.key}: {leaf.value or 'none'}" for leaf in leaves if _is_unbound(leaf))
    yield from (f"{leaf.key}: {leaf.value}" for leaf in leaves if _throws_away(leaf))
    if "archive" in named and _TALK.isdisjoint(named):
        yield from (f"{leaf.key}: {leaf.value}" for leaf in leaves if _is_all_old(leaf))


def _is_true(leaf: Leaf) -> bool:
    """`TRUE()`, `'a' = 'a'`, `1=1`."""
    if len(leaf.value) > MAX_SAID or _FILTERS.isdisjoint(leaf.words):
        return False
    said = leaf.value.strip().lower()
    left, same, right = (part.strip() for part in said.partition("="))
    constant = left[:1].isdigit() or left[:1] in {"'", '"'}
    return said in _TRUE or (bool(same) and constant and left == right)


def _has_id(leaf: Leaf) -> bool:
    """Return whether every record fulfils it: `{"_id": {"$exists": true}}`, `id > 0`."""
    if isinstance(leaf.value, str) and leaf.value:
        named = len(leaf.value) <= MAX_SAID and not _FILTERS.isdisjoint(leaf.words)
        return named and _each_has.fullmatch(leaf.value.strip()) is not None
    asked = _ASKED.get(leaf.key.lstrip("$"), ())
    if leaf.value not in asked or len(leaf.siblings) > 1:
        return False
    above = leaf.path.split("/")[-2]
    return above.lower() in _KEYS and len(leaf.around) == 1 and _selects(leaf)


_KEYS = word_set("_id id uuid pk key")
_each_has = re.compile(
    r"(?i)[\w.]*\b_?(?:uu)?id\s*(?:>=?\s*[01]|is\s+not\s+null|(?:!=|<>)\s*(?:null|''))"
)
_ASKED: MappingProxyType[str, tuple[Any, ...]] = MappingProxyType(
    {"exists": (True,), "ne": (None, ""), "not": (None,), "gt": (0,), "gte": (0, 1)}
)


def _selects(leaf: Leaf) -> bool:
    """Return whether it stands in a filter, or in an object of one."""
    return not _CHOOSES.isdisjoint(words_of(leaf.path[-MAX_PATH:]))


def _is_unbound(leaf: Leaf) -> bool:
    words = leaf.words
    if not words or _BOUNDS.isdisjoint(words):
        return False
    said = leaf.value.strip().lower() if isinstance(leaf.value, str) else leaf.value
    return said is None or said == -1 or said in _NO_BOUND


def _is_all_old(leaf: Leaf) -> bool:
    """`{"filter": {"created": {"before": "2022-01-01"}}}`, and nothing else in the filter."""
    if _BEFORE.isdisjoint(leaf.words[-1:]) or not _selects(leaf) or len(leaf.siblings) > 1:
        return False
    above = words_of(leaf.path.split("/")[-2])
    return not _SELECTS.isdisjoint(above) or len(leaf.around) == 1


def _throws_away(leaf: Leaf) -> bool:
    """`addLabelIds: ["TRASH"]`, `folder: bin`."""
    said = isinstance(leaf.value, str) and leaf.value[:MAX_SAID].strip().lower() in _BIN
    words = leaf.words
    return said and not _LABELS.isdisjoint(words) and words[0] != "remove"


_REPLACES = word_set("replace overwrite replaceall mirror")
_MODES = ("mode", "strategy", "operation", "write_mode", "sync_mode", "on_conflict")
_KINDLY = words("words/tools:empty_replacements.kindly")


def emptied(named: frozenset[str], objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """The keys whose list is replaced by an empty one; `named`: words of the tool's name."""
    every = not _REPLACES.isdisjoint(named)
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            if value not in _NOTHING:
                continue
            words = words_of(str(key))
            empty = words != () and words[-1] not in _KINDLY
            if empty and (_is_told(one) or (every and not named.isdisjoint(words))):
                yield str(key)


def _is_told(values: Mapping[str, Any]) -> bool:
    modes = (values.get(key) for key in _MODES)
    said = {one.lower() for one in modes if isinstance(one, str)}
    flags = (str(key) for key, value in islice(values.items(), MAX_VALUES) if value is True)
    return not _REPLACES.isdisjoint(said) or any(
        not _REPLACES.isdisjoint(words_of(flag)) for flag in flags
    )


_NOTHING: tuple[object, ...] = ([], {}, ())
_PAGES = word_set("playwright puppeteer browser page chrome selenium webdriver devtools cdp tab")
_EVALUATES = word_set("eval execute exec run script javascript js code console inject")
_PAGED_KEYS = words("words/tools:paging.keys")


def scripts_in(tool: str, leaves: Iterable[Leaf]) -> Iterator[str]:
    """Each, to be read as JavaScript, whatever else its argument is read as."""
    if _evaluates(tool):
        texts = (one for one in leaves if isinstance(one.value, str))
        yield from (one.value for one in texts if one.key.lower() in _PAGED_KEYS)


@memoize(1024)
def _evaluates(tool: str) -> bool:
    words = frozenset(words_of(tool))
    return "evaluate" in words or not (words.isdisjoint(_PAGES) or words.isdisjoint(_EVALUATES))
