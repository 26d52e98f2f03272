"""Messages by which others are told to act: to another agent, to a bank, to those who pay."""

from collections.abc import Iterator
from itertools import islice

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_MESSAGES = 4
MAX_TEXT = 1_000
"""Messages of a call that are read, and characters of each: an order stands at the beginning."""

MAX_SAID = 100

_SPEAKS = words("words/tools:messaged.speaks")
_AGENTS = word_set("agent agents bot bots assistant copilot subagent subagents a2a")
_PAYERS = words("words/tools:messaged.payers")
_WHOM = words("words/tools:messaged.whom")
_TEXTS = word_set("text message body content memo note payload instruction_text msg subject")
_HUMANS = word_set("human humans customer support")
_pays = glance(
    r"(?i)\b(?:wire|transfer|pay|remit|send|release|disburse|settle|refund|move|buy|sell|withdraw"
    r"|advance|prepay|credit)\b"
)


def messaged(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """The texts to be read as what this agent itself would say: few calls have any."""
    if _SPEAKS.isdisjoint(named) or not _HUMANS.isdisjoint(named):
        return iter(())
    agent = not _AGENTS.isdisjoint(named) or any(_is_for(leaf, _AGENTS) for leaf in leaves)
    pays = not _PAYERS.isdisjoint(named) or any(_is_for(leaf, _PAYERS) for leaf in leaves)
    if not (agent or pays):
        return iter(())
    texts = (leaf.value[:MAX_TEXT] for leaf in leaves if _is_message(leaf))
    return islice((text for text in texts if agent or _orders(text)), MAX_MESSAGES)


def _is_for(leaf: Leaf, whom: frozenset[str]) -> bool:
    words = words_of(leaf.key)
    if words[-1:] == () or words[-1] not in _WHOM or not isinstance(leaf.value, str):
        return False
    said = leaf.value[:MAX_SAID].partition("@")
    return not whom.isdisjoint(words) or not whom.isdisjoint(words_of(said[0] or said[2]))


def _is_message(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and leaf.key.lower() in _TEXTS


def _orders(text: str) -> bool:
    """Whether somebody who pays is told to: a first look."""
    return any(map(str.isdigit, text)) or _pays(whole_characters(text))
