"""The verbs and options of tools that no rule names: what they take away or pass over."""

import re
from collections.abc import Sequence
from itertools import takewhile

from holdpoint.core.risk.knowledge import any_of, pattern, tool_rules, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import (
    KNOWN_HARMLESS,
    SERVICES,
    asks_for_help,
    is_rehearsal,
    runs_dry,
    stakes_much,
)
from holdpoint.core.risk.shell.model import HIGH, HOLE, Command
from holdpoint.core.risk.words import NO, word_set
from holdpoint.messages.risk import RiskLevel


def is_name(words: Sequence[str], place: int) -> bool:
    """Return whether a word names what the words before it make.

    A verb that is a word of its own is none, unless a generator of code gets it.
    """
    word, before = words[place], words[place - 1]
    if "migra" in before and ":" in before:
        return before.rpartition(":")[2] in _MAKES_FILES and word.isidentifier()
    if before == "add":
        return place > 1 and words[place - 2] in _MIGRATIONS
    if place > 1 and words[0] in _GENERATES:
        return True
    return not (word.isalpha() and word.islower()) and not _MAKES.isdisjoint(words[:place])


_MIGRATIONS = word_set("migration migrations")
_GENERATES = frozenset({"generate", "g"})
_MAKES_FILES = word_set("make create generate new add")
_MAKES = word_set("new create")
DESTROYS = words("words/shell:verbs.removing")
_TIDY = words("words/shell:verbs.tidying")

_UNSAID = word_set("format d seal clean clear")
"""Verbs that a tool that nobody knows may mean otherwise."""

TAKES_AWAY = DESTROYS - _TIDY - _UNSAID
"""Verbs that take something away also as the name of a program that nobody knows."""

READS = words("words/shell:verbs.reading")
MAKES = words("words/shell:verbs.making")
_CHEAP = words("words/shell:verbs.replaceable_things")
_SWITCHES = words("words/shell:verbs.switches")

_OPTIONS = re.compile(
    rf"--(?:{any_of('words/shell:verbs.removing_options')})(?:-[a-z-]+|[A-Z]\w*|all|chip)?(?:=.*)?"
    r"|--(?:force-reset|(?:accept|allow|ignore)-data-loss)|-(?:delete|remove|erase)[A-Z]\w*"
    r"|-(?:deleteduplicates|rad)"
)
_MILD_OPTIONS = re.compile(
    r"--(?:reset|clear|prune|clean|force-delete|expire|empty|flush)(?:-\w+)*"
)
_KEEPS = re.compile(
    r"--(?:delete|remove)-(?:source|original|orphans|branch|nodes|comments|tags|duplicates-dry)"
)
_BOOLEAN = words("words/shell:verbs.options_without_value")
_VALUED = words("words/shell:verbs.options_with_value")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_:.@-]*")
_PARTS = re.compile(r"[-_:.]")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
MAX_PATH = 5
"""Words of a command line in which its verb may stand."""


def subcommands(args: tuple[str, ...]) -> list[str]:
    """The words that may name what is done, without options and the values of some."""
    words: list[str] = []
    at = 0
    while at < len(args) and len(words) < MAX_PATH:
        arg = args[at]
        if arg == "--":
            break
        if arg.startswith("--"):
            alone = (
                "=" in arg
                or arg in _BOOLEAN
                or (words[1:] and arg != "--name")
                or "".join(args[at + 1 : at + 2])[:1] == "-"
            )
            at += 1 if alone else 2
        elif arg.startswith("-"):
            at += 2 if arg in _VALUED and not words[1:] else 1
        else:
            words.append(arg)
            at += 1
    return words


def verb_of(word: str) -> str:
    """The verb that takes something away in `terminate-instances`, `apps:destroy`, `doDelete`."""
    if _is_bare(word):
        return word if word in _ALONE and len(word) <= MAX_VERB else ""
    if len(word) > MAX_VERB or not _WORD.fullmatch(word) or word.startswith("un-"):
        return ""
    if word.rpartition(".")[2] in _FILES and "." in word:
        return ""
    parts = [part.lower() for part in _PARTS.split(_HUMP.sub("-", word)) if part]
    if ":" in word:
        last = _PARTS.split(word.rpartition(":")[2].lower())
        return next((part for part in last if part in DESTROYS), "")
    if not parts or parts[0] in READS or parts[0] in _BRINGS_BACK or parts[-1] == "sql":
        return ""
    return next((part for part in parts[:3] if part in DESTROYS), "")


_FILES = words("words/shell:verbs.file_endings")

_BRINGS_BACK = word_set(
    "undelete undrop undestroy unremove undestroy unarchive untrash undo-delete"
)
_ALONE = DESTROYS - READS - _BRINGS_BACK - {"sql"}
"""Those that say it as a whole word, which most are."""

MAX_VERB = 48
SHORTEST_FUSED = len("rmvol")
_FUSED = re.compile(pattern("patterns/shell:command_verbs.fused"))


def _fused(word: str) -> str:
    """The verb in a word that holds its object too: `removenode`, `delzone`, `rrdelete`."""
    if len(word) < SHORTEST_FUSED or word.lower() in _BRINGS_BACK:
        return ""
    match = _FUSED.fullmatch(word.lower())
    return next((one for one in match.groups() if one), "") if match else ""


_ASKS = word_set("get list describe show batch-get search lookup head")
"""What begins the name of a question: `get-role`, `list-tags`."""

_NOUNS = words("words/shell:verbs.nouns_before_verbs")
_NOUN_ENDS = word_set("service services index environment")
"""What reads as a verb, and is a noun where one that deletes follows."""

ENDS_NOUNS = DESTROYS | _NOUN_ENDS
"""What makes a noun of such a word before it."""


def by_verb(command: Command, *, service: bool) -> list[Finding]:
    """Return what its verb takes away; `service`: the tool manages things that others depend on.

    A tool that nobody knows may pass over the word for a dry run: it is not believed of much.
    """
    if asks_for_help(command):
        return []
    words = subcommands(command.args)
    found = [*_in_name(command), *(_bought(words) if service else ())]
    sure = bool(found) or service
    if not found and command.args:
        found = _by_words(command, words, service=service)
    dry = bool(found) and runs_dry(command) and (sure or not stakes_much(command))
    return [] if dry else found


def _by_words(command: Command, words: list[str], *, service: bool) -> list[Finding]:
    word, verb = _verb_among(words, service=service)
    if verb:
        return _finding(command, verb, word, service=service)
    if word:
        return by_option(command, service=False) if service and word.lower() in READS else []
    if service and _JSON_DELETES.search(" ".join(command.args)):
        return [_JSON_DELETE]
    return by_option(command, service=service)


def _verb_among(words: list[str], *, service: bool) -> tuple[str, str]:
    """The first word that decides, and the verb in it when it takes something away."""
    if not service and _DECIDING.isdisjoint(words) and _is_bare("".join(words)):
        return "", ""
    for place, word in enumerate(words):
        if HOLE in word or not _WORD.fullmatch(word) or (place and is_name(words, place)):
            break
        verb = verb_of(word) or (_fused(word) if service else "")
        following = words[place + 1].lower() if place + 1 < len(words) else ""
        if verb and (verb != "d" or (place and following not in READS)):
            return word, verb
        head = word.lower()
        ends = _NOUN_ENDS if head in _ASKS else ENDS_NOUNS
        named = service and head in _NOUNS and following.partition("-")[0] in ends
        noun = named or is_wiped(head, following)
        if service and not noun and head.partition("-")[0] in _ASKS:
            return word, ""
        if not noun and (head in READS or (head in MAKES and not service)):
            return word, ""
    return "", ""


def is_wiped(thing: str, verb: str) -> bool:
    """Return whether a word that also reads is a thing that the next one ends: `log wipe`."""
    return thing in _RECORDS and verb in _PLAINLY


_RECORDS = word_set("log logs history events version")
_DECIDING = _ALONE | READS | MAKES
"""Bare words that decide by themselves."""


def _is_bare(word: str) -> bool:
    return word.isalpha() and word.islower() and word.isascii()


_JSON_DELETES = re.compile(r'"[Aa]ction"\s*:\s*"DELETE"|Action=DELETE')
_JSON_DELETE = Finding("shell.json-delete", RiskLevel.HIGH, "deletes what its JSON names", "delete")


def _in_name(command: Command) -> list[Finding]:
    """`kafka-delete-records`, and calls such as `gateway.customer.delete(…)`."""
    name = command.name
    verb = ""
    if command.args and ("-" in name or "_" in name):
        verb = next((part for part in _PARTS.split(name.replace("_", "-")) if part in _PLAINLY), "")
    if "." in name and "/" not in command.path and "." in command.path.strip("."):
        last = _HUMP.sub("-", command.path.rpartition(".")[2]).partition("-")[0].lower()
        verb = last if last in _PLAINLY else verb
    reason = f"takes something away: `{verb}`"
    return [Finding(f"shell.verb-{verb}", RiskLevel.HIGH, reason, verb)] if verb else []


def _bought(words: list[str]) -> list[Finding]:
    """`purchase-offering`, `register-domain`, `commitments create`: money is bound."""
    said = tuple(takewhile(_is_no_read, (word.lower() for word in words)))
    buys = any(part in _BUYS for word in said for part in word.split("-", 1))
    binds = not (_PRICED.isdisjoint(said) or _CREATES.isdisjoint(said))
    if buys or binds or said[:1] == ("checkout",) or not _BINDS.isdisjoint(said):
        return [Finding("shell.spends", RiskLevel.HIGH, "binds or spends money", "buy")]
    return []


def _is_no_read(word: str) -> bool:
    """Return whether it is no word that reads; behind one stands a name: `get deploy purchase`."""
    return word.partition("-")[0] not in READS


_CREATES = word_set("create new add")
_BUYS = word_set("purchase buy")
_PRICED = words("words/shell:verbs.priced_things")
_BINDS = word_set(
    "register-domain renew-domain transfer-domain transfer-domain-to-another-aws-account "
    "create-savings-plan accept-reserved-instances-exchange-quote create-capacity-reservation "
    "create-provisioned-model-throughput"
)
_PLAINLY = word_set("cancel delete drop destroy purge truncate flush wipe erase terminate")


def _finding(command: Command, verb: str, word: str, *, service: bool) -> list[Finding]:
    if not service and (verb in _UNSAID or command.name in KNOWN_HARMLESS):
        return []
    level = RiskLevel.HIGH
    nouns = {part.lower() for part in subcommands(command.args)[:4]} - {word}
    switched = verb == "disable" and nouns & _SWITCHES
    cheap = nouns & _CHEAP and (verb not in _SWITCHED or "--all" not in command.args)
    if switched or cheap or (not service and len(command.args) == 1 and verb in _TIDY):
        level = RiskLevel.MEDIUM
    reason = f"takes something away: `{word if len(verb) < len('rm') else verb}`"
    return [Finding(f"shell.verb-{verb}", level, reason, verb)]


def by_option(command: Command, *, service: bool) -> list[Finding]:
    """`kafka-topics --delete`, `timeshift --delete`: an option is the verb."""
    for at, arg in enumerate(command.args):
        if arg[:1] != "-":
            continue
        name, _, value = arg.partition("=")
        if value.lower() in NO:
            continue
        if name in _ACTS:
            verb = (value or "".join(command.args[at + 1 : at + 2])).lower()
            if verb in _PLAINLY:
                return [Finding(f"shell.verb-{verb}", RiskLevel.HIGH, f"is to {verb}", verb)]
        mild = service and _MILD_OPTIONS.fullmatch(arg)
        if not _KEEPS.match(arg) and (mild or _OPTIONS.fullmatch(arg)):
            verb = arg.lstrip("-").partition("-")[0].partition("=")[0]
            reason = f"takes something away: `{arg.partition('=')[0]}`"
            return [Finding(f"shell.option-{verb}", RiskLevel.HIGH, reason, verb)]
    return []


_SWITCHED = word_set("disable deactivate unset")
_ACTS = word_set("-o --op --operation --action --command --cmd")
"""Options whose value says what is done: `-o delete`."""


def override_in(command: Command) -> str:
    """Return the option that passes over a check, or reaches all below: `-rf`; empty: none.

    A check may be named and its value switch it off: `--require-approval never`.
    """
    args = tuple(takewhile("--".__ne__, command.args))
    for arg, following in zip(args, (*args[1:], ""), strict=False):
        if arg[:1] != "-":
            continue
        option, assigned, value = arg.partition("=")
        if value.lower() not in NO and _overrides.fullmatch(option):
            return option
        if _checks.fullmatch(option) and (value if assigned else following).lower() in _OFF:
            return option
    return ""


_overrides = re.compile(pattern("patterns/shell:overridden_checks.overrides"))
_checks = re.compile(pattern("patterns/shell:overridden_checks.checks"))
_OFF = NO | {"never", "none", "disabled"}


def forced(command: Command) -> Finding | None:
    """Return the finding of a known tool that is to act in spite of a check.

    Only what manages things that others depend on, and what PowerShell stops, sets or adds: other
    programs force what is theirs alone (`npm install --force`), or have rules of their own.
    """
    option = ""
    if command.name in _TOOLS:
        option = override_in(command)
        if not option or _mild.fullmatch(option) or not _acts(command):
            return None
    elif _is_forced_cmdlet(command):
        option = next(filter(_forces.fullmatch, command.args), "")
    if not option or asks_for_help(command) or runs_dry(command):
        return None
    return Finding("shell.forced", HIGH, f"passes over a check: `{option}`", "force")


def _acts(command: Command) -> bool:
    """Return whether it is told what to do, and that is neither to read nor to rehearse it."""
    rules = tool_rules(command.name)
    said = [word.lower().partition("-")[0] for word in subcommands(command.args)[:2]]
    reads = said[:1] and (said[0] in _ASKS or said[-1] in READS)
    return bool(said) and not reads and not (rules and is_rehearsal(rules, command))


def _is_forced_cmdlet(command: Command) -> bool:
    verb, _, noun = command.name.partition("-")
    return verb in _CMDLET_VERBS and noun not in _OF_ONE_MACHINE


_ASKS = READS - words("words/shell:verbs.nouns_before_verbs")
_TOOLS = SERVICES - words("words/shell:checks.of_one_project")
_CMDLET_VERBS = words("words/shell:checks.cmdlet_verbs")
_OF_ONE_MACHINE = words("words/shell:checks.of_one_machine")
_mild = re.compile(pattern("patterns/shell:overridden_checks.mild"))
_forces = re.compile("(?i)" + pattern("patterns/shell:overridden_checks.cmdlet_forces"))
