"""Actions that harm nobody if an agent asks for permission: reading, telling, sketching."""

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Kind, forms
from holdpoint.core.risk.words import word_set


def _every(bases: frozenset[str]) -> frozenset[str]:
    return frozenset(word for base in bases for word in _spelled(base))


def _spelled(base: str) -> tuple[str, ...]:
    return (*forms(base, Kind.READ), *(_IRREGULAR.get(base) or ()))


_IRREGULAR = {
    "draw": ("drew", "drawn"),
    "give": ("gave", "given"),
    "make": ("made",),
    "take": ("took", "taken"),
    "tell": ("told",),
    "write": ("wrote", "written"),
    "speak": ("spoke",),
    "plan": ("planning", "planned"),
    "plot": ("plotted",),
    "get": ("getting",),
    "put": ("putting",),
    "see": ("saw", "seeing"),
    "show": ("shown",),
    "think": ("thought",),
}
TELLS = _every(words("words/dialogue:mild_verbs.tells"))
_SPEAKING = _every(words("words/dialogue:mild_verbs.speaks"))
_MAKING = _every(words("words/dialogue:mild_verbs.makes"))
TEXTS = words("words/dialogue:mild_verbs.texts")
"""What is only said, or shown to whoever asked."""

PAGES = words("words/dialogue:mild_verbs.pages")
"""What is opened to be read."""


_OTHERS = words("words/dialogue:mild_verbs.others")
_NEAR = 6
_NAMED = 4
"""Words behind a verb among which what it is done to stands."""

_DRAFTS = word_set("draft drafting redraft redrafting")
_OPENING = word_set("open opening reopen reopening")
_SHOWN = PAGES - word_set("link attachment app settings setting config terminal both")
"""What is only shown when it is opened: a link or an attachment may do more."""


TRIES = words("words/dialogue:mild_verbs.tries")
TRIALS = words("words/dialogue:mild_verbs.trials")
"""What is only tried when it is run, and changes nothing."""


def is_mild(words: list[str], place: int) -> bool:
    """Whether what is done here is only said, thought, shown or read."""
    word = words[place]
    behind = words[place + 1 : place + 1 + _NEAR]
    if word in TELLS or (word in TEXTS and word not in _SPEAKING):
        return True
    if word in _DRAFTS:
        return True
    if word in _OPENING:
        shown = not _SHOWN.isdisjoint(behind[:_NAMED])
        return shown and _OTHERS.isdisjoint(behind) and {"to", "for", "up"}.isdisjoint(behind)
    if word in TRIES and not TRIALS.isdisjoint(behind):
        return True
    if word in _SPEAKING and _OTHERS.isdisjoint(behind):
        told = {"to", "the", "over", "off", "down"}.isdisjoint(behind[:2])
        return told or not TEXTS.isdisjoint(behind)
    return word in _MAKING and not TEXTS.isdisjoint(behind) and _OTHERS.isdisjoint(behind)
