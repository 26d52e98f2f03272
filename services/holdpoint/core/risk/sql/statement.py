"""What one statement does: its deeds, wherever they stand, each judged by its own rule."""

from collections.abc import Callable, Iterator
from types import MappingProxyType

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql import (
    changes,
    definitions,
    documents,
    graphs,
    leaving,
    loading,
    powers,
    procedures,
)
from holdpoint.core.risk.sql.act import Act, Budget, Found
from holdpoint.core.risk.sql.blocks import begins, end, leading
from holdpoint.core.risk.sql.tokens import Token, defines
from holdpoint.core.risk.wording import Form, Kind, name_verb
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
        "FLUSHALL": documents.flushed,
        "FLUSHDB": documents.flushed,
        "GRANT": powers.granted,
        "DO": loading.coded,
        "INSERT": changes.inserted,
        "INSTALL": loading.installed,
        "KILL": powers.stopped,
        "LOAD": powers.loaded,
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

_WHOLE = frozenset({"GRANT", "REVOKE", "ALTER", "DENY", "COMMENT"})
"""What is judged as a whole: the verbs in it are names of rights or parts."""

_TELLING = frozenset({"EXPLAIN", "DESCRIBE", "DESC", "SHOW", "HELP"})
_DYNAMIC = frozenset({"EXEC", "EXECUTE", "PREPARE"})
_RUNNERS = word_set(
    "dblink dblink_exec dblink_send_query query_to_xml sys_eval sys_exec sp_executesql "
    "opendatasource openrowset openquery run_sql execute_sql exec_sql parse_and_execute "
    "exec_ddl_statement dbms_sql dbms_job dbms_scheduler"
)
"""Functions that run the text they are given, or leave the database."""

_FUNCTIONS: tuple[tuple[str, RiskLevel, str], ...] = (
    ("pg_terminate_backend", HIGH, "“{}” ends somebody's work"),
    ("pg_drop_replication_slot", HIGH, "“{}” breaks a replication"),
    ("lo_unlink", HIGH, "“{}” removes a stored file"),
    ("lo_export", HIGH, "“{}” writes a file on the server"),
    ("lo_import", HIGH, "“{}” reads a file of the server"),
    ("pg_file_", HIGH, "“{}” writes or removes a file on the server"),
    ("pg_read_file", HIGH, "“{}” reads a file of the server"),
    ("rollback_to_", HIGH, "“{}” takes a table back to an older state"),
    ("expire_snapshots", HIGH, "“{}” throws older versions away"),
    ("remove_orphan_files", HIGH, "“{}” deletes files"),
    ("pg_promote", HIGH, "“{}” changes which server leads"),
    ("load_file", HIGH, "“{}” reads a file of the server"),
    ("load_extension", HIGH, "“{}” loads a program into the server"),
    ("utl_file", HIGH, "“{}” writes files on the server"),
    ("utl_", HIGH, "“{}” sends data away from the server"),
    ("dbms_java", HIGH, "“{}” runs a program on the server"),
    ("dbms_scheduler", HIGH, "“{}” makes the server run a job"),
    ("xp_", HIGH, "“{}” leaves the database for its machine"),
)
"""By the beginning of their names."""


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
    tokens = _after_telling(tokens)
    if not tokens:
        return
    if defines(tokens[:8]):
        yield from _defining(source, tokens)
        return
    if tokens[0].text.startswith(procedures.OWN):
        yield from procedures.executed(source.act(tokens))
    for act in acts(source, tokens):
        source.budget.words -= len(act.tokens)
        if source.budget.words < 0:
            yield act.found("sql.tangled", HIGH, "“{}” is one of more orders than anybody reads", 3)
            break
        yield from RULES[act.verb](act)
    yield from _into_file(source, tokens)
    yield from _calls(source, tokens)


def _after_telling(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """EXPLAIN only tells what would happen, EXPLAIN ANALYZE does it."""
    if tokens[0].text not in _TELLING:
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
    for place, token in enumerate(tokens):
        if place < after or token.kind != "word" or token.text not in RULES:
            continue
        if begins(tokens, place, first):
            inside = tokens[place : end(tokens, place)]
            hidden = place > 0 and (tokens[0].text == "WITH" or _in_query(tokens, place))
            yield source.act(inside, hidden=hidden)
            after = place + len(inside) if token.text in _WHOLE else 0


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
    """Functions that do what no query should: by their names."""
    for place, token in enumerate(tokens[:-1]):
        called = token.kind == "word" and len(token.text) > 3 and _is_called(tokens, place)  # noqa: PLR2004  # IN, ANY, MAX
        if called and token.text not in RULES:
            act = source.act(tokens[place : place + 2])
            yield from _called(act, token.text.lower())


def _is_called(tokens: tuple[Token, ...], place: int) -> bool:
    """`f(…)`, or a procedure of one of Oracle's packages."""
    after = tokens[place + 1].text
    return after == "(" or (after == "." and tokens[place].text.startswith(_PACKAGES))


_PACKAGES = ("DBMS_SQL", "DBMS_JOB", "DBMS_SCHEDULER", "DBMS_JAVA", "UTL_FILE", "UTL_HTTP",
             "UTL_TCP", "UTL_SMTP", "UTL_MAIL", "UTL_INADDR")  # fmt: skip
"""Those that run programs and statements, or leave the database."""


def _called(act: Act, name: str) -> Iterator[Found]:
    for start, level, reason in _FUNCTIONS:
        if name.startswith(start):
            yield act.found("sql.function", level, reason, 1)
            return
    verb = name_verb(name) if "_" in name else None
    takes = (
        verb and verb.kind is Kind.DELETE and verb.form is Form.BASE and name.startswith(verb.base)
    )
    if name in _RUNNERS:
        yield act.found("sql.function", HIGH, "“{}” runs a statement elsewhere", 1)
    elif takes and ("_table" in name or not name.startswith(_BUILT_IN)):
        yield act.found("sql.removal", HIGH, "“{}” is a function that takes something away", 1)


_BUILT_IN = ("trunc", "format_", "json_", "array_remove", "list_", "clear_bit", "close_")


def _runs(word: str) -> bool:
    return word.lower() in _RUNNERS


def _scheduled(tokens: tuple[Token, ...]) -> bool:
    """PostgreSQL's `cron.schedule('name', 'when', 'statement')`."""
    texts = [token.text for token in tokens]
    at = texts.index("CRON")
    return tuple(texts[at + 1 : at + 3]) in {(".", "SCHEDULE"), (".", "SCHEDULE_IN_DATABASE")}


def dynamic(tokens: tuple[Token, ...]) -> bool:
    """Whether the strings in a statement are themselves statements that run."""
    words = {token.text for token in tokens if token.kind == "word"}
    runs = (
        tokens[0].text == "DO"
        or words & _DYNAMIC
        or any(map(_runs, words))
        or ("CRON" in words and _scheduled(tokens))
    )
    return bool(runs) and not defines(tokens[:8]) and tokens[0].text not in {"GRANT", "REVOKE"}
