"""What a tool's subcommands do: rows of data, and how one command is looked up among them."""

from collections.abc import Iterable

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.core.risk.shell.options import NONE, Options, read_options
from holdpoint.messages.risk import RiskLevel

LOW, MEDIUM = RiskLevel.LOW, RiskLevel.MEDIUM
HIGH, CRITICAL = RiskLevel.HIGH, RiskLevel.CRITICAL


class Effect(msgspec.Struct, frozen=True):
    """One thing that a tool can do, and how its command line says so."""

    path: tuple[str, ...]
    """Its subcommand's words; `*` stands for any one word."""

    flags: str
    """Options of which one must be given; empty when none is needed."""

    level: RiskLevel
    rule: str
    reason: str
    unless: str = ""
    """Options that make it harmless."""

    def fits(self, options: Options) -> bool:
        """Whether a command line says this."""
        words, path = options.words, self.path
        return (
            (words[: len(path)] == path or _alike(path, words))
            and (not self.flags or options.has(self.flags))
            and not (self.unless and options.has(self.unless))
        )


def _alike(path: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether words begin with a path in which `*` stands for any one word."""
    if "*" not in path or len(words) < len(path):
        return False
    return all(part in {"*", word} for part, word in zip(path, words, strict=False))


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool with subcommands."""

    effects: dict[str, tuple[Effect, ...]] = {}
    """By the first word that they ask for; those that ask for none stand under an empty one."""

    values: frozenset[str] = NONE
    """Options that take the next word."""

    dry: str = ""
    """Options that make it only say what it would do; it honours them."""

    undry: str = ""
    """Options that take that back."""

    verbs: bool = False
    """Whether a subcommand that is not listed is judged by its verb."""


def on(path: str, flags: str, level: RiskLevel, rule: str, reason: str) -> Effect:
    """One row; alternatives of a last word are written `a|b` and made with `each`."""
    return Effect(tuple(path.split()), flags, level, f"shell.{rule}", reason)


def each(paths: str, flags: str, level: RiskLevel, rule: str, reason: str) -> tuple[Effect, ...]:
    """A row for each of several subcommands, parted by commas."""
    return tuple(on(path, flags, level, rule, reason) for path in paths.split(","))


def tool(
    *effects: Effect | tuple[Effect, ...], values: str = "", dry: str = "", undry: str = "",
    verbs: bool = False,
) -> Tool:  # fmt: skip
    """A tool from its rows."""
    rows: list[Effect] = []
    for effect in effects:
        rows.extend(effect if isinstance(effect, tuple) else (effect,))
    first: dict[str, tuple[Effect, ...]] = {}
    for row in rows:
        head = row.path[0] if row.path and row.path[0] != "*" else ""
        first[head] = (*first.get(head, ()), row)
    return Tool(effects=first, values=word_set(values), dry=dry, undry=undry, verbs=verbs)


def judged(known: Tool, command: Command) -> tuple[list[Danger], bool]:
    """The worst that its rows say, and whether any row said something."""
    options = read_options(command.args, known.values)
    if asks_for_help(command) or is_dry(known, options):
        return [], True
    return by_rows(known, options)


def by_rows(known: Tool, options: Options) -> tuple[list[Danger], bool]:
    """The same for a command that neither asks for help nor runs dry."""
    head = options.word(0)
    rows = known.effects.get("", ())
    if head:
        rows = (*rows, *known.effects.get(head, ()))
    fitting = [effect for effect in rows if effect.fits(options)]
    return worst(fitting, options), bool(fitting)


def worst(effects: Iterable[Effect], options: Options) -> list[Danger]:
    """Their worst, as a danger."""
    effect = max(effects, key=lambda one: one.level.rank, default=None)
    if effect is None or effect.level is LOW:
        return []
    verb = effect.path[-1] if effect.path else ""
    return [Danger(effect.rule, effect.level, effect.reason, verb or options.word(0))]


def is_dry(known: Tool, options: Options) -> bool:
    """Whether it only says what it would do."""
    if not known.dry or not options.has(known.dry):
        return False
    given = options.value("--dry-run") in {"none", "false", "0"}
    return not given and not (known.undry and options.has(known.undry))


_HELP = frozenset({"--help", "--version", "-help", "--usage"})


def asks_for_help(command: Command) -> bool:
    """Whether it only prints its help or version."""
    args = command.args
    return bool(args) and (
        args[0] == "help" or (len(args) > 1 and args[-1] in {"help", "-h"}) or
        args[-1] in {"-h", "/?"} or (not _HELP.isdisjoint(args) and _helps(args))
    )  # fmt: skip


def _helps(args: tuple[str, ...]) -> bool:
    return any(
        arg in _HELP
        and (not at or not _takes(args[at - 1]))
        and (arg == "--help" or at + 1 == len(args))
        for at, arg in enumerate(args)
    )


def _takes(arg: str) -> bool:
    """Whether an option before it may have taken it for its value."""
    return len(arg) == len("-x") and arg[0] == "-"
