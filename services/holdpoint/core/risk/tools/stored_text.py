"""Texts of a call that run nowhere: notes, comments, what is searched for."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import re2
from msgspec.structs import replace

from holdpoint.core.memoize import memoize
from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.http.request import request_in
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.words import PROSE_KEYS, STATEMENT_FIELDS, word_set
from holdpoint.core.text import whole_characters
from holdpoint.messages.action import Action

MAX_STATEMENT = 4_096
"""Characters of a statement that is only explained."""

_SEARCHES = word_set("search find lookup look seek grep glob")
_WORKS = words("words/tools:search_text.works")
_OPENS = words("words/tools:search_text.opens")
RUNS = words("words/tools:search_text.runs")
DOES = word_set("execute exec run eval analyze analyse apply and then")
_WORDS = words("words/tools:search_text.words")
_TEXTS = PROSE_KEYS | words("words/tools:search_text.texts")
_CODE = word_set("code snippet text")
_PATHS = word_set("path file_path filepath file filename file_name page slug")
_is_path = re2.compile(r"[\pL\d_./~:\\@%+-]+")
_LOSS = "drop|delet|remov|trunc|wip|destr|format|purg|eras"
_speaks_of_loss = prefilter(rf"(?i){_LOSS}|shut|kill|rm\b")
"""Only then there is anything to leave out; most paths are read as they are."""

_one = re2.compile(r"(?i)\s*(?:select|insert|update|delete|with)\b[^;]*;?\s*")


class Idle(msgspec.Struct, frozen=True):
    """Which of a tool's texts run nowhere: those under these keys that pass a test."""

    keys: frozenset[str]
    passes: Callable[[Leaf], bool]


def without_sought(action: Action, leaves: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    """With signs that say nothing in their place, as many as there were; the same when none is."""
    idle = _idle(action, leaves)
    if idle is None:
        return leaves
    known = [leaf for leaf in leaves if leaf.key.lower() in idle.keys]
    masked = {id(leaf) for leaf in known if isinstance(leaf.value, str) and idle.passes(leaf)}
    if not masked:
        return leaves
    return tuple(_masked(leaf) if id(leaf) in masked else leaf for leaf in leaves)


def _idle(action: Action, leaves: tuple[Leaf, ...]) -> Idle | None:
    """None when all of them may run."""
    name = tool_name(action.tool)
    said = frozenset(name.words)
    if name.verb is None or not name.reads or action.domain in {"database", "shell"}:
        return None
    if said.isdisjoint(DOES) and (idle := _worked_on(said, leaves)):
        return idle
    if said <= _GETS and not _STORES.isdisjoint(said):
        return _KEY
    if not said.isdisjoint(RUNS):
        return None
    if name.verb.base in _SEARCHES:
        return _SOUGHT
    return _FILE if name.verb.base in _OPENS else None


def _worked_on(said: frozenset[str], leaves: tuple[Leaf, ...]) -> Idle | None:
    if not said.isdisjoint(_WORKS):
        return _TEXT
    return _STATEMENT if "explain" in said and not any(map(_runs, leaves)) else None


def _is_any(_leaf: Leaf) -> bool:
    return True


def _is_name(leaf: Leaf) -> bool:
    """One word, which no store takes apart."""
    return _is_path.fullmatch(whole_characters(leaf.value)) is not None


def _is_file(leaf: Leaf) -> bool:
    """A path without blanks, and without any sign that a shell would know."""
    if not _speaks_of_loss(leaf.value):
        return False
    return _is_name(leaf)


def _is_statement(leaf: Leaf) -> bool:
    """One alone, as what stands behind it would be run; or code of another language."""
    if leaf.key.lower() in _CODE:
        return True
    if len(leaf.value) > MAX_STATEMENT:
        return False
    return _one.fullmatch(whole_characters(leaf.value)) is not None


_SOUGHT = Idle(_WORDS, _is_any)
_TEXT = Idle(_TEXTS, _is_any)
_STATEMENT = Idle(_CODE | STATEMENT_FIELDS, _is_statement)
_FILE = Idle(_PATHS, _is_file)
_KEY = Idle(word_set("key keys name field"), _is_name)
_STORES = word_set("redis memcached memcache etcd kv cache")
_GETS = _STORES | word_set("get key value hget mget exists ttl read fetch")
"""Words of tools that get what is kept under a key, which no store takes for an order."""


def _runs(leaf: Leaf) -> bool:
    """`analyze: true` measures how long the statement takes, and so runs it."""
    return leaf.key.lower() in DOES and leaf.value not in {False, None, "false", "no"}


def _masked(leaf: Leaf) -> Leaf:
    """Nor is it any program, whatever its key says."""
    return replace(leaf, key="", words=(), value="." * len(leaf.value))


MAX_PATH = 300
_WRITES = words("words/tools:stored_text.writes")
_KEPT = words("words/tools:stored_text.kept")
_TRACKERS = words("words/tools:stored_text.trackers")
_TASKS = word_set("task tasks item items story epic daily")
_RUNS = words("words/tools:stored_text.runs")
_MEDIA = words("words/tools:stored_text.media")
_MAKES = words("words/tools:stored_text.makes")
_FILES = word_set("file files document fs filesystem")
_PAGES = (".md", ".markdown", ".rst", ".adoc")
_ORDERS = words("words/tools:stored_text.orders")
_NOTED_PATHS = ("path", "file_path", "filepath", "filename", "file")
_NOTED_TEXTS = PROSE_KEYS | word_set("name desc prompt text_content markdown new_text")
_speaks_of_loss_of_noted = prefilter(rf"(?i){_LOSS}|mkfs|\brm\b|\bdd\b")
"""Only then there is anything to leave out."""

_hidden = re2.compile(r"(?:^|/)\.[^/.]")


def without_noted(
    tool: str, leaves: tuple[Leaf, ...], objects: tuple[Mapping[str, Any], ...]
) -> tuple[Leaf, ...]:
    """With signs that say nothing in their place; the same where nothing is written for people."""
    masked = {id(leaf) for leaf in leaves if _is_loss_noted(leaf)}
    if not masked or not (_is_noted(tool, leaves) or _is_posted(objects)):
        return leaves
    return tuple(_masked(leaf) if id(leaf) in masked else leaf for leaf in leaves)


def _is_loss_noted(leaf: Leaf) -> bool:
    noted = isinstance(leaf.value, str) and leaf.key.lower() in _NOTED_TEXTS
    return noted and _speaks_of_loss_of_noted(whole_characters(leaf.value))


def _is_noted(tool: str, leaves: tuple[Leaf, ...]) -> bool:
    name = tool_name(tool)
    said = frozenset(name.words)
    if only_depicts(tool) or (name.words[-1:] == ("commit",) and _RUNS.isdisjoint(said)):
        return True
    if name.verb is None or name.verb.base not in _WRITES or not _RUNS.isdisjoint(said):
        return False
    tracked = not _TRACKERS.isdisjoint(said) and not _TASKS.isdisjoint(said)
    if tracked or not _KEPT.isdisjoint(said):
        return True
    return not _FILES.isdisjoint(said) and any(map(_is_page, leaves))


@memoize(1024)
def only_depicts(tool: str) -> bool:
    """Return whether it draws, films or speaks what it is told: `image_generate`."""
    said = frozenset(words_of(tool))
    makes = not _MEDIA.isdisjoint(said) and not _MAKES.isdisjoint(said)
    return makes and _RUNS.isdisjoint(said)


def _is_page(leaf: Leaf) -> bool:
    """Return whether it names a file that people read, and no agent is told by."""
    path = leaf.value if leaf.key.lower() in _NOTED_PATHS else None
    if not isinstance(path, str) or len(path) > MAX_PATH or _hidden.search(whole_characters(path)):
        return False
    return path.lower().endswith(_PAGES) and _ORDERS.isdisjoint(words_of(path))


def _is_posted(objects: tuple[Mapping[str, Any], ...]) -> bool:
    """`POST /projects/7/issues`, `/errors`: the first request alone decides."""
    sent = request_in(objects[0]) if objects else None
    if sent is None or sent.method not in {"POST", "PUT", "PATCH"}:
        return False
    return all(_ends_in_talk(url) for url in sent.urls)


def _ends_in_talk(url: str) -> bool:
    parts = [part for part in url[:MAX_PATH].partition("?")[0].split("/") if part]
    named = [part for part in parts if not any(map(str.isdigit, part))]
    last = words_of(named[-1]) if named else ()
    return not _KEPT.isdisjoint(last) or last in _REPORTED or bool(_intake.search(url[:MAX_PATH]))


_REPORTED = tuple((one,) for one in ("errors", "exceptions", "crashes", "error", "exception"))
"""Where programs tell what went wrong."""

_intake = re2.compile(r"^https://(?:[\w-]+\.)*sentry\.io/api/\d+/store/?$")
