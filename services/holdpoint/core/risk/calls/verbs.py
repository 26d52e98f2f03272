"""Verbs in the names of tools, by what they do: those of sentences, more of them, foreign ones."""

from types import MappingProxyType

from holdpoint.core.risk.calls.foreign import FOREIGN
from holdpoint.core.risk.wording import VERBS, Verb, by_kind, forms

_MORE = by_kind("tools")
KNOWN: MappingProxyType[str, Verb] = MappingProxyType(
    dict(VERBS)
    | {
        word: verb
        for kind, words in _MORE.items()
        for base in words.split()
        for word, verb in forms(base, kind).items()
    }
    | {"del": VERBS["delete"], "rm": VERBS["remove"]}
    | FOREIGN
)
"""Every form that is understood."""
