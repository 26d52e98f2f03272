"""Meaning of the words of an address by the conventions of REST."""

import re

import re2

from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.text import whole_characters

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
"""Deeds at the end of a path after which something is gone."""

MILD = words("words/http:words.mild")
"""Deeds that are grave only on some things."""

_PEOPLE = words("words/http:words.people")
_MACHINES = words("words/http:words.machines")
_RUNNING = word_set("instance instances server servers vm vms node nodes droplet droplets")
_SIGNED = word_set(
    "envelope envelopes contract contracts agreement agreements deed lease document documents"
)
_STORES = _MACHINES | words("words/http:words.stores")
_SERVING = words("words/http:words.serving")
_LOCKED = words("words/http:words.locked")
_GUARDS = words("words/http:words.guards")
_CONTRACTS = words("words/http:words.contracts")
_ACCESS = words("words/http:words.access")
_TALK = words("words/http:words.talk")
_MAILINGS = word_set(
    "campaign campaigns broadcast broadcasts newsletter newsletters singlesends blasts"
)
GRAVE: tuple[tuple[frozenset[str], frozenset[str], str], ...] = tuple(
    (word_set(row["verbs"]), word_set(row.get("things", "")), row["reason"])
    for row in entry("rules/verbs_on_things:request")
)
"""Deeds, the things on which they are grave, and why."""

TOLD = words("words/http:words.told")
"""Last words of a path that tells, and does not do."""

ASKS_FIRST = words("words/http:words.asks_first")
"""First words of a call that only asks: `getSchedule`, `search_v2`."""

_hump = re.compile(r"([a-z0-9])([A-Z])")
_piece = re.compile(r"[a-z]+")


@remembered(4096)
def address_words(part: str) -> tuple[str, ...]:
    """`batchDelete`, `batch-delete` -> batch, delete."""
    whole = part if part.isascii() else whole_characters(part)
    return tuple(_piece.findall(_hump.sub(r"\1 \2", whole).lower()))


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
    """Whether the end of a path asks for something rather than does it."""
    words = address_words(path[-1]) if path else ()
    if "by" in words:
        return False
    return bool(TOLD & set(words[-1:]) or ASKS_FIRST & set(words[:1]))


def grave(path: list[str], about: frozenset[str] = frozenset()) -> str:
    """Why the deed at the end of a path is grave on what stands before it; empty when it is not.

    `about`: what else says what it is done to.
    """
    last = set(address_words(path[-1])) if path else set()
    near = about.union(*(address_words(part) for part in path[-4:]))
    fits = (why for deeds, things, why in GRAVE if last & deeds and (near - deeds) & things)
    archives = "archive" in last and not near & _TALK
    return next(fits, "puts it out of use for everybody" if archives else "")
