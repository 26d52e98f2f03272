"""The verbs that people use for doing things, with those that take two words."""

from types import MappingProxyType

from holdpoint.core.risk.knowledge import by_word, entry, words
from holdpoint.core.risk.wording import PARTICIPLES, VERBS, Form, Kind, Verb, by_kind, forms

SPOKEN: MappingProxyType[str, Verb] = MappingProxyType(
    dict(VERBS)
    | {
        word: verb
        for kind, bases in by_kind("spoken").items()
        for base in bases.split()
        for word, verb in forms(base, kind, PARTICIPLES.get(base)).items()
    }
    | {
        "gone": Verb(base="remove", kind=Kind.DELETE, form=Form.PAST),
        "bin": Verb(base="bin", kind=Kind.DELETE, form=Form.BASE),
        **{
            word: Verb(base="pay", kind=Kind.PAYMENT, form=Form.BASE)
            for word in words("verbs:spoken_foreign.payment")
        },
        "taken": Verb(base="withdraw", kind=Kind.PAYMENT, form=Form.PAST),
    }
)
"""Every form of every verb that a sentence may announce."""

PRECIOUS = words("words/dialogue:verbs.precious")
"""What is missed when it is gone, even when it is one."""

GUARDS = words("words/dialogue:verbs.guards")
"""What protects somebody as long as it is on."""

NOMINALS = MappingProxyType(
    {
        noun: Verb(base=base, kind=Kind(kind), form=Form.ING)
        for kind, verbs in entry("verbs:nouns").items()
        for base, nouns in verbs.items()
        for noun in nouns.split()
    }
)
"""Actions said as nouns: `I will proceed with the cancellation`."""

OTHERWISE = MappingProxyType(
    {
        word: frozenset(behind.split())
        for word, behind in by_word("words/dialogue:verbs.otherwise").items()
    }
)
"""Words that look like a verb, and what behind them shows that they are none."""

NEUTRAL = words("words/dialogue:verbs.neutral")
"""After `I will` they do nothing to anything, even with a number behind them."""
