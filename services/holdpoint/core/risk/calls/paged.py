"""Scripts that a tool runs in the page of a browser: `playwright_evaluate {"script": …}`."""

from collections.abc import Iterable, Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.remembered import remembered

_PAGES = word_set("playwright puppeteer browser page chrome selenium webdriver devtools cdp tab")
_EVALUATES = word_set("eval execute exec run script javascript js code console inject")
_KEYS = words("words/tools:paged.keys")


def scripts_in(tool: str, leaves: Iterable[Leaf]) -> Iterator[str]:
    """Each, to be read as JavaScript, whatever else its argument is read as."""
    if _evaluates(tool):
        texts = (one for one in leaves if isinstance(one.value, str))
        yield from (one.value for one in texts if one.key.lower() in _KEYS)


@remembered(1024)
def _evaluates(tool: str) -> bool:
    words = frozenset(words_of(tool))
    return "evaluate" in words or not (words.isdisjoint(_PAGES) or words.isdisjoint(_EVALUATES))
