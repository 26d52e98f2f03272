"""What harms nobody by itself, and is an act where it is doubted: it is entered, done once more.

```
"Replaying them."  "converting the refund"  "Calling it for the 57 accounts."      done once more
"0.25 is what I'm entering in the chart"  "Recording it as paid."                  kept as true
"the contract is going to her"  "the notice goes out with that"                    on its way
"Retyping the note."  "Calling it a day."  "Logging the error in my notes."        none of these
```
"""

from collections.abc import Iterable, Iterator, Sequence

from holdpoint.core.risk.dialogue.clause import FILLERS, is_subject
from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.denied import negated
from holdpoint.core.risk.dialogue.glances import shared
from holdpoint.core.risk.dialogue.mild import NOTES
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import word_set

_AGAIN = word_set(
    "replay replaying retry retrying rerun rerunning re-run re-running initiate initiating"
)
_TURNS = word_set("convert converting return returning")
_ENTERS = word_set(
    "record recording enter entering log logging write writing put putting note noting"
)
_CALLS = word_set("call calling")
_GOES = word_set("goes going")
_ACTS = _AGAIN | _TURNS | _ENTERS | _CALLS | _GOES
_undertakes = shared(rf"\b(?:{'|'.join(sorted(_ACTS))})\b")

_OF_WORTH = word_set(
    "refund refunds order orders credit credits currency account accounts lead leads booking "
    "bookings payment payments balance points shares contract subscription plan trial loan deposit "
    "parcel parcels goods item items document documents"
)
_REGISTERS = word_set(
    "chart charts record records register registers ledger ledgers deed deeds sheet docket books "
    "crm certificate prescription application return journal roster passport will payroll"
)
_CALLED = word_set("endpoint api function webhook service tool job script method procedure")
_WHAT = word_set("it them this that these those all every the now")
_TEXTS = word_set(
    "page pages search download file index image images site url link query test tests clip song "
    "video recording message tune step example"
)
"""What is loaded, looked for or tried once more is only read."""

_ME = word_set("i'm i'll we'll we're i we")
_WE = word_set("i we")
_AM = word_set("am are will shall")
_REACH = 12


def undertaken(text: str, told: Iterable[Sentence]) -> list[Deed]:
    """Each act of that kind that the agent says it is about."""
    if not _undertakes(text):
        return []
    return [deed for one in told if one.end != "?" for deed in _in_sentence(one)]


def _in_sentence(sentence: Sentence) -> Iterator[Deed]:
    for place, word in enumerate(sentence.words):
        if word not in _ACTS or place in sentence.quoted or negated(sentence, place):
            continue
        behind = sentence.words[place + 1 : place + _REACH]
        led = _is_on_its_way(sentence, place) if word in _GOES else _is_own(sentence, place)
        if led and (word in _GOES or _is_act(word, behind)):
            form = Form.ING if word.endswith("ing") else Form.BASE
            base = "send" if word in _GOES else word
            verb = Verb(base=base, kind=Kind.UPDATE, form=form)
            yield Deed(verb=verb, objects=tuple(behind), span=sentence.span(place))


def _is_own(sentence: Sentence, place: int) -> bool:
    """`Replaying them`, `…; replaying them`, `I'm replaying them`, `I'll replay them`."""
    words = sentence.words
    at = place - 1
    while at >= 0 and words[at] in FILLERS and at + 1 not in sentence.commas:
        at -= 1
    if at > 0 and words[at] in _AM:
        at -= 1
    if at >= 0 and words[at] in _ME and at + 1 not in sentence.commas:
        return words[place].endswith("ing") or words[place - 1] not in _WE
    opens = at < 0 or at + 1 in sentence.commas
    return opens and words[place].endswith("ing") and not is_subject(sentence, place)


def _is_act(word: str, behind: Sequence[str]) -> bool:
    if word in _AGAIN:
        return not behind or (behind[0] in _WHAT and _TEXTS.isdisjoint(behind))
    if word in _TURNS:
        return not _OF_WORTH.isdisjoint(behind[:4])
    if word in _CALLS:
        return _is_called(behind)
    kept = not _REGISTERS.isdisjoint(behind) or ("as" in behind and word not in _TYPED)
    return kept and NOTES.isdisjoint(behind)


_TYPED = word_set("write writing put putting note noting")


def _is_called(behind: Sequence[str]) -> bool:
    """`Calling it for the 57 accounts`, `calling the endpoint`; not `calling it a day`."""
    if behind[:1] == ["it"]:
        return behind[1:2] in (["for"], ["on"], ["with"], ["now"])
    return behind[:1] == ["the"] and not _CALLED.isdisjoint(behind[1:2])


def _is_on_its_way(sentence: Sentence, place: int) -> bool:
    """`The contract is going to her`, `the notice goes out with that`."""
    words = sentence.words
    behind = words[place + 1 : place + 3]
    if words[place] == "goes":
        return place > 1 and behind[:1] == ["out"]
    sent = behind[:1] == ["to"] and behind[1:] in _WHOM
    return sent and place > 1 and words[place - 1] == "is"


_WHOM = (["her"], ["him"], ["them"])
