"""What another agent is told in an argument: read like what this one says."""

import msgspec

from holdpoint.core.risk.arguments import Payload
from holdpoint.core.risk.dialogue.door import read_dialogue
from holdpoint.core.risk.money import Money
from holdpoint.core.risk.said import said_signals
from holdpoint.core.risk.text import fold
from holdpoint.messages.risk import Signal

_KEYS = frozenset({"instruction", "instructions", "task", "prompt", "goal", "request", "objective"})


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What another agent is told to do."""

    signals: tuple[Signal, ...]
    amounts: tuple[Money, ...]


def instructed(found: Payload) -> Told:
    """The signals have no place: each text is read by itself."""
    signals: list[Signal] = []
    amounts: list[Money] = []
    for leaf in found.leaves:
        if leaf.key.lower() in _KEYS and isinstance(leaf.value, str):
            text = fold(leaf.value)
            told = read_dialogue(text.folded)
            signals.extend(said_signals(told, text))
            amounts.extend(told.amounts)
    placeless = tuple(msgspec.structs.replace(signal, span=None) for signal in signals)
    return Told(signals=placeless, amounts=tuple(amounts))
