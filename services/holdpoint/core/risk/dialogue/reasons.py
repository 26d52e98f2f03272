"""How the grave things about a deed are said to people: what it is done to, and what it leaves."""

from collections.abc import Sequence
from itertools import dropwhile, takewhile
from types import MappingProxyType

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.verbs import NOMINALS
from holdpoint.core.risk.prefilter import prefilter
from holdpoint.core.risk.text import beginning
from holdpoint.core.risk.wording import Kind, Verb, gerund
from holdpoint.core.risk.words import STOPS, word_set

_QUANTITIES = word_set("all everything")
_PLACES = word_set("from in of on with at by for to behind under")
"""Behind one of these stands what the thing belongs to, or what it has."""

_SPOKEN = MappingProxyType(
    {
        "ahead": "go ahead with",
        "rollback": "roll back",
        "shutdown": "shut down",
        "write-off": "write off",
        "log-out": "log out",
        "call-in": "call in",
        "give-away": "give away",
        "wind-down": "wind down",
        "power-off": "power off",
        "put-live": "go live",
        "rm": "remove",
    }
)
"""Verbs of the lists that people write in two words."""

_BARE = MappingProxyType(
    {
        "2fa": "2FA",
        "mfa": "MFA",
        "tls": "TLS",
        "ssl": "SSL",
        "rls": "RLS",
        "prod": "production",
        "everything": "everything",
        **{
            word: word
            for word in (
                "production", "authentication", "encryption", "monitoring", "logging",
                "verification", "validation", "two-factor",
            )
        },
    }
)  # fmt: skip
"""Things that stand without an article."""

_REPLACES = word_set("force-push overwrite overwriting hard-reset factory-reset reformat swap")
"""After these something else stands where it was."""


def verb_said(base: str) -> str:
    """`roll back` for `rollback`."""
    return _SPOKEN.get(base, base)


def thing_said(thing: str) -> str:
    """`the table`, `MFA`, `production`."""
    return _BARE.get(thing) or f"the {thing}"


def filled_in(reason: str, base: str, thing: str, objects: Sequence[str]) -> str:
    """A reason with its verb and its thing, which may need no article: `half of the user base`."""
    does = verb_said(base)
    if not (base.endswith("ing") and base not in _ENDS_SO):
        does = gerund(does) if "{Verb}" in reason else does
    reason = reason.replace("{Verb}", "{verb}")
    behind = objects[objects.index(thing) + 1 :][:1] if thing in objects else ()
    if behind and behind[0] in _HEADS:
        thing = f"{thing} {behind[0]}"
    if tuple(objects[:2]) in _PARTS:
        reason = reason.replace("the {thing}", f"{objects[0]} of the {{thing}}")
    if thing in _BARE:
        return reason.replace("the {thing}", "{thing}").format(verb=does, thing=_BARE[thing])
    return reason.format(verb=does, thing=thing)


_HEADS = word_set("base list group pool directory library population register archive store")
"""What many of a thing are together."""

_PARTS = (("half", "of"), ("most", "of"), ("all", "of"))


def final_said(base: str) -> str:
    """What is left after a verb that leaves nothing of what was there."""
    left = "the old content is lost" if base in _REPLACES else "nothing is left"
    return f"after “{verb_said(base)}” {left}"


def what_goes(kept: frozenset[str], deed: Deed) -> str:
    """The thing as people call it: of `the whole users table in production` it is the table."""
    things = kept - _QUANTITIES - NOMINALS.keys()
    named = deed.objects[1:2] == ("of",) and deed.objects[0] in NOMINALS
    direct = list(
        takewhile(lambda word: word not in _PLACES, deed.objects[2:] if named else deed.objects)
    )
    run = list(takewhile(things.__contains__, dropwhile(lambda word: word not in things, direct)))
    if run:
        return thing_said(run[-1])
    if "everything" in kept:
        return "everything"
    if deed.records and deed.noun:
        return f"{deed.records} {deed.noun.replace('_', ' ')}"
    return f"a part of {thing_said(min(things))}" if things and not deed.whole else "all of it"


def all_said(deed: Deed) -> str:
    """The words that say that it is all of something, up to where another thing is told."""
    named = list(takewhile(lambda word: word not in _ENDS, deed.objects[:_MOST_NAMED]))
    while named and (named[-1] in _PLACES or named[-1] in STOPS):
        named.pop()
    while named[:1] in (["and"], [deed.verb.base]):
        named.pop(0)
    what = f"“{beginning(' '.join(named), _LONGEST)}”" if named else "all of something"
    does = deed.verb.base if _is_vague(deed.verb) else gerund(verb_said(deed.verb.base))
    return f"{does} {what} is a large step"


_MOST_NAMED = 12
_LONGEST = 52
_ENDS = word_set(
    "then now before after so because today tonight tomorrow this once when while until i i'll we "
    "that which by"
)


def unsure_said(acting: Sequence[Deed], hedge: str) -> str:
    """What is done although it is doubted: the gravest deed that people have a word for."""
    verb = min((deed.verb for deed in acting), key=lambda one: (_is_vague(one), _WORST[one.kind]))
    does = "go on" if _is_vague(verb) else verb_said(verb.base)
    asked = "ask" in hedge and _denied(hedge)
    return f"it will {does} " + ("without asking" if asked else "although it is not sure")


_denied = prefilter(r"n[o']?t\b|\b(?:never|without|forgot|neglected|failed)\b")


def _is_vague(verb: Verb) -> bool:
    """`doing`: a form that no list holds, or that says nothing."""
    return verb.base.endswith("ing") and verb.base not in _ENDS_SO


_ENDS_SO = word_set("bring ring sing string swing fling sling cling sting wing ping king")
_WORST = {kind: -at for at, kind in enumerate(Kind)}
