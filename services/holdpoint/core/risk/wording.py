"""The words for doing things: verbs by what they do, in every form, and how to read tool names."""

from enum import StrEnum
from types import MappingProxyType

import msgspec
import re2

from holdpoint.core.risk.lexicon import word_set


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

_WORDS = {
    Kind.READ: (
        "analyze analyse browse calculate check count describe download explain fetch find get "
        "inspect list look lookup preview query read retrieve scan search see show summarize "
        "test think validate verify view"
    ),
    Kind.CREATE: (
        "add append apply book clone copy create draft email generate grant initiate insert invite "
        "make message notify open post publish register reply schedule send share submit subscribe "
        "upload write"
    ),
    Kind.UPDATE: (
        "alter archive assign change deactivate disable downgrade edit enable exchange migrate "
        "modify move overwrite patch rename replace reset restart restore rotate set stop suspend "
        "update upgrade"
    ),
    Kind.DELETE: (
        "cancel clear close delete deprovision destroy discard drop erase expunge flush format "
        "kill nuke purge remove revoke shred terminate trash truncate uninstall unlink unpublish "
        "wipe"
    ),
    Kind.PAYMENT: (
        "borrow buy charge deposit donate invest pay purchase refund reimburse sell transfer wire "
        "withdraw"
    ),
}
_PAST = {
    "buy": "bought",
    "find": "found",
    "get": "got",
    "make": "made",
    "overwrite": "overwritten",
    "pay": "paid",
    "read": "read",
    "reset": "reset",
    "see": "seen",
    "sell": "sold",
    "send": "sent",
    "set": "set",
    "show": "shown",
    "think": "thought",
    "withdraw": "withdrawn",
    "write": "written",
}
_DOUBLED = word_set(
    "transfer submit ban bet bid cancel commit cut drop enrol format get gut put reset run scan "
    "scrap scrub shred map rip swap skim plot set ship shut stop strip unpin zap annul expel remit "
    "rerun sunset relabel reformat factory-reset hard-reset"
)
_VOWELS = frozenset("aeiou")
_PLURALS = word_set(
    "people data children media staff personnel cattle sheep fish men women livestock poultry crew "
    "folk police mice geese teeth feet oxen deer salmon trout swine larvae"
)

_hump = re2.compile(r"([\p{Ll}\d])(\p{Lu})")
_word = re2.compile(r"\pL+")


def verb_in(word: str) -> Verb | None:
    """The verb that this lower-case word is a form of."""
    return VERBS.get(word)


def name_verb(name: str) -> Verb | None:
    """What a tool's name says it does: the first verb in `GmailDeleteEmail` or `get_user`."""
    words = _word.findall(_hump.sub(r"\1 \2", name))
    return next((verb for word in words if (verb := verb_in(word.lower()))), None)


def plural(noun: str) -> str:
    """`account` -> `accounts`, `entry` -> `entries`; what ends in s is taken for plural."""
    if noun.endswith("s") or noun in _PLURALS:
        return noun
    if noun.endswith(("x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}s"


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
        for kind, words in _WORDS.items()
        for base in words.split()
        for word, verb in forms(base, kind, _PAST.get(base)).items()
    }
)
"""Every form that is understood."""
