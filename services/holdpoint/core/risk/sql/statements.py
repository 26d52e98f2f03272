"""Judge one statement: its orders by the rules for their verb, its code in other languages."""

import re
import shlex
from collections.abc import Callable, Iterator
from itertools import pairwise

from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.calls import OWN, RUNNERS, called, functions
from holdpoint.core.risk.sql.changes import deleted, inserted, merged, replaced, updated
from holdpoint.core.risk.sql.orders import DROPPABLE, Order, Reach, Source, orders
from holdpoint.core.risk.sql.rules import by_rule, is_runnable
from holdpoint.core.risk.sql.tokens import Tokens, cuts, defines, unquoted
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
    """Return whether nothing keeps what is written in it inside the database."""
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


_line = re.compile(r"(?s)[\\.:]?(?P<name>!!?|@@?|\.|[A-Za-z_]+)\+?\s*(?P<rest>.*)")
_SHELLS = words("words/sql:client_shells")
_NAMED_SHELLS = ("sh", "system", "shell")
"""What may stand behind `!` where the client has more commands by that sign."""

_FILES = words("words/sql:client_files")
_RUNS_ALSO = frozenset({"source", "run", "script", "load"})
_PIPES = words("words/sql:client_pipes")
_PAGERS = frozenset({"P", "pager"})
_GRAVE = {name: tuple(what) for name, what in entry("words/sql:client").items()}
"""The rule and the reason of what a client does that nobody can take back."""

_RUNS_ANSWERS = ("gexec",)
_backticks = re.compile(r"`([^`]*)`")
_program = re.compile(r"(?i)\bprogram\s+'((?:[^']|'')*)'")
_quoted = re.compile(r"'((?:[^'\\]|''|\\.)*)'")


def runs_answers(tokens: Tokens) -> bool:
    r"""Return whether what a query finds is run: `SELECT 'DROP TABLE t' \gexec`."""
    return tokens[-1].kind == "client" and _parts(tokens[-1].text)[0] in _RUNS_ANSWERS


def by_client(order: Order) -> Iterator[Finding]:
    """Yield what the client does by itself that nobody can read, or take back."""
    name, rest = _parts(order.verb)
    first = rest.split(maxsplit=1)[:1]
    runs = name in _FILES or (name == "!" and first and first[0].lower() in _RUNS_ALSO)
    if name in _GRAVE and order.verb[0] in "\\.":
        rule, reason = _GRAVE[name]
        yield order.finding(rule, HIGH, reason)
    elif runs and rest:
        yield order.finding("sql.unseen", HIGH, "“{}” runs a file that nobody reads here")
    elif name in _OUTPUTS and (paths := _paths(rest)):
        level, where = (HIGH, " where it may run") if any(map(is_runnable, paths)) else (MEDIUM, "")
        yield order.finding("sql.files", level, f"“{{}}” writes a file{where}")
    elif name == "import" and rest and order.verb[0] == ".":
        yield order.finding("sql.files", MEDIUM, "“{}” loads a file into a table")


_OUTPUTS = words("words/sql:client_outputs")
_NO_FILES = frozenset({"-e", "-x", "off", "on", "out", "stderr", "stdout"})
_format = re.compile(r"^\([^)]*\)\s*")


def _paths(rest: str) -> list[str]:
    """Return the words that may name a file; none where the line names a program."""
    said = _format.sub("", rest).partition(";")[0]
    named = [word.strip("\"'") for word in said.split()]
    return [] if said.startswith("|") or {*named[:1]} & _NO_FILES else named


def reads_only(line: str) -> bool:
    """Return whether a line that the client keeps only shows something."""
    name, rest = _parts(line)
    if not name or "`" in rest or "\\" in rest or line[0] in "!@" or line[1:2] == "!":
        return False  # another order may stand behind a backslash
    if name in _OUTPUTS | {"s"}:
        return not rest and line[0] == "\\"
    describes = line[0] == "\\" and name[0] == "d" and name not in _SHELLS | {"dfs"}
    return describes or name in _SHOWS


_SHOWS = words("words/sql:client_shows")


def client_statements(tokens: Tokens) -> Iterator[str]:
    r"""SQL in such a line: a `\copy`, and what a variable is set to, which a later line may run."""
    name, rest = _parts(tokens[0].text)
    if name == "copy":
        yield f"copy {rest}"
    elif name == "set":
        yield "".join(_quoted.findall(rest))


def client_programs(tokens: Tokens) -> Iterator[str]:
    """Yield what it hands to the shell, as commands of the shell."""
    said = " ".join(token.text for token in tokens if token.kind != "client")
    query = f"psql -c {shlex.quote(said)}" if said else "psql"
    for token in tokens:
        if token.kind == "client":
            yield from _handed(token.text, query)


def _handed(line: str, query: str) -> Iterator[str]:
    """Yield what a line hands to the shell; `query`: a command that prints what a program gets."""
    name, rest = _parts(line)
    if name in _PAGERS and rest:
        yield f"{query} | {rest}"
    elif name in _SHELLS:
        first, _, more = rest.partition(" ")
        yield more if first.lower() in _NAMED_SHELLS and name == "!" else rest
    elif name == "setenv":
        yield rest.partition(" ")[2].strip("\"' ")
    elif name == "dfs":
        yield f"hdfs dfs {rest}"
    elif name in _PIPES and "|" in rest:
        piped = rest.partition("|")[2].strip("\"' ")
        yield piped if name == "import" else f"{query} | {piped}"
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


MEDIUM, HIGH, CRITICAL = RiskLevel.MEDIUM, RiskLevel.HIGH, RiskLevel.CRITICAL
_TELLING = frozenset({"EXPLAIN", "DESCRIBE", "DESC", "SHOW", "HELP"})
_ANALYZE = frozenset({"ANALYZE", "ANALYSE"})
_ASKERS = words("words/sql:query_functions")


def findings_in(source: Source, tokens: Tokens) -> Iterator[Finding]:
    """Yield everything risky that one statement does."""
    if tokens[-1].kind == "client":
        yield from by_client(source.order(tokens[-1:]))
    tokens = _after_explain(tokens)
    if not tokens:
        return
    if defines(tokens[:8]):
        yield from _defining(source.order(tokens))
        return
    if tokens[0].text.startswith(OWN):
        yield from called(source.order(tokens))
    for order in orders(source, tokens):
        if not source.budget.take(len(order.tokens)):
            reason = "“{}” is one of more orders than anybody reads"
            yield order.finding("sql.tangled", HIGH, reason, 3)
            break
        yield from judged(order)
    yield from _into_file(source, tokens)
    yield from functions(source, tokens)


def judged(order: Order) -> Iterator[Finding]:
    """Yield what is risky about one order."""
    for check in _CHECKS.get(order.verb, (by_rule,)):
        yield from check(order)


def _after_explain(tokens: Tokens) -> Tokens:
    """EXPLAIN only says what would happen, EXPLAIN ANALYZE does it."""
    if tokens[0].text not in _TELLING:
        return tokens
    if not any(token.text in _ANALYZE for token in tokens[1:8]):
        return ()
    start = 1
    if len(tokens) > 1 and tokens[1].text == "(":
        start = next((at for at, token in enumerate(tokens) if token.text == ")"), 0) + 1
    while start < len(tokens) and tokens[start].text in _ANALYZE | {"VERBOSE"}:
        start += 1
    return tokens[start:]


def _defining(order: Order) -> Iterator[Finding]:
    yield from _unbound_code(order)
    if order.has("DELETE", "DROP", "TRUNCATE"):
        yield order.finding("sql.create", MEDIUM, "“{}” defines what removes data later", 4)


def _dropped(order: Order) -> Iterator[Finding]:
    """A DROP by the rules, unless every table that it names is one of the session's own."""
    head = 2 if order.word(1) in DROPPABLE else 1
    names = [token.text for token in order.tokens[head:] if token.text not in _BESIDE_DROPPED]
    text = order.source.text
    cut_short = not names and text[order.tokens[-1].end :].lstrip().startswith("#")
    if cut_short or (names and all(map(is_of_session, names))):
        return
    yield from by_rule(order)


def is_of_session(name: str) -> bool:
    """SQL Server's `#t`; `##t` is everybody's."""
    return name.startswith("#") and not name.startswith("##")


_BESIDE_DROPPED = frozenset({"IF", "EXISTS", ","})


def _policy(order: Order) -> Iterator[Finding]:
    """`CREATE POLICY … USING (true)`: what was closed to all is open to everybody it names."""
    if "POLICY" not in {order.word(1), order.word(2)} or order.has("RESTRICTIVE"):
        return
    places = [at for at, token in enumerate(order.tokens) if token.text in {"USING", "CHECK"}]
    spelled = [at for at in places if order.word(at + 1) == "("]
    if len(places) > MAX_ASKED or any(_holds_always(order, at + 2) for at in spelled):
        yield order.finding("sql.power", HIGH, "“{}” lets everybody at every row")


MAX_ASKED = 4
"""Conditions of one policy; it has two."""


def _holds_always(order: Order, place: int) -> bool:
    depth, end = 1, place
    while end < len(order.tokens) and depth:
        depth += {"(": 1, ")": -1}.get(order.word(end), 0)
        end += 1
    return order.source.reach(order.tokens[place : end - 1], "") is Reach.ALL


def _brought(order: Order) -> Iterator[Finding]:
    """A CREATE that brings code: a library, a language that may do anything."""
    kinds = {order.word(place) for place in (1, 2, 3, 4)}
    if kinds & {"EXTENSION", "LANGUAGE"}:
        names = (token.text.strip('"`') for token in order.tokens if token.text not in _BESIDE_CODE)
        if is_untrusted(next(names, "").lower()):
            yield order.finding("sql.language", HIGH, _UNBOUND)
    elif "ASSEMBLY" not in kinds:
        yield from _unbound_code(order)


_BESIDE_CODE = words("words/sql:beside_code")
_UNBOUND = "“{}” is code that may do whatever the server may"


def _unbound_code(order: Order) -> Iterator[Finding]:
    """DO, CREATE FUNCTION: code in a language that nothing keeps inside the database."""
    if is_untrusted(language(order.tokens)) or order.has("SONAME"):
        yield order.finding("sql.language", HIGH, _UNBOUND)


def _into_file(source: Source, tokens: Tokens) -> Iterator[Finding]:
    for place, token in enumerate(tokens):
        if token.text in {"OUTFILE", "DUMPFILE"} and place and tokens[place - 1].text == "INTO":
            order = source.order(tokens[place - 1 :])
            yield order.finding("sql.files", HIGH, "“{}” writes a file on the server", 3)


Check = Callable[[Order], Iterator[Finding]]

_CHECKS: dict[str, tuple[Check, ...]] = {
    "ALTER": (_policy, by_rule),
    "CALL": (called,),
    "CREATE": (_brought, _policy, by_rule),
    "DEL": (deleted,),
    "DELETE": (deleted,),
    "DO": (_unbound_code,),
    "DROP": (_dropped,),
    "EXEC": (called,),
    "EXECUTE": (called,),
    "INSERT": (inserted,),
    "MERGE": (merged,),
    "PREPARE": (called,),
    "REPLACE": (replaced,),
    "UPDATE": (updated,),
}
"""What is asked of an order by its verb, besides the rules that are data."""


def runs_strings(tokens: Tokens) -> bool:
    """Return whether the strings in a statement are themselves statements that run."""
    if defines(tokens[:8]) or tokens[0].text in {"GRANT", "REVOKE"}:
        return False
    names = {token.text for token in tokens if token.kind == "word"}
    lowered = {name.lower() for name in names}
    return (
        _does(tokens)
        or not names.isdisjoint({"EXEC", "EXECUTE", "PREPARE"})
        or not lowered.isdisjoint(RUNNERS)
        or any(one.text.lower() in _ASKERS and then.text == "(" for one, then in pairwise(tokens))
        or ("CRON" in names and _schedules(tokens))
        or runs_answers(tokens)
    )


def _schedules(tokens: Tokens) -> bool:
    """PostgreSQL's `cron.schedule('name', 'when', 'statement')`."""
    texts = [token.text for token in tokens]
    at = texts.index("CRON")
    return tuple(texts[at + 1 : at + 3]) in {(".", "SCHEDULE"), (".", "SCHEDULE_IN_DATABASE")}


def _does(tokens: Tokens) -> bool:
    """PostgreSQL's `DO $$ … $$`, wherever it stands."""
    return tokens[0].text == "DO" or any(
        one.text == "DO" and (then.kind == "string" or then.text == "LANGUAGE")
        for one, then in pairwise(tokens)
    )
