"""Git: what throws work away, rewrites history, or overwrites what others see."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.command_rules import by_rows, known_tool
from holdpoint.core.risk.shell.dry_runs import asks_for_help, is_dry
from holdpoint.core.risk.shell.git_settings import pushed
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.options import read_options

GIT = known_tool("git")
_DRY_BY_N = word_set("push clean rm add mv prune")


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


WHOLE_SENT = Danger(
    "shell.git-sent", HIGH, "sends the whole repository to a place named only here", "push"
)
