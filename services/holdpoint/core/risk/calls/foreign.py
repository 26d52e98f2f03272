"""Verbs of tools that are named in other languages, by what they do."""

from types import MappingProxyType

from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Form, Kind, Verb, by_kind

_WORDS = by_kind("foreign")
_UNBROKEN = by_kind("unspaced")
"""The same in languages that write their words without a sign between them."""

_SAID = {Kind.READ: "read", Kind.DELETE: "delete", Kind.PAYMENT: "pay", Kind.CREATE: "make"}
"""What people are told that it does."""

FOREIGN: MappingProxyType[str, Verb] = MappingProxyType(
    {
        one: Verb(base=_SAID[kind], kind=kind, form=Form.BASE)
        for kind, words in (*_WORDS.items(), *_UNBROKEN.items())
        for word in words.split()
        for one in (word, *words_of(word))
    }
)
"""Infinitives and orders of European languages, Turkish, Arabic, Chinese, Japanese and Korean."""

_DEEDS = tuple(sorted(" ".join(_UNBROKEN.values()).split(), key=len, reverse=True))
_TOLD_OF = tuple(words("words/tools:foreign.told_of"))
"""What a name ends in that only speaks of a deed, or of one's own marks."""

_MOOD = ("する", "します", "して", "하기")


def unbroken(word: str) -> tuple[str, ...]:
    """A deed and its thing where a name begins or ends with one; else nothing: `删除用户`."""
    if word.endswith(_TOLD_OF):
        return ()
    for mood in _MOOD:
        word = word.removesuffix(mood)
    deed = next((one for one in _DEEDS if word.startswith(one) or word.endswith(one)), "")
    rest = word.removeprefix(deed) if word.startswith(deed) else word.removesuffix(deed)
    return tuple(part for part in (deed, rest) if part) if deed else ()
