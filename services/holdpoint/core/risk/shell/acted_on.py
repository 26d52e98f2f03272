"""What a command acts on, as a card shows it: what is destroyed or changed stands first."""

import re
from collections.abc import Iterator
from itertools import chain

from holdpoint.core.risk.knowledge import by_word, entry, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import (
    CLUSTER_TOOLS,
    KNOWN_HARMLESS,
    SERVICES,
    is_alike,
    tool_of,
)
from holdpoint.core.risk.shell.command_verbs import verb_of
from holdpoint.core.risk.shell.data_transfer import PACKERS, packed_into
from holdpoint.core.risk.shell.filesystem_commands import FILE_PROGRAMS
from holdpoint.core.risk.shell.judge import usual
from holdpoint.core.risk.shell.model import HOLE, NOWHERE, Command, shown
from holdpoint.core.risk.words import word_set

MAX_TARGET = 200
"""Characters of a word that may name something."""

_DEEPEST = 4
"""Words of a subcommand: `gcloud compute instances delete`."""

_WHERE = words("words/shell:targets.place_options")
_SUBCOMMANDS = words("words/shell:targets.programs_with_subcommands") | SERVICES
_FIRST_IS_SET = words("words/shell:targets.programs_that_set_first")
_BY_REDIRECTION = words("words/shell:targets.rules_about_a_redirection")
_LAST_IS_LOST = words("words/shell:targets.rules_about_the_last_word")
_VALUES = {
    name: word_set(options)
    for name, options in by_word("words/shell:targets.options_with_value").items()
}
_PLACES = {name: word_set(it) for name, it in by_word("words/shell:targets.places_of").items()}
_secret = re.compile("pass|token|secret|auth|header|cred|private|api-?key|access-?key")
_SAID = words("words/shell:sql.first_words")
_SHORT_KINDS = frozenset(chain.from_iterable(entry("words/shell:kinds.short").items()))
_KINDS = words("words/shell:targets.kinds")
_EDITORS = word_set("sed gsed perl")
_ITS_SCRIPT = word_set("-e -f --expression --file")
_LETTERS = 3
"""Signs of an option that may be letters in a bundle: a longer one is a word."""

_bundle = re.compile(r"-[A-Za-z]{2,6}")


def acted_on(command: Command, findings: list[Finding]) -> Iterator[str]:
    """Yield what a command acts on; of one without a finding, only the paths that it writes to."""
    worst = max(findings, key=lambda one: one.level.rank, default=None)
    if command.name in KNOWN_HARMLESS and worst is None:
        return
    written = [shown(one) for one in _written(command)]
    if worst is None:
        yield from written
        return
    if worst.rule in _BY_REDIRECTION:
        yield from written
    yield from (shown(one.removeprefix("of=")) for one in _named(usual(command), worst))
    yield from written


def _written(command: Command) -> Iterator[str]:
    for one in command.redirects:
        is_path = "/" in one.target or one.in_words
        if one.sign.startswith((">", "&>")) and is_path and one.target not in {NOWHERE, "-"}:
            yield one.target


def _named(command: Command, worst: Finding) -> Iterator[str]:
    """Yield its words that name something, then the values of options that say what and where."""
    own, told, places = _parted(command)
    rest = _without_orders(command, own, worst)
    if command.name in PACKERS and worst.verb == "delete":
        archive = packed_into(command)
        rest = [one for one in rest if one != archive] or rest
    if worst.rule in _LAST_IS_LOST:
        rest = rest[::-1]
    rest = [one for one in rest if HOLE in one or _may_name(one)]
    rest.sort(key=lambda one: _is_kind(one, command) + 2 * one.isdigit())
    if places and len(rest) == 1 and _is_kind(rest[0], command):
        rest = [*places, *rest]
    yield from (*rest, *filter(_may_name, told), *places)


def _parted(command: Command) -> tuple[list[str], list[str], list[str]]:
    """Its words; the values of its long options, without secrets; and what says where it acts."""
    is_file = command.name in FILE_PROGRAMS
    where = frozenset[str]() if is_file else _WHERE | _PLACES.get(command.name, frozenset())
    tool = tool_of(command.name)
    values = (tool.values if tool else frozenset()) | _VALUES.get(command.name, frozenset())
    own: list[str] = []
    told: list[str] = []
    places: list[str] = []
    before = ""
    for arg in sorted(command.args, key=_is_input) if command.name == "dd" else command.args:
        name, assigned, value = arg.partition("=")
        if arg[:1] == "-" and len(arg) > 1:
            places += [value] if assigned and name in where else []
        elif before in where:
            places.insert(0 if before == "--name" else len(places), arg)
        elif before in values or (_bundle.fullmatch(before) and f"-{before[-1]}" in values):
            told += [arg] if len(before) > _LETTERS and _says_what(before, arg) else []
        elif before[:2] != "--" or command.name in _FIRST_IS_SET or _says_what(before, arg):
            own.append(arg)
        before = arg
    return own, told, places


def _says_what(option: str, value: str) -> bool:
    """Return whether the value of a long option may be a name: no number, and no secret."""
    return not (value.isdigit() or _secret.search(option))


def _is_input(arg: str) -> bool:
    return not arg.startswith("of=")


def _without_orders(command: Command, own: list[str], worst: Finding) -> list[str]:
    """Its words without those that say what is done (`git push`), or what is set (`777`)."""
    if command.name in _FIRST_IS_SET:
        return own[1:]
    if command.name in FILE_PROGRAMS:
        return own[_is_script_first(command, own) :]
    path = _longest_path(command, own)
    behind = own[len(path) or int(command.name in _SUBCOMMANDS) :]
    rest = [word for part, word in zip(path, own, strict=False) if part == "*"] + behind
    ordered = command.name in _SUBCOMMANDS
    said = [
        at
        for at, word in enumerate(rest[:_DEEPEST])
        if word.lower() == worst.verb or (ordered and verb_of(word))
    ]
    if not said or (not ordered and len(said) == len(rest)):
        return rest
    return rest[said[-1] + 1 :] or [one for at, one in enumerate(rest) if at not in said]


def _is_script_first(command: Command, own: list[str]) -> bool:
    """Return whether the first word of a program for files is no file: `czf`, `s/a/b/`."""
    if command.name in PACKERS:
        return own[:1] == [*command.args[:1]]
    scripted = command.name in _EDITORS and _ITS_SCRIPT.isdisjoint(command.args)
    return scripted and not (command.name == "perl" and any("e" in it for it in command.args))


def _longest_path(command: Command, own: list[str]) -> tuple[str, ...]:
    """Return the longest subcommand of its rules that its words begin with."""
    tool = tool_of(command.name)
    rows = chain.from_iterable(tool.rows.values()) if tool else ()
    paths = (row.path for row in rows if is_alike(row.path, tuple(own)))
    return max(paths, key=len, default=())


def _is_kind(word: str, command: Command) -> bool:
    """Return whether it is a kind of thing, which stands before one's name: `delete ns test`."""
    kinds = _SHORT_KINDS | _KINDS if command.name in CLUSTER_TOOLS else _KINDS
    return word in kinds or word.removesuffix("s") in kinds


def _may_name(word: str) -> bool:
    named = word[:1] != "{" and word != "-" and word not in _SAID
    return named and len(word) < MAX_TARGET and " " not in word
