"""Calls of functions and procedures: what runs is defined elsewhere, so their names say what it is.

A name is read as a tool's is, by its verb and its thing. The proof that SQL only reads stands here
too: every statement begins as a question, and every call is harmless, also one in a string.
"""

import re
from collections.abc import Iterator
from itertools import islice

import re2

from holdpoint.core.risk.extract.payload import words_of
from holdpoint.core.risk.knowledge import entry, ordered_words, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.orders import VERBS, Order, Source, is_known
from holdpoint.core.risk.sql.rules import function_rule
from holdpoint.core.risk.sql.tokens import Token, Tokens
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.messages.risk import RiskLevel

MEDIUM, HIGH, CRITICAL = RiskLevel.MEDIUM, RiskLevel.HIGH, RiskLevel.CRITICAL
RUNNERS = words("words/sql:runner_functions")
_PACKAGES = ordered_words("words/sql:packages")
_SHELL_PROCEDURES = ordered_words("words/sql:shell_procedures")
_POWER_PROCEDURES = ordered_words("words/sql:power_procedures")
OWN = ("SP_", "XP_")
"""How SQL Server's own procedures begin; a batch may call one without EXEC."""

HARMLESS_FUNCTIONS = words("words/sql:harmless_functions")
"""Built in, in lower case, and harmless to call as often as one likes."""

_GOES_ON_WITH = words("words/sql:goes_on_with")
_HARMLESS = HARMLESS_FUNCTIONS | words("words/sql:other_functions")
_DEFINED_ELSEWHERE = "“{}” runs something defined elsewhere"


def called(order: Order) -> Iterator[Finding]:
    """CALL, EXEC, PREPARE: a procedure's name says what it does, a variable says nothing."""
    if order.word(1) in {"FUNCTION", "PROCEDURE"}:
        return
    named = order.tokens[0 if order.verb.startswith(OWN) else 1 : 8]
    names = [one.text.strip('"`[]').upper() for one in named if one.kind in {"word", "name"}]
    if any(name.startswith(_SHELL_PROCEDURES) for name in names):
        yield order.finding("sql.shell", CRITICAL, "“{}” leaves the database for its machine", 3)
    elif any(name.startswith(_POWER_PROCEDURES) for name in names):
        yield order.finding("sql.power", HIGH, "“{}” changes who may do what")
    elif order.word(1) == "AS":
        if order.word(2) in {"LOGIN", "USER"}:
            yield order.finding("sql.power", HIGH, "“{}” acts as somebody else")
    elif why := next(filter(None, map(effect, _names(order.source, named))), ""):
        yield order.finding("sql.call", HIGH, f"“{{}}” {why}", 3)
    elif (_is_dynamic_call(order) and not any(order.strings())) or _of_another_call(order):
        yield order.finding("sql.dynamic", HIGH, "“{}” runs a statement that nobody can read yet")
    else:
        yield order.finding("sql.call", MEDIUM, _DEFINED_ELSEWHERE, 3)


def _names(source: Source, tokens: Tokens) -> Iterator[str]:
    """Yield the names among the first tokens, each with its schema, up to a bracket."""
    name = ""
    for token in tokens:
        if token.text == "(":
            break
        if token.kind in {"word", "name"} and (not name or name.endswith(".")):
            name += source.text[token.start : token.end].strip('"`[]')
        elif token.text == ".":
            name += "."
        else:
            yield name
            name = source.text[token.start : token.end] if token.kind == "word" else ""
    yield name


def effect(name: str) -> str:
    """Return what a call of this name takes away, pays or sends; empty when it says none of it."""
    plain = _prefix.sub("", name.rpartition(".")[2])
    read, said = tool_name(plain), words_of(plain)
    verb = read.verb
    if verb is None or read.reads or read.tells or verb.form is not Form.BASE:
        return read.final
    if not said or verb.base not in {said[0], plain.lower()}:
        return ""
    if verb.kind is Kind.DELETE:
        return _REMOVES
    if verb.kind is Kind.PAYMENT and said[-1] not in _FIGURES:
        return "calls what moves money"
    if said[0] in _STOPS:
        return "calls what stops a server"
    return "calls what sends something away" if said[0] in _SENDS else read.final


_REMOVES = "calls what takes something away"
_prefix = re.compile(r"^(?:usp|sp|proc|prc|fn|fnc|pr)(?:_|(?=[A-Z]))")
_FIGURES = words("words/sql:figures")
_SENDS = words("words/sql:sending_verbs")
_STOPS = frozenset({"shutdown", "reboot"})


def _is_dynamic_call(order: Order) -> bool:
    first = order.word(1)
    return first in {"(", "IMMEDIATE"} or first.startswith("@") or "SP_EXECUTESQL" in first


def _of_another_call(order: Order) -> bool:
    """MySQL's `PREPARE p FROM @q`, where this text puts no text of its own into that variable."""
    name = order.word(3)
    if order.verb != "PREPARE" or order.word(2) != "FROM" or not name.startswith("@"):
        return False
    return not any(put[1].upper() == name for put in _put.finditer(order.source.text))


_put = re.compile(r"(?i)(@\w{1,64})\s{0,9}:?=(?=[^;@'\"]{0,200}['\"])")
"""A variable that is given a text, or a function of one."""


def functions(source: Source, tokens: Tokens) -> Iterator[Finding]:
    """Yield the functions that do what no query should, by their names."""
    for place, token in enumerate(tokens[:-1]):
        if token.kind not in {"word", "name"} or len(token.text) < SHORTEST or token.text in VERBS:
            continue
        after = tokens[place + 1].text
        if after != "(" and not (after == "." and token.text.startswith(_PACKAGES)):
            continue
        yield from _function(source, tokens, place)
    yield from _alone(source, tokens)


SHORTEST = 4
"""Letters of a name that says what it does: more than IN, ANY, MAX."""


def _function(source: Source, tokens: Tokens, place: int) -> Iterator[Finding]:
    token, order = tokens[place], source.order(tokens[place : place + 2])
    said = source.text[token.start : token.end].strip('"`[]')
    name, listed = said.lower(), function_rule(said.lower())
    if listed:
        yield order.finding("sql.function", listed.level, listed.reason, 1)
    elif name in RUNNERS:
        yield order.finding("sql.function", HIGH, "“{}” runs a statement elsewhere", 1)
    documents = tokens[0].text == "DB"
    if documents or name in RUNNERS or len(words_of(said)) == 1 or name in _HARMLESS:
        return
    if (name.startswith(_BUILT_IN) and "_table" not in name) or _lists_columns(tokens, place):
        return
    if why := effect(said):
        yield _named(order, why, 1)


def _named(order: Order, why: str, quote: int) -> Finding:
    rule = "sql.removal" if why == _REMOVES else "sql.call"
    return order.finding(rule, HIGH, f"“{{}}” {why}", quote)


_BUILT_IN = ("trunc", "format_", "json_", "array_remove", "list_", "clear_bit", "close_")


def _alone(source: Source, tokens: Tokens) -> Iterator[Finding]:
    """`SELECT refund(7)`, or a name in a block: nothing but a call, of what nobody knows."""
    selects = tokens[0].text in _CALLS
    rest = tokens[1:] if selects else _in_block(source, tokens)
    name = next(_names(source, rest), "")
    last = name.rpartition(".")[2].lower()
    if not last or is_known(rest) or last in _QUIET or function_rule(last):
        return
    quote = 2 * name.count(".") + 1
    given = [token.text for token in rest[quote:]]
    whole = _closes(given) == len(given) - 1 if given[:1] == ["("] else not (given or selects)
    if not whole or tool_name(last).reads:
        return
    order, why = source.order(rest), effect(name)
    if not why:
        yield order.finding("sql.call", MEDIUM, _DEFINED_ELSEWHERE, quote)
    elif len(words_of(last)) == 1 or not given:
        yield _named(order, why, quote)


_CALLS = frozenset({"SELECT", "PERFORM"})


def _in_block(source: Source, tokens: Tokens) -> Tokens:
    """Return what a block runs here: PL/SQL calls by a bare name."""
    if not _block.search(source.text):
        return ()
    last = max((at for at, token in enumerate(tokens) if token.text in _OPENS), default=-1)
    rest = tokens[last + 1 :]
    return () if rest and rest[0].text in _TRANSACTION else rest


_block = re2.compile(r"(?is)\bbegin\s.*\bend\b")
_OPENS = frozenset({"BEGIN", "ELSE", "LOOP", "THEN"})
_TRANSACTION = words("words/sql:transaction_words")
_QUIET = _HARMLESS | words("words/sql:everyday_calls")


def _closes(texts: list[str]) -> int:
    """Return where the bracket that opens first is closed."""
    depth = 0
    for place, text in enumerate(texts):
        depth += {"(": 1, ")": -1}.get(text, 0)
        if not depth:
            return place
    return len(texts)


def _lists_columns(tokens: Tokens, place: int) -> bool:
    """Return whether a bracket lists columns: of a table that is made, filled or referred to."""
    before = place - 1
    while before > 1 and tokens[before].text == ".":
        before -= 2
    text = tokens[before].text if before >= 0 else ""
    if text in {"REFERENCES", "WITH", "RECURSIVE"}:
        return True
    verb = tokens[0].text
    if before < 1 or any(token.text == "(" for token in islice(tokens, before)):
        return False
    if verb in {"INSERT", "REPLACE", "MERGE"}:
        return text in {"INTO", "TABLE"}
    indexes = text == "ON" and any(token.text == "INDEX" for token in tokens[:before])
    return verb == "CREATE" and (text in {"TABLE", "VIEW", "EXISTS"} or indexes)


_comments = re.compile(r"(?s)\A(?:[\s(]|--[^\n]*\n|/\*.*?\*/)+")
_call = re2.compile(r"([\pL\pN_$.]+|[\"`\]/])\s*\(")
_does_more = re.compile(r"->>\s*[A-Z]|\n[ \t]*:")
"""A query that hands on to what follows, and a line for a client."""

_STORES = words("words/sql:storing_words")
_BINDS = frozenset(entry("words/sql:binding_pairs"))
"""Where a query stores what it finds or makes others wait for it: one word, or two in a row."""

_head = re.compile(r"\w+")
_HEADS = words("words/sql:proven_heads")
_BEFORE = words("words/sql:before_brackets") | frozenset(map(str.upper, _HARMLESS))


def calls_unknown(text: str) -> bool:
    """Return whether something is called of which nobody knows that it changes nothing."""
    return any(name.upper() not in _BEFORE for name in _call.findall(text))


def only_reads(text: str, cut: tuple[Tokens, ...]) -> bool:
    """Return whether nothing that a text of SQL says can change anything, cut in this way.

    It ends no transaction that it did not begin: a ROLLBACK takes back what others did before.
    """
    heads = [tokens[0].text for tokens in cut]
    statements = filter(None, map(str.strip, text.split(";")))
    return (
        _does_more.search(text) is None
        and sum(map(_ENDS.__contains__, heads)) <= sum(map(_STARTS.__contains__, heads))
        and all(map(_asks, statements))
        and not calls_unknown(text)
        and all(_asks_only(text, tokens) for tokens in cut)
    )


def _asks(statement: str) -> bool:
    said = _comments.sub("", statement)
    if _transaction.fullmatch(said):
        return True
    run = _blocks.sub("", said)
    head = _head.match(run)
    return run == said if head is None else head.group().upper() in _PROVEN


_STARTS = frozenset({"BEGIN", "START"})
_ENDS = frozenset({"COMMIT", "END", "ROLLBACK"})
_PROVEN = _HEADS - {"BEGIN", "START"}
_blocks = re.compile(r"(?i)\A(?:BEGIN\s+)+")
_transaction = re.compile(
    r"(?is)BEGIN(?:\s+(?:TRAN|TRANSACTION|WORK|ISOLATION|READ|DEFERRED|IMMEDIATE|EXCLUSIVE)\b.*)?"
    r"|START\s+TRANSACTION\b.*"
)
"""`BEGIN wipe_all` runs a procedure."""

MAX_SIDE_BY_SIDE = 2
"""Values that may stand side by side in a question: one, and its other name."""


def _asks_only(text: str, tokens: Tokens) -> bool:
    """Return whether no word of a question may begin a statement, or a line for a client.

    SQL Server needs no semicolon between statements. What follows a value is its other name, or one
    of the words that a question goes on with.
    """
    values, free = 0, _free_until(text, tokens)
    if not free and _runs(tokens):
        return False
    for place, token in enumerate(tokens):
        if token.start < free:
            continue
        after = tokens[place + 1].text if place + 1 < len(tokens) else ""
        if token.text in _STRANGE or token.text in _STORES or f"{token.text} {after}" in _BINDS:
            return False
        values = _beside(values, tokens, place)
        if values > MAX_SIDE_BY_SIDE or (token.text in _BEGINS and _begins(tokens, place)):
            return False
    return True


def _beside(values: int, tokens: Tokens, place: int) -> int:
    """Return how many values stand side by side, this token among them."""
    token = tokens[place]
    if token.kind == "sign":
        return int(token.text in _CLOSES)
    if token.kind == "word" and token.text in _GOES_ON_WITH:
        return 0
    if token.text.startswith(_OF_VALUE) and tokens[place - 1].end == token.start:
        return values
    return values + (MAX_SIDE_BY_SIDE if token.text[0] == "@" and values else 1)


def _free_until(text: str, tokens: Tokens) -> int:
    """Return the end of a first line that may name anything: `SHOW CREATE TABLE x`."""
    head, after = tokens[0].text, tokens[1:2]
    told = any(one.kind != "word" or one.text in _MEASURES for one in after)
    if head not in _SHOWS or (head in _EXPLAINS and told):
        return 0
    end = text.find("\n", tokens[0].start)
    return end if end >= 0 else len(text)


_EXPLAINS = frozenset({"DESC", "DESCRIBE", "EXPLAIN"})
_MEASURES = frozenset({"ANALYSE", "ANALYZE"})
"""`EXPLAIN ANALYZE` runs what it explains, as `EXPLAIN ("analyze")` does."""

_SHOWS = _EXPLAINS | {"HELP", "LIST", "SHOW", "SUMMARIZE", "USE"}
_RUN = words("words/sql:explained_changes")


_QUOTES = "\"'`[]"


def _runs(tokens: Tokens) -> bool:
    """Return whether a function may run without a bracket, or what EXPLAIN is told to run."""
    said = {token.text for token in tokens if token.kind == "word"}
    if any(token.text.strip(_QUOTES).upper().startswith("PRAGMA_") for token in tokens):
        return True
    if tokens[0].text in _EXPLAINS and not _RUN.isdisjoint(said):
        return True
    return "DUAL" in said and any(map(_stands_for_call, tokens, tokens[1:]))


def _stands_for_call(before: Token, token: Token) -> bool:
    """`SELECT purge_all FROM dual`: that table has no columns."""
    named = token.kind in {"word", "name"} and token.text not in _OF_DUAL
    return named and (before.text in {"SELECT", "DISTINCT"} or before.kind == "sign")


_OF_DUAL = frozenset(map(str.upper, _HARMLESS)) | words("words/sql:constant_names") | _GOES_ON_WITH


_OF_VALUE = ("::", "[")
"""`x::text[]`: what belongs to the value that it touches."""

_CLOSES = frozenset(")]")
_STRANGE = frozenset("!$@\\")
"""Signs that begin a line for a client, or that no database knows between two values."""


def _begins(tokens: Tokens, place: int) -> bool:
    """Return whether this word begins a statement of its own."""
    if not place or tokens[place].kind != "word":
        return False
    before = tokens[place - 1].text
    then = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if before in _GOES_ON or (before in _JOINS and before != ")") or then in _JOINS:
        return False
    return then not in _NO_OBJECT or (tokens[place].text, then) == ("EXECUTE", "AS")


_BEGINS = (VERBS - {"DB", "DO", "MATCH"}) | words("words/sql:begins_lines")
_GOES_ON = words("words/sql:goes_on")
_JOINS = frozenset(",()=<>+-|/.*!") | {"<=", ">=", "<>", "!=", "||", "::"}
_NO_OBJECT = words("words/sql:no_object")
