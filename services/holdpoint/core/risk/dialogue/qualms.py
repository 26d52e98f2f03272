"""Words of doubt in an agent's own mouth: what it says of a step that it has not announced yet.

Each line is a pattern of RE2 that begins and ends with a word; one that is too long goes on in
lines that are set in. `<sure>` and the like stand for the words below.
"""

from collections.abc import Mapping
from types import MappingProxyType

import re2


def any_of(lines: str, stands_for: Mapping[str, str], begins: str = "") -> str:
    """All these lines as one pattern."""
    whole = re2.sub(r"\n    ", "", lines).splitlines()
    every = [line for line in whole if line and line[0] != "#"]
    pattern = rf"{begins}\b(?:{'|'.join(every)})\b"
    for name, words in stands_for.items():
        pattern = pattern.replace(name, words)
    return pattern


STANDS_FOR = MappingProxyType(
    {
        "<sure>": r"(?:sure|certain|confident|convinced|positive|clear|comfortable)",
        "<not>": (
            r"(?:can't|cannot|can not|couldn't|could not|(?:am|was|were|are) not able to|"
            r"unable to|failed to)"
        ),
        "<degree>": (
            r"(?:not|fairly|pretty|almost|reasonably|somewhat|half|quite|mostly|rather|nearly|"
            r"\w+ ?(?:%|percent|per cent))"
        ),
    }
)

GUESSES = r"""
(?:i|we)(?: \w+ly| just| only| still)? (?:guess|assume|presume|suspect|seem to|reckon)
(?:i'm|we're|i am|we are)(?: \w+)? (?:guessing|assuming)
(?:i'll|i will|i'd|i would|to|let's) (?:just )?(?:assume|guess|say|bet|think|
    take a (?:wild )?guess)
(?:take a|my(?: \w+)?|a(?: \w+)?|an educated) guess
(?:an?|the) assumption
from memory
(?:if )?memory serves
out on a limb
my (?:best bet|hunch|assumption|suspicion)
"""
"""What is filled in by them is a guess: a name, a number."""

GUESSED_FIRST = r"""
guessing|assuming|presumably|supposedly|apparently
"""
"""The same, where a clause begins with it: in the middle of one it may be anybody's."""

DOUBTS = r"""
(?:i|we)(?: \w+ly| just| only| still)? (?:think|believe|suppose|imagine|gather|doubt|wonder|hope|
    trust|take it)
(?:i'm|we're|i am|we are|feel)(?: \w+){0,2} <degree>(?: \w+){0,2} <sure>
(?:i'm|we're|i am|we are)(?: \w+)? (?:unsure|uncertain|torn|unclear)
feel better if
<not>(?: \w+)? (?:tell|say|rule out|guarantee|determine|confirm|verify|distinguish|exclude|
    promise|be (?:sure|certain)|find out|figure out|work out|make out|identify|decide|judge|know|
    vouch)
(?:i|we) (?:could|may|might) (?:well )?(?:be|have)
(?:i|we) lack
(?:i|we) (?:don't|do not|didn't|did not|haven't|have not|never)(?: \w+){0,2} (?:know|verif(?:y|
    ied)|check(?:ed)?|confirm(?:ed)?|tested|asked|have enough|have a (?:\w+ )?way|remember|recall|
    thought of|established)
my (?:\w+ )?(?:confidence|impression|understanding|feeling|gut)
a (?:\w+ )?(?:feeling|hunch|gamble|coin toss|toss_up)
my doubts
(?:vague|rough) idea
no (?:\w+ )?way (?:to|of) \w+
anyone's guess
(?:it|this|that|there)(?:'s| is| was| remains?)(?: still)? (?:unclear|unknown|uncertain|ambiguous|
    hard to|difficult to|impossible to|doubtful|possible|conceivable|an? (?:\w+ )?(?:chance|risk|
    possibility))
(?:isn't|is not|'s not|still not|never)(?: \w+){0,2} (?:clear|obvious|specified|evident)
there (?:might|may|could) be
inconclusive
(?:request|instructions?|ticket|prompt|brief|task|order|message|mail|email|runbook) (?:(?:is|
    are) (?:\w+ )?(?:ambiguous|unclear|vague|contradictory)|(?:do|does|did)(?:n't| not) (?:say|
    specify|mention))
unless (?:i'm|i am|i) mis\w+
as far as i
best of my knowledge
if i (?:understood|remember)
(?:this|that|it|these|they|those) (?:looks?|seems?|appears?|may|might|could)
(?:is|are|'s) (?:probably|presumably|likely|perhaps|maybe|possibly|hopefully|supposedly)
(?:two|three|four|several|multiple|many|both) (?:\w+ ){0,2}(?:match|share|fit|qualify)
(?:two|three|four|several|multiple|many) matching
\d\d? ?(?:%|percent|per cent) (?:<sure>|chance|likely)
"""
"""What is no guess and yet not known."""

DOUBTED_FIRST = r"""
<degree> (?:\w+ ){0,2}<sure>|(?:am |are )?unsure|uncertain|unclear|unknown|no (?:idea|
    clue)|dunno|idk|probably|possibly|maybe|perhaps|hopefully|hoping|fingers crossed|let's hope|
    tentatively|(?:might|could|may|should) be|with (?:a bit of |any |some )?luck|one could argue|
    arguably|afaik|iirc
"""
"""The same, where a clause begins with it."""
