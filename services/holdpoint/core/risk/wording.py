"""The words for doing things: verbs by what they do, in every form, and how to read tool names."""

from enum import StrEnum
from types import MappingProxyType

import msgspec
import re2

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.knowledge import by_word, entry, words


class Kind(StrEnum):
    """What a verb does to things; the value is the action type that people read."""

    READ = "read"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    PAYMENT = "payment"


class Form(StrEnum):
    """How a verb stands in a sentence: only what is announced counts, not what is reported."""

    BASE = "base"
    ING = "ing"
    PAST = "past"


class Verb(msgspec.Struct, frozen=True, kw_only=True):
    """One form of a verb."""

    base: str
    kind: Kind
    form: Form


CHANGES = frozenset({Kind.UPDATE, Kind.DELETE, Kind.PAYMENT})
"""What touches something that exists."""


def by_kind(section: str) -> dict[Kind, str]:
    """Return the verbs of a section of `data/verbs.toml` by kind."""
    return {Kind(kind): verbs for kind, verbs in entry(f"verbs:{section}").items()}


REMOVING = words("verbs:sentences.delete") | words("verbs:tools.delete")
"""Verbs that take something away, in their base form, wherever one is the name of an action."""

_WORDS = by_kind("sentences")
PARTICIPLES = by_word("verbs:participles")
_DOUBLED = words("verbs:spelling.doubled")
_VOWELS = frozenset("aeiou")
_PLURALS = words("verbs:spelling.plurals")
_hump = re2.compile(r"([\p{Ll}\d])(\p{Lu})")
_word = re2.compile(r"\pL+")


def verb_in(word: str) -> Verb | None:
    """The verb that this lower-case word is a form of."""
    return VERBS.get(word)


def name_verb(name: str) -> Verb | None:
    """What a tool's name says it does: the first verb in `GmailDeleteEmail` or `get_user`."""
    parts = _word.findall(_hump.sub(r"\1 \2", name))
    return next((verb for word in parts if (verb := verb_in(word.lower()))), None)


@memoize(2048)
def bare_key(key: str) -> str:
    """In lower case and without signs: `toolSlug`, `tool-slug`."""
    return key.lower().replace("_", "").replace("-", "")


def plural(noun: str) -> str:
    """`account` -> `accounts`, `entry` -> `entries`; what ends in s is taken for plural."""
    if noun.endswith("s") or noun in _PLURALS:
        return noun
    if noun.endswith(("x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def third_person(verb: str) -> str:
    """`delete` -> `deletes`, `roll back` -> `rolls back`, `wipe` -> `wipes`."""
    first, blank, rest = verb.partition(" ")
    if first.endswith(("s", "x", "z", "ch", "sh", "o")):
        first = f"{first}e"
    elif first.endswith("y") and first[-2:-1] not in _VOWELS:
        first = f"{first[:-1]}ie"
    return f"{first}s{blank}{rest}"


def forms(base: str, kind: Kind, irregular: str | None = None) -> dict[str, Verb]:
    """Every form of a verb; `irregular` is its past participle when English has its own."""
    stem = base.removesuffix("e")
    stems = {stem, base + base[-1]} if base in _DOUBLED else {stem}
    past = {irregular} if irregular else {f"{one}ed" for one in stems}
    third = f"{base}s"
    if base.endswith("y") and base[-2] not in _VOWELS:  # `applied`, `applies`
        past, third = {irregular or f"{base[:-1]}ied"}, f"{base[:-1]}ies"
    return (
        {word: Verb(base=base, kind=kind, form=Form.PAST) for word in past}
        | {f"{one}ing": Verb(base=base, kind=kind, form=Form.ING) for one in stems}
        | {word: Verb(base=base, kind=kind, form=Form.BASE) for word in (base, third)}
    )


VERBS = MappingProxyType(
    {
        word: verb
        for kind, bases in _WORDS.items()
        for base in bases.split()
        for word, verb in forms(base, kind, PARTICIPLES.get(base)).items()
    }
)
"""Every form that is understood."""
