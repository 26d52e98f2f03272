"""Texts of a call that do nothing by themselves: written, computed on, answered, or only asked."""

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

import re2
from msgspec.structs import replace

from holdpoint.core.risk.context import Context
from holdpoint.core.risk.extract.arguments import Payload
from holdpoint.core.risk.extract.payload import knows, words_of
from holdpoint.core.risk.http.analyzer import is_question
from holdpoint.core.risk.http.instructions import TITLED, commanded
from holdpoint.core.risk.http.paths import address_words, is_twofold, opened, works_out
from holdpoint.core.risk.http.request import targets
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.tools.egress import carried
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.tools.stored_text import DOES, RUNS
from holdpoint.core.risk.wording import bare_key
from holdpoint.core.risk.words import word_set
from holdpoint.core.risk.written_text import (
    Taken,
    is_plain,
    is_text,
    named,
    taken,
    without_remarks,
    written,
)
from holdpoint.core.text import whole_characters
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool

READS = 1
"""The operation level of a mere read."""

_WORKS = words("words/programs:computations.works")
_ON = words("words/programs:computations.on")
_DATA = words("words/programs:computations.data")
_ASKS = words("words/programs:computations.asks")
_QUESTION = words("words/programs:computations.question")
_PLANS = word_set("plan think thinking thought sequential sequentialthinking steps make tool")
_STEPS = word_set("steps plan thought thoughts title description")
_EXPLAINS = word_set("explain parse tokenize tokenise lint")
_COMMANDS = word_set("command commands shell bash line cmd")
"""What is taken apart or put in words, and never run: a statement of SQL could be."""

_LINES = word_set("command commands cmd line text shell")
_FIRST = _WORKS | _PLANS | _EXPLAINS | {"ask"}
"""Asked first, because most names have none of these."""

_KINDS = (
    (_WORKS, _WORKS | _ON, _DATA),
    (_PLANS - {"tool", "make"}, _PLANS, _STEPS),
    (_EXPLAINS, _EXPLAINS | _COMMANDS, _LINES),
)


def works(tool: str) -> bool:
    """Return whether its name says that, and nothing else."""
    return bool(_keys(tool))


def only_reads_by_name(tool: str) -> bool:
    """Whether a tool's name says that it reads, or works on a text, and does nothing else."""
    return tool_name(tool).reads or works(tool)


def worked_on(tool: Tool, arguments: JsonObject) -> Taken | None:
    """The arguments without what is worked on; None when anything may come of them."""
    keys = _keys(tool.name)
    if tool.level > READS or not keys or _runs(arguments):
        return None
    return taken(arguments, keys, is_plain)


def _keys(tool: str) -> frozenset[str]:
    if _FIRST.isdisjoint(words_of(tool)):
        return frozenset()
    server, own = named(tool)
    said = frozenset(own)
    if not RUNS.isdisjoint(server):
        return frozenset()
    if "ask" in said and said <= _ASKS and not _ASKED.isdisjoint(said):
        return _QUESTION
    made = (data for must, may, data in _KINDS if said <= may and not must.isdisjoint(said))
    return next(made, frozenset())


_ASKED = word_set("user human person question")
"""Who is asked; an agent or a model may do what it is asked."""


def _runs(arguments: Mapping[str, object]) -> bool:
    """`execute: true`, `analyze: true`."""
    given = (value for key, value in arguments.items() if not DOES.isdisjoint(words_of(str(key))))
    return any(value not in (False, None, "", "false", "no") for value in given)


MAX_URL = 4_096
_RUNS = words("words/programs:answers.runs")
_WORKED_ON = word_set("text texts input inputs content contents document documents sentence q")
_FILES = (".html", ".htm")
"""Pages, which are called whatever they are about: `sql-droptable.html`."""

_SIGNS = frozenset("%?#;\\")
"""What may say more than a path."""


def without_title(url: str) -> str:
    """The address of a page of documentation without what it is called; else the same."""
    if len(url) > MAX_URL or ".." in url or not url.isascii() or not _SIGNS.isdisjoint(url):
        return url
    parts = url.split("/")
    kept = [*takewhile(lambda part: part.lower() not in TITLED, parts)]
    runs = address_words("/".join(kept if url.lower().endswith(_FILES) else parts[:-1]))
    if len(kept) == len(parts) or not _RUNS.isdisjoint(runs) or commanded(url):
        return url
    return "/".join([*parts[: len(kept) + 1], *("." for _ in parts[len(kept) + 1 :])])


_CHECKS = word_set("validate parse lint format explain highlight")
_CERTAIN = word_set("exec execute run eval shell console")
_PROGRAMS = word_set("sql query statement code text source")
_PROGRAM = _PROGRAMS | word_set("dialect language lang version schema options rules")


def _only_checks(path: list[str]) -> bool:
    """Return whether it says of a program what is right and wrong with it: `/v1/sql/parse`."""
    parts = [address_words(part) for part in path]
    checks = parts != [] and parts[-1][-1:] != () and parts[-1][-1] in _CHECKS
    return checks and all(map(_CERTAIN.isdisjoint, parts))


def _unchecked(arguments: JsonObject) -> Taken | None:
    """Without the program, where nothing beside it says that more is done with it."""
    body = arguments.get("body")
    if not isinstance(body, Mapping) or not _PROGRAM.issuperset(map(str.lower, body)):
        return None
    found = taken(arguments, _PROGRAMS, is_plain)
    plain = all(isinstance(one, str | int) for one in body.values())
    return found if plain and not any("analy" in text.lower() for text in found.texts) else None


def without_text(url: str, arguments: JsonObject) -> Taken | None:
    """The request without the texts in its body, where they are only worked on; else None."""
    if len(url) > MAX_URL or "?" in url:
        return None
    paths = [target.path for target in targets(url)]
    if all(map(_only_checks, paths)):
        return _unchecked(arguments)
    if not _RUNS.isdisjoint(address_words(url)) or not all(map(works_out, paths)):
        return None
    return taken(arguments, _WORKED_ON, is_plain)


ASKED_MAX_URL = 300
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
_PAGING = words("words/programs:questions.paging")
_words = re2.compile(r"[\pL\d\s.,?!'_-]+")
_short = re2.compile(r"[A-Za-z][\w:-]{0,23}")


def without_question(url: str, arguments: JsonObject) -> Taken | None:
    """The request without the texts that it asks about; None where more may come of them."""
    body: Any = arguments.get("body")
    if isinstance(body, str) and body.lstrip()[:1] == "{" and not is_twofold(body):
        body = opened(body)
    if len(url) > ASKED_MAX_URL or not isinstance(body, Mapping) or not arguments.keys() <= _BESIDE:
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
            fields.update(map(bare_key, one))
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return None if any("script" in field for field in fields) else frozenset(fields)


_SEARCHED = word_set("_search _count")
_SEARCH = word_set("query size from sort _source fields track_total_hits highlight")


def _turns(body: Mapping[str, Any]) -> list[Any]:
    """Return what is said, turn by turn; what is no such list is none."""
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
    said = whole_characters(value) if isinstance(value, str) else ""
    if key in _SOUGHT and said and len(said) <= MAX_SOUGHT:
        return _words.fullmatch(said) is not None
    known = isinstance(value, bool | int) or _short.fullmatch(said) is not None
    return key in _PAGING and known


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
    """Return whether a key or a password goes along, which counts wherever it stands."""
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


_FETCHES = words("words/programs:inert_text.fetches")
_sought = re2.compile(r"(^|&)(q|search|keywords?|term|search_term)=[^&#]+")
_in_its_place = r"\1\2=."
_ASKING = word_set("sql exec execute cmd command eval")
"""Words of a query that say that it is a program."""
