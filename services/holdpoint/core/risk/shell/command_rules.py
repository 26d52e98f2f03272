"""Match one command with the rules of its tool."""

from collections.abc import Iterable
from functools import cache, cached_property

import msgspec
import re2

from holdpoint.core.risk.knowledge import tool_rules, words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help, is_dry, runs_dry
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.wording import verb_in
from holdpoint.messages.command_rules import CommandRule, RuleDanger, ToolRules

KNOWN_HARMLESS = words("words/shell:programs.harmless")

SERVICES = words("words/shell:programs.services")


class _Texts:
    """What a command line says beside its subcommands and options, read when a rule asks for it."""

    def __init__(self, command: Command) -> None:
        self._command = command

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in lower case, as they stand there and bare of quotes, commas and dashes."""
        said = [arg.lower().strip("'\"") for arg in self._command.args]
        parts = {part for one in said for part in (one, *one.split(","))}
        return frozenset(parts | {part.lstrip("-$") for part in parts})

    @cached_property
    def whole(self) -> str:
        """Its arguments in one line and each in its own, then what it reads."""
        args, stdin = self._command.args, self._command.stdin
        fed = (stdin.text or "") if stdin else ""
        return "\n".join((" ".join(args), *args, fed))


class _Row(msgspec.Struct, frozen=True):
    """One subcommand of a rule."""

    path: tuple[str, ...]
    words: tuple[frozenset[str], ...]
    rule: CommandRule

    def fits(self, options: Options, texts: _Texts) -> bool:
        """Whether a command line says this."""
        said, path, rule = options.words, self.path, self.rule
        return (
            (said[: len(path)] == path or _alike(path, said))
            and (not rule.options or options.has(rule.options))
            and not (rule.spares and self._spares(said[len(path) :]))
            and (not self.words or any(words <= texts.words for words in self.words))
            and (not rule.patterns or any(_regex(one).search(texts.whole) for one in rule.patterns))
        )

    def _spares(self, words: tuple[str, ...]) -> bool:
        """Whether all that it is about is something that the rule leaves alone."""
        return bool(words) and all(map(_regex(self.rule.spares).fullmatch, words))

    def verb(self, texts: _Texts) -> str:
        """Return the word that says what is done; empty when no word of the rule does."""
        named = [word for word in self.path if word != "*"]
        if named:
            return named[-1]
        return next((min(words).strip("/") for words in self.words if words <= texts.words), "")

    @property
    def is_sure(self) -> bool:
        """Whether it goes by what a program is told, so that no word for a dry run is believed."""
        return bool(self.words or self.rule.patterns)


_regex = cache(re2.compile)


def _alike(path: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether words begin with a path in which `*` stands for any one word."""
    if "*" not in path or len(words) < len(path):
        return False
    return all(part in {"*", word} for part, word in zip(path, words, strict=False))


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool's rules, ready to be matched."""

    rules: ToolRules
    values: frozenset[str]
    """Options that take the next word."""

    rows: dict[str, tuple[_Row, ...]]
    """By the first word that they ask for; those that ask for none stand under an empty one."""


@cache
def tool_of(name: str) -> Tool | None:
    """Return the rules of a program; None when it has none."""
    rules = tool_rules(name)
    return prepared(rules) if rules else None


def known_tool(name: str) -> Tool:
    """Return the rules of a program that is known to have some."""
    tool = tool_of(name)
    if tool is None:
        raise LookupError(name)
    return tool


def prepared(rules: ToolRules) -> Tool:
    """Return rules ready to be matched."""
    rows: dict[str, tuple[_Row, ...]] = {}
    for rule in rules.rules:
        words = tuple(frozenset(one.split()) for one in rule.words)
        for subcommand in rule.subcommands or ("",):
            path = tuple(subcommand.split())
            head = path[0] if path and path[0] != "*" else ""
            rows[head] = (*rows.get(head, ()), _Row(path, words, rule))
    return Tool(rules=rules, values=word_set(rules.values), rows=rows)


def judged(tool: Tool, command: Command) -> tuple[list[Danger], bool]:
    """Return the worst that its rules say, and whether any rule said something."""
    options = read_options(command.args, tool.values)
    if asks_for_help(command) or is_dry(tool.rules, options, command.args):
        return [], True
    texts = _Texts(command)
    rows = _fitting(tool, options, texts)
    if rows and runs_dry(command, tool.values):
        return _worst([row for row in rows if row.is_sure], options, texts), True
    return _worst(rows, options, texts), bool(rows)


def by_rows(tool: Tool, options: Options, command: Command) -> list[Danger]:
    """Return the worst that rules say of a command that neither asks for help nor runs dry."""
    texts = _Texts(command)
    return _worst(_fitting(tool, options, texts), options, texts)


def _fitting(tool: Tool, options: Options, texts: _Texts) -> list[_Row]:
    head = options.word(0)
    rows = tool.rows.get("", ())
    if head:
        rows = (*rows, *tool.rows.get(head, ()))
    return [row for row in rows if row.fits(options, texts)]


@cache
def _verb_of(reason: str) -> str:
    """Return the verb that a reason begins with: `delete` of `deletes backups`."""
    found = verb_in(reason.partition(" ")[0])
    return found.base if found else ""


def _worst(rows: Iterable[_Row], options: Options, texts: _Texts) -> list[Danger]:
    found: list[tuple[_Row, RuleDanger]] = [
        (row, row.rule.danger)
        for row in rows
        if row.rule.danger and not (row.rule.unless and options.has(row.rule.unless))
    ]
    if not found:
        return []
    row, danger = max(found, key=lambda one: one[1].level.rank)
    verb = danger.verb or row.verb(texts) or _verb_of(danger.reason)
    return [Danger(danger.id, danger.level, danger.reason, verb, danger.heuristic)]
