"""What a resource is called wherever actions on the same one are to be recognised."""

import re2

from holdpoint.core.risk.text import fold

_space = re2.compile(r"\s+")
_AROUND = "\"'`[] \t\n/"


def resource_key(domain: str, target: str) -> str:
    """The domain and the thing acted on, whatever the case, quotes or look-alikes it came in.

    All targets that are not known share one key: what cannot be told apart counts together.
    """
    return f"{domain}:{_space.sub(' ', fold(target).folded).strip(_AROUND)}"
