"""How the grave things about a deed are said to people: what it is done to, and what it leaves."""

from collections.abc import Sequence
from itertools import dropwhile, takewhile
from types import MappingProxyType

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.verbs import NOMINALS
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.wording import Kind, Verb

_QUANTITIES = word_set("all everything")
_PLACES = word_set("from in of on with at by for to behind under")
"""Behind one of these stands what the thing belongs to, or what it has."""

_SPOKEN = MappingProxyType(
    {
        "rollback": "roll back",
        "shutdown": "shut down",
        "write-off": "write off",
        "log-out": "log out",
        "call-in": "call in",
        "give-away": "give away",
        "wind-down": "wind down",
        "power-off": "power off",
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


def filled_in(reason: str, base: str, thing: str) -> str:
    """A reason with its verb and its thing, which may need no article."""
    if thing in _BARE:
        return reason.replace("the {thing}", "{thing}").format(
            verb=verb_said(base), thing=_BARE[thing]
        )
    return reason.format(verb=verb_said(base), thing=thing)


def final_said(base: str) -> str:
    """What is left after a verb that leaves nothing of what was there."""
    left = "what was there before is gone" if base in _REPLACES else "nothing is left"
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


def unsure_said(acting: Sequence[Deed], hedge: str) -> str:
    """What is done although it is doubted: the gravest deed that people have a word for."""
    verb = min((deed.verb for deed in acting), key=lambda one: (_is_vague(one), _WORST[one.kind]))
    does = "go on" if _is_vague(verb) else verb_said(verb.base)
    asked = "ask" in hedge and _denied(hedge)
    return f"it will {does} " + ("without asking" if asked else "although it is not sure")


_denied = glance(r"n[o']?t\b|\b(?:never|without|forgot|neglected|failed)\b")


def _is_vague(verb: Verb) -> bool:
    """`doing`: a form that no list holds, or that says nothing."""
    return verb.base.endswith("ing") and verb.base not in _ENDS_SO


_ENDS_SO = word_set("bring ring sing string swing fling sling cling sting wing ping king")
_WORST = {kind: -at for at, kind in enumerate(Kind)}
