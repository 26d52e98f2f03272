"""One kind of grave deed: which verbs, done to which things, and why that is grave."""

import msgspec

from holdpoint.messages.risk import Heuristic

LOSS, SIZE, POWER = Heuristic.IRREVERSIBILITY, Heuristic.MAGNITUDE, Heuristic.CRITICALITY


NEAR = 6
"""Words after a verb among which its object is."""


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """One of these verbs, done to one of these things."""

    rule: str
    heuristic: Heuristic
    verbs: frozenset[str]
    """As in the lists; of a verb that no list holds, each form as it is said."""

    things: frozenset[str]
    reason: str
    """`{verb}` and `{thing}` are filled in."""

    unless: frozenset[str] = frozenset()
    """Words that make it harmless."""

    whole: bool = False
    """Whether it counts only when all of something is named."""

    uncounted: bool = False
    """Whether it counts only when nothing says how many: then it is all of them."""

    reach: int = NEAR
    """Words after the verb among which its things are."""

    beside: frozenset[str] = frozenset()
    """Words of which one must stand there as well; none: its things are enough."""
