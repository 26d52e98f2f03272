"""Programs in texts: the language of each, and its reader; requests that they send."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import msgspec

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.environment import milder, sandbox_of
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.extract.selectors import scripts_in
from holdpoint.core.risk.http.analyzer import MAX_REQUESTS, read_addressless, read_object
from holdpoint.core.risk.http.request import WRITING, request_in
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.model import Analysis, Finding
from holdpoint.core.risk.shell.analyzer import ShellAnalysis, analyze_shell
from holdpoint.core.risk.shell.command_rules import asks_for_help, is_rehearsal
from holdpoint.core.risk.shell.model import command_of
from holdpoint.core.risk.shell.unknown_programs import UNKNOWN_PROGRAM, is_known
from holdpoint.core.risk.sql.analyzer import MAX_HEAD, analyze_sql, begins_as_sql
from holdpoint.core.risk.sql.orders import Budget
from holdpoint.core.risk.tools.command_lines import commands_in
from holdpoint.core.risk.tools.nested import Inner
from holdpoint.core.risk.words import (
    CODE_KEYS,
    PROGRAM_KEYS,
    SHELL_KEYS,
    SQL_KEYS,
    SURELY_SQL,
    word_set,
)
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import RiskLevel

MAX_READ = 96
"""Programs in one action: a person would not check more, and whatever holds more goes up."""

_MARK = "HOLDPOINT_CODE"


class Programs(Analysis, frozen=True, kw_only=True):
    """Effects of the programs in an action; `known`: each is a shell text of known programs."""

    read: int = 0
    """How many were read."""

    parsed: frozenset[str] = frozenset()
    """Arguments of SQL that were read to their end: what they do decides in place of patterns."""

    covers: bool = False
    """Whether they are all the text that there is, so that nothing else needs to be looked at: not
    for other languages, whose strings may hold what nobody parsed, nor for what begins as no
    statement does."""

    sql: bool = False
    """Whether it is one text of SQL and nothing else."""

    sandbox: str = ""
    """Where all that it takes away lies in a sandbox, the names of that."""

    @property
    def complete(self) -> bool:
        """Return whether the parse alone decides: it saw every text, and could read it."""
        return self.covers and not self.unreadable


_TOO_MANY = Programs(read=1, unreadable="there is too much in it to run")


def programs(
    domain: str,
    leaves: tuple[Leaf, ...],
    objects: tuple[Mapping[str, Any], ...],
    dialect: str,
    tool: str = "",
    policy: Policy | None = None,
) -> Programs:
    """Read each argument that is a program, and those that a call spells out in parts.

    With a policy, what its sandboxes and build products make milder is milder.
    """
    texts = [
        leaf for leaf in leaves if isinstance(leaf.value, str) and leaf.value[:MAX_HEAD].strip()
    ]
    seen: list[Programs] = []
    offset, covered, budget = 0, 0, Budget()
    for leaf in texts:
        found = None
        if len(seen) <= MAX_READ and _may_run(leaf):
            found = _read(domain, leaf, dialect, budget, policy)
            found = found or _asked_of_a_database(tool, leaf, dialect, budget)
        if found:
            covered += found.covers
            seen.append(_shifted(found, leaf.value, offset))
        offset += len(leaf.value) + 1
    spelled = list(islice(_spelled(tool, texts, objects, dialect, budget), MAX_READ + 1))
    if max(len(seen), len(spelled)) > MAX_READ:
        seen.append(_TOO_MANY)
    seen.extend((*_requests(tool, objects), *spelled))
    return _together(seen, covers=bool(texts) and covered == len(texts))


def one_command(text: str, dialect: str, policy: Policy | None) -> Programs:
    """Read a call that is one command."""
    return _shifted(shell(text, dialect, Budget(), policy), text, 0)


def _together(seen: list[Programs], *, covers: bool) -> Programs:
    if not seen:
        return Programs(covers=covers)
    if len(seen) == 1:
        return msgspec.structs.replace(seen[0], covers=covers)
    worst = max(seen, key=_rank)
    return Programs(
        findings=tuple(finding for one in seen for finding in one.findings),
        stays=all(one.stays for one in seen),
        verb=worst.verb,
        targets=tuple(target for one in seen for target in one.targets),
        amounts=tuple(money for one in seen for money in one.amounts),
        unreadable=next((one.unreadable for one in seen if one.unreadable), ""),
        read=sum(one.read for one in seen),
        reads_only=all(one.reads_only for one in seen),
        known=all(one.known for one in seen),
        commands=tuple(command for one in seen for command in one.commands),
        statements=tuple(text for one in seen for text in one.statements),
        parsed=frozenset(text for one in seen for text in one.parsed),
        covers=covers,
        requests=tuple(request for one in seen for request in one.requests),
    )


def _rank(seen: Programs) -> int:
    return max((finding.level.rank for finding in seen.findings), default=0)


def _read(
    domain: str, leaf: Leaf, dialect: str, budget: Budget, policy: Policy | None
) -> Programs | None:
    key = leaf.key.lower()
    text = leaf.value
    if domain == "shell" and key in SHELL_KEYS:
        return shell(text, dialect, budget, policy)
    if key in SQL_KEYS and (domain == "database" or key in SURELY_SQL):
        return sql(text, dialect, budget)
    if begins_as_sql(text):
        return _of_sql(analyze_sql(text, dialect, budget=budget, guessed=True), budget, text)
    if key in SHELL_KEYS:
        return shell(text, dialect, budget, policy)
    if key in CODE_KEYS:
        found = shell(f"python3 - <<'{_MARK}'\n{text}\n{_MARK}\n", dialect, budget)
        return msgspec.structs.replace(found, covers=False)
    return None


def _may_run(leaf: Leaf) -> bool:
    """Return whether it may be a program: one word is none, but under the key of one."""
    return not leaf.value.isalnum() or leaf.key.lower() in _RUN


def _asked_of_a_database(tool: str, leaf: Leaf, dialect: str, budget: Budget) -> Programs | None:
    """A statement that only the tool's name tells from a sentence: `run_query {q: SHUTDOWN}`."""
    if leaf.key.lower() not in _ASKED or not _speaks_sql(tool):
        return None
    found = _of_sql(
        analyze_sql(leaf.value, dialect, budget=budget, guessed=True), budget, leaf.value
    )
    return found if found.findings else None


_ASKED = SQL_KEYS | {"q"}
_RUN = PROGRAM_KEYS | _ASKED


@memoize(1024)
def _speaks_sql(tool: str) -> bool:
    """Return whether a tool hands a database what it is given, and does not search in it."""
    named = frozenset(words_of(tool))
    runs = not (_RUNS.isdisjoint(named) or _ASKED.isdisjoint(named))
    return (runs or not _DATABASES.isdisjoint(named)) and _SEARCHES.isdisjoint(named)


_RUNS = word_set("run execute exec eval perform submit send")
_SEARCHES = word_set("search find lookup vector semantic similarity")
_DATABASES = words("words/sql:databases")
"""Words in the names of tools that speak to a database."""


def sql(text: str, dialect: str, budget: Budget | None = None) -> Programs:
    """A text of SQL, with the programs that it hands to the machine of its server."""
    shared = budget or Budget()
    return _of_sql(analyze_sql(text, dialect, budget=shared), shared, text)


def _of_sql(found: Analysis, budget: Budget, text: str) -> Programs:
    inner = (it for one in found.commands for it in analyze_shell(one, budget).findings)
    return Programs(
        read=1,
        findings=(*found.findings, *map(_placeless, inner)),
        reads_only=found.reads_only,
        stays=found.stays,
        verb=found.verb,
        targets=found.targets,
        amounts=found.amounts,
        unreadable=found.unreadable,
        covers=found.known,
        statements=(text,),
        parsed=frozenset({text} if found.known and not found.unreadable else ()),
        sql=True,
    )


def shell(text: str, dialect: str, budget: Budget, policy: Policy | None = None) -> Programs:
    """A shell text, with the SQL that it hands to a database."""
    found = analyze_shell(text, budget)
    sandbox = ""
    if policy and any(one.targets for one in found.findings):
        sandbox = sandbox_of(found.findings, policy)
        found = msgspec.structs.replace(found, findings=tuple(milder(found.findings, policy)))
    if policy and policy.commands and found.findings:
        known = tuple(one for one in found.findings if not _is_told_of(one, policy))
        found = msgspec.structs.replace(found, findings=known)
    if not found.statements:
        return Programs(
            read=1,
            covers=True,
            findings=found.findings,
            reads_only=found.reads_only,
            known=found.known,
            commands=found.commands if sandbox else (*found.commands, *found.in_full),
            verb=found.verb,
            targets=found.targets,
            unreadable=found.unreadable,
            sandbox=sandbox,
            requests=found.requests,
        )
    seen = _with_statements(found, dialect, budget)
    return msgspec.structs.replace(seen, sandbox=sandbox)


def _is_told_of(finding: Finding, policy: Policy) -> bool:
    """Return whether the policy declares this use of a program harmless, or it is a dry run."""
    if not (_of_unknown.match(finding.rule) and _plain_words.fullmatch(finding.evidence)):
        return False
    words = finding.evidence.split()
    command = command_of(tuple(words), (), None, many=False, span=(0, 0), depth=0)
    tools = [one for name, one in policy.commands.items() if command.name in {name, *one.also}]
    if tools and not is_known(command) and all(is_rehearsal(one, command) for one in tools):
        return True
    if finding.rule != UNKNOWN_PROGRAM:
        return False
    silent = (line.split()[1:] for one in tools for line in one.silent)
    declared = any(list(command.args[: len(line)]) == line for line in silent)
    return bool(tools) and (declared or asks_for_help(command))


_of_unknown = re.compile(r"shell\.(?:unknown-|verb-)")
"""Rules about what nobody knows, which go by its words alone."""

_plain_words = re.compile(r"[\w ./:=@,+-]{1,199}")
"""A command that stands there whole, and runs nothing else."""


def _with_statements(found: ShellAnalysis, dialect: str, budget: Budget) -> Programs:
    """A shell text that hands SQL to a database, with what that does."""
    known = found.sql_analyses
    inner = [
        _of_sql(analyze_sql(one, dialect, budget=budget) if dialect else known[one], budget, one)
        for one in known
    ]
    told = {(finding.rule, finding.reason) for finding in found.findings}
    within = tuple(
        _placeless(finding)
        for one in inner
        for finding in one.findings
        if (finding.rule, finding.reason) not in told
    )
    return Programs(
        read=1,
        covers=True,
        findings=(*found.findings, *within),
        reads_only=found.reads_only and all(one.reads_only for one in inner),
        commands=found.commands,
        statements=found.statements,
        verb=found.verb or next((one.verb for one in inner if one.verb), ""),
        targets=(*found.targets, *(target for one in inner for target in one.targets)),
        amounts=tuple(money for one in inner for money in one.amounts),
        unreadable=found.unreadable,
        requests=found.requests,
    )


def _requests(tool: str, objects: Iterable[Mapping[str, Any]]) -> Iterator[Programs]:
    """The requests that a call holds; a tool that sends them is asked where to."""
    sends = not _SENDERS.isdisjoint(words_of(tool))
    left = MAX_REQUESTS
    for place, one in enumerate(objects):
        found = read_object(one)
        if found is None and sends and not place:
            found = read_addressless(one) or read_object({"method": "GET", **one})
        if found and not left:
            yield _TOO_MANY
            return
        if found:
            left -= 1
            yield Programs(
                read=1, findings=found.findings, reads_only=found.reads_only, verb=found.verb
            )


_SENDERS = word_set("http https rest curl fetch webhook requests axios httpx")
"""Words in the names of tools that send requests."""


def _spelled(
    tool: str,
    leaves: Iterable[Leaf],
    objects: tuple[Mapping[str, Any], ...],
    dialect: str,
    budget: Budget,
) -> Iterator[Programs]:
    """Yield what its parts make together, and what it runs in a page."""
    pages = (f"node - <<'{_MARK}'\n{one}\n{_MARK}\n" for one in scripts_in(tool, leaves))
    for line in chain(commands_in(tool, objects), pages):
        found = shell(line, dialect, budget)
        yield msgspec.structs.replace(found, findings=tuple(map(_placeless, found.findings)))


def _shifted(seen: Programs, text: str, offset: int) -> Programs:
    """Places in the text of the whole action; none where normalising could have moved them."""
    if not seen.findings:
        return seen
    if text.isascii():
        moved = tuple(_at(finding, offset, len(text)) for finding in seen.findings)
    else:
        moved = tuple(map(_placeless, seen.findings))
    return msgspec.structs.replace(seen, findings=moved)


def _at(finding: Finding, offset: int, length: int) -> Finding:
    if finding.span is None or finding.span[1] > length:
        return _placeless(finding)
    start, end = finding.span
    return msgspec.structs.replace(finding, span=(start + offset, end + offset))


def _placeless(finding: Finding) -> Finding:
    return msgspec.structs.replace(finding, span=None)


def worrying(seen: Programs) -> bool:
    """Whether anything in it is more than nothing; that a program is unknown proves nothing."""
    return any(one.level > RiskLevel.LOW and one.rule != UNKNOWN_PROGRAM for one in seen.findings)


def dialect_of(facts: Mapping[str, Any]) -> str:
    """The SQL dialect, where configuration says it."""
    said = facts.get("dialect")
    return said if isinstance(said, str) else ""


SENDS = "http.request"
"""The tool that a request is judged as."""

SENDING_LEVEL = 2
"""The operation level of what sends a request that may change something, whatever it is called."""


def sent_in(ran: Programs, objects: tuple[Mapping[str, Any], ...]) -> Iterator[Inner]:
    """Those of its commands, and those among these objects that may change something."""
    for one in ran.requests:
        yield Inner(tool=SENDS, arguments=dict(one))
    for held in objects:
        found = request_in(held)
        if found and found.plain and found.method in WRITING:
            yield Inner(tool=SENDS, arguments=dict(held))
