"""What is taken away, as a reason begins: in a sentence's own words, or by the name of a call."""

from itertools import islice, pairwise

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.reasons import verb_said
from holdpoint.core.risk.excerpt import CUT, beginning
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import ARTICLES, word_set
from holdpoint.core.risk.text import Folded
from holdpoint.core.risk.wording import VERBS, Form, Kind, Verb

MAX_THING = 39
"""Characters of a thing, so that the reason stays under ninety."""

MAX_NAME = 34
MAX_NEAR = 400
"""Characters beside a verb in which its thing is looked for."""

MAX_SKIPPED = 3
"""Words between a verb and its thing: `get rid of`."""

_ENDS = ".,;:!?)"
_MARKS = "\"'`([{<>}]).,;:!?*_"
_QUOTES = "\"'`*_"
_BEHIND = words("words/actions:taken.behind")

_ASKED = word_set("whether if about want wants need you")
"""Behind these begins what is asked, and with it what is taken: `whether the accounts are …`."""

_LOOSE = words("words/actions:taken.loose")
_NOTHING = word_set("it this that them those these one so")
"""Words that name nothing to whoever does not see the rest."""

_PASSIVE = words("words/actions:taken.passive")


def loss_in_call(tool: str, said: str, verb: Verb | None) -> str:
    """`“files: rm” takes something away`."""
    if verb is None or verb.kind is not Kind.DELETE:
        return ""
    shown = f"{tool}: {said}" if said and said != tool else tool
    return f"“{beginning(shown, MAX_NAME)}” takes something away"


def loss_said(deed: Deed | None, text: Folded) -> str:
    """`it is to delete the flag for user 7`."""
    if deed is None or deed.verb.kind is not Kind.DELETE:
        return ""
    passive = deed.verb.form is Form.PAST
    found = _before(deed, text) if passive else _behind(deed, text)
    return f"it is to {verb_said(deed.verb.base)} {found or 'something'}"


def _behind(deed: Deed, text: Folded) -> str:
    """From its first object until something else begins."""
    start = deed.span[0]
    pieces = _pieces(text, start, start + MAX_NEAR)
    named = next(iter(deed.objects), "")
    near = enumerate(islice(pieces, MAX_SKIPPED + 1))
    first = next((at for at, (_, word) in near if named and word.startswith(named)), -1)
    if first < 0:
        return ""
    if first == 0:  # a noun: `the removal of the account`
        first = 2 if pieces[1:2] and pieces[1][1] == "of" else 1
    return _until_more(pieces[first:])


def _until_more(pieces: list[tuple[str, str]]) -> str:
    if _names_nothing(pieces):
        return ""
    kept: list[str] = []
    for (raw, word), (_, after) in pairwise([*pieces, ("", "")]):
        verb = VERBS.get(after)
        if word in _BEHIND or (word == "and" and verb is not None and verb.form is Form.BASE):
            break
        if len(" ".join([*kept, raw])) > MAX_THING:
            return f"{_trimmed(kept)}{CUT}" if kept else ""
        kept.append(raw)
        if raw[-1] in _ENDS:
            break
    return _trimmed(kept)


def _names_nothing(pieces: list[tuple[str, str]]) -> bool:
    """`it`, `them all`; not `it from the list`."""
    first, second = [*(word for _, word in pieces[:2]), "", ""][:2]
    return first in _NOTHING and second != "from"


def _before(deed: Deed, text: Folded) -> str:
    """What stands before `will be deleted`, back to where the clause begins."""
    start = deed.span[0]
    pieces = _pieces(text, max(start - MAX_NEAR, 0), start)[-len(deed.objects) :]
    while pieces and pieces[-1][1] in _PASSIVE:
        pieces.pop()
    kept: list[str] = []
    for raw, word in reversed(pieces):
        if word in _BEHIND | _ASKED or raw[-1] in _ENDS or len(" ".join([raw, *kept])) > MAX_THING:
            break
        kept.insert(0, word if word in ARTICLES else raw)
    return _trimmed(kept)


def _pieces(text: Folded, start: int, end: int) -> list[tuple[str, str]]:
    """What stands between blanks, as it is written, and as a word."""
    first, last = text.span(start, min(end, len(text.folded))) if end > start else (start, start)
    raw = text.nfkc[first:last].split()
    return [(one, one.strip(_MARKS).casefold()) for one in raw]


def _trimmed(kept: list[str]) -> str:
    while kept and kept[-1].strip(_MARKS).casefold() in _LOOSE:
        kept.pop()
    said = " ".join(one.strip(_QUOTES) for one in kept).strip(_MARKS + " ")
    return "" if said.casefold() in _NOTHING else said
