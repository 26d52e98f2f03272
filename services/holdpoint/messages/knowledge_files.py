"""Files of the risk engine's knowledge: words, patterns, units, verbs, targets, rules of calls."""

from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from holdpoint.messages.base import Value
from holdpoint.messages.command_rules import GroupRules

Words = Annotated[str, Meta(description="Words with white space between them.")]
Patterns = Annotated[
    tuple[str, ...],
    Meta(min_length=1, description="Regular expressions; one of them must match."),
]

_Entry: TypeAlias = Words | int | bool | tuple[str | dict[str, str | bool | tuple[str, ...]], ...]
_Row: TypeAlias = _Entry | dict[str, _Entry]
_Table: TypeAlias = _Entry | dict[str, _Row]
WordFile: TypeAlias = dict[str, _Entry | dict[str, _Table]]
"""A file of word lists, in tables of up to four levels: `[local.programs.rm] options = "-f -r"`."""

PatternFile: TypeAlias = dict[str, dict[str, Patterns]]
"""Patterns by the module that reads them, and by name."""

VerbsOnThings: TypeAlias = dict[str, dict[str, dict[Words, Words]]]
"""By table and reason: verbs, and the things on which they count; none: whatever it is."""

Groups: TypeAlias = dict[str, GroupRules]


class CurrencyNames(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Names of a currency or a coin."""

    code: bool = False
    """True if its code in lower case is a name of it wherever a sum stands."""

    symbol: str = ""
    """The sign before or behind a sum."""

    names: Words = ""
    """Names that mean it in any text."""

    local: Words = ""
    """Names too short or too common for a sentence; they count where something is paid."""

    chain: Words = ""
    """Words of a tool's name or a host that say that sums are in this coin."""


class CoinSize(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A small coin."""

    size: str
    """Its size in the currency, as a decimal number."""

    currency: str = ""
    """The currency that its name says."""


class Units(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of `data/units.toml`."""

    scale: dict[Words, int]
    """Words behind a number that multiply it in a sum, and by how much."""

    sentence_scales: dict[str, int]
    short_scales: dict[str, int]
    numbers: dict[str, Words]
    coin: dict[Words, CoinSize]
    periods: dict[str, Words]
    """Periods, by what counts them."""

    priced_by: dict[str, Words]
    """Abbreviations of prices, and what they are the price of."""

    same: dict[str, tuple[Words, ...]]
    """Units with more than one name."""

    each: dict[str, str]
    """Keys that say of what their value is the price, where it is one."""

    times: dict[Words, str]
    """What a rate is multiplied by, and what it is the price of."""

    span: dict[Words, str]
    """Words for spans of time, and how many seconds each is."""


Verbs: TypeAlias = dict[str, dict[str, Words | dict[str, Words]]]
"""Verbs by where they are read and by what they do, and their irregular forms by verb."""


class TargetRule(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a program acts on, by its options and words."""

    also: Words = ""
    """Other programs with the same command line."""

    rules: Words = ""
    """Rules whose findings are about these targets alone; those of its SQL always are."""

    host: Words = ""
    """Options whose value is a host; the next four alike."""

    database: Words = ""
    cluster: Words = ""
    path: Words = ""
    url: Words = ""
    words: str = ""
    """The kind of target that its words are; without it, words name none."""

    behind: Words = ""
    """Words that come first, and are no targets; `|` stands between several ways."""

    prefix: str = ""
    """Begins the name of a cluster that an option names."""

    default: str = ""
    """The target where it names none."""

    alone: bool = False
    """True if it counts only where the text runs nothing else."""

    values: Words = ""
    """Other options that take a word."""

    flags: Words = ""
    """Options that take none."""

    variables: Words = ""
    """Of `misleading`: variables that change no target."""


class ArgumentRule(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one argument of a call must be."""

    key: Words = ""
    """Of these, one word must stand in its key; or one of the next three fields must fit."""

    key_end: Words = ""
    """The last word of its key is one of these."""

    key_is: tuple[Words, ...] = ()
    """The words of its key are one of these."""

    key_ends: tuple[Words, ...] = ()
    """The last words of its key are one of these."""

    key_start_not: Words = ""
    """The first word of its key is none of these."""

    value: Words = ""
    """One of these stands in its value."""

    value_not: Words = ""
    """None of these stands in its value."""

    says: Words = ""
    """One of these stands in its value or its key."""

    value_is: Words | tuple[str, ...] = ""
    """The whole value in lower case is one of these."""

    value_is_not: Words | tuple[str, ...] = ""
    """The whole value in lower case is none of these."""

    value_starts: tuple[str, ...] = ()
    """The value in lower case begins with one of these."""

    code: Words = ""
    """The whole value is one of these numbers, with or without a country's code."""

    kind: str = "text"
    """Its type: text, given (a text or number that is not empty), number (a text or a number),
    true, off."""

    most: int = 0
    """Characters of the value at most; 0 for any number."""


class ExampleCall(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool call as an example."""

    tool: str
    args: dict[str, Any]


class ToolCallRule(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A danger of tool calls, and the names and arguments that lead to it."""

    reason: str
    """What the call does, as the end of a sentence that begins with the tool."""

    name: tuple[Words, ...]
    """Of each list, one word must stand in the tool's name."""

    name_not: Words = ""
    """None of these stands in the tool's name."""

    key_not: Words = ""
    """None of these stands in an argument's key."""

    arguments: tuple[ArgumentRule, ...] = ()
    """Each must be met by some argument."""

    fires: tuple[ExampleCall, ...] = ()
    """Calls that it must fire on; they run as tests."""

    silent: tuple[ExampleCall, ...] = ()
    """Calls that it must not fire on; they run as tests."""


class ToolCallRules(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of `data/rules/tools.toml`."""

    hazard: tuple[ToolCallRule, ...]
    """Rules of what is hard to undo."""

    control: tuple[ToolCallRule, ...]
    """Rules of what lets somebody in, or leads money elsewhere."""
