"""What a POST only asks: a model of a provider that is known, or a search; nothing in it runs.

Only where nothing stands beside the question that could make more of it: no tool, no other field.
"""

from collections.abc import Mapping
from typing import Any

import re2
from msgspec.structs import replace

from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.calls.sought import RUNS
from holdpoint.core.risk.http.body import is_twofold, opened
from holdpoint.core.risk.http.harmless import is_question
from holdpoint.core.risk.http.target import targets
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters
from holdpoint.core.risk.texts import Taken, bare, is_text, taken
from holdpoint.messages.base import JsonObject

MAX_URL = 300
MAX_SOUGHT = 300

_BESIDE = word_set("method url headers body timeout")
_models = re2.compile(
    r"https://(?:api\.openai\.com/v1/(?:chat/completions|responses)|api\.anthropic\.com/v1/messages"
    r"|api\.mistral\.ai/v1/chat/completions|api\.deepseek\.com/(?:v1/)?chat/completions"
    r"|api\.x\.ai/v1/chat/completions)"
)
"""Where a model answers, and nobody's agent listens."""

_TURN = frozenset({"role", "content"})
_PART = frozenset({"type", "text"})
_SAID = word_set("content text system input instructions")

_SEARCHES = word_set("search suggest autocomplete")
_SOUGHT = word_set("q search keyword keywords term search_term searchterm")
_PAGING = words("words/programs:asked.paging")
_words = re2.compile(r"[\pL\d\s.,?!'_-]+")
_short = re2.compile(r"[A-Za-z][\w:-]{0,23}")


def without_question(url: str, arguments: JsonObject) -> Taken | None:
    """The request without the texts that it asks about; None where more may come of them."""
    body = _object(arguments.get("body"))
    if len(url) > MAX_URL or not isinstance(body, Mapping) or not arguments.keys() <= _BESIDE:
        return None
    if _models.fullmatch(whole_characters(url)):
        keys = _SAID if is_question(body) and all(map(_is_said, _turns(body))) else None
    else:
        keys = _SOUGHT if _is_search(url, body) else _matched(url, body)
    if keys is None:
        return None
    found = taken(dict(body), keys, is_text)
    return replace(found, arguments={**arguments, "body": found.arguments})


def _matched(url: str, body: Mapping[str, Any]) -> frozenset[str] | None:
    """The fields that a search of Elasticsearch compares; None for anything else."""
    path = whole_characters(url).partition("?")[0].rpartition("/")[2]
    if path not in _SEARCHED or not body.keys() <= _SEARCH or "?" in url:
        return None
    waiting: list[Any] = [body.get("query")]
    fields: set[str] = set()
    for one in waiting:  # grows while it is read
        if len(waiting) > MAX_SOUGHT:
            return None
        if isinstance(one, Mapping):
            fields.update(map(bare, one))
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return None if any("script" in field for field in fields) else frozenset(fields)


_SEARCHED = word_set("_search _count")
_SEARCH = word_set("query size from sort _source fields track_total_hits highlight")


def _object(body: Any) -> Any:
    """A body, also where it is JSON in a text, as long as no name stands twice in it."""
    spelled = isinstance(body, str) and body.lstrip()[:1] == "{"
    return opened(body) if spelled and not is_twofold(body) else body


def _turns(body: Mapping[str, Any]) -> list[Any]:
    """What is said, turn by turn; what is no such list is none."""
    held = [body[key] for key in ("messages", "input") if key in body]
    turns = [one for said in held if isinstance(said, list) for one in said]
    strange = any(not isinstance(said, list | str) for said in held) or "prompt" in body
    return [None, *turns] if strange else turns


def _is_said(turn: Any) -> bool:
    """A text, or parts that are texts, and nothing that calls a tool or answers one."""
    if not isinstance(turn, Mapping) or not turn.keys() <= _TURN:
        return False
    content = turn.get("content")
    parts = content if isinstance(content, list) else []
    texts = all(isinstance(one, Mapping) and one.keys() <= _PART for one in parts)
    return texts and isinstance(content, str | list)


def _is_search(url: str, body: Mapping[str, Any]) -> bool:
    """`POST /search` with words, and how many answers are wanted."""
    if "?" in url or "%" in url or not RUNS.isdisjoint(words_of(url)):
        return False
    if any(not one.path or one.path[-1].lower() not in _SEARCHES for one in targets(url)):
        return False
    return all(_is_sought(str(key).lower(), value) for key, value in body.items())


def _is_sought(key: str, value: Any) -> bool:
    if key in _SOUGHT and isinstance(value, str) and len(value) <= MAX_SOUGHT:
        return _words.fullmatch(whole_characters(value)) is not None
    word = isinstance(value, str) and _short.fullmatch(whole_characters(value)) is not None
    return key in _PAGING and (isinstance(value, bool | int) or word)
