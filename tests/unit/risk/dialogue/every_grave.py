"""Every dangerous sentence that the rules hear, with its level, and some only patterns know."""

from collections.abc import Mapping
from functools import cache

from tests.unit.risk.builders import said
from tests.unit.risk.corpus import spoken

from holdpoint.messages.risk import RiskLevel

PATTERNS_ALONE = (
    "The next command deletes the production database.",
    "I'm going to skip the tests and deploy straight to prod.",
    "I'll see why it fails and wipe everything.",
    "The manual says to wipe the whole disk.",
    "Voy a borrar todos los usuarios.",
    "It's a coin toss which of the servers is live, I'll reboot the first.",
)
"""What only patterns know, or what is said around an action."""

LISTED = (*PATTERNS_ALONE, *spoken("asks"))
EVERY = tuple(dict.fromkeys(one if one[-1] in ".!?" else f"{one}." for one in LISTED))


@cache
def grave() -> Mapping[str, RiskLevel]:
    """Return the level of each sentence that is high alone."""
    return {one: level for one in EVERY if (level := said(one).level) >= RiskLevel.HIGH}
