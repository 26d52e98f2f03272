"""What a house says in public that nobody takes back: a breach, a recall, its end, its figures."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_TEXT = 2_000

_PUBLISHES = words("words/tools:statements.publishes")
CHANNELS = words("words/tools:statements.channels")
_UNSENT = word_set("draft drafts preview template search get list")
_TEXTS = words("words/tools:statements.texts")
_IN_NAME_OF = word_set("account page handle brand organization organisation org company profile")
_speaks_for_house = glance(r"(?i)\b(?:we|we're|we've|our|us)\b")
_is_grave = glance(
    r"(?i)\b(?:breach(?:ed|es)?|leaked|data leak|hack(?:ed|ers)|recall(?:s|ed|ing)?|bankrupt\w*"
    r"|insolven\w+|chapter 11|lay(?:ing)? ?-?offs?|laid off|lawsuits?|sued|suing|fraud\w*"
    r"|under investigation|resign(?:s|ed|ing|ation)|step(?:s|ped|ping)? down|merger"
    r"|acquir(?:ed|ing) (?:by|our)|been acquired|acquisition"
    r"|clos(?:e|es|ing) (?:our|the|all|down)|shut(?:s|ting)? down|unsafe|stop using"
    r"|do not (?:use|drink|eat)|evacuat\w+|lost (?:\w+ )?data|data loss|profit warning"
    r"|quarterly (?:results|figures|earnings)|discontinu\w+|died|deaths?|injur\w+"
    r"|contaminat\w+|compromised|ransom\w*|delist\w*|default(?:s|ed)? on|guilty|fined"
    r"|refund(?:s|ing)? (?:all|every)\w*)\b"
)


def stated(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does; `named`: the words of the tool's name."""
    if _PUBLISHES.isdisjoint(named) or CHANNELS.isdisjoint(named) or not _UNSENT.isdisjoint(named):
        return
    house = any(not _IN_NAME_OF.isdisjoint(words_of(leaf.key)) for leaf in leaves)
    texts = (whole_characters(leaf.value[:MAX_TEXT]) for leaf in leaves if _is_text(leaf))
    if any(_is_grave(text) and (house or _speaks_for_house(text)) for text in texts):
        yield "says in public what cannot be taken back"


def _is_text(leaf: Leaf) -> bool:
    return (
        isinstance(leaf.value, str)
        and words_of(leaf.key)[-1:] != ()
        and (words_of(leaf.key)[-1] in _TEXTS)
    )
