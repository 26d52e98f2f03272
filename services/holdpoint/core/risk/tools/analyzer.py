"""`read_call`: everything risky about a tool call beyond counts and sums."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from holdpoint.core.card_reasons import EVERYTHING
from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.arguments import Payload
from holdpoint.core.risk.extract.recipients import REACHES, SPOKEN, reached
from holdpoint.core.risk.extract.selectors import boundless, emptied
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.model import Analysis, Finding
from holdpoint.core.risk.tools.access import (
    MODES,
    made_mighty,
    made_public,
    opened_to_write,
    opened_up,
)
from holdpoint.core.risk.tools.disclosures import (
    CHANNELS,
    CONFIDES,
    KEPT,
    SENDS,
    confided,
    entrusted,
    read_aloud,
    sent_along,
    stated,
)
from holdpoint.core.risk.tools.egress import HANDS_ON, SENT_OUT, TELLS, handed_out, told
from holdpoint.core.risk.tools.hazards import (
    ALTERS,
    DISTURBS,
    PRESSES,
    ZONES,
    actions,
    altered,
    disturbed,
    led_elsewhere,
    paid_remotely,
    pressed,
)
from holdpoint.core.risk.tools.instructions import Order
from holdpoint.core.risk.tools.names import Name, makes_vectors, tool_name
from holdpoint.core.risk.tools.protections import unguarded
from holdpoint.core.risk.tools.rules import begins, reasons
from holdpoint.core.risk.tools.switches import hurried, ordered_of_a_read, turned
from holdpoint.core.risk.wording import Kind
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import beginning
from holdpoint.messages.risk import Heuristic, RiskLevel

MAX_SHOWN = 30
_CHANGES = frozenset({Kind.UPDATE, Kind.DELETE, Kind.PAYMENT})
_SEEN = word_set("filter filters view views selection preferences dashboard display sort")
"""What is shown: all of it may be."""

_SENDS = words("words/tools:analyzer.sends")


def read_call(
    tool: str, found: Payload, *, reads: bool, beside: frozenset[str] = frozenset()
) -> Analysis:
    """`reads`: the catalog lists it as a mere read; `beside`: the words of a request in it."""
    if found.program:
        return Analysis()
    name = tool_name(tool)
    if reads or name.reads:
        switched = _switched(tool, ordered_of_a_read(found.leaves))
        said = frozenset(name.words)
        sent = sent_along(said, found.leaves)
        along = _first(tool, "call.handed-out", Heuristic.CRITICALITY, sent)
        given = along if reads else _handed_out(tool, said, found)
        return Analysis(findings=(*switched, *given, *read_aloud(tool, found.leaves)))
    return Analysis(
        findings=(
            *_judged(tool, name, found, beside),
            *_paid_remotely(tool, found),
            *read_aloud(tool, found.leaves),
        )
    )


def _judged(tool: str, name: Name, found: Payload, beside: frozenset[str]) -> Iterator[Finding]:
    shown = beginning(tool, MAX_SHOWN)
    said = frozenset(name.words)
    named = said | beside
    yield from _by_name(shown, name, named, found)
    reach = reached(said | (beside & SPOKEN), found.leaves) if REACHES & named else ()
    yield from _first(tool, EVERYTHING, Heuristic.MAGNITUDE, reach)
    yield from _handed_out(tool, said | (beside & SENT_OUT), found)
    if _OUTSIDE & named:
        told, public = confided(named, found.leaves), stated(named, found.leaves)
        yield from _first(tool, "call.handed-out", Heuristic.CRITICALITY, told)
        yield from _first(tool, "call.final", Heuristic.IRREVERSIBILITY, public)
    yield from _done(tool, actions(name.words, found.leaves), found)
    # By its own name: a body names other places too.
    changed = altered(said, found.leaves) if ALTERS & said else ()
    yield from _first(tool, "call.production", Heuristic.CRITICALITY, changed)
    yield from () if name.verb else _done(tool, beside, found)
    switches = (each(named, found.leaves) for each in (unguarded, turned, hurried))
    yield from _switched(tool, chain.from_iterable(switches))
    yield from _takes_everything(tool, name, named, found)


def _takes_everything(
    tool: str, name: Name, named: frozenset[str], found: Payload
) -> Iterator[Finding]:
    """A change of whatever there is: its first sign, what it leaves empty, what it selects."""
    kind = name.verb.kind if name.verb else None
    changes = kind in {Kind.UPDATE, Kind.DELETE}
    why = next(boundless(frozenset(name.words), found.leaves), "") if changes else ""
    nothing = next(emptied(named, found.objects), "")
    shows = kind is Kind.UPDATE and not _SEEN.isdisjoint(name.words[-1:])
    selects = (kind in _CHANGES and not shows) or _reaches(name)
    all_of_it = name.everything and (changes or _reaches(name))
    said = []
    if why:
        said.append(f"knows no bounds: “{beginning(why, MAX_SHOWN)}”")
    if nothing:
        said.append(f"replaces all “{beginning(nothing, MAX_SHOWN)}” with nothing")
    if selects and found.everything:
        said.append(f"applies to everything there is: “{beginning(found.everything, MAX_SHOWN)}”")
    elif all_of_it:
        said.append("applies to everything there is")
    for reason in said:
        yield from _first(tool, EVERYTHING, Heuristic.MAGNITUDE, (reason,))


def _by_name(shown: str, name: Name, named: frozenset[str], found: Payload) -> Iterator[Finding]:
    """Yield what its name says that it does for good, or whom it lets in."""
    if name.final:
        yield _finding("call.final", Heuristic.IRREVERSIBILITY, f"“{shown}” {name.final}")
    readers = (opened_up,) if _POWERFUL.isdisjoint(named) else _POWERS
    powers = chain.from_iterable(each(named, found.leaves) for each in readers)
    said = (made(name.words, found.leaves) for made in (made_public, made_mighty))
    if power := next((one for one in chain(said, powers) if one), ""):
        yield _finding("call.power", Heuristic.CRITICALITY, f"“{shown}” {power}")


_POWERS = (opened_up, partial(reasons, "control"), opened_to_write, led_elsewhere)
"""What gives power or opens something, and what leads money or people elsewhere."""

_POWERFUL = begins("control") | MODES | ZONES
_OUTSIDE = CONFIDES | CHANNELS
_HANDED = HANDS_ON | TELLS
"""Words of a name without one of which nothing of that is done."""


def _done(tool: str, said: frozenset[str], found: Payload) -> Iterator[Finding]:
    """Yield what it does to what its arguments name: the first of each kind."""
    for named, read, rule, heuristic in _ACTIONS if not _DONE.isdisjoint(said) else ():
        if not named.isdisjoint(said):
            yield from _first(tool, rule, heuristic, read(said, found.leaves))


_ACTIONS = (
    (DISTURBS, disturbed, "call.production", Heuristic.CRITICALITY),
    (begins("hazard"), partial(reasons, "hazard"), "call.final", Heuristic.IRREVERSIBILITY),
    (PRESSES, pressed, "call.order", Heuristic.IRREVERSIBILITY),
    (SENDS, entrusted, "call.handed-out", Heuristic.CRITICALITY),
)
"""Words of a name, and what is asked where one of them stands in it."""

_DONE = DISTURBS | begins("hazard") | PRESSES | SENDS
"""Words of a name without one of which nothing of that is done."""


def _paid_remotely(tool: str, found: Payload) -> Iterator[Finding]:
    if method := next(paid_remotely(found.leaves, found.objects), ""):
        shown = beginning(tool, MAX_SHOWN)
        reason = f"“{shown}” is told to “{beginning(method, MAX_SHOWN)}”: it pays out coins"
        yield _finding("call.order", Heuristic.IRREVERSIBILITY, reason)


def _handed_out(tool: str, named: frozenset[str], found: Payload) -> Iterator[Finding]:
    """Records that go to an address outside: the one that the call names first."""
    if _HANDED.isdisjoint(named) and KEPT.isdisjoint(named):
        return
    sent = (
        handed_out(named, found.leaves),
        told(named, found.text),
        sent_along(named, found.leaves),
    )
    told_of = chain.from_iterable(sent)
    yield from _first(tool, "call.handed-out", Heuristic.CRITICALITY, told_of)


def _first(tool: str, rule: str, heuristic: Heuristic, reasons: Iterable[str]) -> Iterator[Finding]:
    """The first of these reasons, as a finding about the call."""
    if why := next(iter(reasons), ""):
        yield _finding(rule, heuristic, f"“{beginning(tool, MAX_SHOWN)}” {why}")


def _switched(tool: str, found: Iterator[str]) -> Iterator[Finding]:
    """The first switch that takes something away."""
    if switch := next(found, ""):
        shown, said = beginning(tool, MAX_SHOWN), beginning(switch, MAX_SHOWN)
        reason = f"“{shown}” is told to “{said}”"
        yield _finding("call.switch", Heuristic.IRREVERSIBILITY, reason)


def read_orders(orders: tuple[Order, ...]) -> Iterator[Finding]:
    """Yield what its arguments tell it to do."""
    for one in orders:
        why = one.name.final or "takes something away"
        reason = f"it is told to “{beginning(one.said, MAX_SHOWN)}”, which {why}"
        yield _finding("call.order", Heuristic.IRREVERSIBILITY, reason)


@memoize(1024)
def counts_bounds(tool: str) -> bool:
    """Return whether a limit is how many things are touched, rather than how many are shown."""
    name = tool_name(tool)
    if not _SETTINGS.isdisjoint(name.words):
        return False
    makes = name.verb is not None and name.verb.kind is Kind.CREATE
    return not makes or not _LOADS.isdisjoint(name.words)


def makes_for_itself(tool: str, found: Payload) -> bool:
    """Whether it only makes something new for whoever asks: an export, a chart, sample rows."""
    if (draws := _draws(tool)) is not None:
        return draws
    return all(_GOES_OUT.isdisjoint(leaf.words) for leaf in found.leaves)


@memoize(1024)
def _draws(tool: str) -> bool | None:
    """Whether it makes something for whoever asks, by its name; None where its keys decide."""
    name = tool_name(tool)
    if not _DRAWS.isdisjoint(name.words):
        return True
    paid = name.verb is not None and name.verb.kind is Kind.PAYMENT
    makes = name.verb and (name.verb.base in _MAKES or (not paid and makes_vectors(name.words)))
    return None if makes else False


_MAKES = word_set("export generate render plot draw sample")
_DRAWS = word_set("random randint axis axes chart plot histogram slider")
_GOES_OUT = word_set("to recipient recipients email url webhook destination public share bucket")
_SETTINGS = words("words/tools:analyzer.settings")
_LOADS = words("words/tools:analyzer.loads")
_WRITES = word_set("draft create save write compose update edit prepare make add")
_GO_OUT = word_set("send sends publish submit post deliver mail release")
"""Words of a name that makes a draft, and does not leave it at that."""


def _reaches(name: Name) -> bool:
    """Return whether it reaches people, or says nothing that it does."""
    words = set(name.words)
    writes = name.verb is not None and name.verb.base in _WRITES and words & {"draft", "drafts"}
    if writes and _GO_OUT.isdisjoint(words):
        return False
    return bool(_SENDS & set(name.words)) or name.verb is None


def _finding(rule: str, heuristic: Heuristic, reason: str) -> Finding:
    return Finding(rule=rule, heuristic=heuristic, level=RiskLevel.HIGH, reason=reason)
