"""Git: what throws work away, rewrites history, or overwrites what others see."""

from collections.abc import Callable

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.command_rules import by_rows, known_tool
from holdpoint.core.risk.shell.dry_runs import asks_for_help, is_dry
from holdpoint.core.risk.shell.git_settings import pushed
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import WIDE, place_of

GIT = known_tool("git")
_DRY_BY_N = word_set("push clean rm add mv prune")
_PROTECTED = word_set("master")


_LEASE = "--force-with-lease --force-if-includes"
_SHARED = word_set("main master trunk production prod release stable")
"""Branches on which others build: there even a lease overwrites what they have."""


def git(command: Command) -> list[Danger]:
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
    special = _GIT.get(done)
    return [*found, *special(command)] if special else found


def _alias(args: tuple[str, ...], done: str) -> Command | None:
    """`-c alias.up='push -f' up`: the order that it stands for; a shell's is read elsewhere."""
    said = f"alias.{done}="
    text = next((arg[len(said) :] for arg in args if done and arg.startswith(said)), "")
    if not text or text[:1] == "!":
        return None
    words = text.split()
    behind = args[args.index(done) + 1 :] if done in args else ()
    return Command(name="git", path="git", args=(*words, *behind))


def _git_push(command: Command) -> list[Danger]:
    options = read_options(command.args, GIT.values)
    refs = options.words[2:] or (options.words[1:] if "--repo" in options.values else ())
    forced = any(ref.startswith("+") and len(ref) > 1 for ref in refs)
    if forced:
        return [Danger("shell.git-force-push", HIGH, "overwrites what others see", "push")]
    if any(ref.startswith(":") and len(ref) > 1 for ref in refs):
        return [Danger("shell.git-delete-remote", HIGH, "deletes a branch for everybody", "push")]
    if options.has(_LEASE) and any(_branch(ref) in _SHARED for ref in refs):
        return [Danger("shell.git-force-push", HIGH, "overwrites what others see", "push")]
    if options.has(_WHOLE) and _is_address(options.word(1)):
        return [WHOLE_SENT]
    if any(_branch(ref) in _PROTECTED for ref in refs):
        return [Danger("shell.git-push-main", HIGH, "pushes to the protected branch", "push")]
    return []


def _branch(ref: str) -> str:
    return ref.rpartition(":")[2].removeprefix("refs/heads/")


def _is_address(word: str) -> bool:
    """Whether a repository is named by where it lies, rather than by a name that it has here."""
    return "://" in word or ("@" in word and ":" in word)


_WHOLE = "--all --branches --mirror"
WHOLE_SENT = Danger(
    "shell.git-sent", HIGH, "sends the whole repository to a place named only here", "push"
)


def _git_checkout(command: Command) -> list[Danger]:
    options = read_options(command.args, GIT.values)
    words = options.words[1:]
    makes = options.has("-b -B --orphan --detach -d") or "-t" in command.args
    paths = "--" in command.args or any(word in {".", "./", "*", ":/"} for word in words)
    overwrites = (paths and command.args[-1:] != ("--",)) or (len(words) > 1 and not makes)
    if overwrites or (options.has("--pathspec-from-file")):
        return [Danger("shell.git-checkout", HIGH, "throws uncommitted work away", "checkout")]
    return []


def _git_rm(command: Command) -> list[Danger]:
    options = read_options(command.args, GIT.values)
    if options.has("--cached -n"):
        return []
    wide = any(place_of(word) in WIDE for word in options.words[1:]) or options.has("-r -f")
    if wide:
        return [Danger("shell.git-rm", HIGH, "deletes files that git knows", "rm")]
    return []


def _git_clean(command: Command) -> list[Danger]:
    """`clean.requireForce=false` stands for the missing `-f`; the last one counts."""
    config = [arg.lower() for arg in command.args if arg.lower().startswith("clean.requireforce=")]
    if config and config[-1].endswith(("=false", "=0", "=no", "=off")):
        return [Danger("shell.git-clean", HIGH, "deletes files that git does not know", "clean")]
    return []


_GIT: dict[str, Callable[[Command], list[Danger]]] = {
    "push": _git_push,
    "checkout": _git_checkout,
    "rm": _git_rm,
    "clean": _git_clean,
}
