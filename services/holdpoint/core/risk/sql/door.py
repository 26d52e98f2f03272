"""`read_sql`: what a text of SQL statements would do, and what is dangerous about it.

A word that can change something must occur before anything is cut or parsed; without one the text
only reads. What cannot be read although it holds such a word goes up.
"""

from itertools import islice

import msgspec
import re2

from holdpoint.core.risk.extract.money import Money
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql import clients, foreign
from holdpoint.core.risk.sql.act import Budget, Found, quoted
from holdpoint.core.risk.sql.nested import MAX_NESTED, MAX_STATEMENTS, Statements, found
from holdpoint.core.risk.sql.received import received
from holdpoint.core.risk.sql.statement import READERS, VERBS, Source
from holdpoint.core.risk.sql.tokens import Cut, Token, cuts
from holdpoint.core.risk.sql.unread import heads, is_known, left_open, unclosed, unread
from holdpoint.core.risk.sql.ways import ways
from holdpoint.core.risk.text import whole_characters
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_READ = 10_000
"""Characters that are cut into words, at most 15 ms of work; more than that only counts as a list
of values, or goes up."""

MAX_STRANGE = 2_000
"""Characters with such a word in which anybody sees that they are no statement."""

MAX_SIGNALS = 16
MAX_EVIDENCE = 200
MAX_PROGRAMS = 64
"""Programs in other languages that are handed on."""

_writing = re2.compile(
    r"(?i)\b(?:alter|attach|backup|call|change|copy|create|dbcc|del|delete|detach|deny|disable|do|drop|exec|execute|expire|flashback|grant|"
    r"delete(?:many|one)|flush(?:all|db)|drop(?:database|indexes|user|role|allusers\w*)|updatemany|export|unload|install|rm|remove|"
    r"shutdownserver|insert|kill|load|lock|merge|noaudit|openquery|openrowset|outfile|dumpfile|optimize|pragma|prepare|purge|"
    r"reassign|rename|replace|reset|restore|revoke|rollback_to|set|shutdown|stop|system|truncate|"
    r"uninstall|update|vacuum)\b|"
    r"(?im)^[\s;]*(?:\S{1,40}[>#]\s+)?(?:\\|[.!@:]|host\b|ho\b|shell\b|pager\b|dfs\b|source\b|sta\b|start\b|tee\b|spool\b)|\\[a-z!.]|"
    r"(?i)(?:\bxp_|\bsp_|\bpg_|\blo_|\bcron\s*\.|dblink|load_|utl_|dbms_|sys_e|query_to|run_sql|(?:drop|delete|truncate|"
    r"expire|remove|purge|wipe|destroy|erase|clear|kill|cancel|revoke|terminate|unlink|discard|expunge|nuke)_)"
)
"""Any of these may change something; a text without them is only read."""


_asks = re2.compile(
    r"(?is)^(?:[\s;(]|--[^\n]*\n|/\*[^*]*\*/|\{[{%#][^}]*\})*(?:" + "|".join(heads()) + r")\b"
)
"""How a text begins that asks something."""


class SqlReading(msgspec.Struct, frozen=True, kw_only=True):
    """What a text of SQL would do."""

    signals: tuple[Signal, ...] = ()
    reads_only: bool = False
    """Proven: every statement was read, and none changes anything."""

    verb: str = ""
    """Of the gravest statement, in lower case."""

    targets: tuple[str, ...] = ()
    """The tables and databases that are changed, in order."""

    unreadable: str = ""
    """Why some of it could not be read; empty when all was."""

    known: bool = True
    """Whether it begins as statements do: of anything else no parse proves what it is."""

    amounts: tuple[Money, ...] = ()
    """Sums that its rows move."""

    programs: tuple[str, ...] = ()
    """What it hands to programs of the server's machine, as commands of the shell."""


def read_sql(
    text: str, dialect: str = "", *, budget: Budget | None = None, guessed: bool = False
) -> SqlReading:
    """Read it in the dialect given, or in each way that databases would; each within a budget.

    Texts that are read together share one. `guessed`: it only begins as a statement does, and may
    be a sentence.
    """
    if not text.strip():
        return SqlReading(reads_only=True)
    shared = budget or Budget()
    told = [_read_way(way, dialect, shared, guessed) for way in ways(whole_characters(text))]
    return told[0] if len(told) == 1 else max(told, key=_graver)


def _graver(found: SqlReading) -> tuple[int, bool]:
    """What is proven to only read is the mildest of all."""
    return max((one.level.rank for one in found.signals), default=0), not found.reads_only


def _read_way(text: str, dialect: str, budget: Budget, guessed: bool) -> SqlReading:
    plain = received(text)
    if plain != text:
        return _placeless(_read_way(plain, dialect, budget, guessed))
    if not _writing.search(text):
        return _only_read(text, guessed)
    ways_cut = cuts(text[:MAX_READ], dialect)
    readings = [_Reading(text, cut, Source(text, dialect, budget.again())) for cut in ways_cut]
    worst = max(readings, key=lambda reading: reading.rank)
    return worst.told(len(text) > MAX_READ or any(cut.long for cut in ways_cut))


def _only_read(text: str, guessed: bool) -> SqlReading:
    """Without a word that changes something; what nobody could read goes up."""
    known = _asks.match(text) is not None
    why = _why_unasked(text) if known and not guessed else ""
    if not known and len(text) > MAX_READ:
        why = _NO_STATEMENT
    if not why:
        return SqlReading(reads_only=True, verb="select", known=known)
    return SqlReading(signals=(_went_up(why),), unreadable=why, known=known)


def _why_unasked(text: str) -> str:
    """Of what begins as a question does: it never ends, or nobody would read all of it."""
    if text.count(";") > MAX_STATEMENTS:
        return _MANY
    return left_open(text, MAX_READ)


def _placeless(found: SqlReading) -> SqlReading:
    """What was read is not the text as given: its places say nothing."""
    signals = tuple(msgspec.structs.replace(one, span=None) for one in found.signals)
    return msgspec.structs.replace(found, signals=signals)


class _Reading:
    """One way to cut a text, read."""

    def __init__(self, text: str, cut: Cut, source: Source) -> None:
        self.text = text
        self.statements = cut.statements
        self.unreadable = "" if cut.whole else "a quote is never closed"
        if len(cut.statements) > MAX_STATEMENTS:
            self.unreadable = _MANY
        self.found = tuple(found(source, cut.statements[:MAX_STATEMENTS], MAX_NESTED))
        if not self.unreadable and not self.found:
            self.unreadable = _why_unread(self.statements, len(text))

    @property
    def rank(self) -> tuple[int, bool]:
        """How grave the worst of it is; then whether some of it cannot be read."""
        return max((one.level.rank for one in self.found), default=0), bool(self.unreadable)

    def told(self, cut_off: bool) -> SqlReading:
        """As the door answers."""
        programs = self._programs()
        many = "there are too many programs in it" if len(programs) > MAX_PROGRAMS else ""
        why = "the statements are too long" if cut_off else self.unreadable or many
        verb, targets = _acted(self.statements)
        signals = tuple(_signal(self.text, one) for one in self._gravest())
        sums = (one.money for one in self.found if one.money)
        up = (_went_up(why),) if why else ()
        quiet = not self.found and not why
        return SqlReading(
            signals=(*signals, *up),
            reads_only=quiet and all(_only_reads(one) for one in self.statements),
            verb=verb,
            targets=targets,
            unreadable=why,
            known=all(is_known(one, VERBS) for one in self.statements),
            amounts=tuple(sums),
            programs=programs[:MAX_PROGRAMS],
        )

    def _programs(self) -> tuple[str, ...]:
        """One more than are read, at most."""
        found = (
            program
            for tokens in self.statements[:MAX_STATEMENTS]
            for program in (*foreign.programs(tokens), *clients.programs(tokens))
        )
        return tuple(islice(found, MAX_PROGRAMS + 1))

    def _gravest(self) -> list[Found]:
        told = (one for one in self.found if not one.money)
        ordered = sorted(told, key=lambda one: (-one.level.rank, one.span))
        return ordered[:MAX_SIGNALS]


def _why_unread(statements: Statements, size: int) -> str:
    """Where nothing was found: an order that stands where none can be."""
    if any(map(unclosed, statements)):
        return "a bracket is never closed"
    if size > MAX_STRANGE and not any(is_known(one, VERBS) for one in statements):
        return _NO_STATEMENT
    return _NO_STATEMENT if any(unread(one, VERBS) for one in statements) else ""


_MANY = "there are too many statements"
_NO_STATEMENT = "it begins as no statement does"


def _only_reads(tokens: tuple[Token, ...]) -> bool:
    return tokens[0].text in READERS or clients.is_client(tokens)


_CHANGES = VERBS - {"FLUSH", "LOCK"}


def _acted(statements: tuple[tuple[Token, ...], ...]) -> tuple[str, tuple[str, ...]]:
    """The first verb that changes something, and what each such verb is about."""
    heads = [(one[0].text, one) for one in statements if one[0].text in _CHANGES]
    named = (_target(tokens) for _, tokens in heads)
    first = next(iter(statements), ())
    verb = heads[0][0] if heads else first[0].text.split()[0] if first else ""
    return verb.lower(), tuple(dict.fromkeys(name for name in named if name))


_BESIDE = word_set(
    "TABLE FROM INTO ONLY IF EXISTS NOT DATABASE SCHEMA VIEW INDEX USER ROLE OVERWRITE OR "
    "REPLACE TEMPORARY TEMP EXTERNAL UNIQUE IGNORE LOW_PRIORITY"
)


def _target(tokens: tuple[Token, ...]) -> str:
    """The first name after the verb, with its database: `shop.orders`."""
    start = next(
        (place for place in range(1, len(tokens)) if tokens[place].text not in _BESIDE), len(tokens)
    )
    parts: list[str] = []
    for token in tokens[start:]:
        if token.kind in {"word", "name"} and (not parts or parts[-1] == "."):
            parts.append(token.text.strip('"`[]').lower())
        elif token.text == "." and parts:
            parts.append(".")
        else:
            break
    return "".join(parts)


def _signal(text: str, one: Found) -> Signal:
    start, end = one.span
    words = text[start:end]
    return Signal(
        rule=one.rule,
        heuristic=one.heuristic,
        level=one.level,
        reason=one.reason.replace("{}", quoted(words)),
        span=one.span,
        evidence=words[:MAX_EVIDENCE],
    )


def _went_up(why: str) -> Signal:
    return Signal(
        rule="sql.unreadable",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.HIGH,
        reason=f"this SQL cannot be read: {why}",
    )
