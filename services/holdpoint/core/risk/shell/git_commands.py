"""Git: what throws work away or rewrites history, and the settings that make it run programs."""

import re
import shlex

import re2

from holdpoint.core.risk.knowledge import pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import asks_for_help, by_rows, is_dry, known_tool
from holdpoint.core.risk.shell.inner_commands import Found, Inner
from holdpoint.core.risk.shell.model import HIGH, Command
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import Place, place_of
from holdpoint.core.risk.shell.scope import Scope
from holdpoint.core.risk.words import YES, word_set
from holdpoint.messages.risk import RiskLevel

GIT = known_tool("git")
_DRY_BY_N = word_set("push clean rm add mv prune")


def git(command: Command) -> list[Finding]:
    """Its table, and what stands in its references and paths."""
    options = read_options(command.args, GIT.values)
    done = options.word(0)
    if asks_for_help(command) or is_dry(GIT.rules, options, command.args):
        return []
    if done in _DRY_BY_N and options.has("-n"):
        return []
    found = by_rows(GIT, options, command)
    if "-c" in command.args and (meant := _alias(command.args, done) or pushed(command, done)):
        return git(meant)
    return found


def _alias(args: tuple[str, ...], done: str) -> Command | None:
    """`-c alias.up='push -f' up`: the order that it stands for; a shell's is read elsewhere."""
    said = f"alias.{done}="
    text = next((arg[len(said) :] for arg in args if done and arg.startswith(said)), "")
    if not text or text[:1] == "!":
        return None
    words = text.split()
    behind = args[args.index(done) + 1 :] if done in args else ()
    return Command(name="git", path="git", args=(*words, *behind))


WHOLE_SENT = Finding(
    "shell.git-sent", HIGH, "sends the whole repository to a place named only here", "push"
)


def split(text: str) -> list[str]:
    """Words as a program parts them that reads them from a variable or an option."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.replace('"', " ").replace("'", " ").split()


def setting_commands(key: str, value: str) -> Found:
    """Return what git runs because of a setting."""
    name = key.lower()
    if name in _FILES and value:
        return [] if value == "/dev/null" else [HOOKED]
    ran = value.startswith("!") or name in _RUNS or _runs_for_files.fullmatch(name)
    return [Inner(script=value.lstrip("!"))] if ran else []


_FILES = word_set("core.hookspath include.path init.templatedir")
_RUNS = words("words/shell-flow:git_program_settings")
_runs_for_files = re2.compile(pattern("patterns/shell:git_commands.runs_for_files"))
HOOKED = Finding("shell.hooked", RiskLevel.HIGH, "makes git run files that nobody asked for", "run")


def runs_from_now(args: tuple[str, ...]) -> Found:
    """Return what `git config KEY VALUE` makes it run; files count where anybody may put some."""
    key, value = setting_of(args)
    if key.lower() in _FILES:
        return [HOOKED] if place_of(value) is Place.SCRATCH else []
    return [] if value.startswith("!") else setting_commands(key, value)


def setting_of(args: tuple[str, ...]) -> tuple[str, str]:
    """The key and the value that `git config` is told to set; both empty where it sets none."""
    words = [arg for arg in args if arg[:1] != "-"]
    told = words[:1] == ["config"] and len(words) > len(("config", "key"))
    return (words[-2], words[-1]) if told else ("", "")


def pushing(key: str) -> bool:
    """Return whether a setting says what a push does."""
    return _pushing.fullmatch(key) is not None


_pushing = re.compile(r"remote\.(.+)\.(mirror|push)", re.IGNORECASE)


def pushed(command: Command, done: str) -> Command | None:
    """A push with what `-c` adds to it as words of its own; None where it adds nothing."""
    args = command.args
    told = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg == "-c"]
    pairs = (one.partition("=") for one in told)
    matches = [(found, value if assigned else "true") for key, assigned, value in pairs
               if (found := _pushing.fullmatch(key))]  # fmt: skip
    if done != "push" or not matches:
        return None
    own = args[len(args) - args[::-1].index("push") :]
    words = read_options(own, _VALUES).words
    refs: list[str] = []
    for found, value in matches:
        if words[:1] in {(), (found[1],)}:
            refs += _added(found, value, words)
    return Command(name="git", path="git", args=("push", *own, *refs))


def _added(found: re.Match[str], value: str, words: tuple[str, ...]) -> list[str]:
    if found[2].lower() == "mirror":
        return ["--mirror"] if value.lower() in YES else []
    return [] if words[1:] else [*(() if words else (found[1],)), value]


_VALUES = word_set("-o --push-option --receive-pack --exec --repo")
MAX_SETTINGS = 32
"""Settings that are taken from the environment."""


def in_environment(scope: Scope) -> dict[str, None]:
    """Return what `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0` … and `GIT_CONFIG_PARAMETERS` set."""
    found = dict.fromkeys(split(scope.get("GIT_CONFIG_PARAMETERS") or "")[:MAX_SETTINGS])
    for place in range(MAX_SETTINGS):
        key = scope.get(f"GIT_CONFIG_KEY_{place}")
        value = scope.get(f"GIT_CONFIG_VALUE_{place}")
        if key is None and value is None:
            break
        if key and value is not None:
            found[f"{key}={value}"] = None
    return found


FILES = word_set("GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG")
"""Variables that name a file of settings."""


def written_in(text: str) -> dict[str, None]:
    """Return what a file of settings makes git run, or push: `section.key=value`."""
    found: dict[str, None] = {}
    section = ""
    for line in text.splitlines():
        if head := _section.match(line):
            section = ".".join(filter(None, head.groups()))
        name, assigned, value = line.partition("=")
        key = f"{section}.{name.rpartition(']')[2].strip()}"
        told = value.strip().strip(_QUOTE)
        if (
            section
            and assigned
            and (key.startswith("alias.") or pushing(key) or setting_commands(key, told))
        ):
            found[f"{key}={told}"] = None
    return found


_QUOTE = '"'
_section = re.compile(r"\s*\[([\w.-]+)(?:\s+\"([^\"]*)\")?\]")
