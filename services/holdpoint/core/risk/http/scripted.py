"""What a search engine is told to do to the documents it finds: `_update_by_query` and its like.

A script may delete each of them, and without a query all are found.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import re2

from holdpoint.core.risk.http.body import MAX_TEXT
from holdpoint.core.risk.http.target import Target
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

_UPDATES = word_set("_update_by_query _update _reindex _bulk")
_SOURCES = ("source", "inline")

_operation = re2.compile(
    r"""ctx\s*(?:\.\s*op\b|\[\s*\\?['"]op\\?['"]\s*\])\s*=\s*([^=\s][^;}\n]*)"""
    r"""|ctx\s*\.\s*put\w*\s*\(\s*\\?['"]op\b([^)]*)"""
)
_keeps = re2.compile(r"""^\W*(?:none|noop|index|create)\b[\\'")\s]*(?:["}].*)?$""")
"""Operations that leave a document there."""


def scripted(target: Target, body: object, held: Mapping[str, Any]) -> Iterator[str]:
    """Each, as what the request does; `held`: what its body holds."""
    named = _UPDATES.intersection(target.path[-2:])
    if not named:
        return
    if any(map(_deletes, _scripts(body, held))):
        yield "its script may delete what it finds"
    changes = "script" in held or bool(target.said("pipeline"))
    if "_update_by_query" in named and changes and not _narrows(target, held):
        yield "it changes all that there is"


def _scripts(body: object, held: Mapping[str, Any]) -> Iterator[str]:
    """Its source; of lines of JSON, each as it is written."""
    said = held.get("script")
    found = [said.get(key) for key in _SOURCES] if isinstance(said, Mapping) else [said, body]
    return (whole_characters(one[:MAX_TEXT]) for one in found if isinstance(one, str))


def _deletes(script: str) -> bool:
    """Whether the operation becomes another one than those that keep; nobody knows a variable."""
    told = (one or other for one, other in _operation.findall(script))
    return any(_keeps.match(value) is None for value in told)


def _narrows(target: Target, held: Mapping[str, Any]) -> bool:
    """Whether a query leaves some of them out: `user:ann`, `{"term": …}`; not `*`."""
    asked = any(":" in one and "*" not in one for one in target.said("q"))
    query = held.get("query")
    return asked or (isinstance(query, Mapping) and bool(query) and "match_all" not in query)
