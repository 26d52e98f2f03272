"""What one statement does: its deeds, wherever they stand, each judged by its own rule."""

from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from types import MappingProxyType

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql import (
    changes,
    clients,
    definitions,
    documents,
    functions,
    graphs,
    leaving,
    loading,
    locks,
    powers,
    procedures,
)
from holdpoint.core.risk.sql.act import Act, Budget, Found
from holdpoint.core.risk.sql.blocks import begins, end, judged_whole, leading
from holdpoint.core.risk.sql.stray import is_stray
from holdpoint.core.risk.sql.tokens import Token, defines
from holdpoint.core.risk.sql.unread import is_known
from holdpoint.messages.risk import RiskLevel

MEDIUM, HIGH = RiskLevel.MEDIUM, RiskLevel.HIGH

Rule = Callable[[Act], Iterator[Found]]

RULES: MappingProxyType[str, Rule] = MappingProxyType(
    {
        "ALTER": definitions.altered,
        "ATTACH": powers.detached,
        "BACKUP": leaving.saved,
        "CALL": procedures.executed,
        "CHANGE": powers.denied,
        "COPY": leaving.copied,
        "CREATE": definitions.created,
        "DB": documents.ordered,
        "DBCC": powers.checked,
        "DEL": changes.deleted,
        "DELETE": changes.deleted,
        "DENY": powers.denied,
        "DETACH": powers.detached,
        "DISABLE": powers.disabled,
        "DROP": definitions.dropped,
        "EXEC": procedures.executed,
        "EXECUTE": procedures.executed,
        "EXPIRE": powers.purged,
        "EXPORT": leaving.exported,
        "FLASHBACK": powers.purged,
        "FLUSH": locks.flushed,
        "FLUSHALL": documents.flushed,
        "FLUSHDB": documents.flushed,
        "GRANT": powers.granted,
        "DO": loading.coded,
        "INSERT": changes.inserted,
        "INSTALL": loading.installed,
        "KILL": powers.stopped,
        "LOAD": powers.loaded,
        "LOCK": locks.locked,
        "MATCH": graphs.matched,
        "MERGE": changes.merged,
        "NOAUDIT": powers.disabled,
        "OPTIMIZE": powers.tidied,
        "PRAGMA": powers.tuned,
        "PREPARE": procedures.executed,
        "PURGE": powers.purged,
        "REASSIGN": powers.denied,
        "REMOVE": leaving.unstaged,
        "RENAME": definitions.renamed,
        "REPLACE": changes.replaced,
        "RESET": powers.purged,
        "RESTORE": powers.purged,
        "REVOKE": powers.revoked,
        "RM": leaving.unstaged,
        "SET": powers.tuned,
        "SHUTDOWN": powers.stopped,
        "STOP": powers.stopped,
        "SYSTEM": powers.ordered,
        "TRUNCATE": definitions.truncated,
        "UNINSTALL": powers.denied,
        "UNLOAD": leaving.exported,
        "UPDATE": changes.updated,
        "VACUUM": powers.vacuumed,
    }
)
"""By the verb that begins it."""

READERS = word_set(
    "SELECT SHOW DESCRIBE DESC EXPLAIN VALUES WITH TABLE USE FROM LIST HELP BEGIN COMMIT "
    "START END ROLLBACK SAVEPOINT RELEASE ( DECLARE FETCH CLOSE OPEN PRINT ANALYZE ANALYSE "
    "CHECK PRAGMA SET SUMMARIZE PIVOT UNPIVOT IF LOCK GO MATCH"
)
"""What may begin a statement that changes nothing."""

VERBS = frozenset(RULES)

_TELLING = frozenset({"EXPLAIN", "DESCRIBE", "DESC", "SHOW", "HELP"})
_DYNAMIC = frozenset({"EXEC", "EXECUTE", "PREPARE"})


class Source(msgspec.Struct, frozen=True):
    """The text that is read, its dialect, and how much of it may still be parsed."""

    text: str
    dialect: str
    budget: Budget

    def spared(self) -> "Source":
        """The same, whose reading takes nothing from what may still be parsed besides."""
        return Source(self.text, self.dialect, msgspec.structs.replace(self.budget))

    def act(self, tokens: tuple[Token, ...], *, hidden: bool = False) -> Act:
        """These tokens as a deed."""
        return Act(
            text=self.text, tokens=tokens, dialect=self.dialect, budget=self.budget, hidden=hidden
        )


def found_in(source: Source, tokens: tuple[Token, ...]) -> Iterator[Found]:
    """Everything that one statement does."""
    if tokens[-1].kind == "client":
        yield from clients.commanded(source.act(tokens[-1:]))
    tokens = _after_telling(tokens)
    if not tokens:
        return
    if defines(tokens[:8]):
        yield from _defining(source, tokens)
        return
    if tokens[0].text.startswith(procedures.OWN):
        yield from procedures.executed(source.act(tokens))
    for act in acts(source, tokens):
        if not source.budget.take(len(act.tokens)):
            yield act.found("sql.tangled", HIGH, "“{}” is one of more orders than anybody reads", 3)
            break
        yield from RULES[act.verb](act)
    yield from _into_file(source, tokens)
    yield from _calls(source, tokens)


def _after_telling(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """EXPLAIN only tells what would happen, EXPLAIN ANALYZE does it."""
    if not tokens or tokens[0].text not in _TELLING:
        return tokens
    if not any(token.text in {"ANALYZE", "ANALYSE"} for token in tokens[1:8]):
        return ()
    told = 1
    if len(tokens) > 1 and tokens[1].text == "(":
        told = next((at for at, token in enumerate(tokens) if token.text == ")"), 0) + 1
    while told < len(tokens) and tokens[told].text in _HOW:
        told += 1
    return tokens[told:]


_HOW = word_set("ANALYZE ANALYSE VERBOSE")


def _defining(source: Source, tokens: tuple[Token, ...]) -> Iterator[Found]:
    act = source.act(tokens)
    yield from loading.coded(act)
    if act.has("DELETE", "DROP", "TRUNCATE"):
        yield act.found("sql.create", MEDIUM, "“{}” defines what removes data later", 4)


def acts(source: Source, tokens: tuple[Token, ...]) -> Iterator[Act]:
    """Each verb with what belongs to it."""
    first, after = leading(tokens), 0
    known = is_known(tokens, VERBS)
    for place, token in enumerate(tokens):
        if place < after or token.kind != "word" or token.text not in RULES:
            continue
        if begins(tokens, place, first) or (known and is_stray(tokens, place)):
            inside = tokens[place : end(tokens, place)]
            hidden = place > 0 and (_behind_with(tokens, place) or _in_query(tokens, place))
            yield source.act(inside, hidden=hidden)
            after = place + judged_whole(inside)


def _behind_with(tokens: tuple[Token, ...], place: int) -> bool:
    """Whether a WITH holds it, or says which rows it takes; else its own condition does."""
    if tokens[0].text != "WITH":
        return False
    before = [token.text for token in tokens[:place]]
    if before.count("(") != before.count(")"):
        return True
    behind = [token.text for token in tokens[place:]]
    depths = [*accumulate({"(": 1, ")": -1}.get(text, 0) for text in behind)]
    outside = [text for text, depth in zip(behind, depths, strict=True) if not depth]
    named = {one for one, then in pairwise(before) if then == "AS"}
    itself = not {*before}.isdisjoint({*behind[1:4]} - _NO_TABLES) and not named.isdisjoint(behind)
    return itself or any(_names_more(*pair) for pair in pairwise(outside))


_NO_TABLES = word_set("FROM ONLY INTO SET WHERE AS")


def _names_more(before: str, word: str) -> bool:
    """`USING x`, `JOIN x`, `FROM x` other than what rows are deleted from or sought in."""
    return word in {"USING", "JOIN"} or (word == "FROM" and before != "DELETE")


def _in_query(tokens: tuple[Token, ...], place: int) -> bool:
    """Whether a part of a WITH is made of it: `WITH x AS (DELETE …)`."""
    before = (tokens[place - 2].text, tokens[place - 1].text)
    return before in {("AS", "("), ("MATERIALIZED", "(")}


def _into_file(source: Source, tokens: tuple[Token, ...]) -> Iterator[Found]:
    for place, token in enumerate(tokens):
        if token.text in {"OUTFILE", "DUMPFILE"} and place and tokens[place - 1].text == "INTO":
            act = source.act(tokens[place - 1 :])
            yield act.found("sql.files", HIGH, "“{}” writes a file on the server", 3)


def _calls(source: Source, tokens: tuple[Token, ...]) -> Iterator[Found]:
    """Functions that do what no query should."""
    for place, token in enumerate(tokens[:-1]):
        if token.kind != "word" or token.text in RULES:
            continue
        if functions.called(tokens, place):
            act = source.act(tokens[place : place + 2])
            yield from functions.done_by(act)
            if not functions.is_listed(tokens, place):
                yield from functions.removes(act)


def _runs(word: str) -> bool:
    return word.lower() in functions.RUNNERS or word.lower() in functions.ASKERS


def _scheduled(tokens: tuple[Token, ...]) -> bool:
    """PostgreSQL's `cron.schedule('name', 'when', 'statement')`."""
    texts = [token.text for token in tokens]
    at = texts.index("CRON")
    return tuple(texts[at + 1 : at + 3]) in {(".", "SCHEDULE"), (".", "SCHEDULE_IN_DATABASE")}


def _does(tokens: tuple[Token, ...]) -> bool:
    """PostgreSQL's `DO $$ … $$`, wherever it stands."""
    after = pairwise(tokens)
    return tokens[0].text == "DO" or any(
        one.text == "DO" and (then.kind == "string" or then.text == "LANGUAGE")
        for one, then in after
    )


def dynamic(tokens: tuple[Token, ...]) -> bool:
    """Whether the strings in a statement are themselves statements that run."""
    words = {token.text for token in tokens if token.kind == "word"}
    runs = (
        _does(tokens)
        or words & _DYNAMIC
        or any(map(_runs, words))
        or ("CRON" in words and _scheduled(tokens))
        or clients.runs_answers(tokens)
    )
    return bool(runs) and not defines(tokens[:8]) and tokens[0].text not in {"GRANT", "REVOKE"}
