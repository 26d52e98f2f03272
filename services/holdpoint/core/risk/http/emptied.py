"""What a request leaves of what is there: nothing of a collection, no store, no limit."""

from collections.abc import Iterator, Mapping
from itertools import islice

from holdpoint.core.risk.calls.pairs import says_nothing
from holdpoint.core.risk.http.target import Target
from holdpoint.core.risk.http.words import words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_KEYS = 1_500
MAX_NAME = 60

_REALTIME = ("firebaseio.com", "firebasedatabase.app")
_COLLECTIONS = words("words/http:emptied.collections")

_SPENDS = words("words/http:emptied.spends")
_ENDLESS = word_set("unlimited infinite none null inf infinity")


def emptied(method: str, target: Target, body: object, held: Mapping[str, object]) -> Iterator[str]:
    """Each, as what the request does; `held`: what its body holds."""
    if method == "PUT" and target.host.endswith(_REALTIME) and target.path:
        if target.path == [".json"]:
            yield "it replaces all that the database holds"
        elif body is None:
            yield "it leaves nothing there"
    last = words_of(target.path[-1])[-1:] if target.path else ()
    if method == "PUT" and last and last[0] in _COLLECTIONS and _is_none(held, last[0]):
        yield f"it leaves none of the {last[0]}"
    if method in {"PUT", "PATCH"}:
        about = frozenset(word for part in target.path[-2:] for word in words_of(part))
        yield from _unlimited(held, about)


def _is_none(held: Mapping[str, object], name: str) -> bool:
    """An empty list, alone or under the name of what is replaced."""
    said = next((held[key] for key in ("", name, "items", "data") if key in held), None)
    return said == [] and len(held) == 1


def _unlimited(held: Mapping[str, object], about: frozenset[str]) -> Iterator[str]:
    for key, value in islice(held.items(), MAX_KEYS):
        words = words_of(str(key)[:MAX_NAME])
        if words[-1:] != ("limit",) or _SPENDS.isdisjoint((*words[:-1], *about)):
            continue
        endless = isinstance(value, str) and value.strip().lower() in _ENDLESS
        if endless or says_nothing(value):
            yield f"it lifts the {' '.join(words)[:24]}"
