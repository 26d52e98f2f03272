"""Words of tool names: verbs, compounds without a space, other languages, grave pairs."""

from itertools import pairwise, product
from types import MappingProxyType

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.payload import words_of
from holdpoint.core.risk.knowledge import verbs_on_things, words
from holdpoint.core.risk.wording import VERBS, Form, Kind, Verb, by_kind, forms
from holdpoint.core.risk.words import word_set

FINAL = verbs_on_things("irreversible")
"""Verbs, things (none: whatever it is), and why that is hard to undo."""


def why_final(words: tuple[str, ...]) -> str:
    """Why what these words of a name do is hard to undo; empty when nothing says so."""
    said = frozenset(words)
    if not said.isdisjoint(_ONLY_ABOUT):
        return ""
    if set(pairwise(words)) & _MOVED:
        return "moves what people may stand beside"
    if said.isdisjoint(_VERBS):
        return ""
    reasons = (
        why for verbs, things, why in FINAL if verbs & said and (things & said or not things)
    )
    return next((why for why in reasons if not _is_told(words, why)), "")


def _is_told(words: tuple[str, ...], why: str) -> bool:
    """Return whether these words end in what people are told of it: `set_bank_balance_alert`."""
    ends = [word for word in words if word not in _VERBS][-2:]
    return _AND not in words and any(
        reason == why and _ends_in(ends, told, parts) for told, parts, reason in _NEWS
    )


def _ends_in(ends: list[str], told: frozenset[str], parts: frozenset[str]) -> bool:
    return told.issuperset(ends[-1:]) or (told.issuperset(ends[:1]) and parts.issuperset(ends[1:]))


def acts(words: tuple[str, ...]) -> bool:
    """Return whether a name begins with what one does: `run_payroll`, `initiate_failover`."""
    return len(words) > 1 and words[0] in _VERBS


_NEWS = verbs_on_things("told")
_AND = "and"

_ONLY_ABOUT = word_set("reminder reminders diary draft drafts")
"""Beside these it is only spoken of."""

_MOVED = frozenset({("remote", "start"), ("emergency", "shutdown"), ("remote", "drive")})
"""Actions of machines in two words."""

_VERBS = frozenset[str]().union(*(verbs for verbs, _, _ in FINAL))
_WORDS = by_kind("foreign")
_UNBROKEN = by_kind("unspaced")
"""The same in languages that write their words without a sign between them."""

_SAID = {Kind.READ: "read", Kind.DELETE: "delete", Kind.PAYMENT: "pay", Kind.CREATE: "make"}
"""What people are told that it does."""

FOREIGN: MappingProxyType[str, Verb] = MappingProxyType(
    {
        one: Verb(base=_SAID[kind], kind=kind, form=Form.BASE)
        for kind, words in (*_WORDS.items(), *_UNBROKEN.items())
        for word in words.split()
        for one in (word, *words_of(word))
    }
)
"""Infinitives and orders of European languages, Turkish, Arabic, Chinese, Japanese and Korean."""

_ACTIONS = tuple(sorted(" ".join(_UNBROKEN.values()).split(), key=len, reverse=True))
_TOLD_OF = tuple(words("words/tools:foreign.told_of"))
"""What a name ends in that only speaks of an action, or of one's own marks."""

_MOOD = ("する", "します", "して", "하기")


def unbroken(word: str) -> tuple[str, ...]:
    """An action and its thing where a name begins or ends with one; else nothing: `删除用户`."""
    if word.endswith(_TOLD_OF):
        return ()
    for mood in _MOOD:
        word = word.removesuffix(mood)
    action = next((one for one in _ACTIONS if word.startswith(one) or word.endswith(one)), "")
    rest = word.removeprefix(action) if word.startswith(action) else word.removesuffix(action)
    return tuple(part for part in (action, rest) if part) if action else ()


_MORE = by_kind("tools")
KNOWN: MappingProxyType[str, Verb] = MappingProxyType(
    dict(VERBS)
    | {
        word: verb
        for kind, words in _MORE.items()
        for base in words.split()
        for word, verb in forms(base, kind).items()
    }
    | {"del": VERBS["delete"], "rm": VERBS["remove"]}
    | FOREIGN
)
"""Every form that is understood."""

MIN_LETTERS = 6
MAX_LETTERS = 40
"""Letters of a word that is looked into: `rmuser` at least, and no sentence."""

MAX_PARTS = 5
_PEOPLE = words("words/tools:compounds.people")
_STORED = words("words/tools:compounds.stored")
_FILES = words("words/tools:compounds.files")
_MACHINES = words("words/tools:compounds.machines")
_DEALS = words("words/tools:compounds.deals")
_ALL = words("words/tools:compounds.all")
_THINGS = _PEOPLE | _STORED | _FILES | _MACHINES | _DEALS
_OWN = words("words/tools:compounds.own")
_COMPOUNDS_ACTIONS: MappingProxyType[str, frozenset[str]] = MappingProxyType(
    {
        **dict.fromkeys(
            word_set("delete remove destroy purge erase terminate discard revoke del rm"),
            _THINGS | _OWN,
        ),
        "wipe": _MACHINES | _STORED | _FILES | _PEOPLE,
        "drop": _STORED - {"data", "document", "documents"} | {"user", "role"},
        "truncate": _STORED,
        "format": word_set("disk disks drive drives partition volume device"),
        "cancel": _DEALS | {"all", "account", "membership"},
        "close": word_set("account accounts"),
        "kill": word_set("process processes instance instances server container job jobs all"),
        "uninstall": word_set("app apps package packages service software"),
        "disable": word_set("mfa firewall antivirus logging backup backups account user users"),
        "reset": word_set("database db factory"),
    }
)
"""Actions, and what stands behind or before them without a sign between."""

_ENDS = word_set("delete remove destroy purge erase terminate wipe cancel close reset")
_FIRST, _LAST = tuple(_COMPOUNDS_ACTIONS), tuple(_ENDS)


@memoize(4096)
def apart(word: str) -> tuple[str, ...]:
    """A word in its parts where it is an action and its thing; else the word itself."""
    if not word.isascii() and len(word) <= MAX_LETTERS and (parts := unbroken(word)):
        return parts
    if not MIN_LETTERS <= len(word) <= MAX_LETTERS:
        return (word,)
    if glued := _GLUED.get(word) or (word.endswith(_TOLD) and _of_a_program(word)):
        return glued
    may_be = word.startswith(_FIRST) or word.endswith(_LAST)
    for action, things in _COMPOUNDS_ACTIONS.items() if may_be else ():
        if word.startswith(action) and (rest := _things_in(word.removeprefix(action), things)):
            return (action, *rest)
        ends = action in _ENDS and word.endswith(action)
        if ends and (rest := _things_in(word.removesuffix(action), things)):
            return (*rest, action)
    return (word,)


_GLUED: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    {
        "".join(both): both
        for verbs, things, _ in FINAL
        for verb, thing in product(verbs, things)
        for both in ((verb, thing), (thing, verb))
    }
    | {f"remote{action}": ("remote", action) for action in ("wipe", "erase", "delete")}
)
"""Actions that are hard to undo and their things: `factoryreset`, `forcepush`, `runpayroll`."""

_ORDERS = words("words/tools:compounds.orders")
_TOLD = tuple(_ORDERS)


def _of_a_program(word: str) -> tuple[str, ...]:
    """`gitpush`, `terraformdestroy`: a program, and what it is told."""
    for action in _ORDERS:
        if word.endswith(action) and word.removesuffix(action) in _PROGRAMS:
            return (word.removesuffix(action), action)
    return ()


_PROGRAMS = words("words/tools:compounds.programs")


def _things_in(text: str, things: frozenset[str]) -> tuple[str, ...]:
    """`allcontacts` -> all, contacts; empty when something else stands in it, or no thing."""
    found: list[str] = []
    while text and len(found) < MAX_PARTS:
        starts = (text[:at] for at in range(len(text), 1, -1))
        part = next((one for one in starts if one in things or one in _ALL), "")
        if not part:
            return ()
        found.append(part)
        text = text[len(part) :]
    return tuple(found) if not text and not things.isdisjoint(found) else ()
