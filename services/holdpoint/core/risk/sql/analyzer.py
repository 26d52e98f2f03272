"""`analyze_sql`: what a text of SQL statements would do, and what is dangerous about it.

A word that can change something must occur before anything is cut or parsed; without one the text
only reads. What cannot be read although it holds such a word goes up.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

import msgspec
import re2

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.extract.money import Money
from holdpoint.core.risk.knowledge import any_of, ordered_words, pattern, words
from holdpoint.core.risk.model import Analysis, Finding
from holdpoint.core.risk.sql.calls import calls_unknown, only_reads
from holdpoint.core.risk.sql.nested import MAX_NESTED, MAX_STATEMENTS, results, variables_run
from holdpoint.core.risk.sql.orders import (
    DIALECTS,
    VERBS,
    Budget,
    Source,
    is_asked,
    is_known,
    is_unclosed,
    is_unknown,
    is_unread,
    leading,
    open_bracket,
    with_evidence,
)
from holdpoint.core.risk.sql.statements import (
    client_programs,
    code_programs,
    reads_only,
    runs_strings,
)
from holdpoint.core.risk.sql.tokens import (
    Cut,
    Tokens,
    bare,
    cuts,
    is_open,
    may_be_open,
    received,
    ways,
)
from holdpoint.core.risk.wording import REMOVING
from holdpoint.core.text import unhidden, whole_characters
from holdpoint.messages.risk import Heuristic, RiskLevel

MAX_HEAD = 2_000
"""Characters in which a text must begin like a statement."""

MAX_VERB = 16
"""Characters of its first word that are looked at: more than any verb of SQL has."""

_STARTS = ordered_words("words/sql:first_words")
"""How every text begins that the next one fits: asked first, because it is cheap."""

_BEFORE = "; \t\n\v\f\r"
"""What may stand before it."""

_states = prefilter(
    r"(?i)^[\s;]*(?:--[^\n]*\n|/\*[^*]*\*/|\s)*"
    rf"(?:{pattern('patterns/sql:analyzer.statements')})"
)


def begins_as_sql(text: str) -> bool:
    """Return whether it begins like a statement; comments stand for blanks."""
    if text.isalnum():
        return False  # one word is no statement
    head = text[:MAX_HEAD] if text.isascii() else unhidden(text[:MAX_HEAD])
    if not head.lstrip(_BEFORE)[:MAX_VERB].casefold().startswith(_STARTS):
        return False
    return _states(str(_comment.sub(" ", head)) if "/*" in head or "--" in head else head)


_comment = re2.compile(r"/\*[^*]*\*/|--[^\n]*\n")

MAX_SHORT = 10_000
"""Characters of a statement that is cut once more."""

_STORES = frozenset({"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "COMMENT"})


def without_data(text: str) -> str:
    """The same with blanks for what its statements store; as it is where anything may run it."""
    ways = cuts(text, "") if len(text) <= MAX_SHORT and "'" in text else ()
    if len(ways) != 1 or not ways[0].whole or not all(map(_only_stores, ways[0].statements)):
        return text
    tokens = (token for one in ways[0].statements for token in one)
    for token in tokens:
        if token.kind == "string" and token.text[0] == "'":
            text = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
    return text


def _only_stores(tokens: Tokens) -> bool:
    return tokens[0].text in _STORES and not runs_strings(tokens) and not variables_run(tokens)


MAX_READ = 10_000
"""Characters that are cut into tokens, at most 15 ms of work; more than that only counts as a list
of values, or goes up."""

MAX_STRANGE = 2_000
"""Characters with such a word in which anybody sees that they are no statement."""

UNKNOWN_STATEMENT = "sql.unknown-statement"
MAX_FINDINGS = 16
MAX_PROGRAMS = 64
"""Programs in other languages that are handed on."""

_MANY = "there are too many statements"
_NO_STATEMENT = "it begins as no statement does"
_BRACKET = "a bracket is never closed"
_QUOTE = "a quote or a comment is never closed"
_CHANGES = VERBS - {"FLUSH", "LOCK"}
_READERS = words("words/sql:read_heads")
_ASKING = words("words/sql:asking")
_BESIDE_TARGET = words("words/sql:beside_target")

_changing = (VERBS - words("words/sql:mild_verbs")) | words("words/sql:changing_words")
_writing = re2.compile(
    rf"(?i)\b(?:{'|'.join(sorted(_changing))}|dropallusers\w*)\b"
    rf"|(?im)^(?:[\s;]|/\*[^*]*\*/)*(?:\S{{1,40}}[>#]\s+)?(?:{pattern('patterns/sql:analyzer.client_orders')})"
    rf"|\\[a-z!.]|(?i)(?:{pattern('patterns/sql:analyzer.writing_functions')})"
)
"""Any of these may change something; a text without them is only read."""

_asks = re2.compile(
    r"(?is)^(?:[\s;(]|--[^\n]*\n|/\*[^*]*\*/|\{[{%#][^}]*\})*(?:"
    + any_of("words/sql:statement_heads")
    + r")\b"
)
"""How a text begins that asks something."""


def analyze_sql(
    text: str, dialect: str = "", *, budget: Budget | None = None, guessed: bool = False
) -> Analysis:
    """Analyze statements in the dialect given, or in each way that databases would read them.

    Texts that are read together share a budget. `guessed`: the text only begins as a statement
    does, and may be a sentence. `commands` of the result are programs of the server's machine.
    """
    if not text.strip():
        return Analysis(reads_only=True, known=True)
    shared = budget or Budget()
    read = [_analyze_way(way, dialect, shared, guessed) for way in ways(whole_characters(text))]
    return max(read, key=lambda one: (one.level.rank, not one.reads_only, len(one.amounts)))


def make_fast() -> None:
    """Load the rules and every dialect of the parser, which takes a fifth of a second."""
    for dialect in DIALECTS:
        analyze_sql("DELETE FROM a WHERE b > 1", dialect)


def _analyze_way(text: str, dialect: str, budget: Budget, guessed: bool) -> Analysis:
    plain = received(text)
    if plain != text:
        found = _analyze_way(plain, dialect, budget, guessed)
        findings = tuple(msgspec.structs.replace(one, span=None) for one in found.findings)
        return msgspec.structs.replace(found, findings=findings)
    if not _writing.search(text):
        found = _only_read(text, dialect, guessed)
        if guessed or found.findings or not _runs_unknown(text):
            return found if guessed or found.unreadable else _with_unknown(found, text, dialect)
    ways_cut = cuts(text[:MAX_READ], dialect)
    readings = [_Reading(Source(text, dialect, budget.again()), cut, guessed) for cut in ways_cut]
    worst = max(readings, key=lambda reading: reading.rank)
    programs = tuple(dict.fromkeys(one for reading in readings for one in reading.programs()))
    return worst.analysis(programs, len(text) > MAX_READ or any(cut.long for cut in ways_cut))


def _runs_unknown(text: str) -> bool:
    """Return whether it calls what nobody knows, or runs a block, which may by a bare name."""
    return calls_unknown(text) or _block.search(text) is not None


_block = re2.compile(r"(?i)\bbegin\s+\w")


def _only_read(text: str, dialect: str, guessed: bool) -> Analysis:
    """Without a word that changes something; what nobody could read goes up."""
    known = _asks.match(text) is not None
    why = ""
    if known and not guessed:
        why = _MANY if text.count(";") > MAX_STATEMENTS else left_open(text, MAX_READ)
    elif not known and len(text) > MAX_READ:
        why = _NO_STATEMENT
    if not why and not guessed and len(text) <= MAX_READ and _is_open(text):
        return Analysis(findings=(_UNCLOSED,), verb="select", known=known)
    if not why:
        reads = all(_is_proven(text, way.statements) for way in cuts(text, dialect))
        return Analysis(reads_only=reads, verb="select", known=known)
    return Analysis(findings=(_unreadable(why),), unreadable=why, known=known)


def _is_open(text: str) -> bool:
    """Return whether each way to cut it leaves a quote or a comment open."""
    if "```" in text:
        return False  # what stands in fences is also read without them
    return may_be_open(text) and all(map(is_open, cuts(text, "")))


def _with_unknown(found: Analysis, text: str, dialect: str) -> Analysis:
    """Return the analysis with the statements that begin as none does; one that asks has none."""
    if len(text) > MAX_READ or (found.known and ";" not in text):
        return found
    cut = cuts(text, dialect)[0]
    unknown = found.findings + tuple(
        _unknown(Source(text, dialect, Budget()), cut.statements[:MAX_STATEMENTS])
    )
    if not unknown:
        return found
    return msgspec.structs.replace(found, findings=unknown, reads_only=False, verb="")


def _unknown(source: Source, statements: tuple[Tokens, ...]) -> Iterator[Finding]:
    """Yield statements that nobody knows: high where a verb that takes something away begins one.

    A question in people's own words, and a single word, are none.
    """
    for tokens in statements:
        head = tokens[leading(tokens)]
        spoken = is_asked(tuple(token for token in tokens if token.text != "A"))
        filled = head.text.startswith("X__")  # a template, as `ways` fills it
        sign = head.kind == "sign" and {head.text, tokens[0].text}.isdisjoint(_MAY_BEGIN)
        removes = head.text.lower() in REMOVING
        asked = spoken and not removes and head.text in _ASKING
        silent = not sign and (len(tokens) == 1 or head.kind != "word" or filled or asked)
        if silent or not is_unknown(tokens):
            continue
        found = source.order(tokens).finding(
            UNKNOWN_STATEMENT,
            RiskLevel.HIGH if removes else RiskLevel.MEDIUM,
            "“{}” is no statement that anybody knows",
            quote=3,
            heuristic=Heuristic.UNCERTAINTY,
        )
        yield with_evidence(source.text, found)


_MAY_BEGIN = frozenset("{}<>?.*-+/\\")
"""Signs that begin a template, a place for a value, or a line for a client."""


def left_open(text: str, most: int) -> str:
    """Return what a text that asks opens and never closes; empty when all is closed.

    `most`: characters that are cut; of a longer text, what is not even counted alike is open.
    """
    if "```" in text:
        return ""  # what stands in fences is also read without them
    lowered = text.lower()
    if text.count("(") <= text.count(")") and lowered.count("case") <= lowered.count("end"):
        return ""
    if len(text) > most:
        return _BRACKET
    ways_cut = cuts(text, "")
    still = all(
        one.partial or open_bracket(chain.from_iterable(one.statements)) for one in ways_cut
    )
    return _BRACKET if still else ""


class _Reading:
    """One way to cut a text, read."""

    def __init__(self, source: Source, cut: Cut, guessed: bool) -> None:
        self.text = source.text
        self.statements = cut.statements
        self.unreadable = "" if cut.whole else _QUOTE
        if len(cut.statements) > MAX_STATEMENTS:
            self.unreadable = _MANY
        found = list(results(source, cut.statements[:MAX_STATEMENTS], MAX_NESTED))
        self.findings = [one for one in found if isinstance(one, Finding)]
        self.amounts = tuple(one for one in found if isinstance(one, Money))
        self.unknown = () if guessed else tuple(_unknown(source, cut.statements[:MAX_STATEMENTS]))
        if not self.unreadable and not guessed and cut.cut_off:
            self.unknown = (*self.unknown, _UNCLOSED)
        if not self.unreadable and not found:
            self.unreadable = _why_unread(self.statements, len(source.text))

    @property
    def rank(self) -> tuple[int, bool, int]:
        """Return how grave the worst of it is; whether some of it cannot be read; its sums."""
        found = (*self.findings, *self.unknown)
        worst = max((one.level.rank for one in found), default=0)
        return worst, bool(self.unreadable), len(self.amounts)

    def analysis(self, programs: tuple[str, ...], cut_off: bool) -> Analysis:
        """Return it as an analysis; `cut_off`: the text is longer than what is read.

        `programs`: those that it hands to the shell in whichever way it is read.
        """
        many = "there are too many programs in it" if len(programs) > MAX_PROGRAMS else ""
        why = "the statements are too long" if cut_off else self.unreadable or many
        verb, targets = _acted(self.statements)
        worst = sorted(
            (*self.findings, *self.unknown), key=lambda one: (-one.level.rank, one.span or (0, 0))
        )
        up = (_unreadable(why),) if why else ()
        quiet = not (self.findings or self.unknown or self.amounts or why)
        return Analysis(
            findings=(*(with_evidence(self.text, one) for one in worst[:MAX_FINDINGS]), *up),
            reads_only=quiet and _is_proven(self.text, self.statements),
            stays=not why and not _reaches_out(worst) and all(map(_stays, self.statements)),
            verb=verb,
            targets=targets,
            unreadable=why,
            known=all(map(is_known, self.statements)),
            amounts=self.amounts,
            commands=programs[:MAX_PROGRAMS],
        )

    def programs(self) -> tuple[str, ...]:
        """Return what it hands to the shell, one more than is read at most."""
        found = (
            program
            for tokens in self.statements[:MAX_STATEMENTS]
            for program in (*code_programs(tokens), *client_programs(tokens))
        )
        return tuple(islice(found, MAX_PROGRAMS + 1))


def _why_unread(statements: tuple[Tokens, ...], size: int) -> str:
    """Return why nothing was found: an order stands where none can be."""
    if any(map(is_unclosed, statements)):
        return _BRACKET
    if size > MAX_STRANGE and not any(map(is_known, statements)):
        return _NO_STATEMENT
    return _NO_STATEMENT if any(map(is_unread, statements)) else ""


def _is_proven(text: str, statements: tuple[Tokens, ...]) -> bool:
    return all(map(_only_reads, statements)) and only_reads(text, statements)


def _only_reads(tokens: Tokens) -> bool:
    lines = (token.text for token in tokens if token.kind == "client")
    return (tokens[0].text in _READERS or tokens[0].kind == "client") and all(
        map(reads_only, lines)
    )


def _reaches_out(findings: Iterable[Finding]) -> bool:
    """Return whether a function is called that may change something anywhere."""
    return any(one.rule == "sql.function" for one in findings)


def _stays(tokens: Tokens) -> bool:
    """Return whether a statement changes rows or tables of the database that it is sent to.

    `USE crm` or `SET search_path` leads the next one elsewhere, and `DROP DATABASE` names another,
    as any name with a dot may.
    """
    verb, *what = (token.text for token in tokens[:2])
    if any("." in token.text for token in tokens if token.kind in {"word", "name", "sign"}):
        return False
    return verb in _OF_ROWS or (verb in _OF_PARTS and _PARTS.issuperset(what))


_OF_ROWS = frozenset({"DELETE", "INSERT", "SELECT", "TRUNCATE", "UPDATE", "WITH"})
_OF_PARTS = frozenset({"ALTER", "DROP"})
_PARTS = frozenset({"INDEX", "TABLE", "VIEW"})


def _acted(statements: tuple[Tokens, ...]) -> tuple[str, tuple[str, ...]]:
    """The first verb that changes something, and what each such verb is about."""
    changing = [tokens for tokens in statements if tokens[0].text in _CHANGES]
    named = dict.fromkeys(map(_target, changing))
    first = next(iter(changing or statements), ())
    return (first[0].text.split()[0].lower() if first else ""), tuple(filter(None, named))


def _target(tokens: Tokens) -> str:
    """The first name after the verb, with its database: `shop.orders`."""
    start = next(
        (at for at in range(1, len(tokens)) if tokens[at].text not in _BESIDE_TARGET), len(tokens)
    )
    parts: list[str] = []
    for token in tokens[start:]:
        if token.kind in {"word", "name"} and (not parts or parts[-1] == "."):
            parts.append(bare(token))
        elif token.text == "." and parts:
            parts.append(".")
        else:
            break
    return "".join(parts)


_UNCLOSED = Finding(
    rule="sql.unclosed",
    heuristic=Heuristic.UNCERTAINTY,
    level=RiskLevel.MEDIUM,
    reason=f"this SQL is cut off: {_QUOTE}",
)


def _unreadable(why: str) -> Finding:
    return Finding(
        rule="sql.unreadable",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.HIGH,
        reason=f"this SQL cannot be read: {why}",
    )
