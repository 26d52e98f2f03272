"""Secrets in sentences, covered where nobody decides by it: in examples to learn from.

More is covered here than on a card (`credentials`): a word counts as a password where a sentence
says that it is one, unless it is what people say of passwords (`wrong`, `expired`, `in the vault`).
Every pattern is bounded, so that any text is read in linear time.
"""

import re
from collections.abc import Iterator
from itertools import takewhile

from holdpoint.core.redaction.credential_values import Span, joined
from holdpoint.core.redaction.payment_cards import payment_cards

MOST_WORDS = 24
"""Words of the longest seed phrase."""

PHRASE = 3
"""So many words in a row that join nothing are a passphrase, whatever the first one means."""

_SPELLED = (
    r"(?:pass[ -]?(?:word|wd|phrase|code|wort)|seed[ ]phrase|pwd?|pass|kennwort|contrase[n\u00f1]a"
    r"|mot[ ]de[ ]passe|senha|wachtwoord)"
)
_MADE_UP = (
    r"(?:secret|token|pin(?:[ ]code)?|(?:api|access|private|recovery|backup)[ _-]?(?:key|code)"
    r"|credential|otp|cv[vc]|(?:one[ -]?time|verification|security|login|2fa|mfa|sms)[ -]code"
    r"|one[ -]?time[ -](?:password|pin|passcode))"
)
_IS = (
    r"(?:is|was|are|were|will[ ]be|(?:happens|turned[ ]out|has|used)[ ]to[ ]be|reads"
    r"|ist|lautet|es|est|\u00e9)"
)
_NARROWED = (
    r"(?:[ ](?:for|of|to|on|at|in|from|i|we|you|he|she|they|that|which)"
    r"(?:[ ][\w'\u2019.-]{1,40}){1,6}?)?"
)
_SAID = re.compile(
    rf"\b(?:(?P<word>{_SPELLED})|{_MADE_UP})s?{_NARROWED}[ ]{_IS}[ :]{{1,3}}"
    rf"|\b(?P<named>{_SPELLED})[ ]?[:=][ ]{{0,3}}",
    re.IGNORECASE,
)
"""`the password for the admin account happens to be …`, `pw: …`."""

_USED = re.compile(
    r"\b(?:us\w{1,3}|with|enter\w{0,3}|typ\w{1,3}|try|tried|set|chose|choose)"
    r"[ ](?:(?:the|my|our|this|a)[ ])?(?:pass[ -]?phrase|seed[ ]phrase)[ :]{1,3}",
    re.IGNORECASE,
)
"""`I use the passphrase …`."""

_CALLED = re.compile(
    r"(?:^|[.,;:!?(\n][ ]{0,3}|\b(?:that|and|but|because|so|think|guess|believe|know|says?)[ ])"
    r"(?=(?P<value>[^\s.,;:!?()]{4,64}(?:[ ][^\s.,;:!?()]{2,64}){0,7}?)[ ](?:is|was)[ ]"
    r"(?:the|my|our|your|his|her|their|its)(?:[ ][\w-]{2,24})?"
    rf"[ ](?:{_SPELLED}|{_MADE_UP})"
    r"(?:[.,;:!?)\n]|$|[ ](?:of|for|to|on|at|in|that|we|i)\b))",
    re.IGNORECASE,
)
"""`… is the password of the admin`."""

_BESIDE = re.compile(
    rf"\b(?:{_SPELLED}|(?P<made>{_MADE_UP}))[ ](?=(?P<value>[^\s\"']{{4,256}}))"
    r"|\b(?:log[ -]?in|cred(?:ential)?s|user(?:name)?)(?:[ ](?:is|are|as|with))?[ :]{1,3}"
    r"[\w.@-]{1,64}[ ]?/[ ]?(?=(?P<second>[^\s\"'/]{4,256}))"
    rf"|\bas[ ](?:the[ ]|a[ ]|my[ ])?(?:[\w-]{{2,24}}[ ])?(?:{_SPELLED}|{_MADE_UP})\b",
    re.IGNORECASE,
)
"""`the pw Kodiak99bear`, `login bob / Kodiak99bear`, `Kodiak99bear as password`."""

_BEFORE = re.compile(r"[^\s\"']{4,256}(?=[ ]\Z)")
_LETTERS_AND_DIGITS = re.compile(r"(?=\S{0,255}[^\W\d_])(?=\S{0,255}\d)")
_IN_GROUPS = re.compile("|".join(rf"\w{{{size}}}(?:-\w{{{size}}}){{2,}}" for size in range(4, 9)))
"""`abcd-efgh-ijkl`: groups as long as each other, as in codes that somebody made up."""

_QUOTED = re.compile(r"\"[^\"\n]{1,256}\"|'[^'\n]{1,256}'|“[^”\n]{1,256}”|`[^`\n]{1,256}`")
_MIXED = re.compile(r"(?=\S{0,64}[\d@#$%^&*_+=~!])[^\s\"']{4,256}")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_CLOSE = re.compile(r"[ ]{0,3}(?:[.,;!?)\n]|$)")

_JOINING_WORDS = (
    "a about after again all already also always am an and any are as at back be because been "
    "before being below both but by can could do does down each every for from go goes had has "
    "have he her here his how however i if in into is it its just like may me might mine more "
    "most much must my needs never no not nothing now of off on once one only or our out over per "
    "please said same she should since so some still such than that the their them then there "
    "these they this those through till to today tomorrow too under until up upon very was we "
    "were what when where which while who whom whose why will with within without would yet you "
    "your yours"
)
_JOINING = frozenset(_JOINING_WORDS.split())
"""Words that join others: no word of a passphrase."""

_OF_PASSWORDS_WORDS = (
    "accepted active available bad blank broken case common complex correct critical current dead "
    "default different due easy empty enough exact expired fake false fine forgotten free fresh "
    "full given gone good guessable hard hidden identical important inactive incorrect invalid "
    "kept known leaky live long lost mandatory missing necessary new null obsolete ok okay old "
    "open optional outdated permanent plain private public random ready real right safe secret "
    "secure sensitive sent set short shown simple stale stolen strong sufficient temporary true "
    "unique unknown unsafe valid visible weak working written wrong yours"
)
_OF_PASSWORDS = frozenset(_OF_PASSWORDS_WORDS.split())
_OF_PASSWORDS_ENDS = ("ed", "ing", "ly", "able", "ible")


def spoken_secrets(text: str) -> tuple[Span, ...]:
    """Start and end of each, in order; none touches the next."""
    return joined(
        (*_said(text), *_used(text), *_beside(text), *_called(text), *payment_cards(text))
    )


def _said(text: str) -> Iterator[Span]:
    for match in _SAID.finditer(text):
        at = match.end()
        found = _QUOTED.match(text, at) or _MIXED.match(text, at) or _IN_GROUPS.match(text, at)
        if found:
            yield found.start(), _without_stop(text, found.end())
        elif match["word"] or match["named"]:
            span = _in_words(text, at)
            if span and (match["word"] or _CLOSE.match(text, span[1])):
                yield span


def _used(text: str) -> Iterator[Span]:
    for match in _USED.finditer(text):
        if len(words := _row(text, match.end())) >= PHRASE:
            yield words[0][0], words[-1][1]


def _beside(text: str) -> Iterator[Span]:
    """Without a verb between a name and its value: here letters and digits tell a value."""
    for match in _BESIDE.finditer(text):
        kind = "second" if match["second"] else "value"
        value = match[kind]
        if value is None:
            found = _BEFORE.search(text, max(0, match.start() - 257), match.start())
            if found and _LETTERS_AND_DIGITS.match(found[0]):
                yield found.span()
        elif _LETTERS_AND_DIGITS.match(value) or (match["made"] and value[:4].isdecimal()):
            yield match.start(kind), _without_stop(text, match.end(kind))


def _called(text: str) -> Iterator[Span]:
    for match in _CALLED.finditer(text):
        words = match["value"].lower().split(" ")
        if _JOINING.isdisjoint(words) and not (len(words) == 1 and _of_passwords(words[0])):
            yield match.span("value")


def _in_words(text: str, at: int) -> Span | None:
    """The words here that are a password: a row of them, or one that says nothing of passwords."""
    words = _row(text, at)
    if not words:
        return None
    if len(words) >= PHRASE:
        return words[0][0], words[-1][1]
    return None if _of_passwords(text[slice(*words[0])].lower()) else words[0]


def _row(text: str, at: int) -> list[Span]:
    """The words here up to the first that joins, or a sign."""
    return list(takewhile(lambda it: text[slice(*it)].lower() not in _JOINING, _words(text, at)))


def _words(text: str, at: int) -> Iterator[Span]:
    for _ in range(MOST_WORDS):
        match = _WORD.match(text, at)
        if match is None:
            return
        yield match.span()
        at = match.end() + 1
        if text[at - 1 : at] != " ":
            return


def _of_passwords(word: str) -> bool:
    return word in _OF_PASSWORDS or word in _JOINING or word.endswith(_OF_PASSWORDS_ENDS)


def _without_stop(text: str, end: int) -> int:
    """A sentence's stop belongs to no secret."""
    while text[end - 1] in ".,;:?)":
        end -= 1
    return end
