"""Files that a command makes: fetched, copied, or a program under another name."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.model import Command, Flow, Origin
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.secrets import is_secret


def plain(file: str) -> str:
    """A file's last name, by which what is written is remembered."""
    return file.removeprefix("./").rpartition("/")[2]


def fetched(command: Command) -> str:
    """The file into which it writes what it fetches; empty when it prints it."""
    if command.name not in {"curl", "wget", "aria2c", "fetch"}:
        return ""
    options = read_options(
        command.args, word_set("-o --output -H -d -X --output-document -x -A -e -u")
    )
    named = options.value("-o", "--output", "--output-document")
    if command.name == "wget" and not named:
        wget = read_options(command.args, word_set("-O --output-document -P -U"))
        named = wget.value("-O", "--output-document")
        return named if named not in {"-", ""} else (wget.word(0).rpartition("/")[2])
    if not named and options.has("-O --remote-name"):
        return options.word(0).rpartition("/")[2] or options.word(0)
    return named


def copied(command: Command, files: dict[str, Flow]) -> None:
    """Remember that another file holds the same."""
    if command.name == "dd":
        named = dict(arg.partition("=")[::2] for arg in command.args)
        source, target = named.get("if", ""), named.get("of", "")
    else:
        words = [arg for arg in command.args if not arg.startswith("-")]
        source, target = (words[0], words[-1]) if len(words) > 1 else ("", "")
    flow = files.get(plain(source)) or (_SECRET if is_secret(source) else None)
    if flow and target:
        files[plain(target)] = flow


_SECRET = Flow(Origin.SECRET)


def renamed(command: Command, aliases: dict[str, str]) -> None:
    """`cp /bin/rm x`, `ln -s /bin/rm x`: the program has another name."""
    words = [arg for arg in command.args if not arg.startswith("-")]
    if len(words) == len(("from", "to")) and _is_program(words[0]):
        name = words[1].removeprefix("./")
        for one in (name, f"./{name}"):
            aliases[one] = words[0]


def _is_program(file: str) -> bool:
    """`/bin/rm`; what `which` found of one that somebody knows goes by its name alone."""
    return file.startswith(_PROGRAMS) or file.removeprefix("./") in KNOWN


_PROGRAMS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/")
