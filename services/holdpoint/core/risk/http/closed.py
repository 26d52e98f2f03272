"""An account that a request closes for good: `{"status": "closed"}` at `/accounts/7`."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from holdpoint.core.risk.http.words import words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_KEYS = 1_500
MAX_NAME = 60

_ACCOUNTS = words("words/http:closed.accounts")

_NAMES = word_set("status state")


def closed(body: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """Each, as what the request does."""
    if any(_is_account(part) for part in path[-2:]):
        yield from _told(body)
    for key, value in islice(body.items(), MAX_KEYS):
        if isinstance(value, Mapping) and _is_account(str(key)):
            yield from _told(value)


def _is_account(name: str) -> bool:
    return not _ACCOUNTS.isdisjoint(words_of(name[:MAX_NAME])[-1:])


def _told(held: Mapping[str, Any]) -> Iterator[str]:
    for key, value in islice(held.items(), MAX_KEYS):
        ended = isinstance(value, str) and value.strip().lower() == "closed"
        if ended and not _NAMES.isdisjoint(words_of(str(key)[:MAX_NAME])[-1:]):
            yield "it closes an account"
