"""JSON in which a name stands twice: readers take the first value or the last, so both count."""

import json
from typing import Any

import msgspec

from holdpoint.messages.twins import Known, Pairs, objects


def spelled_out(text: str | bytes) -> Any:
    """Its value; where a name stands twice, a list of both that readers may take it for."""
    twice = False

    def first(pairs: Pairs, _known: Known) -> Known:
        nonlocal twice
        twice = True
        return dict(reversed(pairs))

    last = msgspec.json.decode(text)  # what is broken is soon known to be
    found = json.loads(text, object_pairs_hook=objects(first))
    return [found, last] if twice else last
