r"""Lines that a database's client takes for itself: `\set`, `\! rm`, `.shell rm`, `@wipe.sql`.

What a client hands to the shell is read by the shell's reader; a file that it runs, nobody reads.
"""

import re
from collections.abc import Iterator

from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.order import Order
from holdpoint.core.risk.sql.tokens import Tokens
from holdpoint.messages.risk import RiskLevel

HIGH = RiskLevel.HIGH

_line = re.compile(r"(?s)[\\.:]?(?P<name>!!?|@@?|\.|[A-Za-z_]+)\+?\s*(?P<rest>.*)")

_SHELLS = words("words/sql:client_shells")
_NAMED_SHELLS = ("sh", "system", "shell")
"""What may stand behind `!` where the client has more commands by that sign."""

_FILES = words("words/sql:client_files")
_RUNS_ALSO = frozenset({"source", "run", "script", "load"})
_PIPES = words("words/sql:client_pipes")
_GRAVE = {name: tuple(what) for name, what in entry("words/sql:client").items()}
"""The rule and the reason of what a client does that nobody can take back."""

_RUNS_ANSWERS = ("gexec",)
_backticks = re.compile(r"`([^`]*)`")
_program = re.compile(r"(?i)\bprogram\s+'((?:[^']|'')*)'")
_quoted = re.compile(r"'((?:[^'\\]|''|\\.)*)'")


def is_client(tokens: Tokens) -> bool:
    """Whether it is a line for the client and no statement."""
    return tokens[0].kind == "client"


def runs_answers(tokens: Tokens) -> bool:
    r"""Whether what a query finds is run: `SELECT 'DROP TABLE t' \gexec`."""
    return tokens[-1].kind == "client" and _parts(tokens[-1].text)[0] in _RUNS_ANSWERS


def by_client(order: Order) -> Iterator[Finding]:
    """What the client does by itself that nobody can read, or take back."""
    name, rest = _parts(order.verb)
    first = rest.split(maxsplit=1)[:1]
    runs = name in _FILES or (name == "!" and first and first[0].lower() in _RUNS_ALSO)
    if name in _GRAVE and order.verb[0] in "\\.":
        rule, reason = _GRAVE[name]
        yield order.finding(rule, HIGH, reason)
    elif runs and rest:
        yield order.finding("sql.unseen", HIGH, "“{}” runs a file that nobody reads here")


def statements(tokens: Tokens) -> Iterator[str]:
    r"""SQL in such a line: a `\copy`, and what a variable is set to, which a later line may run."""
    name, rest = _parts(tokens[0].text)
    if name == "copy":
        yield f"copy {rest}"
    elif name == "set":
        yield "".join(_quoted.findall(rest))


def programs(tokens: Tokens) -> Iterator[str]:
    """What it hands to the shell, as commands of the shell."""
    for token in tokens:
        if token.kind == "client":
            yield from _handed(token.text)


def _handed(line: str) -> Iterator[str]:
    name, rest = _parts(line)
    if name in _SHELLS:
        first, _, more = rest.partition(" ")
        yield more if first.lower() in _NAMED_SHELLS and name == "!" else rest
    elif name == "setenv":
        yield rest.partition(" ")[2].strip("\"' ")
    elif name == "dfs":
        yield f"hdfs dfs {rest}"
    elif name in _PIPES and "|" in rest:
        yield rest.partition("|")[2].strip("\"' ")
    if line[0] == "\\":
        yield from _backticks.findall(rest)
    if name == "copy":
        yield from (one.replace("''", "'") for one in _program.findall(rest))


def _parts(line: str) -> tuple[str, str]:
    r"""Its name without the mark, and what it is given; the client of MySQL minds case (`\P`)."""
    found = _line.match(line)
    if found is None:
        return "", ""
    name = found["name"]
    return (name if len(name) == 1 else name.lower()), found["rest"].strip().rstrip(";")
