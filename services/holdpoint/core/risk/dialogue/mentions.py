"""What a sentence only talks about: words that are searched for or reported, edits of a text."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import re2

from holdpoint.core.risk.dialogue.cues import shared
from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.doubts import is_harmless
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.words import word_set

Spans = tuple[tuple[int, int], ...]
MAX_MENTIONS = 20
"""Quotations of one text that are looked at."""

MAX_MENTION = 350
"""Characters of a quotation, with the words that lead to it; what is longer is no mention."""

_quoted: Any = re2.compile(
    r"\b(?:contain(?:s|ing)?|include[sd]?|including|strings?|words?|phrases?|patterns?|texts?|regex|"
    r"expression|terms?|for|about|of|named|called|titled|labell?ed|match(?:es|ing)?|grep|says?|said|saying|"
    r"reads|reading|wrote|written|writes|asks?|asked|asking|what|why|how|message|warning|error|dialogs?|button|"
    r"note|label|poster|quoting|docs|log|line|comment|title|heading|sentences?|headlines?|slogan|quote|"
    r"proverb|example|translat(?:e|es|ing)|pronounc(?:e|ing)|spell(?:ing)?|rephras(?:e|ing))"
    r"[ :,]{1,3}(?:the |an? |this )?"
    r"(?:\w+ ){0,2}(?:\"[^\"\n]+\"|`[^`\n]+`|'[^'\n]+')"
)
_pressed: Any = re2.compile(
    r"(?:^|[ (])((?:\"[^\"\n]+\"|`[^`\n]+`|'[^'\n]+') (?:button|option|menu|dialog|link|tab|icon|"
    r"entry|setting)) (?:is|was|has|had|stays|sits|did|does|can|moved|shows|opens|needs|should)\b"
)
"""`The "Delete all" button is red`: what a page offers, until somebody presses it."""

_presses = shared(
    r"\b(?:click|press|hit|tap|push|select|choos|us(?:e|ing)|toggl|tick|activat|trigger|follow|"
    r"open(?:ing)?|go(?:ing)? (?:to|for)|i|we|let)\b|\bi'|\b(?:click|press|hitt|tapp|push)\w"
)
_MARKS = "\"'`"
_BEFORE = " :,"
"""Signs that open such a quotation, and what stands before them."""


def only_mentioned(quotes: Spans, deeds: tuple[Deed, ...]) -> Spans:
    """Where a text only quotes what it looks for or reports, or edits the words that flow by.

    Quotations count for nothing as soon as the words around them do something themselves.
    """
    edits = tuple(deed.span for deed in deeds if deed.edits)
    acts = any(not is_harmless(deed) for deed in deeds)
    return edits if acts else (*edits, *quotes)


def tells_of(deed: Deed) -> bool:
    """`I'll write a story about a robbery of 2 million`: whatever it says, it is only told."""
    works = deed.verb.base in _WRITES and not _WORKS.isdisjoint(deed.objects[:6])
    return works and not _ABOUT.isdisjoint(deed.objects)


_WRITES = word_set("write draft compose create make tell sketch invent")
_WORKS = word_set(
    "story stories novel poem poems essay song songs article joke jokes tale scene play screenplay "
    "chapter limerick haiku sonnet ballad riddle fable"
)
_ABOUT = word_set("about where which of on whose")


def talked_of(text: str) -> Iterator[tuple[int, int]]:
    """Where it names a page by its topic: `the documentation about DROP TABLE`."""
    if _has_topic(text):
        for match in islice(_topic.finditer(text), MAX_MENTIONS):
            yield match.span(1)


_topic: Any = re2.compile(
    r"\b(?:documentation|docs|articles?|guides?|manuals?|manual pages?|chapters?|tutorials?|"
    r"lessons?|(?:blog )?posts?|threads?|books?|papers?|courses?|lectures?|help page|reference|"
    r"questions?) (about [^.!?,;:\n]*?)"
    r"(?: and\b| then\b| so\b|[.!?,;:\n]|\z)"
)
_has_topic = shared(_topic.pattern)


def titled(text: str) -> Iterator[tuple[int, int]]:
    """Where it says what a work is called: `the movie is called Delete All`."""
    for match in islice(_called.finditer(text), MAX_MENTIONS):
        yield match.span(1)


_called: Any = re2.compile(
    r"\b(?:song|book|film|movie|album|novel|game|band|episode|podcast|painting|poem|play)s?"
    r"(?: \w+)? (?:is |was )?(?:called|titled|named|entitled) "
    r"((?:[^\s.!?,;:]+ ?){1,4})(?:[.!?,;:\n]|\z)"
)


def advised_against(told: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """`You could delete all of it, but I advise against it`, and nothing more is said."""
    words = told[0].words
    at = len(words) - 1 - (words[-1] in _THAT)
    advises = at > 1 and words[at] == "against" and words[at - 1] in _ADVISES
    if advises and words[0] == "you" and words[1] in _COULD and words[at - 2] in _SELF:
        yield told[0].starts[0], told[0].span(len(words) - 1)[1]


_THAT = word_set("it that this")
_ADVISES = word_set("advise recommend advised strongly")
_COULD = word_set("could can might may")
_SELF = word_set("i i'd we we'd would")


def commented(text: str) -> Iterator[tuple[int, int]]:
    """`I'll comment on the issue about mass deletion`, and nothing more is said of it."""
    for match in islice(_issue.finditer(text), MAX_MENTIONS):
        if _MORE.isdisjoint(match[1].split()):
            yield match.span(1)


_issue: Any = re2.compile(
    r"\b(?:comment(?:ing)? on|read(?:ing)?|reply(?:ing)? (?:to|on)|look(?:ing)? at|"
    r"summari[sz](?:e|ing)) (?:the|this|that|an|your|her|his) (?:\w+ )?"
    r"(?:issue|ticket|bug|pull request|thread|proposal) "
    r"(about [^.!?,;:\n]*)(?:[.!]|\z)"
)
_MORE = word_set("and then so or to before after while do doing carry it that")


def wondered(told: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """Questions of how something is done, or who may do it: `How do I delete a user?`."""
    for sentence in told:
        words = sentence.words
        if sentence.end == "?" and tuple(words[:2]) in _WONDERS and _MINE.isdisjoint(words):
            yield sentence.starts[0], sentence.span(len(words) - 1)[1]


_WONDERS = frozenset(
    (first, second)
    for first, seconds in (
        ("how", "do does can"),
        ("what", "does happens is are"),
        ("who", "may can has"),
        ("can", "a an the any"),
        ("does", "a an the any"),
        ("why", "does did is was"),
    )
    for second in seconds.split()
)
_MINE = word_set("should shall proceed like want wish you'd i'll")
"""What makes it a question about what the agent is to do."""


def described(text: str) -> Iterator[tuple[int, int]]:
    """Where it says what something quoted does, whoever runs it: `"DROP TABLE" can't be undone`."""
    if "?" in text:
        return
    if _has_described(text):
        yield from (match.span(1) for match in islice(_described.finditer(text), MAX_MENTIONS))
    yield from (match.span(1) for match in islice(_titled.finditer(text), MAX_MENTIONS))


_described: Any = re2.compile(
    r"(?:^|[.!?:;,\n] ?)(?:(?:the|an?) (?:\w+ )?)?((?:\"[^\"\n]+\"|`[^`\n]+`)"
    r"(?: without [^.,;!?\n]{1,40}?)? (?:means|stands for|refers to|can(?:'?t|not| not)? be|"
    r"(?:delete|remove|drop|erase|destroy|wipe|truncate|return|take|change)s|empties|"
    r"does(?:n'?t| not)|is (?:an?|the|commonly|often|usually|generally|typically|dangerous|risky|"
    r"irreversible|destructive|used|called|too|wrong)) [^.!?\n]*)"
)
_titled: Any = re2.compile(
    r"\b(?:the|an?|this|that|her|his|their) (?:commit|ticket|issue|pull request|pr|song|book|film|"
    r"movie|album|article|post|paper|talk|chapter|section|headline|page|thread|novel|essay|"
    r"episode) ((?:\"[^\"\n]+\"|`[^`\n]+`) (?:(?:\w+ )?(?:\w+ed|broke|was|"
    r"were|had|came|got|made|took|sold|won)|"
    r"is (?:still |already |now )?(?:open|closed|old|stale|long|short|popular|famous))\b)"
)
"""`The commit "Remove all of it" broke the build`: what has a title, and what became of it."""
_has_described = shared(_described.pattern)


def quotations(text: str) -> Spans:
    """Where it quotes what it looks for, or what somebody said."""
    marks = [mark for mark in _MARKS if mark in text]
    if not any(f"{before}{mark}" in text for mark in marks for before in _BEFORE):
        return ()
    named = (match.span() for match in islice(_quoted.finditer(text), MAX_MENTIONS))
    idle = () if _presses(text) else islice(_pressed.finditer(text), MAX_MENTIONS)
    pressed = (match.span(1) for match in idle)
    return tuple((start, end) for start, end in (*named, *pressed) if end - start <= MAX_MENTION)
