"""Verbs that say what they do only with a second word: `turn … off`, `pull the plug`."""

from collections.abc import Iterable, Iterator
from types import MappingProxyType

from holdpoint.core.risk.knowledge import by_word, entry
from holdpoint.core.risk.wording import PARTICIPLES, Form, Kind, Verb, forms
from holdpoint.core.risk.words import word_set

_ING = by_word("verbs:participles_ing")


def _phrases() -> dict[str, dict[str, Verb]]:
    found: dict[str, dict[str, Verb]] = {}
    for base, kind, pairs in _pairs():
        for first, second in pairs:
            known = [word for word, one in forms(first, kind).items() if one.form is Form.ING]
            form = Form.ING if second.endswith("ing") else Form.BASE
            found.setdefault(first, {})[second] = Verb(base=base, kind=kind, form=form)
            for word in [_ING[first]] if first in _ING else known:
                found.setdefault(word, {})[second] = Verb(base=base, kind=kind, form=Form.ING)
            for word in _past(first, kind):
                found.setdefault(word, {})[second] = Verb(base=base, kind=kind, form=Form.PAST)
    through = Verb(base="pay", kind=Kind.PAYMENT, form=Form.BASE)
    return found | {"goes": {**found["go"], "through": through}, "leaves": found["leave"]}


def _pairs() -> Iterator[tuple[str, Kind, Iterable[list[str]]]]:
    """Yield each verb with the pairs that stand for it: a verb and the word that follows it."""
    for kind, verbs in entry("verbs:phrasal").items():
        for base, pairs in verbs.items():
            yield base, Kind(kind), map(str.split, pairs.split(","))


def _past(first: str, kind: Kind) -> list[str]:
    """Its participle, where it does not look like the verb itself."""
    done = PARTICIPLES.get(first)
    told = forms(first, kind, done)
    return [word for word, one in told.items() if one.form is Form.PAST and word != first]


SKIPS = word_set("leave leaving skip skipping ignore ignoring omit omitting")
"""Here the second word is already what it is done to: `skip authentication`."""

PHRASES = MappingProxyType(_phrases())
"""By first word, then second: `turn … off`."""
