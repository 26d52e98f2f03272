"""A command as it was copied from a terminal, with the prompt in front: `$ ls`, `mysql> SELECT 1`.

A shell would run none of it so; who runs it takes the prompt away first.
"""

import re
from collections.abc import Iterator

from holdpoint.core.risk.glance import glance

_HOST = r"[\w.-]+@[\w.-]+"
_SHELL = (
    rf"(?:\([\w.-]+\)[ \t]+)?(?:{_HOST}[: ][^\s$#%>]*[ ]?[$#%>]|\[{_HOST}[^\]\n]*\][$#%>]"
    rf"|(?:PS|[A-Za-z]:\\)[^>\n]*>|{_HOST}>|[$%>\u276f\u279c](?=[ \t]))"
)
_prompt = re.compile(rf"^[ \t]*(?:{_SHELL}[ \t]*)+(?=\S)", re.MULTILINE)
_PYTHON = r">>>[ ]|\.\.\.[ ]|In \[\d*\]:[ ]|[ ]+\.\.\.:[ ]"
_MYSQL = r"(?:mysql|MariaDB \[[^\]\n]*\]|sqlite|SQL|duckdb)\s?>[ ]|[ ]{3,}(?:->|\.\.\.>)[ ]"
_POSTGRES = r"\w+[=(*'\"!^-][#>][ ]"
_RUBY = r"irb(?:\([^)\n]*\):\d+:\d+)?[>*][ ]"
_REDIS = r"(?:redis|[\w.-]+:\d+)(?:\[\d+\])?>[ ]"
_console = re.compile(
    rf"^(?:(?P<python>{_PYTHON})|(?P<mysql>{_MYSQL})|(?P<psql>{_POSTGRES})|(?P<ruby>{_RUBY})"
    rf"|(?P<redis>{_REDIS}))(?P<said>.*)$",
    re.MULTILINE,
)
_RUNS = {
    "python": ("python3", "-c"), "mysql": ("mysql", "-e"), "psql": ("psql", "-c"),
    "ruby": ("ruby", "-e"),
}  # fmt: skip
_glance = glance(
    r"(?m)^[ \t]*(?:[$%>\x{276f}\x{279c}][ \t]|\([\w.-]+\)[ \t]|[\w.-]+@[\w.-]+[: >$#%]|\[[\w.-]+@"
    r"|PS[^>\n]*>"
    r"|[A-Za-z]:\\[^>\n]*>|>>>|\.\.\. |In \[|(?:\w+|MariaDB [^\n>]*|[\w.:-]+\d(?:\[\d+\])?)"
    r"[ =(*'\"!^-]?[>#][ ]|irb\()"
)
"""How a line with any of these begins, told at once: most texts have none."""

Said = tuple[tuple[str, ...], tuple[int, int]]
"""A command that runs what was said at a console, and where that stands."""


def is_prompted(text: str) -> bool:
    """Whether a line begins as a prompt does."""
    if not _may_end(text) or not _glance(text):
        return False
    return _prompt.search(text) is not None or _console.search(text) is not None


def _may_end(text: str) -> bool:
    """Whether it holds what prompts end with; most texts lack even the one sign."""
    return (
        (">" in text and "> " in text)
        or ("$" in text and "$ " in text)
        or ("%" in text and "% " in text)
        or ("#" in text and "# " in text)
        or ("[" in text and "]: " in text)
        or ("\\" in text and ":\\" in text)
        or "\u276f" in text
        or "\u279c" in text
    )


def without_prompts(text: str) -> str:
    """The text with blanks for the prompts of shells: every place stays."""
    return _prompt.sub(_blanked, text)


def _blanked(found: re.Match[str]) -> str:
    return " " * len(found[0])


def told_consoles(text: str) -> Iterator[Said]:
    """What is said at the prompt of a language or a database, all of one kind together."""
    said: dict[str, list[re.Match[str]]] = {}
    for match in _console.finditer(text):
        said.setdefault(_kind(match), []).append(match)
    for kind, lines in said.items():
        span = lines[0].start(), lines[-1].end()
        if kind == "redis":
            yield from ((("redis-cli", *line["said"].split()), span) for line in lines)
        else:
            yield (*_RUNS[kind], "\n".join(line["said"] for line in lines)), span


def _kind(match: re.Match[str]) -> str:
    return next(kind for kind in (*_RUNS, "redis") if match[kind] is not None)
