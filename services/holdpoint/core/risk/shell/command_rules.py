"""Match one command with the rules of its tool and its groups; dry runs and requests for help."""

import re
from collections.abc import Iterable
from functools import cache, cached_property, partial

import msgspec
import re2

from holdpoint.core.prefilter import QUIET
from holdpoint.core.risk.knowledge import by_word, data_file, listed, tool_rules, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.model import HOLE, Command
from holdpoint.core.risk.shell.options import NONE, Options, read_options
from holdpoint.core.risk.shell.paths import place_name, place_of
from holdpoint.core.risk.wording import verb_in
from holdpoint.core.risk.words import word_set
from holdpoint.messages.command_rules import CommandRule, GroupRules, RuleDanger, ToolRules

READERS = words("words/reading:anything")
KNOWN_HARMLESS = READERS | words("words/shell:programs.harmless")
CLUSTER_TOOLS = word_set("kubectl k oc kubecolor")
"""Programs with the command line of kubectl."""

SERVICES = words("words/shell:programs.services")


def reads_nothing(command: Command) -> bool:
    """Return whether what a command reads is known, and holds nothing."""
    said = command.stdin.text if command.stdin else None
    if said is not None:
        return not said.strip()
    return any(one.sign == "<" and one.target == "/dev/null" for one in command.redirects)


_LIFELINES = words("words/shell:services.lifelines") | words("words/shell:services.stores")
_suffix = re.compile(r"\.(?:service|socket|scope|slice|timer)$")
_version = re.compile(r"(?<=[a-z])-?[\d.]+$")
_many = re.compile(r"[*?\[]|\.target$")


def is_needed(name: str) -> bool:
    """Return whether others rely on a service or program, or keep their data with it.

    `postgresql@14-main.service`, `system/com.openssh.sshd` and `SSHD` go by their bare names.
    """
    last = _suffix.sub("", name.lower().rpartition("/")[2]).partition("@")[0]
    if last.startswith(("com.", "org.", "net.")):
        last = last.rpartition(".")[2]
    return last in _LIFELINES or _version.sub("", last) in _LIFELINES


def _place(word: str) -> str:
    return place_of(word).name.lower()


class _Texts:
    """What a command line says beside its subcommands and options, read when a rule asks for it."""

    def __init__(self, command: Command, options: Options) -> None:
        self._command = command
        self._options = options

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in lower case, whole and bare of dashes, and their parts: `put-bucket-acl`."""
        found: set[str] = set()
        for arg in self._command.args:
            said = arg.lower().strip("'\"")
            for part in (said, *said.split(",")):
                bare = part.lstrip("-$")
                found.update((part, bare, bare.partition(":")[0]))
                found.update(bare.partition("=")[0].split("-"))
        return frozenset(found)

    @cached_property
    def whole(self) -> str:
        """Its arguments in one line and each in its own, its redirections, then what it reads."""
        args, stdin = self._command.args, self._command.stdin
        fed = (stdin.text or "") if stdin else ""
        redirects = self._command.redirects
        written = [f"{one.sign} {one.target}" for one in redirects] if redirects else ()
        return "\n".join((" ".join(args), *args, *written, fed))

    @cached_property
    def places(self) -> frozenset[str]:
        """The kinds of place that its words name; `service` for services that are relied on."""
        named = self._options.words
        needed = any(is_needed(word) or _many.search(word) for word in named)
        return frozenset((*map(_place, named), *(("service",) if needed else ())))

    @cached_property
    def target(self) -> str:
        """The kind of place that it writes to."""
        words = self._options.words
        named = self._options.value("-t", "--target-directory") or "".join(words[1:][-1:])
        return _place(named) if named else ""

    @property
    def sources(self) -> frozenset[str]:
        """The kinds of place that the words before the last name."""
        words = self._options.words
        named = self._options.value("-t", "--target-directory")
        return frozenset(map(_place, words if named else words[:-1]))

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Its subcommands in lower case."""
        return tuple(map(str.lower, self._options.words))

    @property
    def reads(self) -> frozenset[str]:
        """Return what stands on its input, by where that comes from."""
        flow = self._command.stdin
        found = {"nothing"} if reads_nothing(self._command) else set[str]()
        if flow:
            known = "unread" if flow.text is None else "known"
            found |= {"anything", flow.origin.name.lower(), known}
        return frozenset(found)

    def reason(self, rule: CommandRule, reason: str) -> str:
        """A rule's reason, with the name of the place that it is about."""
        if "{place}" not in reason:
            return reason
        kinds = word_set(f"{rule.places} {rule.sources}")
        named = (word for word in self._options.words if _place(word) in kinds)
        word = next(named, "")
        return reason.replace("{place}", place_name(place_of(word), word) if word else "a place")

    def find(self, patterns: tuple[str, ...]) -> bool:
        """Return whether one of these patterns fits."""
        return any(_regex(one).search(self.whole) for one in patterns)

    def fits(self, rule: CommandRule) -> bool:
        """Return whether they are what a rule asks for beside subcommands, words and options."""
        return (
            (not rule.patterns or self.find(rule.patterns))
            and not (rule.unless_patterns and self.find(rule.unless_patterns))
            and (not rule.places or not self.places.isdisjoint(word_set(rule.places)))
            and (not rule.sources or not self.sources.isdisjoint(word_set(rule.sources)))
            and (not rule.target or self.target in word_set(rule.target))
            and (not rule.reads or not self.reads.isdisjoint(word_set(rule.reads)))
            and (self._command.many or not rule.looped)
        )


class _Row(msgspec.Struct, frozen=True):
    """One subcommand of a rule."""

    path: tuple[str, ...]
    word: frozenset[str]
    """Words of which one does."""

    words: tuple[frozenset[str], ...]
    """Words of which all of any must stand there, beside those that do alone."""

    rule: CommandRule

    def fits(self, options: Options, texts: _Texts) -> bool:
        """Return whether a command line says this."""
        said, path, rule = options.words, self.path, self.rule
        return (
            (not path or said[: len(path)] == path or is_alike(path, texts.said))
            and (not rule.options or options.has(rule.options))
            and not (rule.spares and self._spares(said[len(path) :]))
            and (not rule.words or self._is_said(texts))
            and texts.fits(rule)
        )

    def _is_said(self, texts: _Texts) -> bool:
        """Return whether the words stand there that it asks for."""
        return not self.word.isdisjoint(texts.words) or any(map(texts.words.issuperset, self.words))

    def _spares(self, words: tuple[str, ...]) -> bool:
        """Return whether all that it is about is something that the rule leaves alone."""
        return bool(words) and all(map(_regex(self.rule.spares).fullmatch, words))

    def verb(self, texts: _Texts) -> str:
        """Return the word that says what is done; empty when no word of the rule does."""
        for word in reversed(self.path):
            if word != "*":
                return word
        for one in self.rule.words:
            if texts.words.issuperset(one.split()):
                return min(one.split()).strip("/")
        return ""

    @property
    def is_sure(self) -> bool:
        """Return whether it goes by what a program is told: no word for a dry run is believed."""
        return bool(self.rule.words or self.rule.patterns)


_regex = cache(partial(re2.compile, options=QUIET))


def is_alike(path: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Return whether words begin with a path in which `*` stands for any one word."""
    begins = zip(path, words, strict=False)
    return len(words) >= len(path) and all(part in {"*", word} for part, word in begins)


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
        words = [frozenset(one.split()) for one in rule.words]
        single = frozenset[str]().union(*(one for one in words if len(one) == 1))
        several = tuple(one for one in words if len(one) > 1)
        for subcommand in rule.subcommands or ("",):
            path = tuple(subcommand.split())
            head = path[0] if path and path[0] != "*" else ""
            rows[head] = (*rows.get(head, ()), _Row(path, single, several, rule))
    return Tool(rules=rules, values=word_set(rules.values), rows=rows)


def judged(tool: Tool, command: Command) -> tuple[list[Finding], bool]:
    """Return the worst that its rules say, and whether any rule said something."""
    options = read_options(command.args, tool.values)
    if asks_for_help(command) or is_dry(tool.rules, options, command.args):
        return [], True
    texts = _Texts(command, options)
    rows = _fitting(tool, options, texts)
    if rows and runs_dry(command, tool.values):
        return _worst([row for row in rows if row.is_sure], options, texts), True
    return _worst(rows, options, texts), bool(rows)


def by_rows(tool: Tool, options: Options, command: Command) -> list[Finding]:
    """Return the worst that rules say of a command that neither asks for help nor runs dry."""
    texts = _Texts(command, options)
    return _worst(_fitting(tool, options, texts), options, texts)


_GROUPS = tuple(msgspec.convert(data_file("rules/groups"), dict[str, GroupRules]).values())


def _named(groups: Iterable[GroupRules]) -> dict[str, tuple[GroupRules, ...]]:
    found: dict[str, tuple[GroupRules, ...]] = {}
    for group in groups:
        for name in listed(group.programs):
            found[name] = (*found.get(name, ()), group)
    return found


_GROUPED = _named(_GROUPS)
GROUPED = frozenset(_GROUPED)
"""Programs that rules of groups are about."""

COMPLETE = frozenset(_named(group for group in _GROUPS if group.complete))
"""Those about which nothing else needs to be asked."""


@cache
def _tools_of(name: str) -> tuple[Tool, ...]:
    """Return the rules of a program's groups, ready to be matched."""
    groups = _GROUPED[name]
    return tuple(prepared(ToolRules(values=one.values, rules=one.rules)) for one in groups)


def by_groups(command: Command) -> list[Finding]:
    """Return the worst that the rules of each of its groups say."""
    if asks_for_help(command):
        return []
    return [
        finding
        for tool in _tools_of(command.name)
        if not runs_dry(command, tool.values)
        for finding in by_rows(tool, read_options(command.args, tool.values), command)
    ]


def _fitting(tool: Tool, options: Options, texts: _Texts) -> list[_Row]:
    head = options.word(0)
    rows = tool.rows.get("", ())
    if head:
        rows = (*rows, *tool.rows.get(head, tool.rows.get(head.lower(), ())))
    return [row for row in rows if row.fits(options, texts)]


def _level(found: tuple[_Row, RuleDanger]) -> int:
    return found[1].level.rank


@cache
def _verb_of(reason: str) -> str:
    """Return the verb that a reason begins with: `delete` of `deletes backups`."""
    found = verb_in(reason.partition(" ")[0])
    return found.base if found else ""


def _worst(rows: Iterable[_Row], options: Options, texts: _Texts) -> list[Finding]:
    found: list[tuple[_Row, RuleDanger]] = [
        (row, row.rule.danger)
        for row in rows
        if row.rule.danger and not (row.rule.unless and options.has(row.rule.unless))
    ]
    if not found:
        return []
    row, danger = max(found, key=_level)
    verb = danger.verb or row.verb(texts) or _verb_of(danger.reason)
    reason = texts.reason(row.rule, danger.reason)
    return [Finding(danger.id, danger.level, reason, verb, danger.heuristic)]


def is_dry(known: ToolRules, options: Options, args: tuple[str, ...]) -> bool:
    """Return whether it only says what it would do."""
    if not known.dry_run or not options.has(known.dry_run):
        return False
    said = [at for at, arg in enumerate(args) if arg.partition("=")[0] in word_set(known.dry_run)]
    if said and all(at and _is_taken(args[at - 1], known) for at in said):
        return False
    given = {options.value(word) for word in ("--dry-run", *known.dry_run.split())}
    if HOLE in "".join(given):  # `--dry-run=$MODE` may say that it is none
        return False
    return _NOT_DRY.isdisjoint(given) and not (known.no_dry_run and options.has(known.no_dry_run))


def is_rehearsal(known: ToolRules, command: Command) -> bool:
    """Return whether an option of these rules makes it only say what it would do."""
    return is_dry(known, read_options(command.args, word_set(known.values)), command.args)


def _is_taken(before: str, known: ToolRules) -> bool:
    """Return whether an option takes the next word for its value, whatever that looks like."""
    return before in word_set(known.values) or is_valued(before)


_DRY = words("words/shell:dry_runs.options")
_WET = word_set("--no-dry-run --no-dryrun --no-dry --no-preview --no-simulate --no-pretend")
_NOT_DRY = word_set("none false 0 no off never disabled")
_OWN = by_word("words/shell:dry_runs.own_words")


def runs_dry(command: Command, valued: frozenset[str] = NONE) -> bool:
    """Return whether any of its tool's words for a dry run stands there, and nothing takes it back.

    `valued` are the options that take the next word, beside those that any tool has.
    """
    own, args = _OWN.get(command.name), command.args
    words = _DRY if own is None else word_set(own)
    dry = False
    for at, arg in enumerate(args):
        if arg == "--":
            break
        if arg[:1] != "-" or (at and (is_valued(args[at - 1]) or args[at - 1] in valued)):
            continue
        name, assigned, value = arg.lower().partition("=")
        if name in words:
            said = value if assigned else "".join(args[at + 1 : at + 2]).lower()
            dry = said not in _NOT_DRY and HOLE not in value
        elif name in _WET or name.startswith("--no-dr"):
            dry = False
    return dry


def stakes_much(command: Command) -> bool:
    """Return whether its words name all of something, or what others depend on."""
    words = (one.lower() for arg in command.args for one in _part.split(arg) if one)
    return not _MUCH.isdisjoint(words)


_part = re.compile(r"[^A-Za-z]+")
_MUCH = words("words/shell:dry_runs.large_targets")
_HELP = frozenset({"--help", "--version", "-help", "--usage"})
_BY_SUBCOMMAND = words("words/shell:help.behind_subcommands")


def asks_for_help(command: Command) -> bool:
    """Return whether it only prints its help or version; behind `--` nothing is an option."""
    args = command.args[: command.args.index("--")] if "--" in command.args else command.args
    if command.name in _H_ACTS and args[-1:] == ("-h",):
        return False
    if not args or len(args) < len(command.args):
        return bool(args) and args[0] in _HELP
    if command.name in _BY_SUBCOMMAND:
        last = args[-1] in {"help", "-h"} and not (len(args) > 1 and _takes(args[-2]))
        return args[0] == "help" or last or _helps(command.name, args)
    if args[-1] == "/?" and command.name in _OF_WINDOWS:
        return True
    if args[-1] in {"-h", "/?"} and all(map(_switch.fullmatch, args[:-1])):
        return "-h" in args or not any(one[0] == "-" for one in args)
    return args == ("help",) or _helps(command.name, args)


_OF_WINDOWS = word_set("wine reg net sc netsh schtasks wmic bcdedit diskpart")
"""Programs that answer `/?` behind a subcommand; to others it names files."""

_switch = re.compile(r"-[\w-]+|/\w{1,3}")
_H_ACTS = word_set("chown chgrp shutdown halt poweroff reboot touch setfacl chmod")
"""Programs whose `-h` is none of help."""


def _helps(name: str, args: tuple[str, ...]) -> bool:
    """Return whether one of its options does, and no word before that is what it acts on."""
    return any(
        arg in _HELP
        and (not at or not _takes(args[at - 1]))
        and (arg == "--help" or not at or at + 1 == len(args))
        and (name in _BY_SUBCOMMAND or all(one[:1] == "-" for one in args[:at]))
        for at, arg in enumerate(args)
    )


def _takes(arg: str) -> bool:
    """Return whether an option before it may have taken it for its value."""
    return (len(arg) == len("-x") and arg[0] == "-") or is_valued(arg)


def is_valued(arg: str) -> bool:
    """Return whether this is an option, by a name that says something, whose value comes next."""
    named = arg[:1] == "-" and len(arg) > len("-x") and arg[:5] != "--no-"
    return named and arg.lstrip("-").rpartition("-")[2] in _VALUED


_VALUED = words("words/shell:help.options_with_value")
