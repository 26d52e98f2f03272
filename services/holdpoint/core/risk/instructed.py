"""What is said in an argument, to another agent or to a shop: read like what this one says."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from holdpoint.core.risk.arguments import Payload
from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.messaged import messaged
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.calls.noted import only_depicts
from holdpoint.core.risk.dialogue.door import read_dialogue
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import Money
from holdpoint.core.risk.said import said_signals
from holdpoint.core.risk.text import fold
from holdpoint.messages.risk import Signal

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
        signals.extend(said_signals(told, text))
        amounts.extend(told.amounts)
    placeless = tuple(msgspec.structs.replace(signal, span=None) for signal in signals)
    return Told(signals=placeless, amounts=tuple(amounts))


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
