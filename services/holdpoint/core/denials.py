"""Denial memory: what a person cancelled a while ago halts again in whatever words it comes.

An action is the same in other words if an agent of the same tree wants to change what was
cancelled: the same call, the same target, or a thing with the same name in its arguments or
sentence. What would have been taken away is known by any name, even a plain word, wherever a call
takes something away, and by a pattern that can match it. Names are kept as digests, for an argument
may be a secret.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256

from msgspec.structs import replace

from holdpoint.core.card_facts import in_place_of
from holdpoint.core.plans import shown_steps
from holdpoint.core.redaction.display import texts_in
from holdpoint.core.risk import commands_in
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.hold import Hold
from holdpoint.messages.risk import Assessment, Heuristic, RiskLevel, Signal
from holdpoint.messages.state import Denial

RULE = "denial.remembered"
MOST = 200
"""Denials of everybody; older ones give way."""

FIRST_WAIT_S = 30
MOST_DOUBLINGS = 10
MOST_THINGS = 40
"""Of one action."""

MOST_MATCHED = 8
"""Of its names that a pattern is compared with."""

_THING = re.compile(r"[\w@./~:+-]{4,}")
_IS_NAME = re.compile(r"[./@_]|\d{4}").search
_HASH_LENGTH = 16
_TAKES = re.compile(
    r"(?i)\b(?:rm|rm(?:dir|tree|sync)\w*|mv|move\w*|renam\w*|unlink\w*|shred|truncat\w*|remov\w*|"
    r"delet\w*|drop|purge|wipe|trash)\b"
)
"""Words of commands and of code that take something away."""

_STEP = re.compile(r"[;&|\n]+")
_WORD = re.compile(r"[^\s'\"`()\[\]{}<>,;=|&$/]+")
_NAMES_FOLLOW = frozenset({"rm", "rmdir", "mv", "unlink", "shred", "cd", "pushd"})
"""Commands that take away what they are given, or go there for it."""

_PATTERN = frozenset("*?[]")
_AROUND_WORDS = "'\"`;,()|&"
_SHORTEST_NAME = 3
_MOST_WORDS = 400
_EVERYWHERE = frozenset({"/dev/null", "/bin/sh", "/bin/bash", "/tmp", "./"})  # noqa: S108  # names


def things_of(arguments: JsonObject, says: str = "") -> tuple[str, ...]:
    """Return digests of what is named in there: files, addresses, tables, numbers."""
    named = dict.fromkeys(
        name for text in (*_texts(arguments), says) for name in _names(text.casefold())
    )
    return tuple(_digest(name) for name in list(named)[:MOST_THINGS])


def _texts(arguments: JsonObject) -> list[str]:
    """Return each text, as it is written and as a shell would run it: quotes hide no name."""
    return [it for text in texts_in(arguments) for it in (text, *commands_in(text))]


def _names(text: str) -> Iterable[str]:
    for found in _THING.findall(text):
        name = found.strip(".:-+@").rstrip("/")
        if found not in _EVERYWHERE and not found.startswith("-") and _IS_NAME(name):
            yield name.rpartition("/")[2] or name


def _digest(name: str) -> str:
    return sha256(name.encode()).hexdigest()[:_HASH_LENGTH]


def taken_by(arguments: JsonObject) -> tuple[str, ...]:
    """Return digests of what plain commands take away, and of folders that they go to for it."""
    named = dict.fromkeys(
        name
        for text in _texts(arguments)
        if _TAKES.search(text)
        for step in _STEP.split(text.casefold())
        for name in _operands(step.split())
    )
    taken = list(named)[:MOST_THINGS]
    matched = dict.fromkeys(it for name in taken[:MOST_MATCHED] for it in _matched_by(name))
    return tuple(_digest(name) for name in (*taken, *matched))


def _matched_by(name: str) -> Iterable[str]:
    """Yield the outline of each pattern that can match a name."""
    return (f"{first}…{last}" for first in ("", name[0]) for last in ("", name[-1]))


def _outlines(text: str) -> Iterable[str]:
    """Yield the first and the last character of each pattern in a text, as far as they are plain.

    Names are digests, so that no more of a pattern can be compared.
    """
    for word in text.casefold().split():
        for part in word.strip(_AROUND_WORDS).split("/"):
            if not _PATTERN.isdisjoint(part):
                first, last = (("" if it in _PATTERN else it) for it in (part[0], part[-1]))
                yield f"{first}…{last}"


def _operands(words: list[str]) -> Iterable[str]:
    """Yield the names that a command which takes away, or which changes the folder, is given."""
    verb = next(iter(words), "")
    if verb in _NAMES_FOLLOW:
        for word in words[1:]:
            name = word.strip("'\"").rstrip("/").rpartition("/")[2]
            if not word.startswith("-") and len(name) >= _SHORTEST_NAME:
                yield name


def _words_beside(action: Action) -> tuple[str, ...]:
    """Return digests of all that a call names which takes something away, and what it found."""
    texts = [text for text in _texts(action.arguments) if _TAKES.search(text)]
    words = dict.fromkeys(word for text in texts for word in _WORD.findall(text.casefold()))
    targets = action.preconditions.get("targets") if texts else None
    found = (str(it).casefold().rstrip("/").rpartition("/")[2] for it in targets or ())
    patterns = () if targets else dict.fromkeys(it for text in texts for it in _outlines(text))
    return tuple(_digest(name) for name in (*list(words)[:_MOST_WORDS], *found, *patterns))


def denial_of(hold: Hold, tree: str, by: str, at: datetime) -> Denial:
    """Return what is remembered of a hold that a person cancels."""
    return Denial(
        hold_id=hold.hold_id,
        tree=tree,
        by=by,
        at=at,
        call_digest=hold.call_digest,
        target=_target(hold.assessment, said := _named_in(hold), _said(hold)),
        things=things_of(said, _said(hold)),
        taken=taken_by(said),
    )


def _said(hold: Hold) -> str:
    """A sentence is its own words; a call's reasoning names much that is not touched."""
    return "" if hold.action else hold.says


def _named_in(hold: Hold) -> JsonObject:
    if hold.steps:
        return shown_steps(hold)[0]
    return hold.action.arguments if hold.action else hold.claim


def _target(found: Assessment, arguments: JsonObject, says: str = "") -> str:
    """The target's name, if the agent names it: a whole sandbox is no name of a thing."""
    name = found.target.casefold().rstrip("/").rpartition("/")[2]
    named = name and any(name in text.casefold() for text in (*texts_in(arguments), says))
    return _digest(name) if named else ""


def with_denial(made: Iterable[Denial], denial: Denial, window_s: int) -> tuple[Denial, ...]:
    """Return what is remembered then: each hold once, the newest at the end."""
    kept = (
        it
        for it in made
        if it.hold_id != denial.hold_id and (denial.at - it.at).total_seconds() < window_s
    )
    return (*kept, denial)[-MOST:]


def remembered(
    made: Iterable[Denial], asked: Denial, at: datetime, window_s: int, *, changes: bool
) -> Denial | None:
    """Return the newest denial of this action; what only reads is the same only word for word."""
    return next(
        (
            it
            for it in reversed(tuple(made))
            if it.tree == asked.tree
            and 0 <= (at - it.at).total_seconds() < window_s
            and it.hold_id != asked.hold_id
            and (it.call_digest == asked.call_digest or (changes and _is_alike(it, asked)))
        ),
        None,
    )


def back_off_s(made: Iterable[Denial], tree: str, at: datetime, window_s: int, after: int) -> float:
    """Return for how long agents of this tree ask nobody; each denial more doubles it."""
    times = sorted(
        it.at for it in made if it.tree == tree and (at - it.at).total_seconds() < window_s
    )
    if not after or len(times) < after:
        return 0.0
    doublings: int = min(len(times) - after, MOST_DOUBLINGS)
    wait_s = min(float(FIRST_WAIT_S << doublings), float(window_s))
    return max(0.0, wait_s - (at - times[-1]).total_seconds())


def _is_alike(one: Denial, other: Denial) -> bool:
    """`other` is the call that is judged."""
    names = {*one.things, one.target} & {*other.things, other.target}
    taken = {*one.taken, one.target} & {*other.taken}
    return bool((names | taken) - {""})


def asked_of(
    action: Action, found: Assessment, hold_id: str, tree: str, call_digest: str, at: datetime
) -> Denial:
    """Describe a call that is judged in the same way."""
    return Denial(
        hold_id=hold_id,
        tree=tree,
        by="",
        at=at,
        call_digest=call_digest,
        target=_target(found, action.arguments),
        things=things_of(action.arguments),
        taken=_words_beside(action),
    )


def with_memory(found: Assessment, denial: Denial, at: datetime) -> Assessment:
    """The assessment, with the reason that people read on the card."""
    person = in_place_of(denial.by, denial.seat)
    signal = Signal(
        rule=RULE,
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.MEDIUM,
        reason=f"{person} cancelled an action like this {ago(denial, at)}",
        evidence="",
    )
    level = max(found.level, RiskLevel.MEDIUM)
    return replace(found, level=level, signals=(signal, *found.signals))


def ago(denial: Denial, at: datetime) -> str:
    """`3 minutes ago`."""
    minutes = max(0, round((at - denial.at).total_seconds() / 60))
    if not minutes:
        return "just now"
    return f"{minutes} minute{'' if minutes == 1 else 's'} ago"
