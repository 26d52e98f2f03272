"""A scan less what is only talked of, retold, searched for or asked in passing; or with another."""

from collections.abc import Callable

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.patterns import Hit
from holdpoint.core.risk.scan import ANNOUNCES, Scan
from holdpoint.core.risk.seed import SEED_PACK, SEED_REMOVAL
from holdpoint.messages.risk import RiskLevel


def with_more(found: Scan, more: Scan) -> Scan:
    """What another way to read the same text finds beside it, each pattern once."""
    known = {hit.pattern.id for hit in found.hits}
    fragments = dict((*more.fragments, *found.fragments))
    return msgspec.structs.replace(
        found,
        hits=(*found.hits, *(hit for hit in more.hits if hit.pattern.id not in known)),
        fragments=tuple(fragments.items()),
        error=found.error or more.error,
    )


def only_with(found: Scan, rest: Scan) -> Scan:
    """Without what is critical by seed 002 and found no more in the rest: it is searched for."""
    return _less(found, rest, tuple(hit for hit in found.hits if _is_by_seed(hit)))


def without_told(found: Scan, rest: Scan) -> Scan:
    """Without programs and announced losses that the rest has not: people are told of them."""
    told = tuple(hit for hit in found.hits if hit.pattern.commands or hit.pattern.id in ANNOUNCES)
    return _less(only_with(found, rest), rest, told)


def _less(found: Scan, rest: Scan, gone: tuple[Hit, ...]) -> Scan:
    """Without these, where the rest has none of them."""
    kept, told = {hit.pattern.id for hit in rest.hits}, {one for one, _ in rest.fragments}
    return msgspec.structs.replace(
        found,
        hits=tuple(hit for hit in found.hits if hit.pattern.id in kept or hit not in gone),
        fragments=tuple(one for one in found.fragments if one[0] in told),
    )


def _is_by_seed(hit: Hit) -> bool:
    return hit.pattern.id.startswith(SEED_PACK)


def without(found: Scan, is_gone: Callable[[Hit], bool]) -> Scan:
    """Without these hits; what the same pattern finds behind one of them counts in its place."""
    kept = (_first_left(hit, is_gone) for hit in found.hits)
    return msgspec.structs.replace(found, hits=tuple(hit for hit in kept if hit))


def _first_left(hit: Hit, is_gone: Callable[[Hit], bool]) -> Hit | None:
    """The first one that is not gone; who hides one behind many more has it all the same."""
    at: Hit | None = hit
    for _ in range(MOST_HITS):
        if at is None or not is_gone(at):
            return at
        at = at.behind()
    return hit


MOST_HITS = 50
"""Places of one pattern that are looked at."""


def without_mentions(found: Scan, mentioned: tuple[tuple[int, int], ...]) -> Scan:
    """Without what stands in words that a sentence only talks of; seed 002 stays to the letter."""
    if not mentioned:
        return found
    return without(found, lambda hit: not _is_seeds(hit) and _within(hit.span, mentioned))


def without_reports(found: Scan, retold: tuple[tuple[int, int], ...]) -> Scan:
    """Without what others did, or do in what is retold."""
    if not retold:
        return found
    return without(found, lambda hit: hit.pattern.id in _TOLD_OF and _within(hit.span, retold))


_TOLD_OF = word_set(
    "production.changed loss.everything loss.no-undo loss.permanent data.sql-drop "
    "data.sql-truncate data.sql-delete-all"
)
"""Patterns that begin with what is done, or cannot be undone, whoever says so."""


def without_leave(found: Scan, harmless: tuple[tuple[int, int], ...]) -> Scan:
    """Without requests for leave where only what harms nobody is asked for."""
    if not harmless:
        return found
    return without(found, lambda hit: hit.pattern.id in ASKS_LEAVE and _within(hit.span, harmless))


def asked_once(found: Scan, *, remarked: bool) -> Scan:
    """With one request for leave, however many patterns know it: the first of the gravest.

    `remarked`: a reader has already told of one that is HIGH.
    """
    if not found.hits:
        return found
    asks = [hit for hit in found.hits if hit.pattern.id.startswith(_ASKS)]
    most = max((hit.pattern.level for hit in asks), default=None)
    if most is None or (len(asks) == 1 and not remarked):
        return found
    first = next(hit for hit in asks if hit.pattern.level is most)
    kept = None if remarked and most <= RiskLevel.HIGH else first
    hits = tuple(hit for hit in found.hits if hit not in asks or hit is kept)
    return msgspec.structs.replace(found, hits=hits)


_ASKS = ("leave.", "doubt.asks-")

ASKS_LEAVE = word_set(
    "leave.is-it-fine leave.ok-to leave.mind leave.approval leave.approve leave.should-i "
    "doubt.asks-safety doubt.asks-leave"
)
"""Patterns that fire whatever leave is asked for."""


def without_doubts(found: Scan) -> Scan:
    """Without doubts: what they are about is no deed. Who asks for leave still asks."""
    kept = tuple(hit for hit in found.hits if hit.pattern.id not in UNSURE)
    return msgspec.structs.replace(found, hits=kept)


def is_unsure(found: Scan) -> bool:
    """Whether a doubt was found that may be about a mere fact."""
    return any(hit.pattern.id in UNSURE for hit in found.hits)


UNSURE = word_set("doubt.unsure doubt.not-sure doubt.wrong-one doubt.degree doubt.admits")
"""Patterns that also fire when somebody is unsure of a mere fact."""


def _is_seeds(hit: Hit) -> bool:
    return hit.pattern.id.startswith(SEED_PACK) and hit.pattern.pattern != SEED_REMOVAL


def _within(span: tuple[int, int], places: tuple[tuple[int, int], ...]) -> bool:
    return any(start <= span[0] < end for start, end in places)
