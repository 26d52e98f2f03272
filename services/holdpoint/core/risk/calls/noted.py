"""Words that a call writes down for people: an issue, a comment, a note, a page of documentation.

Nothing of it runs, whatever it says; what an agent is told by a file of that kind still counts.
"""

from collections.abc import Mapping
from typing import Any

import re2
from msgspec.structs import replace

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.http.request import request_in
from holdpoint.core.risk.keys import PROSE_KEYS
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.text import whole_characters

MAX_PATH = 300

_WRITES = words("words/tools:noted.writes")
_KEPT = words("words/tools:noted.kept")
_TRACKERS = words("words/tools:noted.trackers")
_TASKS = word_set("task tasks item items story epic daily")
_RUNS = words("words/tools:noted.runs")
_MEDIA = words("words/tools:noted.media")
_MAKES = words("words/tools:noted.makes")

_FILES = word_set("file files document fs filesystem")
_PAGES = (".md", ".markdown", ".rst", ".adoc")
_ORDERS = words("words/tools:noted.orders")

_PATHS = ("path", "file_path", "filepath", "filename", "file")
_TEXTS = PROSE_KEYS | word_set("name desc prompt text_content markdown new_text")
_speaks_of_loss = glance(
    r"(?i)drop|delet|remov|trunc|wip|destr|format|mkfs|purg|eras|\brm\b|\bdd\b"
)
"""Only then there is anything to leave out."""

_hidden = re2.compile(r"(?:^|/)\.[^/.]")


def without_noted(
    tool: str, leaves: tuple[Leaf, ...], objects: tuple[Mapping[str, Any], ...]
) -> tuple[Leaf, ...]:
    """With signs that say nothing in their place; the same where nothing is written for people."""
    found = [leaf for leaf in leaves if _is_text(leaf) and _speaks_of_loss(_plain(leaf))]
    if not found or not (_is_noted(tool, leaves) or _is_posted(objects)):
        return leaves
    masked = frozenset(map(id, found))
    return tuple(_masked(leaf) if id(leaf) in masked else leaf for leaf in leaves)


def _is_text(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and leaf.key.lower() in _TEXTS


def _plain(leaf: Leaf) -> str:
    return whole_characters(leaf.value)


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


@remembered(1024)
def only_depicts(tool: str) -> bool:
    """Whether it draws, films or speaks what it is told: `image_generate`."""
    said = frozenset(words_of(tool))
    makes = not _MEDIA.isdisjoint(said) and not _MAKES.isdisjoint(said)
    return makes and _RUNS.isdisjoint(said)


def _is_page(leaf: Leaf) -> bool:
    """Whether it names a file that people read, and no agent is told by."""
    path = leaf.value if leaf.key.lower() in _PATHS else None
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


def _masked(leaf: Leaf) -> Leaf:
    """Nor is it any program, whatever its key says."""
    return replace(leaf, key="", value="." * len(leaf.value))
