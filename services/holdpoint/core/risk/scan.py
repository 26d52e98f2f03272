"""What the policy's patterns find in a subject, less what a parse has proven wrong."""

from functools import lru_cache

import msgspec
import re2

from holdpoint.core.risk.code import Programs, worrying
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.patterns import BadPatternError, Hit, matcher
from holdpoint.core.risk.seed import HIGH_RISK_COMMANDS, SEED_LOSSES, SEED_PACK, SEED_REMOVAL
from holdpoint.core.risk.text import Folded, fold
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Heuristic, RiskLevel

_removal = re2.compile(r"(?:^|[^\pL\d_-])(?:rm|remove\w*)\b[^\n]*\s['\"]?-\w*r")
"""What seed 002's second pattern means: the word, and an option with an r."""


_interpreted = glance(
    r"(?:^|[^\w-])(?:python[\d.]*|perl|ruby|node|deno|bun|php|lua|osascript|powershell|pwsh|eval|exec"
    r"|awk)\b"
)
"""Where another language may run what its strings say: there only a mere read is proven."""


class Scan(msgspec.Struct, frozen=True, kw_only=True):
    """What the policy's patterns found."""

    hits: tuple[Hit, ...] = ()
    fragments: tuple[tuple[str, int], ...] = ()
    """High-risk commands, and where each stands in the folded text."""

    doubts: tuple[Hit, ...] = ()
    """Uncertainty in the words beside a call."""

    mild: bool = False
    """Whether the hits stand in the words of a mere read, so that they are only remarked on."""

    error: str = ""
    """Why patterns could not be run; empty when they were."""


def scan(text: Folded, reasoning: str, policy: Policy, ran: Programs, *, reads: bool) -> Scan:
    """Run them over a text, and over the words beside it for doubts.

    `reads`: the catalog lists the action as a mere read.
    """
    try:
        known = matcher(policy.patterns)
        hits = known.hits(text)
        beside = known.hits(fold(reasoning)) if reasoning else ()
    except BadPatternError as error:
        return Scan(error=str(error))
    proven = ran.complete and not worrying(ran)
    runs_nowhere = proven and (ran.reads_only or not _interpreted(text.folded))
    fragments = () if runs_nowhere else _fragments(text, policy)
    return Scan(
        hits=tuple(hit for hit in hits if _stands(hit, text, ran)),
        fragments=fragments,
        doubts=tuple(hit for hit in beside if hit.pattern.heuristic is Heuristic.UNCERTAINTY),
        mild=reads and not ran.read,
    )


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
    told = tuple(hit for hit in found.hits if hit.pattern.commands or hit.pattern.id in _ANNOUNCES)
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


def without_mentions(found: Scan, mentioned: tuple[tuple[int, int], ...]) -> Scan:
    """Without what stands in words that a sentence only talks of; seed 002 stays to the letter."""
    if not mentioned:
        return found
    kept = tuple(hit for hit in found.hits if _is_seeds(hit) or not _within(hit.span, mentioned))
    return msgspec.structs.replace(found, hits=kept)


def without_reports(found: Scan, retold: tuple[tuple[int, int], ...]) -> Scan:
    """Without what others did, or do in what is retold."""
    if not retold:
        return found
    kept = tuple(
        hit for hit in found.hits if hit.pattern.id not in _TOLD_OF or not _within(hit.span, retold)
    )
    return msgspec.structs.replace(found, hits=kept)


_TOLD_OF = word_set(
    "production.changed loss.everything loss.no-undo loss.permanent data.sql-drop "
    "data.sql-truncate data.sql-delete-all"
)
"""Patterns that begin with what is done, or cannot be undone, whoever says so."""


def without_leave(found: Scan, harmless: tuple[tuple[int, int], ...]) -> Scan:
    """Without requests for leave where only what harms nobody is asked for."""
    if not harmless:
        return found
    kept = tuple(
        hit
        for hit in found.hits
        if hit.pattern.id not in ASKS_LEAVE or not _within(hit.span, harmless)
    )
    return msgspec.structs.replace(found, hits=kept)


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


def _stands(hit: Hit, text: Folded, ran: Programs) -> bool:
    """A parse decides about commands; what only reads has no patterns against it, and a high-risk
    command counts where something of it runs, not where it is printed, searched or written down.

    Seed 002's second pattern also fires inside of words; that alone is no removal. Its other words
    for a loss may stand in a message, a search or a file that is written: nothing there runs.
    """
    if ran.complete and (ran.reads_only or hit.pattern.commands):
        return False
    if hit.pattern.pattern == SEED_REMOVAL:
        return worrying(ran) if ran.complete else _removal.search(text.folded) is not None
    if not ran.complete or worrying(ran):
        return True
    disproven = hit.pattern.id in SEED_LOSSES or (ran.known and hit.pattern.id in _ANNOUNCES)
    return not disproven or _interpreted(text.folded)


_ANNOUNCES = word_set(
    "production.changed loss.everything loss.permanent loss.no-undo loss.over-drives "
    "loss.new-filesystem loss.vanishes loss.overwrites-content loss.removal loss.not-in-source "
    "loss.languages loss.languages-tables"
)
"""Patterns for what somebody says that is to be done: in the words of a program that is known,
a message or a note says it, and nobody does it."""


def _fragments(text: Folded, policy: Policy) -> tuple[tuple[str, int], ...]:
    folded = text.folded
    return tuple(
        (fragment, folded.index(told))
        for fragment, told in _told(policy.high_risk_commands)
        if told in folded
    )


@lru_cache(maxsize=16)
def _told(more: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Each fragment, and as it stands in a folded text."""
    return tuple((fragment, fragment.casefold()) for fragment in (*HIGH_RISK_COMMANDS, *more))
