"""Where money goes from now on: another account for somebody who is paid."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

_CHANGES = word_set("change update set edit replace modify switch patch put redirect")
PAID = words("words/tools:rerouted.paid")
_ACCOUNTS = word_set("iban routing bsb clabe ifsc aba rtn")
_NUMBERS = (
    ("account", "number"),
    ("sort", "code"),
    ("bank", "account"),
    ("wallet", "address"),
    ("account", "no"),
)


def rerouted(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does; `named`: the words of the tool's name."""
    if _CHANGES.isdisjoint(named) or PAID.isdisjoint(named):
        return
    if any(map(_is_account, leaves)):
        yield "sends money somewhere else from now on"


def _is_account(leaf: Leaf) -> bool:
    words = words_of(leaf.key)
    named = words[-2:] in _NUMBERS or not _ACCOUNTS.isdisjoint(words)
    return named and isinstance(leaf.value, str | int) and bool(leaf.value)
