"""Statements of other languages than SQL in a body: Cypher, SPARQL, Gremlin."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.http.body import MAX_TEXT, opened
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_TEXTS = 64
"""Statements of one body that are read."""

_KEYS = word_set("query statement statements cypher sparql update gremlin q cmd command")
_LISTS = word_set("statements queries commands batch")

_takes = glance(
    r"(?is)^\s*(?:MATCH\b.*\b(?:DETACH\s+)?DELETE\s+\w"
    r"|(?:PREFIX\s[^\n]*\s)*(?:DROP|CLEAR)\s+(?:SILENT\s+)?(?:GRAPH\s*<|ALL\b|DEFAULT\b|NAMED\b)"
    r"|(?:PREFIX\s[^\n]*\s)*(?:WITH\s*<[^>]*>\s*)?DELETE\s*(?:WHERE\s*)?\{"
    r"|DROP\s+(?:DATABASE|CONSTRAINT|INDEX)\s+\w"
    r"|g\.[VE]\(.*\.drop\(\))"
)


def stated(body: object) -> Iterator[str]:
    """That one takes something away."""
    if any(_takes(whole_characters(text[:MAX_TEXT])) for text in islice(_texts(body), MAX_TEXTS)):
        yield "its statement takes something away"


def _texts(body: object) -> Iterator[str]:
    """The body itself, and what its keys say is a statement, alone or in a list."""
    if isinstance(body, str):
        yield body
    held = opened(body)
    yield from _stated(held)
    for key, value in held.items():
        if key.lower() in _LISTS and isinstance(value, list):
            for one in value:
                yield from _stated(one) if isinstance(one, Mapping) else ()


def _stated(one: Mapping[str, Any]) -> Iterator[str]:
    found = (value for key, value in one.items() if str(key).lower() in _KEYS)
    return (value for value in found if isinstance(value, str))
