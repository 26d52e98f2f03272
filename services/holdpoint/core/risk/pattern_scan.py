"""What the policy's patterns find in a subject, less what a parse has proven wrong."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import msgspec
import re2

from holdpoint.core.prefilter import Prefilter, prefilter
from holdpoint.core.risk.dialogue.doubts import doubts_facts
from holdpoint.core.risk.dialogue.stated_actions import StatedAction
from holdpoint.core.risk.knowledge import any_of, words
from holdpoint.core.risk.patterns import BadPatternError, Hit, compiled, matcher
from holdpoint.core.risk.programs import Programs, worrying
from holdpoint.core.risk.seed import HIGH_RISK_COMMANDS, SEED_LOSSES, SEED_PACK, SEED_REMOVAL
from holdpoint.core.risk.sql.analyzer import without_data
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import MAX_TEXT, Folded, fold
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Heuristic

_removal = re2.compile(r"(?:^|[^\pL\d_-])(?:rm|remove\w*)\b[^\n]*\s['\"]?-\w*r")
"""What seed 002's second pattern means: the word, and an option with an r."""

_interpreted = prefilter(
    rf"(?:^|[^\w-])(?:python[\d.]*|{any_of('words/shell-flow:interpreters_of_strings')})"
    r"(?:[^\w:]|:(?:\D|\z)|\z)"
)
"""Languages that may run what their strings say: there only a mere read is proven. A tag
names an image: `python:3.12`."""


class Scan(msgspec.Struct, frozen=True, kw_only=True):
    """What the policy's patterns found."""

    hits: tuple[Hit, ...] = ()
    fragments: tuple[tuple[str, int], ...] = ()
    """High-risk commands, and where each stands in the folded text; behind it where it is dressed
    up."""

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
        run = [_undressed(one).lower() for one in ran.commands] if ran.complete else []
        dressed = [one for one in run if one not in text.folded]
        whole = "\n".join((text.folded, *dressed))[:MAX_TEXT] if dressed else text.folded
        same = len(whole) == len(text.folded)
        hits = known.hits(text if same else msgspec.structs.replace(text, folded=whole))
        beside = known.hits(fold(reasoning)) if reasoning else ()
    except BadPatternError as error:
        return Scan(error=str(error))
    told = _told((*HIGH_RISK_COMMANDS, *policy.high_risk_commands))[1](whole)
    fragments = tuple(_fragments(text, whole, ran, policy)) if told else ()
    if (hits or fragments) and ran.sql and ran.complete:
        hits, fragments = _outside_data(hits, fragments, text)
    return Scan(
        hits=tuple(hit for hit in hits if _stands(hit, text, ran)) if hits else (),
        fragments=fragments,
        doubts=tuple(filter(_is_doubt, beside)),
        mild=reads and not ran.read,
    )


def _is_doubt(hit: Hit) -> bool:
    return hit.pattern.heuristic is Heuristic.UNCERTAINTY


def _undressed(command: str) -> str:
    dressed = "'" in command or '"' in command or "  " in command or "\t" in command
    return " ".join(command.translate(_QUOTES).split()) if dressed else command.strip()


_QUOTES = dict.fromkeys(map(ord, "'\""))
Fragments = tuple[tuple[str, int], ...]


def _outside_data(
    hits: tuple[Hit, ...], fragments: Fragments, text: Folded
) -> tuple[tuple[Hit, ...], Fragments]:
    """Less what stands only in what statements store, where a parse has read each of them.

    Where no text is left in them, their names are no words of another language.
    """
    rest = without_data(text.folded)
    if _QUOTED.isdisjoint(rest):
        hits = tuple(hit for hit in hits if hit.pattern.id not in _IN_TONGUES)
    if rest == text.folded:
        return hits, fragments
    kept = tuple(hit for hit in hits if compiled(hit.pattern).search(rest))
    return kept, tuple(one for one in fragments if one[0].casefold() in rest)


_QUOTED = frozenset("'\"`$@")
"""Signs of texts, and of variables that may hold one."""

_IN_TONGUES = word_set("loss.languages loss.languages-tables")


def _runs_nowhere(text: Folded, ran: Programs) -> bool:
    """Return whether a parse has proven that no command which the text names is run by it."""
    proven = ran.complete and not worrying(ran)
    return proven and (ran.reads_only or not _interpreted(text.folded))


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
    disproven = hit.pattern.id in SEED_LOSSES or (ran.known and hit.pattern.id in ANNOUNCES)
    return not disproven or _interpreted(text.folded)


ANNOUNCES = words("words/actions:scan.announces")
"""Patterns for what somebody says that is to be done: in the words of a program that is known,
a message or a note says it, and nobody does it."""


def _fragments(
    text: Folded, whole: str, ran: Programs, policy: Policy
) -> Iterator[tuple[str, int]]:
    """Each that may be run, and where it stands in the text as it is written.

    Of seed 002's a parse knows what they do; of a policy's own it only knows that one is run.
    """
    for fragment, told in _told(HIGH_RISK_COMMANDS)[0]:
        if told in text.folded and not _runs_nowhere(text, ran):
            yield fragment, text.folded.index(told)
    for fragment, told in _told(policy.high_risk_commands)[0]:
        if told in whole and (not _runs_nowhere(text, ran) or _is_run(told, text, ran)):
            yield fragment, whole.index(told)


def listed_in(folded: str, policy: Policy) -> Iterator[tuple[int, int]]:
    """Yield where a text has what is on the list, whether it is run or not."""
    for _, told in _told((*HIGH_RISK_COMMANDS, *policy.high_risk_commands))[0]:
        if (at := folded.find(told)) >= 0:
            yield at, at + len(told)


def _is_run(told: str, text: Folded, ran: Programs) -> bool:
    """Whether a command begins so and does something, or is of a program that nobody knows."""
    if ran.reads_only:
        return False
    commands = (_undressed(one).lower() for one in (*ran.commands, *_between.split(text.folded)))
    return not ran.known or any(
        one.startswith(told) and not any(idle in one for idle in _IDLE) for one in commands
    )


_between = re2.compile(r"[\n;|&]+")
"""What stands between commands; those of a passed line stand as they are written."""

_IDLE = (" --dry-run", " --help")
"""With which a program that is known does nothing."""


@lru_cache(maxsize=16)
def _told(fragments: tuple[str, ...]) -> tuple[tuple[tuple[str, str], ...], Prefilter]:
    """Each fragment, and as it stands in a folded text; and whether a text has any of them."""
    told = tuple((fragment, fragment.casefold()) for fragment in fragments)
    return told, prefilter("|".join(re2.escape(one) for _, one in told))


def with_more(found: Scan, more: Scan) -> Scan:
    """Return what another way to read the same text finds beside it, each pattern once."""
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
    return _less(
        found, rest, tuple(hit for hit in found.hits if hit.pattern.id.startswith(SEED_PACK))
    )


def without_told(found: Scan, rest: Scan) -> Scan:
    """Without programs and announced losses that the rest has not: people are told of them."""
    told = tuple(hit for hit in found.hits if hit.pattern.commands or hit.pattern.id in ANNOUNCES)
    return _less(only_with(found, rest), rest, told)


def without_commands(found: Scan, rest: Scan) -> Scan:
    """Without programs and statements that the rest has not: a parse has read those."""
    kept = {hit.pattern.id for hit in rest.hits}
    hits = (hit for hit in found.hits if not hit.pattern.commands or hit.pattern.id in kept)
    return msgspec.structs.replace(found, hits=tuple(hits))


def _less(found: Scan, rest: Scan, gone: tuple[Hit, ...]) -> Scan:
    """Without these, where the rest has none of them."""
    kept, told = {hit.pattern.id for hit in rest.hits}, {one for one, _ in rest.fragments}
    return msgspec.structs.replace(
        found,
        hits=tuple(hit for hit in found.hits if hit.pattern.id in kept or hit not in gone),
        fragments=tuple(one for one in found.fragments if one[0] in told),
    )


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

Places = tuple[tuple[int, int], ...]


def without_within(found: Scan, places: Places, may_go: Callable[[str], bool]) -> Scan:
    """Without what begins in these places, of the patterns whose id may go; seed 002 stays.

    The places are words that a sentence only quotes, or that harm nobody.
    """

    def is_gone(hit: Hit) -> bool:
        seeds = hit.pattern.id.startswith(SEED_PACK) and hit.pattern.pattern != SEED_REMOVAL
        within = any(start <= hit.span[0] < end for start, end in places)
        return within and not seeds and may_go(hit.pattern.id)

    return without(found, is_gone) if places else found


def asked_once(found: Scan) -> Scan:
    """With one request for permission, however many patterns know it: the first of the gravest."""
    asks = [hit for hit in found.hits if hit.pattern.id.startswith(_ASKS)]
    most = max((hit.pattern.level for hit in asks), default=None)
    if most is None or len(asks) == 1:
        return found
    kept = next(hit for hit in asks if hit.pattern.level is most)
    hits = tuple(hit for hit in found.hits if hit not in asks or hit is kept)
    return msgspec.structs.replace(found, hits=hits)


_ASKS = ("leave.", "doubt.asks-")

ASKS_PERMISSION = word_set(
    "leave.is-it-fine leave.ok-to leave.mind leave.approval leave.approve leave.should-i "
    "doubt.asks-safety doubt.asks-leave"
)
"""Patterns that fire whatever permission is asked for."""


def without_doubts(found: Scan, text: Folded, actions: tuple[StatedAction, ...]) -> Scan:
    """Without doubts of mere facts: no action hangs on them. Who asks for permission still asks."""
    kept = tuple(hit for hit in found.hits if hit.pattern.id not in UNSURE)
    doubted = len(kept) < len(found.hits) and doubts_facts(text.folded, actions)
    return msgspec.structs.replace(found, hits=kept) if doubted else found


UNSURE = word_set("doubt.unsure doubt.not-sure doubt.wrong-one doubt.degree doubt.admits")
"""Patterns that also fire when somebody is unsure of a mere fact."""
