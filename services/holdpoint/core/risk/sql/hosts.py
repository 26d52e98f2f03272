"""What a database hands on: code in other languages, lines that its client keeps."""

import re
from collections.abc import Iterator

from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.orders import Order
from holdpoint.core.risk.sql.tokens import Tokens, cuts, unquoted
from holdpoint.messages.risk import RiskLevel

_SQLS = frozenset({"sql", "plpgsql", "plsql", "internal", "sqlscript", "spl", "pltsql"})
_untrusted = re.compile(r"pl\w+u|plsh|plr|plphp|c")
"""Languages whose code may do whatever the server may: its files, its programs, its network."""

_INTERPRETERS = (
    (re.compile(r"plpython\w*|python"), "python3"),
    (re.compile(r"plperlu?|perl"), "perl"),
    (re.compile(r"plsh"), "sh"),
    (re.compile(r"plruby\w*|ruby"), "ruby"),
    (re.compile(r"plv8|javascript|js"), "node"),
)
_MARK = "HOLDPOINT_CODE"


def is_untrusted(language: str) -> bool:
    """Whether nothing keeps what is written in it inside the database."""
    return _untrusted.fullmatch(language) is not None


def language(tokens: Tokens) -> str:
    """The language that a statement names, when it is not one of SQL; else empty."""
    places = (at for at, token in enumerate(tokens[:-1]) if token.text == "LANGUAGE")
    said = next((tokens[at + 1] for at in places), None)
    if said is None or said.kind not in {"word", "name", "string"}:
        return ""
    name = (unquoted(said.text) if said.kind == "string" else said.text.strip('"`[]')).lower()
    return "" if name in _SQLS else name


def code_programs(tokens: Tokens) -> Iterator[str]:
    """Each body in another language, as a command of the shell."""
    if tokens[0].text not in {"DO", "CREATE", "ALTER", "REPLACE"}:
        return
    named = language(tokens)
    for fits, program in _INTERPRETERS if named else ():
        if fits.fullmatch(named):
            for code in _bodies(tokens):
                yield f"{program} - <<'{_MARK}'\n{code}\n{_MARK}\n"


def code_texts(tokens: Tokens) -> Iterator[str]:
    """The strings in such bodies: what a program hands to the database it lives in."""
    for code in _bodies(tokens):
        for statement in cuts(code, "mysql")[0].statements:
            for token in statement:
                if token.kind == "string" or token.text.startswith("`"):
                    yield unquoted(token.text)


def _bodies(tokens: Tokens) -> Iterator[str]:
    """Every string of the statement: which of them is the body, each dialect says in its way."""
    for token in tokens:
        if token.kind == "string":
            yield unquoted(token.text)


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


def client_statements(tokens: Tokens) -> Iterator[str]:
    r"""SQL in such a line: a `\copy`, and what a variable is set to, which a later line may run."""
    name, rest = _parts(tokens[0].text)
    if name == "copy":
        yield f"copy {rest}"
    elif name == "set":
        yield "".join(_quoted.findall(rest))


def client_programs(tokens: Tokens) -> Iterator[str]:
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
