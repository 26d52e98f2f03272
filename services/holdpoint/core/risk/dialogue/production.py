"""Whether what a deed is done to runs in production: `the live table`, not `the live music`."""

from collections.abc import Sequence

from holdpoint.core.risk.dialogue.verbs import PRECIOUS
from holdpoint.core.risk.words import STOPS, word_set

_NEAR = 6
"""Words after a verb among which what it is done to is named."""

_ALONE = word_set("prod")
_NAMES = word_set("production live")
_STORED = word_set("access log logs history collection collections catalog catalogue contract")
_RUNS = (PRECIOUS - _STORED) | word_set(
    "server servers host hosts box boxes service services network gateway balancer cache tables "
    "databases proxy router switch settings secrets secret replica replicas cron job jobs "
    "worker workers web api store shop data ledgers customers customer payments payment orders "
    "environments controller controllers release"
)
_ASIDE = 3
"""Words after `production` among which is what runs there."""


def in_production(objects: Sequence[str]) -> bool:
    """Whether one of these words says so."""
    near = objects[:_NEAR]
    return any(
        word in _ALONE or (word in _NAMES and _is_run(objects[at + 1 : at + 1 + _ASIDE]))
        for at, word in enumerate(near)
    )


def _is_run(behind: Sequence[str]) -> bool:
    before_stop = []
    for word in behind:
        if word in STOPS:
            break
        before_stop.append(word)
    return not _RUNS.isdisjoint(before_stop)
