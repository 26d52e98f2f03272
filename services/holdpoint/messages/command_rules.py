"""Command rules: what a tool's subcommands and options put at risk."""

from holdpoint.messages.base import Value
from holdpoint.messages.risk import Heuristic, RiskLevel


class RuleDanger(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Effect of a rule that fits."""

    id: str
    """The rule's id in signals: `shell.node-remove`."""

    level: RiskLevel
    reason: str
    """What the command does, as the end of a sentence that begins with the command; `{place}`
    stands for what the rule's kind of place is called."""

    verb: str = ""
    """What it does, in a word; without it, its subcommand."""

    heuristic: Heuristic = Heuristic.IRREVERSIBILITY


class CommandRule(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One outcome of a tool, and the command lines that lead to it."""

    subcommands: tuple[str, ...] = ()
    """Words that must come first, any of these; `*` stands for any one word."""

    words: tuple[str, ...] = ()
    """Words that must stand somewhere, all of any of these; in any case, a dash before or not."""

    patterns: tuple[str, ...] = ()
    """Regular expressions (RE2) over its arguments and over what it reads; any of these."""

    options: str = ""
    """Options of which one must be given."""

    unless: str = ""
    """Options that make it harmless."""

    unless_patterns: tuple[str, ...] = ()
    """Regular expressions over its arguments that make it harmless."""

    places: str = ""
    """Kinds of place; one of its words must name one: `system`, `root`, `private`, `device` …"""

    sources: str = ""
    """Kinds of place; one of its words before the last must name one."""

    target: str = ""
    """Kinds of place; the last of its words must name one, or what `-t` does."""

    reads: str = ""
    """What must stand on its input, any of these: `anything`, `unread`, `remote`, `file` …"""

    looped: bool = False
    """True if it must run again and again, over things that nobody listed."""

    spares: str = ""
    """A regular expression (RE2); no rule where each word behind the subcommand matches it."""

    danger: RuleDanger | None = None
    fires: tuple[str, ...] = ()
    """Examples that carry the danger."""

    silent: tuple[str, ...] = ()
    """Examples that do not, beside those of the tool."""


class GroupRules(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules of several programs, beside those that each has of its own."""

    programs: str
    """Their names; a word list where that has a colon."""

    complete: bool = False
    """True if nothing else needs to be asked about these programs."""

    values: str = ""
    """Options that take the next word."""

    rules: tuple[CommandRule, ...] = ()


class ToolRules(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool, by its program's name."""

    also: tuple[str, ...] = ()
    """Other programs with the same command line."""

    values: str = ""
    """Options that take the next word."""

    dry_run: str = ""
    """Options that make it only print what it would do."""

    no_dry_run: str = ""
    """Options that take that back."""

    by_verb: bool = False
    """True if a subcommand that no rule names is judged by its verb."""

    silent: tuple[str, ...] = ()
    """Examples that carry no danger of any rule."""

    rules: tuple[CommandRule, ...] = ()
