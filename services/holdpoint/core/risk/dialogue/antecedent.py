"""What a pronoun takes up: `The bank details changed; updating them` updates bank details."""

import msgspec

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import word_set

_PRONOUNS = (("it",), ("them",))
TAKES_UP = cue(("it", "them"))
"""Without one of these a sentence takes up nothing."""

_MOST = 8
"""Words of what a sentence is about, at most."""


def named_before(deeds: list[Deed], before: Sentence) -> list[Deed]:
    """Each deed that takes up what the sentence before is about, once more as done to that.

    As it stands it counts as well, so that nothing said before makes it harmless.
    """
    taking = [*filter(_takes_up, deeds)]
    thing = _subject(before.words) if taking else []
    if not thing:
        return []
    return [msgspec.structs.replace(deed, objects=(*thing, *deed.objects[1:])) for deed in taking]


def _takes_up(deed: Deed) -> bool:
    acts = deed.verb.kind is not Kind.READ and not deed.edits
    return acts and deed.objects[:1] in _PRONOUNS


def _subject(words: list[str]) -> list[str]:
    """`the bank details of the supplier` of what is said of them; nothing of what people do."""
    end = next((at for at, word in enumerate(words) if at and _is_said(word)), 0)
    subject = words[: min(end, _MOST)]
    return subject if _PEOPLE.isdisjoint(subject) else []


def _is_said(word: str) -> bool:
    verb = SPOKEN.get(word)
    return word in _SAYS or (verb is not None and verb.form is Form.PAST)


_SAYS = word_set("is are was were has have had looks seems needs need became expired")
_PEOPLE = word_set(
    "i we you i'm we're i've we've i'll we'll he she they it this that there nothing nobody not no"
)
