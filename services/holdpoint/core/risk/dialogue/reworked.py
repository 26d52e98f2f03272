"""Deeds that only rework a text, or halt what runs on one's own machine: nobody misses anything.

```
"cut the paragraph by half"  "end this sentence with a full stop"       a text
"remove the duplicates from my summary"                                a text of one's own
"format the disk usage report as a table"                              a text that is named so
"kill the dev server on my machine"                                    one's own
"cut the paragraph team by half"  "format the report disk"             something else
```
Each word up to the next deed must belong to it; one that is not known makes it something else.
"""

from collections.abc import Callable
from itertools import takewhile
from types import MappingProxyType

from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form
from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

_PROSE = word_set(
    "paragraph paragraphs sentence sentences draft intro introduction slide slides chapter section "
    "essay abstract text summary conclusion heading caption wording"
)
_PARTS = word_set("by in into to half two a an the third quarter percent about its length")
_MANY = word_set("all every each both any")

_PUNCTUATED = word_set("sentence line string statement paragraph")
_POINTED_AT = word_set("this that the each my last first second third next previous current final")
_SIGNS = word_set("period semicolon colon comma newline backslash dot stop mark")
_STOPPED = _SIGNS | word_set("with by a an the full question exclamation")
_WELL = word_set("properly correctly grammatically")

_DRAFTED = word_set("summary answer reply draft essay outline abstract conclusion")
_FROM = (("from",), ("in",), ("of",))
_MINE = (("my",), ("this",))

_SHOWN = word_set("report reports list lists output summary overview answer results")
_LAID_OUT = word_set(
    "as a an the into in with for table tables list bullet bullets bulleted markdown json yaml csv "
    "html columns column readability tabular"
)

_OWN = word_set(
    "the my a local dev development vite webpack flask django rails server process watcher bundler"
)
_OF_DEVELOPERS = word_set("dev development vite webpack")
_RUNNING = word_set("server process watcher bundler")
_AT_HOME = frozenset(
    {
        ("on", "localhost"),
        *(
            ("on", "my", *own, one)
            for own in ((), ("own",), ("local",))
            for one in ("machine", "laptop", "computer", "workstation")
        ),
    }
)
_LATELY = word_set("now first again quickly here")
_ON = word_set("and then so")
_SELF = word_set("i'll i'm we'll we're")
_TAKEN_UP = ARTICLES | word_set("it them")
_MOST = 12
"""Words of what such a deed is done to, at most."""


def reworks(base: str, sentence: Sentence, place: int) -> list[str]:
    """The words that a deed is done to, if it only reworks a text, or is done at home."""
    told = _READERS.get(base)
    objects = _up_to_the_next(sentence, place) if told else []
    if told is None or not objects:
        return []
    named = list(takewhile(lambda word: word not in STOPS or word in _NAMING, objects))
    rest = tuple(objects[len(named) :])
    while named and (named[-1] in _LATELY or named[-1].endswith("ly")):
        rest = (named.pop(), *rest)
    return objects if told(named, rest) else []


_NAMING = ARTICLES | word_set("that")


def _up_to_the_next(sentence: Sentence, place: int) -> list[str]:
    """Everything up to the end, or to where another deed is told in so many words."""
    words = sentence.words
    ends = (at for at in range(place + 1, len(words)) if words[at] in _ON or at in sentence.commas)
    end = next(ends, len(words))
    if end > place + _MOST or (end < len(words) and not _goes_on(words[end : end + 4])):
        return []
    return words[place + 1 : end]


def _goes_on(behind: list[str]) -> bool:
    """`… and restart it`, `…, then I'll go on`; not `… and all the rest`."""
    first, *more = [word for word in behind if word not in _ON] or [""]
    if first in _SELF:
        return True
    verb = SPOKEN.get(first)
    told = verb is not None and verb.form is Form.BASE and behind[0] in _ON
    return told and (not more or more[0] in _TAKEN_UP)


def _is_turned_to(named: list[str], rest: tuple[str, ...]) -> bool:
    """`over to the section on DNS`: a text is turned to, whatever it is on."""
    told = rest[rest[:1] == ("over",) :]
    section = not named and told[:2] == ("to", "the") and not _PROSE.isdisjoint(told[2:3])
    return section and told[3:4] in ((), ("on",), ("about",)) and STOPS.isdisjoint(told[4:])


def _is_cut(named: list[str], rest: tuple[str, ...]) -> bool:
    """`the second paragraph`, `by half`."""
    prose = not _PROSE.isdisjoint(named[-1:]) and _MANY.isdisjoint(named)
    return prose and all(word in _PARTS or word in _LATELY or word[0].isdigit() for word in rest)


def _is_punctuated(named: list[str], rest: tuple[str, ...]) -> bool:
    """`this sentence properly`, `the line with a semicolon`; not `his sentence`."""
    if _PUNCTUATED.isdisjoint(named[-1:]) or not _POINTED_AT.issuperset(named[:-1]):
        return False
    if rest and _WELL.issuperset(rest):
        return named[0] == "this"
    return not _SIGNS.isdisjoint(rest) and _STOPPED.issuperset(rest)


def _is_drafted(_: list[str], rest: tuple[str, ...]) -> bool:
    """`from my summary`: what the agent writes itself."""
    whose, text = rest[1:2], rest[2:]
    told = rest[:1] in _FROM and whose in _MINE
    return told and len(text) == 1 and text[0] in _DRAFTED


def _is_laid_out(named: list[str], rest: tuple[str, ...]) -> bool:
    """`the disk usage report`, `as a table`."""
    return (
        not _SHOWN.isdisjoint(named[-1:]) and _MANY.isdisjoint(named) and _LAID_OUT.issuperset(rest)
    )


def _is_ones_own(named: list[str], rest: tuple[str, ...]) -> bool:
    """`the dev server`, `on my machine`."""
    mine = _OWN.issuperset(named) and not _OF_DEVELOPERS.isdisjoint(named[:-1])
    where = tuple(takewhile(lambda word: word not in _LATELY, rest))
    return (
        mine
        and named[-1] in _RUNNING
        and where in _AT_HOME
        and _LATELY.issuperset(rest[len(where) :])
    )


_READERS: MappingProxyType[str, Callable[[list[str], tuple[str, ...]], bool]] = MappingProxyType(
    {
        **dict.fromkeys(("cut", "halve", "reduce", "double", "expand", "extend"), _is_cut),
        **dict.fromkeys(("terminate", "end"), _is_punctuated),
        **dict.fromkeys(("remove", "delete", "drop", "strip", "discard"), _is_drafted),
        **dict.fromkeys(("format", "reformat"), _is_laid_out),
        **dict.fromkeys(("kill", "stop", "restart"), _is_ones_own),
        "switch": _is_turned_to,
    }
)
"""By verb: what says that it is one of these deeds."""
