"""Programs that sentences quote, and instructions to other agents."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from holdpoint.core.risk.dialogue.announcement import Announcement, read_dialogue
from holdpoint.core.risk.dialogue.spoken import has_programs, shell_in, sql_in
from holdpoint.core.risk.extract.arguments import Payload
from holdpoint.core.risk.extract.money import Money
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.programs import shell, sql
from holdpoint.core.risk.shell.unknown_programs import UNKNOWN_PROGRAM
from holdpoint.core.risk.sql.orders import Budget
from holdpoint.core.risk.tools.disclosures import messaged
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.tools.stored_text import only_depicts
from holdpoint.core.risk.wording import Kind
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import Folded, fold, unhidden
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_EVIDENCE = 200
Spans = tuple[tuple[int, int], ...]


def unsure(told: Announcement, text: Folded) -> Iterator[Signal]:
    """Yield a signal where something is done although it is doubted."""
    if told.doubted:
        start, end = text.span(*told.doubted)
        yield Signal(
            rule="doubt.acts",
            heuristic=Heuristic.UNCERTAINTY,
            level=RiskLevel.HIGH,
            reason="the agent goes on although it is not sure",
            span=(start, end),
            evidence=text.nfkc[start:end][:MAX_EVIDENCE],
        )


def unmentioned(programs: tuple[Signal, ...], mentioned: Spans) -> Iterator[Signal]:
    """Yield what quoted programs would do, without those that are only talked of."""
    for signal in programs:
        at = signal.span[0] if signal.span else -1
        if not any(start <= at < end for start, end in mentioned):
            yield signal


def said_programs(text: Folded) -> Iterator[Signal]:
    """What quoted SQL and commands would do; in a sentence even a scoped change is announced."""
    seen = text.nfkc if text.nfkc.isascii() else unhidden(text.nfkc)
    if not has_programs(seen):
        return
    budget, left = Budget(), MAX_STATED
    for piece in sql_in(seen):
        left -= len(piece)
        if left < 0:
            yield _UNREAD
            break
        for signal in sql(piece, "", budget).signals:
            yield _quoted(signal, text, piece, raised=True)
    for piece in shell_in(seen):
        for signal in shell(piece, "", budget).signals:
            if (
                signal.rule != UNKNOWN_PROGRAM
            ):  # in a sentence, what stands in quotes is mostly a name
                yield _quoted(signal, text, piece, raised=False)


MAX_STATED = 2_500
"""Characters of all statements in a sentence, also of those inside of others."""

_UNREAD = Signal(
    rule="sql.tangled",
    heuristic=Heuristic.UNCERTAINTY,
    level=RiskLevel.HIGH,
    reason="more statements stand in it than anybody reads",
)


def _quoted(signal: Signal, text: Folded, piece: str, *, raised: bool) -> Signal:
    """Placed where the piece stands; a change that people are told of in words is asked about."""
    at = text.nfkc.find(piece)
    span = (at, at + len(piece)) if at >= 0 else None
    up = raised and signal.level is RiskLevel.MEDIUM
    return msgspec.structs.replace(
        signal,
        span=span,
        level=RiskLevel.HIGH if up else signal.level,
        evidence=piece[:MAX_EVIDENCE],
    )


_KEYS = frozenset({"instruction", "instructions", "task", "prompt", "goal", "request", "objective"})


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What another agent is told to do."""

    signals: tuple[Signal, ...]
    amounts: tuple[Money, ...]


MAX_GOODS = 8
MAX_LINE = 300
"""Lines of an order that are read, and characters of each: a person would not check more."""

_GOODS = word_set("items item order details purchase product products description lines goods")
_BUYS = word_set("order orders purchase buy checkout procure procurement pay requisition")


def instructed(found: Payload, tool: str, beside: frozenset[str] = frozenset()) -> Told:
    """The signals have no place: each text is read by itself; `beside`: words of a request."""
    named = beside.union(words_of(tool))
    signals: list[Signal] = []
    amounts: list[Money] = list(_bought(found, tool))
    texts = (*(() if only_depicts(tool) else _tasks(found)), *messaged(named, found.leaves))
    if not (texts or amounts):
        return NOTHING_TOLD
    for said in texts:
        text = fold(said)
        told = read_dialogue(text.folded)
        signals.extend((*unsure(told, text), *_destroys(told, text)))
        amounts.extend(told.amounts)
    placeless = tuple(msgspec.structs.replace(signal, span=None) for signal in signals)
    return Told(signals=placeless, amounts=tuple(amounts))


def _destroys(told: Announcement, text: Folded) -> Iterator[Signal]:
    """Yield a signal where another agent is told to take something away."""
    for action in told.actions:
        if action.verb.kind is Kind.DELETE and not action.edits:
            start, end = text.span(*action.span)
            yield Signal(
                rule="told.destructive",
                heuristic=Heuristic.IRREVERSIBILITY,
                level=RiskLevel.HIGH,
                reason=f"another agent is told to {action.verb.base}",
                evidence=text.nfkc[start:end][:MAX_EVIDENCE],
            )
            return


NOTHING_TOLD = Told(signals=(), amounts=())


def _tasks(found: Payload) -> Iterator[str]:
    return (leaf.value for leaf in found.leaves if leaf.key.lower() in _KEYS and _is_text(leaf))


def _is_text(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str)


def _bought(found: Payload, tool: str) -> Iterator[Money]:
    """Sums in the words for what is ordered, where no other sum is known: `200 x $45 chairs`.

    A number without a currency may be that of a model.
    """
    name = tool_name(tool)
    if found.amounts or name.reads or name.tells or _BUYS.isdisjoint(name.words):
        return
    texts = (leaf.value for leaf in found.leaves if leaf.key.lower() in _GOODS)
    for text in islice((one for one in texts if isinstance(one, str)), MAX_GOODS):
        if any(map(str.isdigit, text)):
            said = read_dialogue(fold(f"I will buy {text[:MAX_LINE]}").folded)
            yield from (money for money in said.amounts if money.currency)
