"""What a program may run of its words, when nobody knows that it runs none.

```
retry 3 rm -rf x    valgrind rm -rf x    clush -a rm -rf x     words behind its own
hyperfine 'rm -rf x'    sbatch --wrap 'rm -rf x'               a text of its own
```
"""

import re

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.feeds import FEEDS
from holdpoint.core.risk.shell.files import FILES
from holdpoint.core.risk.shell.flow import TELLING
from holdpoint.core.risk.shell.inner import Found, Inner
from holdpoint.core.risk.shell.interpret import LANGUAGES, SHELLS
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.resources import SQL_TOOLS, TALKS, TEXTS
from holdpoint.core.risk.shell.tools import KNOWN_HARMLESS, SERVICES

_RUN = KNOWN | SHELLS | word_set("sudo doas env")
"""Programs about which there is something to say when they are run."""

HEARD = word_set("valgrind perf tox gdb lldb")
"""Harmless by themselves, but they run what stands behind them."""

_FETCH = word_set("curl wget wget2 http https xh aria2c grpcurl websocat")
_NEVER = (
    frozenset((*KNOWN_HARMLESS, *TALKS, *FILES, *SHELLS, *LANGUAGES, *FEEDS, *SQL_TOOLS, *TELLING))
    | _FETCH
) - HEARD
"""Programs that run none of their words, or of which it is known which they run."""

_WITH_VERBS = KNOWN | SERVICES
"""Programs with words of their own, which may be the names of programs: `brew unlink`."""

_NAMES_ONLY = word_set(
    "install add i remove uninstall upgrade update reinstall search show info help explain list "
    "describe which where start stop restart status enable disable reload logs log"
)
"""Behind one of these stands a program's name, unless an option and a path follow that."""

_order = re2.compile(r"^[\w./-]+\s(?:.*\s)?(?:-\w|--\w|\S*/)")
"""A text that is an order rather than words: with an option or a path."""

MAX_WORDS = 40
"""Words of a command line in which another's name is looked for."""


def may_run(command: Command) -> Found:
    """The commands that its words, or what it reads, may be."""
    if command.name in _NEVER:
        return []
    return _words(command) or _input(command)


def _words(command: Command) -> Found:
    args = command.args[:MAX_WORDS]
    known, named = command.name in _WITH_VERBS, False
    for at, arg in enumerate(args):
        if at and args[at - 1] in TEXTS:
            continue
        named = arg != "--" and (named or arg in _NAMES_ONLY)
        text = (arg.partition("=")[2] if arg[:2] == "--" or "=!" in arg else arg).lstrip(" !")
        if " " in text and is_order(text):
            return [Inner(script=text, stdin=command.stdin)]
        if not known and _is_run(arg) and _has_object(args[at + 1 :], named=named):
            return [Inner(words=command.args[at:], stdin=command.stdin)]
    return []


def _input(command: Command) -> Found:
    text = command.stdin.text if command.stdin and reads_orders(command) else None
    return [Inner(script=text)] if text and is_order(text) else []


def reads_orders(command: Command) -> bool:
    """Whether nobody knows this program, so that it may be a shell."""
    return command.name not in _NEVER and command.name not in _WITH_VERBS


def is_order(text: str) -> bool:
    """Whether a text is an order for a shell: its parts begin with programs that do something."""
    parts = _between.split(text[:MAX_ORDER])[:MAX_WORDS]
    return any(_order.match(part) and _is_run(part.partition(" ")[0]) for part in parts)


MAX_ORDER = 2_000
"""Characters of a text in which an order is looked for."""

_between = re.compile(r"(?:&&|\|\||[;|\n])[ \t]*")


def _is_run(word: str) -> bool:
    return word.rpartition("/")[2] in _RUN


def _has_object(rest: tuple[str, ...], *, named: bool) -> bool:
    """Whether options and words follow, as behind a program that is run: `rm -rf x`."""
    options = any(one[:1] == "-" for one in rest)
    path = any("/" in one for one in rest)
    if named:
        return options and path
    return (options or path) and any(one[:1] != "-" for one in rest)
