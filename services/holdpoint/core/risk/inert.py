"""What of a call does nothing by itself: texts that it writes, works on, seeks, or passes over."""

from collections.abc import Mapping
from typing import Any

import re2
from msgspec.structs import replace

from holdpoint.core.risk.answered import without_text, without_title
from holdpoint.core.risk.arguments import Payload
from holdpoint.core.risk.asked import without_question
from holdpoint.core.risk.calls.declared import knows
from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.calls.sought import RUNS
from holdpoint.core.risk.context import Context
from holdpoint.core.risk.http.carried import carried
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.pure import worked_on
from holdpoint.core.risk.remarks import without_remarks
from holdpoint.core.risk.text import whole_characters
from holdpoint.core.risk.texts import Taken
from holdpoint.core.risk.written import written
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject

MAX_URL = 4_096


def without_inert(action: Action, context: Context) -> tuple[Action, str]:
    """The call without that, and the texts that it wrote or worked on.

    The same call where the catalog does not know the tool: there all of it counts.
    """
    tool = context.tool
    if tool is None:
        return action, ""
    worked = worked_on(tool, action.arguments) or _answered(action, tool.schema)
    found = written(tool, action.arguments) or worked
    if found and found.any and found.fits:
        return replace(action, arguments=found.arguments), "\n".join(found.texts)
    arguments = without_remarks(tool, action.arguments)
    if arguments is action.arguments:
        arguments = _without_query(action.tool, arguments, tool.schema)
    same = arguments is action.arguments
    return (action if same else replace(action, arguments=arguments)), ""


def with_kept(found: Payload, kept: str) -> Payload:
    """Also with the texts that are no order: a secret in them may leave."""
    return replace(found, text=f"{found.text}\n{kept}") if kept else found


def _answered(action: Action, schema: Mapping[str, Any]) -> Taken | None:
    """A POST that only works on a text, or asks, by a tool that only sends what it is told."""
    url, method = action.arguments.get("url"), str(action.arguments.get("method", ""))
    if not isinstance(url, str) or method.upper() != "POST" or tool_name(action.tool).verb:
        return None
    if not knows(action.arguments, schema):
        return None
    found = without_text(url, action.arguments) or without_question(url, action.arguments)
    return None if found and _gives_away(url, action.arguments) else found


def _gives_away(url: str, arguments: JsonObject) -> bool:
    """Whether a key or a password goes along, which counts wherever it stands."""
    sent = (one for name, one in arguments.items() if name not in {"method", "url", "headers"})
    return any(found for body in (None, *sent) for found in carried(url, body))


def _without_query(tool: str, arguments: JsonObject, schema: Mapping[str, Any]) -> JsonObject:
    """Without the words that a GET searches for, by a tool that only sends what it is told."""
    url = arguments.get("url")
    if not isinstance(url, str) or len(url) > MAX_URL:
        return arguments
    if not _only_gets(tool, arguments) or not knows(arguments, schema):
        return arguments
    if "?" not in url:
        titled = without_title(url)
        return arguments if titled is url else {**arguments, "url": titled}
    path, _, query = whole_characters(url).partition("?")
    if not RUNS.isdisjoint(words_of(path)) or not _ASKING.isdisjoint(words_of(query)):
        return arguments
    left = f"{path}?{_sought.sub(_in_its_place, query)}"
    same = left == url or _gives_away(url, {})
    return arguments if same else {**arguments, "url": left}


def _only_gets(tool: str, arguments: JsonObject) -> bool:
    """By its method, of a tool that only sends what it is told; else by the name of the tool."""
    name = tool_name(tool)
    if name.verb:
        return name.reads and not _FETCHES.isdisjoint(name.words) and "method" not in arguments
    return str(arguments.get("method", "")).upper() == "GET" and not arguments.get("body")


_FETCHES = words("words/programs:inert.fetches")
_sought = re2.compile(r"(^|&)(q|search|keywords?|term|search_term)=[^&#]+")
_in_its_place = r"\1\2=."
_ASKING = word_set("sql exec execute cmd command eval")
"""Words of a query that say that it is a program."""
