"""Words of a request that only asks: the title of a page, a text that is worked on and no more."""

from itertools import takewhile

from holdpoint.core.risk.http.commanded import TITLED, commanded
from holdpoint.core.risk.http.target import targets
from holdpoint.core.risk.http.words import words_of, works_out
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.texts import Taken, is_plain, taken
from holdpoint.messages.base import JsonObject

MAX_URL = 4_096

_RUNS = word_set("sql db database query exec execute run eval shell console graphql cypher")
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
    runs = words_of("/".join(kept) if url.lower().endswith(_FILES) else url)
    if len(kept) == len(parts) or not _RUNS.isdisjoint(runs) or commanded(url):
        return url
    return "/".join([*parts[: len(kept) + 1], *("." for _ in parts[len(kept) + 1 :])])


def without_text(url: str, arguments: JsonObject) -> Taken | None:
    """The request without the texts in its body, where they are only worked on; else None."""
    if len(url) > MAX_URL or "?" in url or not _RUNS.isdisjoint(words_of(url)):
        return None
    if not all(works_out(target.path) for target in targets(url)):
        return None
    return taken(arguments, _WORKED_ON, is_plain)
